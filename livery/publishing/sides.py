"""The two sides of a comparison: a release or the draft, and the names of the parts in which they can differ."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import export as colors_export
from livery.colors import queries as colors
from livery.content.parts import COLORS, IMAGES, META, STORE, TEXT, Meta, PartName, store_part, text_part
from livery.projects.models import Project
from livery.publishing import queries
from livery.publishing.unpublished import draft_meta
from livery.screens import export as screens_export
from livery.stores import export as stores_export


class Side(Protocol):
    """A state of a project. It knows the parts that the comparison is about, and no others."""

    @property
    def meta(self) -> Meta:
        """Its languages, screens and stores."""
        ...

    async def values(self, db: AsyncSession, names: Collection[str]) -> dict[str, object]:
        """The values of these parts, of those that it has. Raises ``ValueError`` when a body is damaged."""
        ...


@dataclass(frozen=True)
class ReleaseSide:
    """A release, by the hashes of its parts."""

    project_id: str
    meta: Meta
    hashes: Mapping[str, str]

    async def values(self, db: AsyncSession, names: Collection[str]) -> dict[str, object]:
        """See ``Side``."""
        wanted = {name: self.hashes[name] for name in names if name in self.hashes}
        bodies = await queries.read_parts(db, self.project_id, wanted.values())
        return {name: bodies[part_hash].value for name, part_hash in wanted.items()}


@dataclass(frozen=True)
class DraftSide:
    """The draft, as a publish would release it. Images are live at once: theirs are those of the last release."""

    project_id: str
    meta: Meta

    async def values(self, db: AsyncSession, names: Collection[str]) -> dict[str, object]:
        """See ``Side``."""
        found: dict[str, object] = {}
        stores = {store.id: store for store in await stores_export.stores(db, self.project_id)}
        for name in names:
            part = PartName.parse(name)
            if part.holds == TEXT:
                found[name] = await screens_export.texts(db, self.project_id, part.place, part.piece)
            elif name == COLORS:
                found[name] = await colors_export.colors(db, self.project_id)
            elif name == IMAGES and (current := await queries.find_current(db, self.project_id, name)):
                found[name] = (await queries.read_parts(db, self.project_id, [current[0]]))[current[0]].value
            elif part.holds == STORE and part.place in stores:
                found[name] = (
                    stores[part.place].as_part()
                    if part.chunk is None
                    else await stores_export.chunk(db, self.project_id, part.place, part.chunk)
                )
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True)
class Comparison:
    """What two sides are, the parts in which they can differ, and the ``release`` that has every other part as both have it."""

    before: Side
    after: Side
    parts: frozenset[str]
    release: int

    @property
    def is_first(self) -> bool:
        """Whether nothing was there before: the languages and the empty screens of release 1 are no news."""
        return not self.before.meta.languages

    def languages_of(self) -> dict[str, list[str]]:
        """The languages in which texts can differ, by screen."""
        found: dict[str, list[str]] = {}
        for part in sorted(map(PartName.parse, self.parts)):
            if part.holds == TEXT:
                found.setdefault(part.place, []).append(part.piece)
        return found

    def chunks_of(self) -> dict[str, list[int]]:
        """The stores in which something can differ, each with the chunks of items that can."""
        found: dict[str, list[int]] = {}
        for part in map(PartName.parse, self.parts):
            if part.holds == STORE:
                found.setdefault(part.place, []).extend([] if part.chunk is None else [part.chunk])
        return {store_id: sorted(chunks) for store_id, chunks in sorted(found.items())}


async def between_releases(db: AsyncSession, project: Project, before: int, after: int) -> Comparison:
    """Two releases side by side, whichever is the older one. Before release 1 there is release 0, with nothing in it."""
    changes = await queries.changes_between(db, project.id, min(before, after), max(before, after))
    older = {change.part: change.before for change in changes if change.before}
    newer = {change.part: change.after for change in changes if change.after}
    if before > after:
        older, newer = newer, older
    return Comparison(
        before=ReleaseSide(project.id, await _meta(db, project, before), older),
        after=ReleaseSide(project.id, await _meta(db, project, after), newer),
        parts=frozenset(change.part for change in changes) - {META},
        release=max(before, after),
    )


async def to_draft(db: AsyncSession, project: Project, release: int) -> Comparison:
    """A release beside the draft: work is proportional to what waits and to what the releases since then changed."""
    changes = await queries.changes_between(db, project.id, release, project.release_number)
    hashes = {change.part: change.before for change in changes if change.before}
    since = {change.part for change in changes}
    waiting = await waiting_parts(db, project)
    as_now = await queries.hashes_at(db, project.id, project.release_number, waiting - since)
    return Comparison(
        before=ReleaseSide(
            project.id,
            await _meta(db, project, release),
            hashes | {name: part_hash for name, (part_hash, _) in as_now.items()},
        ),
        after=DraftSide(project.id, await draft_meta(db, project)),
        parts=frozenset(since | waiting) - {META},
        release=release,
    )


async def waiting_parts(db: AsyncSession, project: Project) -> set[str]:
    """The names of the parts that a publish may change, but for ``meta``. Of a store that goes, only its own."""
    found = {text_part(screen, language) for screen, language in await screens_export.changed_parts(db, project.id)}
    if await colors.count_changed(db, project.id):
        found.add(COLORS)
    stores = {store.id: store for store in await stores_export.stores(db, project.id)}
    found |= {store_part(store.id) for store in stores.values() if store.is_changed}
    found |= {store_part(store_id, chunk) for store_id, chunk in await stores_export.changed_chunks(db, project.id)}
    if project.release_number:
        released = await queries.read_meta(db, project.id)
        found |= {store_part(store_id) for store_id, _ in released.stores if store_id not in stores}
    return found


async def _meta(db: AsyncSession, project: Project, release: int) -> Meta:
    if release == 0:
        return Meta(project.default_language, (), ())
    return await queries.meta_at(db, project.id, release)
