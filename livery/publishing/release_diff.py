"""What differs between two sides: entries of the shapes that the review of a publish has, with the true counts of long lists."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import contents as color_contents
from livery.colors import queries as colors
from livery.colors.schemas import ColorChange
from livery.core.schemas import Moment, View
from livery.projects.models import Project
from livery.publishing import editors, queries
from livery.publishing.diff import LanguageDiff, ScreenDiff, language_diff
from livery.publishing.editors import Edit, Editors
from livery.publishing.extent import SHOWN, Extent
from livery.publishing.history import names_of
from livery.publishing.schemas import COLORS, IMAGES, store_part, text_part
from livery.publishing.sides import Comparison
from livery.screens import queries as screens
from livery.screens.schemas import KeyChange, ValueChange
from livery.stores import queries as stores
from livery.stores.contents import differences, is_same, label_of
from livery.stores.fields import are_moved, field_changes
from livery.stores.schemas import ChangeKind, Data, ItemChange, StoreChange, StoreField, fields_of


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
    before, after = comparison.before.meta, comparison.after.meta
    is_first = not before.languages  # before release 1: its languages and empty screens are no news
    differing = comparison.languages_of()
    shown_screens = [
        await _screen(
            db,
            project,
            comparison,
            screen,
            differing.get(screen, []),
            scope,
            limit=extent.of_screen(screen),
        )
        for screen in dict.fromkeys([*after.screens, *before.screens])
        if screen in differing or (not is_first and (screen in before.screens) != (screen in after.screens))
    ]
    shown_screens = [screen for screen in shown_screens if screen.total or screen.change != "changed"]
    color_count, shown_colors = await _colors(db, project, comparison, scope)
    image_count, shown_images = await _images(db, project, comparison, scope)
    shown_stores = await _stores(db, project, comparison, scope, extent=extent)
    languages = [] if is_first else language_diff(before, after)
    return Differences(
        total=sum(max(screen.total, 1) for screen in shown_screens)
        + color_count
        + image_count
        + sum(store.total for store in shown_stores)
        + len(languages),
        screens=shown_screens,
        colors_total=color_count,
        colors=shown_colors,
        stores=shown_stores,
        images_total=image_count,
        images=shown_images,
        languages=languages,
    )


async def _screen(
    db: AsyncSession,
    project: Project,
    comparison: Comparison,
    screen: str,
    languages: Sequence[str],
    scope: Scope,
    *,
    limit: int | None,
) -> ScreenDiff:
    names = [text_part(screen, language) for language in languages]
    old, new = await comparison.before.values(db, names), await comparison.after.values(db, names)
    by_key: dict[str, list[ValueChange]] = {}
    there_before, there_after = set[str](), set[str]()
    for language, name in zip(languages, names, strict=True):
        before = cast("dict[str, str]", old.get(name, {}))
        after = cast("dict[str, str]", new.get(name, {}))
        there_before |= before.keys()
        there_after |= after.keys()
        for key in before.keys() | after.keys():
            if before.get(key, "") != after.get(key, ""):
                change = ValueChange(language=language, old=before.get(key, ""), new=after.get(key, ""))
                by_key.setdefault(key, []).append(change)
    shown = sorted(by_key)[:limit]
    one_sided = {key for key in shown if (key in there_before) != (key in there_after)}
    elsewhere = await _keys_elsewhere(db, project, comparison, screen, languages) if one_sided else set[str]()
    wanted = {key: [value.language for value in by_key[key]] for key in shown}
    texts = await screens.last_text_edits(db, project.id, screen, shown, languages) if scope.is_draft else {}
    rows = await screens.last_edits(db, project.id, screen, shown)
    named = await _named(db, project, editors.screen_section(screen), wanted, scope, rows, texts)
    return ScreenDiff(
        screen=screen,
        change=_kind(
            was_there=screen in comparison.before.meta.screens, is_there=screen in comparison.after.meta.screens
        ),
        total=len(by_key),
        keys=[
            KeyChange(
                key=key,
                change="changed"
                if key in elsewhere
                else _kind(was_there=key in there_before, is_there=key in there_after),
                by=named.stamp_of(key).by,
                at=named.stamp_of(key).at,
                values=[
                    value.model_copy(update={"by": named.name_of_part(key, value.language)}) for value in by_key[key]
                ],
            )
            for key in shown
        ],
    )


async def _keys_elsewhere(
    db: AsyncSession, project: Project, comparison: Comparison, screen: str, languages: Sequence[str]
) -> set[str]:
    """The keys of a screen that have a text in a language in which nothing differs: both sides have those."""
    hashes = await queries.text_parts_at(db, project.id, comparison.release, screen)
    same = {part_hash for language, part_hash in hashes.items() if language not in languages}
    bodies = await queries.read_parts(db, project.id, same)
    return {key for body in bodies.values() for key in cast("dict[str, str]", body.value)}


async def _colors(
    db: AsyncSession, project: Project, comparison: Comparison, scope: Scope
) -> tuple[int, list[ColorChange]]:
    if COLORS not in comparison.parts:
        return 0, []
    sides = [await side.values(db, [COLORS]) for side in (comparison.before, comparison.after)]
    before, after = (color_contents.unpacked(side.get(COLORS, {})) for side in sides)
    changes = color_contents.differences(before, after)
    shown = changes[:SHOWN]
    rows = await colors.last_edits(db, project.id, [change.key for change in shown])
    wanted = _whole(change.key for change in shown)
    named = await _named(db, project, editors.COLORS_SECTION, wanted, scope, rows)
    stamps = {change.key: named.stamp_of(change.key) for change in shown}
    return len(changes), [change.view(by=stamps[change.key].by, at=stamps[change.key].at) for change in shown]


async def _images(
    db: AsyncSession, project: Project, comparison: Comparison, scope: Scope
) -> tuple[int, list[ImageChange]]:
    if IMAGES not in comparison.parts:
        return 0, []
    sides = [await side.values(db, [IMAGES]) for side in (comparison.before, comparison.after)]
    before, after = (cast("dict[str, dict[str, Any]]", side.get(IMAGES, {})) for side in sides)
    keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    shown = keys[:SHOWN]
    named = await _named(db, project, editors.IMAGES_SECTION, _whole(shown), scope, {})
    stamps = {key: named.stamp_of(key) if named.editors.of(key) else scope.stamp for key in shown}
    return len(keys), [
        ImageChange(
            key=key,
            change=_kind(was_there=key in before, is_there=key in after),
            by=stamps[key].by,
            at=stamps[key].at,
            old=_facts(before.get(key)),
            new=_facts(after.get(key)),
        )
        for key in shown
    ]


def _facts(image: Mapping[str, Any] | None) -> ImageFacts | None:
    if image is None:
        return None
    return ImageFacts(hash=image["hash"], width=image["width"], height=image["height"], bytes=image["bytes"])


@dataclass(frozen=True)
class _Store:
    """One store on one side: its identifier, its name and fields, and the items of the chunks that can differ."""

    identifier: str
    name: str
    fields: Sequence[StoreField]
    items: Mapping[str, Data]


async def _stores(
    db: AsyncSession, project: Project, comparison: Comparison, scope: Scope, *, extent: Extent
) -> list[StoreChange]:
    chunks = comparison.chunks_of()
    before, after = dict(comparison.before.meta.stores), dict(comparison.after.meta.stores)
    found: list[StoreChange] = []
    for store_id in dict.fromkeys([*after, *before]):
        if store_id not in chunks and (store_id in before) == (store_id in after):
            continue
        names = [store_part(store_id), *(store_part(store_id, chunk) for chunk in chunks.get(store_id, []))]
        as_both_have_it = await _unchanged_store(db, project, comparison, store_id)
        old = _store(before.get(store_id), await comparison.before.values(db, names), names, as_both_have_it)
        new = _store(after.get(store_id), await comparison.after.values(db, names), names, as_both_have_it)
        change = await _store_change(db, project, store_id, (old, new), scope, extent=extent)
        if change.total:
            found.append(change)
    return found


async def _unchanged_store(db: AsyncSession, project: Project, comparison: Comparison, store_id: str) -> object:
    """What a store is, where that does not differ."""
    name = store_part(store_id)
    if name in comparison.parts:
        return None
    part_hash = await queries.part_at(db, project.id, comparison.release, name)
    return (await queries.read_parts(db, project.id, [part_hash]))[part_hash].value if part_hash else None


def _store(
    identifier: str | None, values: Mapping[str, object], names: Sequence[str], unchanged: object
) -> _Store | None:
    form = cast("dict[str, Any] | None", values.get(names[0], unchanged))
    if identifier is None or form is None:
        return None
    chunks = [cast("list[dict[str, Any]]", values.get(name, [])) for name in names[1:]]
    items = {str(entry["_id"]): entry["data"] for chunk in chunks for entry in chunk}
    return _Store(identifier, str(form["name"]), fields_of(form["fields"]), items)


async def _store_change(
    db: AsyncSession,
    project: Project,
    store_id: str,
    sides: tuple[_Store | None, _Store | None],
    scope: Scope,
    *,
    extent: Extent,
) -> StoreChange:
    old, new = sides
    known = new or old
    if known is None:
        raise ValueError(f"store {store_id} is on neither side")
    is_same_form = bool(old and new and (old.name, old.fields) == (new.name, new.fields))
    fields = old.fields if old else (), new.fields if new else ()
    before: Mapping[str, Data] = old.items if old else {}
    after: Mapping[str, Data] = new.items if new else {}
    changed = [
        item_id
        for item_id in dict.fromkeys([*before, *after])
        if new and not is_same(before.get(item_id), after.get(item_id))  # with a store all of its items go
    ]
    shown = changed[: extent.of_store(known.identifier)]
    edits = await stores.last_edits(db, project.id, store_id, shown)
    rows = {editors.WHOLE if row == store_id else row: edit for row, edit in edits.items()}
    wanted = _whole([editors.WHOLE, *shown])
    named = await _named(db, project, editors.store_section(store_id), wanted, scope, rows)
    return StoreChange(
        store=known.identifier,
        name=known.name,
        change=_kind(was_there=old is not None, is_there=new is not None),
        total=len(changed) + (not is_same_form),
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
        change=_kind(was_there=old is not None, is_there=new is not None),
        by=stamp.by,
        at=stamp.at,
        values=differences(old or {}, new or {}, *fields),
    )


def _kind(*, was_there: bool, is_there: bool) -> Literal["added", "changed", "removed"]:
    return "added" if not was_there else "changed" if is_there else "removed"
