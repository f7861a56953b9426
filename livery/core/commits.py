"""What a transaction is to do when it writes and when it is committed, noted in its session while it runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

_BEFORE_FLUSH = "livery_before_flush"
_AFTER_COMMIT = "livery_after_commit"
_CHANGED = "livery_changed"
_RELEASED = "livery_released"


def before_flush(db: AsyncSession, change: Callable[[], None]) -> None:
    """Calls ``change`` when the transaction of ``db`` writes other changes, at its commit at the latest. So a row is written once, not twice."""
    db.info.setdefault(_BEFORE_FLUSH, []).append(change)


def after_commit(db: AsyncSession, call: Callable[[], None]) -> None:
    """Calls ``call`` once the transaction of ``db`` is durable; never when it is rolled back."""
    db.info.setdefault(_AFTER_COMMIT, []).append(call)


def mark_changed(db: AsyncSession, project_id: str) -> None:
    """Notes that the transaction of ``db`` changes this project: ``Database.on_change`` hears of it after the commit, once however often."""
    db.info.setdefault(_CHANGED, set()).add(project_id)


def mark_released(db: AsyncSession, project_id: str, number: int) -> None:
    """Notes that the transaction of ``db`` makes this release: after the commit, ``Database.write`` ends when this process serves the release."""
    db.info.setdefault(_RELEASED, {})[project_id] = number


@dataclass(frozen=True)
class Notes:
    """What was noted in a transaction for the time after its commit."""

    calls: list[Callable[[], None]]
    changed: set[str]
    released: Mapping[str, int]


def take_notes(db: AsyncSession) -> Notes:
    """Returns what was noted in the transaction of ``db``, and forgets it."""
    return Notes(db.info.pop(_AFTER_COMMIT, []), db.info.pop(_CHANGED, set()), db.info.pop(_RELEASED, {}))


class WritingSession(Session):
    """The session of a transaction that may write."""


def make_changes(session: Session) -> None:
    """Makes the changes of ``before_flush`` that were not made yet. Call it before a commit, which flushes nothing if nothing else changed."""
    for change in session.info.pop(_BEFORE_FLUSH, ()):
        change()


@event.listens_for(WritingSession, "before_flush")
def _make_changes(session: Session, _context: object, _instances: object) -> None:
    make_changes(session)
