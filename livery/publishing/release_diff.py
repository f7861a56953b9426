"""What differs between two sides: entries of the shapes that the review of a publish has, with the true counts of long lists."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries as colors
from livery.colors.contents import Change
from livery.colors.schemas import ColorChange
from livery.content.parts import text_prefix
from livery.core.schemas import Moment, View
from livery.projects.models import Project
from livery.publishing import differing, editors, queries
from livery.publishing.diff import LanguageDiff, ScreenDiff
from livery.publishing.differing import Images, ScreenTexts, StorePair, change_kind
from livery.publishing.editors import Edit, Editors
from livery.publishing.extent import SHOWN, Extent
from livery.publishing.history import names_of
from livery.publishing.sides import Comparison
from livery.screens import queries as screens
from livery.screens.schemas import KeyChange, ValueChange
from livery.stores import queries as stores
from livery.stores.contents import differences, label_of
from livery.stores.fields import are_moved, field_changes
from livery.stores.schemas import ChangeKind, Data, ItemChange, StoreChange, StoreField


class ImageFacts(View):
    """A file: its SHA-256, its size on the screen in pixels, and its size in bytes."""

    hash: str
    width: int
    height: int
    bytes: int


class ImageChange(View):
    """An image that differs: ``old`` and ``new`` are null where there is none. Restoring leaves images alone."""

    key: str
    change: ChangeKind
    by: str | None
    at: Moment
    old: ImageFacts | None
    new: ImageFacts | None


class Differences(View):
    """What differs, ``total`` changes in all: of colours, images, and each screen and store that is not asked for wholly, 200 are listed."""

    total: int
    screens: list[ScreenDiff]
    colors_total: int
    colors: list[ColorChange]
    stores: list[StoreChange]
    images_total: int
    images: list[ImageChange]
    languages: list[LanguageDiff] = Field(default_factory=list[LanguageDiff])


@dataclass(frozen=True)
class Stamp:
    """Who changed something, as far as that is known, and when it went out or was edited."""

    by: str | None
    at: datetime


@dataclass(frozen=True)
class Scope:
    """Where to look for who changed what: in the releases after ``older`` up to ``newer``, of which ``stamp`` says when the last one went out.

    Beside the draft, whoever touched a row of it comes first.
    """

    stamp: Stamp
    older: int
    newer: int
    is_draft: bool


@dataclass(frozen=True)
class _Named:
    """The editors of one section by name."""

    editors: Editors
    names: Mapping[str, str]
    unknown: Stamp

    def stamp_of(self, name: str) -> Stamp:
        """Who changed an entry, and when."""
        edit = self.editors.of(name)
        return Stamp(self.names.get(edit[0] or ""), edit[1]) if edit else self.unknown

    def name_of_part(self, name: str, part: str) -> str | None:
        """The name of who changed a part of an entry, where it was another person."""
        return self.names.get(self.editors.of_part(name, part) or "")


async def _named(
    db: AsyncSession,
    project: Project,
    section: str,
    wanted: Mapping[str, Collection[str]],
    scope: Scope,
    rows: Mapping[str, Edit],
    texts: Mapping[tuple[str, str], Edit] | None = None,
) -> _Named:
    """The editors of these parts of entries; ``rows`` and ``texts`` are who touched them last."""
    unseen = {name: parts for name, parts in wanted.items() if not (scope.is_draft and name in rows)}
    found = await editors.find(db, project.id, section, unseen, after=scope.older, until=scope.newer)
    known = Editors(found, rows, None if scope.is_draft else scope.stamp.at, texts or {})
    names = await names_of(db, list(known.people(wanted, wanted)))
    return _Named(known, names, Stamp(None, scope.stamp.at))


def _whole(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(names, (editors.WHOLE,))


async def compute(
    db: AsyncSession, project: Project, comparison: Comparison, scope: Scope, *, extent: Extent
) -> Differences:
    """What differs between two sides; ``scope`` says where to look for who changed it. Raises ``ValueError`` when a part is damaged."""
    screen_pairs = [
        (
            texts.count,
            await _screen(db, project, comparison, texts, scope, limit=extent.limit_of(f"screen/{texts.screen}")),
        )
        async for texts in differing.screens(db, comparison)
    ]
    changed_colors = await differing.colors(db, comparison)
    images = await differing.images(db, comparison)
    changed_stores = [
        await _store(db, project, store, scope, extent=extent)
        async for store in differing.stores(db, project, comparison)
    ]
    languages = differing.languages(comparison)
    return Differences(
        total=sum(count for count, _ in screen_pairs)
        + len(changed_colors)
        + len(images.changed)
        + sum(store.total for store in changed_stores)
        + len(languages),
        screens=[screen for _, screen in screen_pairs],
        colors_total=len(changed_colors),
        colors=await _colors(db, project, changed_colors[:SHOWN], scope),
        stores=changed_stores,
        images_total=len(images.changed),
        images=await _images(db, project, images, scope),
        languages=languages,
    )


async def _screen(
    db: AsyncSession,
    project: Project,
    comparison: Comparison,
    texts: ScreenTexts,
    scope: Scope,
    *,
    limit: int | None,
) -> ScreenDiff:
    screen = texts.screen
    shown = sorted(texts.changed)[:limit]
    there_before = {key for values in texts.before.values() for key in values}
    there_after = {key for values in texts.after.values() for key in values}
    one_sided = {key for key in shown if (key in there_before) != (key in there_after)}
    elsewhere = await _keys_elsewhere(db, project, comparison, screen, texts.languages) if one_sided else set[str]()
    wanted = {key: texts.changed[key] for key in shown}
    edits = await screens.last_text_edits(db, project.id, screen, shown, texts.languages) if scope.is_draft else {}
    rows = await screens.last_edits(db, project.id, screen, shown)
    named = await _named(db, project, editors.screen_section(screen), wanted, scope, rows, edits)
    return ScreenDiff(
        screen=screen,
        change=texts.change,
        total=len(texts.changed),
        keys=[
            KeyChange(
                key=key,
                change="changed"
                if key in elsewhere
                else change_kind(was_there=key in there_before, is_there=key in there_after),
                by=named.stamp_of(key).by,
                at=named.stamp_of(key).at,
                values=[
                    ValueChange(
                        language=code,
                        old=texts.before[code].get(key, ""),
                        new=texts.after[code].get(key, ""),
                        by=named.name_of_part(key, code),
                    )
                    for code in texts.changed[key]
                ],
            )
            for key in shown
        ],
    )


async def _keys_elsewhere(
    db: AsyncSession, project: Project, comparison: Comparison, screen: str, languages: Sequence[str]
) -> set[str]:
    """The keys of a screen that have a text in a language in which nothing differs: both sides have those."""
    hashes = await queries.pieces_at(db, project.id, comparison.release, text_prefix(screen))
    same = {part_hash for language, part_hash in hashes.items() if language not in languages}
    bodies = await queries.read_parts(db, project.id, same)
    return {key for body in bodies.values() for key in cast("dict[str, str]", body.value)}


async def _colors(db: AsyncSession, project: Project, shown: Sequence[Change], scope: Scope) -> list[ColorChange]:
    if not shown:
        return []
    rows = await colors.last_edits(db, project.id, [change.key for change in shown])
    wanted = _whole(change.key for change in shown)
    named = await _named(db, project, editors.COLORS_SECTION, wanted, scope, rows)
    stamps = {change.key: named.stamp_of(change.key) for change in shown}
    return [change.view(by=stamps[change.key].by, at=stamps[change.key].at) for change in shown]


async def _images(db: AsyncSession, project: Project, images: Images, scope: Scope) -> list[ImageChange]:
    shown = images.changed[:SHOWN]
    if not shown:
        return []
    named = await _named(db, project, editors.IMAGES_SECTION, _whole(shown), scope, {})
    stamps = {key: named.stamp_of(key) if named.editors.of(key) else scope.stamp for key in shown}
    return [
        ImageChange(
            key=key,
            change=change_kind(was_there=key in images.before, is_there=key in images.after),
            by=stamps[key].by,
            at=stamps[key].at,
            old=_facts(images.before.get(key)),
            new=_facts(images.after.get(key)),
        )
        for key in shown
    ]


def _facts(image: Mapping[str, Any] | None) -> ImageFacts | None:
    if image is None:
        return None
    return ImageFacts(hash=image["hash"], width=image["width"], height=image["height"], bytes=image["bytes"])


async def _store(db: AsyncSession, project: Project, store: StorePair, scope: Scope, *, extent: Extent) -> StoreChange:
    old, new = store.before, store.after
    known = new or old
    assert known is not None, "a store that differs is on one side at least"
    fields = old.fields if old else (), new.fields if new else ()
    before: Mapping[str, Data] = old.items if old else {}
    after: Mapping[str, Data] = new.items if new else {}
    shown = store.changed[: extent.limit_of(f"store/{known.identifier}")]
    edits = await stores.last_edits(db, project.id, store.id, shown)
    rows = {editors.WHOLE if row == store.id else row: edit for row, edit in edits.items()}
    wanted = _whole([editors.WHOLE, *shown])
    named = await _named(db, project, editors.store_section(store.id), wanted, scope, rows)
    return StoreChange(
        id=store.id,
        store=known.identifier,
        name=known.name,
        change=change_kind(was_there=old is not None, is_there=new is not None),
        total=store.count,
        old_name=old.name if old else "",
        new_name=new.name if new else "",
        fields=field_changes(*fields),
        fields_moved=are_moved(*fields),
        by=named.stamp_of(editors.WHOLE).by,
        at=named.stamp_of(editors.WHOLE).at,
        items=[
            _item_change(
                item_id,
                before.get(item_id),
                after.get(item_id),
                (old.fields if old else known.fields, known.fields),
                project.default_language,
                named.stamp_of(item_id),
            )
            for item_id in shown
        ],
    )


def _item_change(
    item_id: str,
    old: Data | None,
    new: Data | None,
    fields: tuple[Sequence[StoreField], Sequence[StoreField]],
    default_language: str,
    stamp: Stamp,
) -> ItemChange:
    label = label_of(new or {}, fields[1], default_language) or label_of(old or {}, fields[0], default_language)
    return ItemChange(
        id=item_id,
        label=label or item_id,
        change=change_kind(was_there=old is not None, is_there=new is not None),
        by=stamp.by,
        at=stamp.at,
        values=differences(old or {}, new or {}, *fields),
    )
