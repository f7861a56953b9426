"""Whether the ETag of a list of texts is that of its texts: the same ETag never has two lists."""

import gzip
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import Project, ProjectScreen
from livery.screens.listing import read_listing

_Place = tuple[str, ...]


class Lists:
    """The lists of one test, by what their ETag is made of."""

    def __init__(self) -> None:
        self._known: dict[_Place, str] = {}

    def is_other(self, place: _Place, body: bytes) -> bool:
        """Whether a list with the same ETag at the same place had a different body."""
        found = sha256(body).hexdigest()
        return self._known.setdefault(place, found) != found

    async def stale(self, db: AsyncSession) -> list[str]:
        """Returns each screen whose texts differ from its texts under the same stamp of its project before."""
        screens = select(Project.id, Project.stamp, ProjectScreen.name).join(
            ProjectScreen, ProjectScreen.project_id == Project.id
        )
        found: list[str] = []
        for project_id, stamp, name in (await db.execute(screens)).all():
            listing = await read_listing(db, project_id, name)
            if self.is_other((project_id, stamp, name), listing.keys.encode()):
                found.append(f"{name} of {project_id} changed, and the stamp of its project did not")
        return found


def plain(body: bytes) -> bytes:
    """Returns a body without its compression."""
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
