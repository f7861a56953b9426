"""Reads a project's draft as the release that it would become, piece by piece. An unchanged piece is not read again."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import META, Meta, PartName, encode_part
from livery.projects.models import Project
from livery.projects.queries import find_project
from livery.publishing import pushed, queries
from livery.publishing.kinds import KINDS
from livery.publishing.schemas import Draft, DraftPiece, ReleaseState, WantedLanguages
from livery.publishing.unpublished import draft_meta


async def build_draft(db: AsyncSession, project_id: str, before: Draft | None, wanted: WantedLanguages) -> Draft | None:
    """Builds the draft of a project, with its texts in the wanted languages. ``None`` when the project is gone.

    Work is proportional to what differs from ``before``; without it, to the unpublished changes.
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
    languages = wanted(meta)
    for kind in KINDS:
        marks = await kind.marks(db, project_id, meta, languages)
        for name, mark in marks.items():
            part = PartName.parse(name)
            # The release is in the mark, since a restore also changes entries without unpublished changes.
            await reader.take(name, (number, mark), lambda kind=kind, part=part: kind.draft_part(db, project_id, part))
    parts = await _parts(db, project, released, meta, reader.pieces)
    return Draft(ReleaseState(project_id, number, meta, parts), released, reader.pieces)


class _Reader:
    """Collects the pieces of a draft. A piece with the same mark as before is taken over as it is."""

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


async def _parts(
    db: AsyncSession, project: Project, released: Mapping[str, str], meta: Meta, pieces: Mapping[str, DraftPiece]
) -> dict[str, str]:
    """Each part's hash: of the last release, with the draft's pieces in place of it, without what the draft has no more."""
    parts = {
        name: part_hash
        for name, part_hash in released.items()
        if name != META and all(kind.has_part(meta, PartName.parse(name)) for kind in KINDS)
    }
    for name, piece in pieces.items():
        if piece.hash is None:
            parts.pop(name, None)
        else:
            parts[name] = piece.hash
    if project.release_number == 0:  # what is live at once is not live before there is anything live
        live = await pushed.find_unpublished(db, project.id)
        parts |= {name: part.hash for name, part in live.parts.items()}
    return parts
