"""What the bucket should have of a project, as the database shows it at one moment."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import read_epoch
from livery.core.settings import Settings
from livery.projects import copies, queries


@dataclass(frozen=True)
class Standing:
    """``addresses`` are those of the keys that work, ``ended_keys`` the number of others. ``release`` is 0 when apps are not to get anything.

    ``until`` is when apps are not served any more, if nothing else happens.
    """

    epoch: str
    release: int
    addresses: frozenset[str]
    ended_keys: int
    until: datetime | None

    def still_allows(self, former: "Standing") -> bool:
        """Whether pointers that were prepared for ``former`` may be written now."""
        same = (self.epoch, self.ended_keys) == (former.epoch, former.ended_keys)
        return same and self.addresses >= former.addresses and self.release >= former.release


async def read_standing(db: AsyncSession, settings: Settings, project_id: str) -> Standing:
    """Reads the standing of a project, also of a deleted project."""
    epoch = await read_epoch(db)
    living, ended = await queries.digests_of_app_keys(db, project_id)
    addresses = frozenset(copies.address_of(digest) for digest in living)
    project = await queries.find_project(db, project_id)
    if project is None:
        return Standing(epoch, 0, frozenset(), ended, None)
    if settings.billing != "credits":
        return Standing(epoch, project.release_number, addresses, ended, None)
    grace = timedelta(days=settings.expired_grace_days)
    is_served = queries.is_served(project, clock.now(), grace=grace)
    until = project.tier_expires_at + grace if is_served and project.tier_expires_at else None
    return Standing(epoch, project.release_number if is_served else 0, addresses, ended, until)
