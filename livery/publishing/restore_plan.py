"""What restoring a release would come to: what the new release says, what the draft lists then, and what can't come back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing.plans import UNLIMITED
from livery.content.parts import IMAGES, META, STORE, TEXT, KeptPart, Meta, PartName, store_part, text_prefix
from livery.content.versions import whole_moment
from livery.projects import queries as projects
from livery.projects.languages import describe
from livery.projects.queries import Access
from livery.publishing import queries
from livery.publishing.sides import waiting_parts
from livery.stores import export as stores_export
from livery.stores import queries as stores
from livery.stores.models import Store


@dataclass(frozen=True)
class Plan:
    """``parts`` are those in which the new release, the last one and the draft can differ, but for ``meta`` and images; which bodies they have
    is in ``wanted`` and ``current``.

    ``screens`` and ``languages`` are those of the draft afterwards; ``overwritten`` are the screens that become as the release had them.
    ``new_languages`` are those of the draft that neither release has: what is in them stays. ``staying`` are stores that the release has not, with
    items that apps never had: those become new stores. ``at`` is the moment of the restore: whole milliseconds, as answers give moments.
    """

    release: int
    at: datetime
    meta: Meta
    before: Meta
    screens: Sequence[str]
    languages: Sequence[str]
    overwritten: frozenset[str]
    new_languages: frozenset[str]
    leaving_languages: frozenset[str]
    left_languages: frozenset[str]
    staying: frozenset[str]
    left_out: Sequence[str]
    parts: frozenset[str]
    wanted: Mapping[str, KeptPart]
    current: Mapping[str, KeptPart]

    def languages_of(self, screen: str) -> list[str]:
        """The languages in which texts of a screen can differ from what the release has of it."""
        prefix = text_prefix(screen)
        return sorted(name.removeprefix(prefix) for name in self.parts if name.startswith(prefix))

    def text_parts(self) -> dict[str, list[str]]:
        """The same languages of each screen that becomes as the release had it."""
        return {screen: self.languages_of(screen) for screen in sorted(self.overwritten)}

    def chunks_of(self, store_id: str) -> list[int]:
        """The chunks of a store in which items can differ."""
        prefix = store_part(store_id) + "/"
        return sorted(int(name.removeprefix(prefix)) for name in self.parts if name.startswith(prefix))


@dataclass(frozen=True)
class _Choice:
    """What a list is afterwards, and what of it can't come back."""

    restored: list[str]
    everything: list[str]
    left_out: list[str]


def _choose(wanted: Sequence[str], present: Sequence[str], released: Collection[str], limit: int) -> _Choice:
    """What was never released stays; what has to come back does so as long as there is room."""
    unreleased = [name for name in present if name not in released and name not in wanted]
    coming = [name for name in wanted if name not in present]
    kept = len(wanted) - len(coming)
    room = len(coming) if limit == UNLIMITED else max(0, limit - kept - len(unreleased))
    left_out = coming[room:]
    restored = [name for name in wanted if name not in left_out]
    return _Choice(restored, [*restored, *unreleased], left_out)


async def make(db: AsyncSession, access: Access, number: int) -> Plan:
    """What restoring the release ``number`` would come to. Reads what differs from now and what waits. Raises ``ValueError`` for a damaged part."""
    project, limits = access.project, access.tier.limits
    goal, before = await queries.meta_at(db, project.id, number), await queries.read_meta(db, project.id)
    screens = _choose(
        goal.screens,
        await projects.screens_of(db, project.id),
        before.screens,
        limits.screens if limits.screens == UNLIMITED else limits.screens + 1,  # `general` does not count
    )
    languages = await projects.languages_of(db, project.id)
    spoken = _choose(goal.languages, languages, before.languages, limits.languages)
    staying, homes, sentences = await _choose_stores(db, access, goal, before)
    new_languages = frozenset(languages) - {*goal.languages, *before.languages}
    names = await _names(db, access, number)
    names |= await _parts_of_stores(db, access, dict(goal.stores).keys() - dict(homes).keys())
    wanted = await queries.hashes_at(db, project.id, number, names)
    current = await queries.hashes_at(db, project.id, project.release_number, names)
    meta = Meta(goal.default_language, tuple(spoken.restored), tuple(screens.restored), homes)
    overwritten = frozenset({*meta.screens, *before.screens})
    return Plan(
        release=number,
        at=whole_moment(),
        meta=meta,
        before=before,
        screens=screens.everything,
        languages=spoken.everything,
        overwritten=overwritten,
        new_languages=new_languages,
        leaving_languages=frozenset(languages) - frozenset(spoken.everything),
        left_languages=frozenset(spoken.left_out),
        staying=staying,
        left_out=[
            *(_screen_left(name, limits.screens) for name in screens.left_out),
            *(_language_left(code, limits.languages) for code in spoken.left_out),
            *sentences,
        ],
        parts=frozenset(
            name
            for name in names
            if name in wanted or name in current or _is_overwritten(name, overwritten, new_languages)
        ),
        wanted={name: KeptPart(*part) for name, part in wanted.items() if _is_in(name, meta)},
        current={name: KeptPart(*part) for name, part in current.items()},
    )


