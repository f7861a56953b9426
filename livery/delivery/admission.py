"""Who may read what: keys looked up once in a while."""

import asyncio
import functools
import math
import time
from collections.abc import Awaitable, Callable
from enum import Enum

import structlog

from livery.core.errors import Unavailable

log = structlog.get_logger()

KEPT_SECONDS = 10.0
LATE_SECONDS = 10.0
"""For so long after ``KEPT_SECONDS`` an old answer is given while a look-up runs. An ended key opens nothing after both: 20 s."""
RETRY_SECONDS = 1.0
"""How long an old answer is good."""
KEPT_ENTRIES = 100_000


class Admission(Enum):
    """What a key opens in a project."""

    GRANTED = "granted"
    UNKNOWN = "unknown"
    STRANGER = "stranger"
    GONE = "gone"
    UNPAID = "unpaid"
    UNCHECKED = "unchecked"
    """An edge could not ask its origin for so long that the key does not count as known any more."""


_Asked = tuple[str, str]
"""A key and a project."""
_NEVER = -math.inf
Resolve = Callable[[str, str], Awaitable[Admission]]


class Gate:
    """Remembers for ten seconds what a key opens, and looks it up once however many ask.

    For ten more seconds the old answer is given while one look-up runs: no request waits for the database every ten seconds. When the database is
    away, what is remembered is used however old.
    """

    def __init__(self, resolve: Resolve, now: Callable[[], float] = time.monotonic) -> None:
        self._resolve = resolve
        self._now = now
        self._kept: dict[_Asked, tuple[Admission, float]] = {}
        self._looks: dict[_Asked, asyncio.Task[tuple[Admission, float]]] = {}
        self._running: set[asyncio.Task[tuple[Admission, float]]] = set()  # asyncio alone does not keep a task

    def forget(self, project_id: str | None = None) -> None:
        """Keys, members or a plan changed: look up again (what was known stays for when the database is away). ``None``: everything."""
        for asked, (admission, _) in self._kept.items():
            if project_id in {None, asked[1]}:
                self._kept[asked] = admission, _NEVER
        self._looks = {asked: look for asked, look in self._looks.items() if project_id not in {None, asked[1]}}

    def remembers(self, key: str, project_id: str) -> bool:
        """Whether this was looked up before, however long ago."""
        return (key, project_id) in self._kept

    async def may_stay(self, key: str, project_id: str) -> bool:
        """Whether ``key`` still opens a project, as far as can be known right now."""
        try:
            admission, _ = await self.admit(key, project_id)
        except Unavailable:  # nobody is sent off because the database is away
            return True
        except Exception:
            log.exception("key_not_checked", project_id=project_id)
            return True
        return admission is Admission.GRANTED

    async def admit(self, key: str, project_id: str) -> tuple[Admission, float]:
        """What ``key`` opens in a project, and until when (monotonic seconds) that may be taken as true."""
        asked, now = (key, project_id), self._now()
        kept = self._kept.get(asked)
        if kept and kept[1] > now:
            return kept
        look = self._looks.get(asked) or self._begin(asked)
        if kept and now < kept[1] + LATE_SECONDS:
            return kept[0], min(now + RETRY_SECONDS, kept[1] + LATE_SECONDS)
        return await asyncio.shield(look)

    def _begin(self, asked: _Asked) -> "asyncio.Task[tuple[Admission, float]]":
        look = self._looks[asked] = asyncio.create_task(self._look_up(asked))
        self._running.add(look)
        look.add_done_callback(functools.partial(self._end, asked))
        return look

    def _end(self, asked: _Asked, look: "asyncio.Task[tuple[Admission, float]]") -> None:
        self._running.discard(look)
        if self._looks.get(asked) is look:
            del self._looks[asked]
        if not look.cancelled():
            look.exception()  # read here: asyncio reports an exception that nobody reads

    async def _look_up(self, asked: _Asked) -> tuple[Admission, float]:
        began_at = self._now()
        try:
            entry = await self._resolve(*asked), began_at + KEPT_SECONDS
        except Exception:
            kept = self._kept.get(asked)
            if kept is None:
                raise
            entry = kept[0], self._now() + RETRY_SECONDS
        if self._looks.get(asked) is asyncio.current_task():  # else something changed since it began
            if len(self._kept) >= KEPT_ENTRIES:
                self._kept.clear()
            self._kept[asked] = entry
        return entry
