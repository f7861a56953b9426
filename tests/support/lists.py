"""Whether the ETag of a list of texts is that of its texts, and whether a list made from an earlier list is the list."""

import gzip
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import Project, ProjectScreen
from livery.screens.listing import Listing, read_changes, read_listing

_Place = tuple[str, ...]
_SOME_LANGUAGES = ("de", "fr")


class Lists:
    """The lists of one test, by what their ETag is made of."""

    def __init__(self) -> None:
        self._known: dict[_Place, str] = {}
        self._earlier: dict[_Place, Listing] = {}
        self.made_from_earlier = 0

    def is_other(self, place: _Place, body: bytes) -> bool:
        """Whether a list with the same ETag at the same place had a different body."""
        found = sha256(body).hexdigest()
        return self._known.setdefault(place, found) != found

    async def stale(self, db: AsyncSession) -> list[str]:
        """Returns each screen whose texts differ from its texts under the same stamp before, or from what its list of before gives."""
        screens = select(Project, ProjectScreen.name).join(ProjectScreen, ProjectScreen.project_id == Project.id)
        screens = screens.where(ProjectScreen.removed_at.is_(None))
        found: list[str] = []
        for project, name in (await db.execute(screens)).all():
            for languages in (None, _SOME_LANGUAGES):
                place = (project.id, name, *(languages or ()))
                whole = await read_listing(db, project, name, languages, None)
                if self.is_other((*place, project.stamp), whole.raw):
                    found.append(f"{place} changed, and the stamp of its project did not")
                earlier = self._earlier.get(place)
                made = await read_changes(db, project, name, languages, earlier) if earlier else None
                self.made_from_earlier += made is not None
                if made is not None and (made.raw, plain(made.gzipped())) != (whole.raw, whole.raw):
                    found.append(f"{place} is different when it is made from the list of before")
                self._earlier[place] = made or whole
        return found


def plain(body: bytes) -> bytes:
    """Returns a body without its compression."""
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
