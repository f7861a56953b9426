"""Reads a project's draft as the release that it would become, piece by piece: what was read before and stands is not read again."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import export as colors_export
from livery.colors import queries as colors
from livery.content.parts import COLORS, IMAGES, META, STORE, Meta, PartName, encode_part, store_part, text_part
from livery.projects.models import Project
from livery.projects.queries import find_project
from livery.publishing import pushed, queries
from livery.publishing.schemas import Draft, DraftPiece, ReleaseState, WantedLanguages
from livery.publishing.unpublished import draft_meta
from livery.screens import export as screens_export
from livery.stores import export as stores_export


async def build_draft(db: AsyncSession, project_id: str, before: Draft | None, wanted: WantedLanguages) -> Draft | None:
    """The draft of a project, with its texts in the wanted languages. ``None`` when the project is gone.

    Work is proportional to what differs from ``before``; without it, to what waits to be published.
    """
    project = await find_project(db, project_id)
    if project is None:
        return None
    number = project.release_number + 1
    if before is not None and before.state.release == number:
        released = before.released
    else:
        released = {
            name: part_hash for name, (part_hash, _) in (await queries.current_part_hashes(db, project_id)).items()
        }
    meta = await draft_meta(db, project)
    reader = _Reader(before.pieces if before else {})
    await _read_texts(db, project, meta, wanted(meta), reader)
    if await colors.count_changed(db, project_id):
        await reader.take(COLORS, object(), lambda: colors_export.colors(db, project_id))
    await _read_stores(db, project, reader)
    parts = await _parts(db, project, released, meta, reader.pieces)
    return Draft(ReleaseState(project_id, number, meta, parts), released, reader.pieces)


class _Reader:
    """Collects the pieces of a draft; one whose mark is that of before is taken over as it is."""

    def __init__(self, before: Mapping[str, DraftPiece]) -> None:
        self._before = before
        self.pieces: dict[str, DraftPiece] = {}

    async def take(self, name: str, mark: object, read: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Add the piece ``name``; an empty value takes the part away."""
        known = self._before.get(name)
        if known is not None and known.mark == mark:
            self.pieces[name] = known
            return
        value = await read()
        self.pieces[name] = DraftPiece(mark, encode_part(value).hash, value) if value else DraftPiece(mark, None, None)


async def _read_texts(
    db: AsyncSession, project: Project, meta: Meta, languages: frozenset[str], reader: _Reader
) -> None:
    for screen, mark in (await screens_export.marks(db, project.id)).items():
        if screen in meta.screens:
            for language in sorted(languages):
                await reader.take(
                    text_part(screen, language),
                    (project.release_number, *mark),  # a restore changes texts beside those that go on waiting
                    lambda screen=screen, language=language: screens_export.texts(db, project.id, screen, language),
                )


async def _read_stores(db: AsyncSession, project: Project, reader: _Reader) -> None:
    for store in await stores_export.stores(db, project.id):
        if store.is_changed:
            part = store.as_part()
            await reader.take(store_part(store.id), part, lambda part=part: _at_once(part))
    for (store_id, chunk), mark in (await stores_export.chunk_marks(db, project.id)).items():
        await reader.take(
            store_part(store_id, chunk),
            (project.release_number, *mark),  # as with texts: items beside those that wait
            lambda store_id=store_id, chunk=chunk: stores_export.chunk(db, project.id, store_id, chunk),
        )


async def _at_once(value: object) -> object:
    return value


async def _parts(
    db: AsyncSession, project: Project, released: Mapping[str, str], meta: Meta, pieces: Mapping[str, DraftPiece]
) -> dict[str, str]:
    """Each part's hash: of the last release, with the draft's pieces in place of it, without what the draft has no more."""
    store_ids = {store_id for store_id, _ in meta.stores}
    parts = {
        name: part_hash
        for name, part_hash in released.items()
        if (part := PartName.parse(name)).holds != META and (part.holds != STORE or part.place in store_ids)
    }
    for name, piece in pieces.items():
        if piece.hash is None:
            parts.pop(name, None)
        else:
            parts[name] = piece.hash
    if project.release_number == 0:  # images are live at once, but not before there is anything live
        images = await pushed.find(db, project.id, IMAGES)
        if images is not None and images.hash is not None:
            parts[IMAGES] = images.hash
    return parts
