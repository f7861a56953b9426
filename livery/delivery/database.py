"""The releases of a server: read from its database. The only module of delivery that knows the database."""

from collections.abc import Sequence
from dataclasses import replace

from livery.content.parts import DecodedPart
from livery.core.db import Database, read_epoch, renew_epoch
from livery.publishing import queries
from livery.publishing.schemas import PartChange, ReleaseState


class DatabaseSource:
    """Implements ``Source``, and what edges get of releases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, project_ids: Sequence[str]) -> tuple[str, dict[str, int | None]]:
        """The epoch and these releases, of one moment."""
        async with self._database.read() as db:
            epoch = await read_epoch(db)
            return epoch, await queries.release_numbers(db, project_ids) if project_ids else {}

    async def renew_epoch(self, before: str) -> str:
        """Writes a new epoch, unless another process did."""
        async with self._database.write() as db:
            return await renew_epoch(db, before)

    async def current(self, project_id: str) -> ReleaseState | None:
        """The newest release, with the epoch of the same moment."""
        async with self._database.read() as db:
            state = await queries.load_current(db, project_id)
            return state and replace(state, epoch=await read_epoch(db))

    async def changes(self, project_id: str, older: int, newer: int) -> list[PartChange]:
        """The parts that differ between two releases."""
        async with self._database.read() as db:
            return await queries.changes_between(db, project_id, older, newer)

    async def parts(self, project_id: str, hashes: Sequence[str]) -> dict[str, DecodedPart]:
        """The decoded bodies."""
        async with self._database.read() as db:
            return await queries.read_parts(db, project_id, hashes)
