"""Whether something that the server needs can be used: one line in the log when a trouble begins, and one when it is over."""

import time

import structlog

log = structlog.get_logger()


class Trouble:
    """Whether something else that the server needs can be used. ``begun`` and ``over`` are the names of its two lines in the log."""

    def __init__(self, *, begun: str, over: str) -> None:
        self._begun, self._over = begun, over
        self._began_at: float | None = None

    @property
    def is_present(self) -> bool:
        """Whether the last use failed."""
        return self._began_at is not None

    def failed(self, reason: str) -> None:
        """Notes a failed use. The log gets a line if this is news."""
        if self._began_at is None:
            self._began_at = time.monotonic()
            log.error(self._begun, reason=reason.splitlines()[:1])

    def over(self) -> None:
        """Notes a use that worked. The log gets a line if a trouble is over."""
        if self._began_at is not None:
            log.warning(self._over, seconds=round(time.monotonic() - self._began_at))
            self._began_at = None
