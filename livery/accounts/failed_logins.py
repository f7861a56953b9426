"""Failed logins on their way to the audit log.

A sweep writes them, not the request. A write for known emails only would show in the time of the answer which emails have an account.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries
from livery.accounts.models import User
from livery.activity import audit
from livery.core import clock
from livery.core.db import Database, locked
from livery.core.origin import Origin, current

MOST_WAITING = 10_000
"""The most failed logins kept in memory while the database is away; the oldest are lost first."""
_BATCH = 500


@dataclass(frozen=True)
class _FailedLogin:
    user_id: str
    origin: Origin
    at: datetime


class FailedLogins:
    """The failed logins since the last flush, in this process. To be used from the event loop only."""

    def __init__(self) -> None:
        self._waiting: deque[_FailedLogin] = deque(maxlen=MOST_WAITING)

    def note(self, user_id: str) -> None:
        """Notes a wrong password for an account that exists. Costs no access to the database."""
        self._waiting.append(_FailedLogin(user_id, current(), clock.now()))

    async def flush(self, database: Database) -> None:
        """Writes what was noted; without a note no lock is taken. If that fails, the notes are kept for the next flush.

        An account that was closed since gets its entry without an address.
        """
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                async with database.write() as db:
                    open_ids = await _hold_open_accounts(db, batch)
                    for failed in batch:
                        is_open = failed.user_id in open_ids
                        audit.write(
                            db,
                            action="accounts.login_failed",
                            actor_id="",
                            account_id=failed.user_id,
                            origin=failed.origin if is_open else replace(failed.origin, address=None),
                            at=failed.at,
                        )
            except BaseException:
                self._waiting.extendleft(reversed(batch))
                raise


async def _hold_open_accounts(db: AsyncSession, batch: Sequence[_FailedLogin]) -> set[str]:
    """Returns the ids of the accounts that are not closed. Their rows are locked: no account can be closed before the entries are written."""
    user_ids = {failed.user_id for failed in batch}
    is_open = select(User.id).where(User.id.in_(user_ids), ~queries.is_closed())
    return set(await db.scalars(locked(is_open.order_by(User.id))))
