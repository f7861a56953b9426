"""The unpublished changes of a project, and a model of what a publish or a discard leaves of them."""

from collections.abc import Mapping
from typing import Any

import httpx2
from sqlalchemy import or_, select

from livery.content import changes as content
from livery.content.changes import Change
from livery.core.context import Context
from livery.projects.queries import find_project
from livery.publishing import queries
from livery.publishing import service as publishing
from livery.publishing.models import ReleasePart
from livery.publishing.unpublished import UnpublishedChanges, read_unpublished
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.factories.projects import Desk, open_desk
from tests.support.lists import Lists
from tests.support.release_counts import wrong_counts
from tests.support.revisions import uncounted

Values = Mapping[str, Any]
Sides = dict[str, tuple[Values | None, Values | None]]
"""What apps and the draft have of each change, by reference."""


class ChangeDesk:
    """A person who publishes and discards single changes of one project."""

    def __init__(self, http: Desk, studio: Studio) -> None:
        self.http = http
        self.studio = studio
        self._lists = Lists()

    @classmethod
    async def open(cls, context: Context, client: httpx2.AsyncClient, *languages: str) -> "ChangeDesk":
        http = await open_desk(context, client, languages=("en", *languages))
        return cls(http, Studio(context, http.person.actor, http.project_id, ""))

    async def unpublished(self) -> UnpublishedChanges:
        async with self.studio.context.database.read() as db:
            project = await find_project(db, self.studio.project_id)
            assert project
            return await read_unpublished(db, project)

    async def change(self, ref: str) -> Change:
        return _by_ref((await self.unpublished()).changes)[ref]

    async def sides(self) -> Sides:
        changes = _by_ref((await self.unpublished()).changes)
        return {ref: (change.before, change.after) for ref, change in changes.items()}

    async def units(self) -> list[str]:
        """The references of all changes and of all their slots."""
        changes = _by_ref((await self.unpublished()).changes)
        return [unit for ref, change in changes.items() for unit in (ref, *(f"{ref}/{slot}" for slot in change.slots))]

    async def hashes(self) -> dict[str, str]:
        """The hash of each part that apps have."""
        async with self.studio.context.database.read() as db:
            current = await queries.current_part_hashes(db, self.studio.project_id)
        return {name: row[0] for name, row in current.items()}

    async def values(self, number: int) -> dict[str, Any]:
        """The values of the parts that a release has."""
        query = select(ReleasePart.part, ReleasePart.hash).where(
            ReleasePart.project_id == self.studio.project_id,
            ReleasePart.since_release <= number,
            or_(ReleasePart.until_release.is_(None), ReleasePart.until_release > number),
        )
        async with self.studio.context.database.read() as db:
            hashes = {row[0]: row[1] for row in await db.execute(query)}
            bodies = await queries.read_parts(db, self.studio.project_id, list(hashes.values()))
        return {name: bodies[part_hash].value for name, part_hash in hashes.items()}

    async def publish(self, *left_out: str) -> Sides:
        """Publishes all changes without ``left_out``; gives what must be unpublished then."""
        found = await self.unpublished()
        gone = found.left_out(left_out)
        kept = content.without(found.changes, gone)
        if kept or not found.groups:  # a publish without any change is refused
            async with self.studio.context.database.write() as db:
                access = await self.studio.access(db)
                await publishing.publish(db, self.studio.context.bus, access, leave_out=left_out)
        published = _by_ref(kept)
        sides = {
            ref: (published[ref].after if ref in published else change.before, change.after)
            for ref, change in _by_ref(found.changes).items()
        }
        return {ref: side for ref, side in sides.items() if side[0] != side[1]}

    async def discard(self, *refs: str) -> Sides:
        """Discards changes; gives what must be unpublished then."""
        found = await self.unpublished()
        discarded = _by_ref(content.only(found.changes, found.left_out(refs)))
        await self.studio.discard(*refs)
        sides: Sides = {}
        changes = _by_ref(found.changes)
        removed = [
            f"/{change.id}"
            for ref, change in changes.items()
            if change.kind == "language" and change.after is None and ref not in discarded
        ]
        for ref, change in changes.items():
            taken = discarded.get(ref)
            if taken is None:
                sides[ref] = (change.before, change.after)
                continue
            back = {slot: value for slot, value in (change.before or {}).items() if slot in taken.slots}
            without = {slot: value for slot, value in back.items() if not slot.endswith(tuple(removed))}
            if not taken.is_draft or without != back:  # no draft has values in a language that stays removed
                rest = {slot: value for slot, value in (change.after or {}).items() if slot not in taken.slots}
                sides[ref] = (change.before, {**rest, **without})
        return sides

    async def problems(self) -> list[str]:
        async with self.studio.context.database.read() as db:
            return [
                *await fsck.check_all(db),
                *await wrong_counts(db),
                *await uncounted(db),
                *await self._lists.stale(db),
            ]


def _by_ref(changes: content.Changes) -> dict[str, Change]:
    return {change.ref: change for group in changes.values() for change in group}