async def _names(db: AsyncSession, access: Access, number: int) -> set[str]:
    """The parts in which the release, the last one and the draft can differ."""
    project = access.project
    changes = await queries.changes_between(db, project.id, number, project.release_number)
    chunks = await stores_export.changed_chunks(db, project.id, with_removed=True)
    names = {change.part for change in changes} | await waiting_parts(db, project)
    names |= {store_part(store_id, chunk) for store_id, chunk in chunks}
    return {name for name in names if name not in {IMAGES, META}}


async def _parts_of_stores(db: AsyncSession, access: Access, store_ids: Collection[str]) -> set[str]:
    """What apps have of these stores, which go: also the chunks in which nothing differs."""
    if not store_ids:
        return set()
    names = await queries.current_part_hashes(db, access.project.id)
    parts = map(PartName.parse, names)
    return {str(part) for part in parts if part.holds == STORE and part.place in store_ids}


def _is_overwritten(name: str, screens: Collection[str], new_languages: Collection[str]) -> bool:
    """Whether a part is of texts that become as the release had them."""
    part = PartName.parse(name)
    return part.holds == TEXT and part.place in screens and part.piece not in new_languages


def _is_in(name: str, meta: Meta) -> bool:
    """Whether a part belongs to what a release says that it has."""
    part = PartName.parse(name)
    if part.holds == TEXT:
        return part.place in meta.screens and part.piece in meta.languages
    return part.holds != STORE or part.place in dict(meta.stores)


async def _choose_stores(
    db: AsyncSession, access: Access, goal: Meta, before: Meta
) -> tuple[frozenset[str], tuple[tuple[str, str], ...], list[str]]:
    """The stores that become new ones, those that the new release has, and what is said of those that can't come back."""
    rows = await stores.all_stores(db, access.project.id)
    present = {store.id: store for store in rows.values() if store.removed_at is None}
    wanted, released = dict(goal.stores), dict(before.stores)
    with_new_items = await stores.new_items(db, access.project.id)
    staying = [store_id for store_id in present if store_id not in wanted and store_id in with_new_items]
    others = [store_id for store_id in present if store_id not in wanted and store_id not in released]
    others += [store_id for store_id in staying if store_id in released]
    taken = {present[store_id].api_identifier for store_id in others}
    limit = access.tier.limits.stores
    kept = sum(store_id in present for store_id in wanted)
    room = len(wanted) if limit == UNLIMITED else max(0, limit - kept - len(others))
    restored: list[tuple[str, str]] = []
    sentences: list[str] = []
    for store_id, identifier in goal.stores:
        if store_id in present:
            restored.append((store_id, identifier))
        elif identifier in taken:
            sentences.append(_store_taken(identifier))
        elif room == 0:
            sentences.append(_store_left(identifier, limit))
        else:
            room -= 1
            restored.append((store_id, identifier))
    return frozenset(staying) & frozenset(released), tuple(restored), sentences


def _screen_left(name: str, limit: int) -> str:
    return f'The screen "{name}" was left out: your plan allows {limit:,}.'


def _language_left(code: str, limit: int) -> str:
    return f"{describe(code).name} was left out, with all its texts and values: your plan allows {_count(limit, 'language')}."


def _store_left(identifier: str, limit: int) -> str:
    return f'The Data Store "{identifier}" was left out: your plan allows {limit:,}.'


def _store_taken(identifier: str) -> str:
    return f'The Data Store "{identifier}" was left out: a new Data Store has its API Identifier.'


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def staying_sentence(store: Store, count: int) -> str:
    """What is said of a store that the release has not and that stays as a new one."""
    items = "an item that was" if count == 1 else f"{count:,} items that were"
    return f'"{store.name}" stays in the draft as a new Data Store: it has {items} never published.'
