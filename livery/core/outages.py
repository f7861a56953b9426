"""Whether the database can be used, and if not, why: one line in the log when a trouble begins, and one when it is over."""

import time
from enum import StrEnum

import structlog
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

log = structlog.get_logger()

BUSY_SECONDS = 60.0
"""How often at most the log has a line about a busy database."""


class Cause(StrEnum):
    """Why a transaction failed, when that was not the fault of its statements."""

    AWAY = "away"
    BUSY = "busy"
    IO_ERROR = "io_error"
    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"


_LASTING = {Cause.AWAY: 0, Cause.IO_ERROR: 1, Cause.READ_ONLY: 1, Cause.FULL: 1, Cause.DAMAGED: 2}
"""The troubles that go on, the worst last, and what ends them. 0: any transaction, 1: a transaction that wrote, 2: a new start."""

_SQLITE = {
    "SQLITE_BUSY": Cause.BUSY,
    "SQLITE_LOCKED": Cause.BUSY,
    "SQLITE_FULL": Cause.FULL,
    "SQLITE_IOERR": Cause.IO_ERROR,
    "SQLITE_READONLY": Cause.READ_ONLY,
    "SQLITE_CORRUPT": Cause.DAMAGED,
    "SQLITE_NOTADB": Cause.DAMAGED,
}
"""By primary result code (https://sqlite.org/rescode.html)."""

_POSTGRESQL = {
    "25006": Cause.READ_ONLY,
    "40001": Cause.BUSY,
    "40P01": Cause.BUSY,
    "53100": Cause.FULL,
    "53300": Cause.BUSY,
    "55P03": Cause.BUSY,
    "57014": Cause.BUSY,
    "XX001": Cause.DAMAGED,
    "XX002": Cause.DAMAGED,
}
"""By SQLSTATE (PostgreSQL's documentation, appendix A)."""


def cause_of(error: BaseException) -> Cause | None:
    """Returns the trouble behind an error of the database; ``None`` if the statement is wrong."""
    if isinstance(error, PoolTimeout):
        return Cause.BUSY
    if not isinstance(error, DBAPIError):
        return None
    name = "_".join(str(getattr(error.orig, "sqlite_errorname", "")).split("_")[:2])
    known = _SQLITE.get(name) or _POSTGRESQL.get(str(getattr(error.orig, "sqlstate", "")))
    if known is None and (error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)):
        return Cause.AWAY
    return known


class Outages:
    """The present trouble of one process's database, if there is any."""

    def __init__(self) -> None:
        self.cause: Cause | None = None
        self._began_at = 0.0
        self._busy_at = float("-inf")

    @property
    def is_damaged(self) -> bool:
        """Whether the database was found damaged since the start."""
        return self.cause is Cause.DAMAGED

    def failed(self, cause: Cause, error: BaseException) -> None:
        """Notes a failed transaction. The log gets a line if this is news."""
        now = time.monotonic()
        reason = str(getattr(error, "orig", error)).strip().splitlines()[:1]
        if cause is Cause.BUSY:
            if now - self._busy_at >= BUSY_SECONDS:
                self._busy_at = now
                log.warning("database_busy", reason=reason)
        elif self.cause is None or _LASTING[cause] > _LASTING[self.cause]:
            if self.cause is None:
                self._began_at = now
            self.cause = cause
            log.error("database_unavailable", cause=cause.value, reason=reason)

    def succeeded(self, *, has_written: bool) -> None:
        """Notes a transaction that came to its end. The log gets a line if a trouble is over."""
        if self.cause is not None and _LASTING[self.cause] <= int(has_written):
            log.warning("database_available", cause=self.cause.value, seconds=round(time.monotonic() - self._began_at))
            self.cause = None
