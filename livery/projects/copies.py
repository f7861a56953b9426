"""The verbs of the copies at the CDN's bucket: who is to be copied, who is at it, and what came of it. The only writer of their table.

Whatever changes what the bucket should have calls ``ask`` in its transaction: a release, a key, a plan, a deletion. One row stands for a
project's changes, so only the newest release is ever written. At most one process at a time works for a project, unless its lease ends first.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, case, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import insert_for
from livery.core.queue import Queue
from livery.core.settings import Settings
from livery.projects.models import ContentCopy

TOPIC = "cdn"
LEASE = timedelta(minutes=5)
RETRIES = tuple(timedelta(seconds=seconds) for seconds in (1, 5, 30, 120, 600))
LONGEST_RETRY = timedelta(minutes=30)
"""After the last of ``RETRIES``: a copy is never given up."""
COPIES = Queue(
    ContentCopy,
    todo=ContentCopy.due_at.is_not(None),
    due_at=ContentCopy.due_at,
    attempts=ContentCopy.attempts,
    lease=LEASE,
    retries=RETRIES,
    batch=4,
)


def address_of(key_digest: str) -> str:
    """Returns the folder of a key for apps at the CDN, from the digest of the key. Who does not have the key can't guess it."""
    return hashlib.sha256(f"livery cdn address {key_digest}".encode()).hexdigest()[:40]


def content_url(settings: Settings, project_id: str, key_digest: str) -> str | None:
    """Returns where an app with this key finds the pointers of its project; ``None`` without a CDN."""
    if not settings.cdn_storage_url:
        return None
    return f"{settings.cdn_url.rstrip('/')}/{project_id}/{address_of(key_digest)}"


@dataclass(frozen=True)
class Copied:
    """What the bucket at ``place`` has of a project: ``release`` of ``epoch``, or nothing. ``look_at`` is when it must be looked at again."""

    place: str
    epoch: str
    release: int | None
    look_at: datetime | None


async def ask(db: AsyncSession, project_id: str) -> None:
    """Notes that the bucket should get something else of a project. If a process is at it, the next turn comes when it ends."""
    now = clock.now()
    row = {"project_id": project_id, "due_at": now, "attempts": 0, "asked": 1}
    is_leased = ContentCopy.leased_until > now
    changed = {"due_at": case((is_leased, ContentCopy.due_at), else_=now), "asked": ContentCopy.asked + 1}
    inserting = insert_for(db)(ContentCopy).values(row)
    await db.execute(inserting.on_conflict_do_update(index_elements=[ContentCopy.project_id], set_=changed))


async def claim(db: AsyncSession) -> Sequence[ContentCopy]:
    """Claims rows that are due, for the length of ``LEASE``."""
    rows = await COPIES.claim(db)
    for row in rows:
        row.leased_until = row.due_at
    return rows


async def keep(db: AsyncSession, row: ContentCopy) -> bool:
    """Gives a claimed row a new lease. Returns whether its lease was not lost."""
    until = clock.now() + LEASE
    renewed = update(ContentCopy).where(_is_mine(row)).values(due_at=until, leased_until=until)
    kept = await db.scalar(renewed.returning(ContentCopy.project_id))
    if kept is not None:
        row.due_at = row.leased_until = until
    return kept is not None


async def finish(db: AsyncSession, row: ContentCopy, copied: Copied) -> None:
    """Notes what the bucket has. The row is due at once if a change was noted during the work, or the lease was lost: two may have worked then."""
    now = clock.now()
    was_asked = ContentCopy.asked != row.asked
    values = {
        "due_at": case((was_asked, now), else_=copied.look_at),
        "leased_until": None,
        "attempts": 0,
        "place": copied.place,
        "epoch": copied.epoch,
        "release": copied.release,
    }
    ended = update(ContentCopy).where(_is_mine(row)).values(values).returning(ContentCopy.project_id)
    if await db.scalar(ended) is None:
        await ask(db, row.project_id)


async def put_off(db: AsyncSession, row: ContentCopy) -> None:
    """Lets a claimed row be tried again later."""
    later = {"due_at": clock.now() + LONGEST_RETRY}
    await COPIES.put_off(db, row, noting={"leased_until": None}, giving_up=later)


async def ask_for_elsewhere(db: AsyncSession, *, place: str, epoch: str) -> None:
    """Makes the copies due that are of a different bucket or epoch."""
    now = clock.now()
    await db.execute(update(ContentCopy).where(_is_elsewhere(place, epoch, now)).values(due_at=now))


async def has_elsewhere(db: AsyncSession, *, place: str, epoch: str) -> bool:
    """Whether ``ask_for_elsewhere`` would find a row. Takes no lock."""
    found = select(ContentCopy.project_id).where(_is_elsewhere(place, epoch, clock.now())).limit(1)
    return (await db.execute(found)).first() is not None


def _is_mine(row: ContentCopy) -> ColumnElement[bool]:
    return (ContentCopy.project_id == row.project_id) & (ContentCopy.leased_until == row.leased_until)


def _is_elsewhere(place: str, epoch: str, now: datetime) -> ColumnElement[bool]:
    rests = (ContentCopy.attempts == 0) & or_(ContentCopy.due_at.is_(None), ContentCopy.due_at > now)
    return rests & or_(ContentCopy.place != place, ContentCopy.epoch != epoch)
