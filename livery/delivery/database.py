"""The releases of a server: read from its database. The only module of delivery that knows the database."""

from collections.abc import Sequence
from dataclasses import replace

from livery.content.parts import DecodedPart
from livery.core.db import Database, read_epoch, renew_epoch
from livery.delivery.source import KNOWN_RELEASES, starts_after
from livery.publishing import queries
from livery.publishing.schemas import Ledger, PartChange, ReleaseState


class DatabaseSource:
    """Implements ``Source``, and what edges get of releases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, project_ids: Sequence[str]) -> tuple[str, dict[str, int | None]]:
        """Returns the epoch and these releases, of one moment."""
        async with self._database.read() as db:
            epoch = await read_epoch(db)
            return epoch, await queries.release_numbers(db, project_ids) if project_ids else {}

    async def renew_epoch(self, before: str) -> str:
        """Writes a new epoch, unless another process did."""
        async with self._database.write() as db:
            return await renew_epoch(db, before)

    async def current(self, project_id: str) -> ReleaseState | None:
        """Returns the newest release, with the epoch of the same moment."""
        async with self._database.read() as db:
            state = await queries.load_current(db, project_id)
            return state and replace(state, epoch=await read_epoch(db))

    async def changes(self, project_id: str, older: int, newer: int) -> list[PartChange]:
        """Returns the parts that differ between two releases."""
        async with self._database.read() as db:
            return await queries.changes_between(db, project_id, older, newer)

    async def ledger(self, project_id: str, known: tuple[str, int] | None) -> Ledger | None:
        """Returns the ledger of a project, of one moment."""
        async with self._database.read() as db:
            epoch, numbers = await read_epoch(db), await queries.release_numbers(db, [project_id])
            if not (release := numbers[project_id]):
                state = await queries.load_current(db, project_id)
                return state and Ledger(project_id, epoch, 0, state.meta, ())
            after = starts_after(known, epoch, release)
            oldest = release - KNOWN_RELEASES if after is None else after
            spans = await queries.spans_after(db, project_id, oldest, has_current=after is None)
            return Ledger(project_id, epoch, release, None, tuple(spans), after)

    async def bodies(self, project_id: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Returns the compressed bodies."""
        async with self._database.read() as db:
            return await queries.read_bodies(db, project_id, hashes)

    async def parts(self, project_id: str, hashes: Sequence[str]) -> dict[str, DecodedPart]:
        """Returns the decoded bodies."""
        async with self._database.read() as db:
            return await queries.read_parts(db, project_id, hashes)
