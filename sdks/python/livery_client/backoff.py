"""How long to pause after each kind of failure. Pure: time and chance come from outside. All times are in seconds."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

MAX_WAIT = 3_600.0
_MINUTE = 60.0
_DAY = 24 * 3_600.0


class Failure(Enum):
    """What kind of failure it was.

    ``TRANSIENT``: soon again. ``REFUSED``: the key or the plan must change first. ``GONE``: the project was deleted. ``UNSUITABLE``: the
    request is wrong.
    """

    TRANSIENT = "transient"
    REFUSED = "refused"
    GONE = "gone"
    UNSUITABLE = "unsuitable"


def classify(status: int, *, is_livery: bool) -> Failure:
    """An ingress without a server behind it answers 404 or 403 for some seconds. Only an answer of Livery itself is a refusal."""
    if not is_livery:
        return Failure.TRANSIENT
    if status == 410:
        return Failure.GONE
    if 401 <= status <= 404:
        return Failure.REFUSED
    if 400 <= status < 500 and status not in (408, 429):
        return Failure.UNSUITABLE
    return Failure.TRANSIENT


def parse_retry_after(header: str | None) -> float | None:
    """Returns the seconds of a ``Retry-After``, at most an hour. A date is not read: it would compare this clock with the server's."""
    value = (header or "").strip()
    return min(float(value), MAX_WAIT) if re.fullmatch("[0-9]{1,15}", value) else None


@dataclass
class Backoff:
    """The pauses of one kind of request. ``random`` returns 0 ≤ n < 1."""

    random: Callable[[], float]
    failures: int = field(default=0, init=False)
    _refusals: int = field(default=0, init=False)

    def reset(self) -> None:
        """Starts the pauses from the beginning again."""
        self.failures = 0
        self._refusals = 0

    def fail(self, failure: Failure, retry_after: float | None = None) -> float:
        """Returns the pause after a failure. A server's ``Retry-After`` is never undercut, and spread by a quarter."""
        wait = self._wait(failure)
        return wait if retry_after is None else max(wait, retry_after * (1 + self.random() / 4))

    def lost(self, spread: float | None = None) -> float:
        """Returns the pause after the loss of a stream that had worked.

        The first pause is spread over ``spread`` seconds (9 by default): all clients of a server lose the stream in the same
        moment. With 9 s, all of them have it again within 10 s. Losses that soon follow back off like any failure.
        """
        within = self.random() * min(max(9.0 if spread is None else spread, 0.0), MAX_WAIT)
        if self.failures == 0:
            self.failures = 1
            return within
        return max(within, self.fail(Failure.TRANSIENT))

    def _wait(self, failure: Failure) -> float:
        match failure:
            case Failure.TRANSIENT:
                self.failures += 1
                return min(2.0 ** min(self.failures - 1, 10), 30.0) * (0.5 + self.random() / 2)
            case Failure.REFUSED:
                self._refusals += 1
                return min(5 * _MINUTE * 2.0 ** min(self._refusals - 1, 10), MAX_WAIT) * (0.5 + self.random() / 2)
            case Failure.GONE:
                return _DAY * (1 + self.random() / 10)
            case Failure.UNSUITABLE:
                return MAX_WAIT * (1 + self.random() / 10)
