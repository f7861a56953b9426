"""When to look for new releases: soon after a notice, and of all projects every five seconds, since a notice may be lost."""

import asyncio
from collections.abc import Callable, Coroutine, Set
from typing import Any

import structlog

from livery.core.errors import Unavailable
from livery.core.tasks import finish

log = structlog.get_logger()

LOOK_SECONDS = 5.0
RETRY_SECONDS = 1.0


class Looks:
    """The projects to look at. Run ``run`` beside what notes them."""

    def __init__(self, *, rest_seconds: float = 0) -> None:
        """``rest_seconds`` after a notice, further notices join the same look."""
        self._rest_seconds = rest_seconds
        self._noted: set[str] = set()
        self._is_all_noted = False
        self._wake = asyncio.Event()

    def note(self, *project_ids: str) -> None:
        """These projects have news."""
        self._noted.update(project_ids)
        self._wake.set()

    def note_all(self) -> None:
        """Any project may have news."""
        self._is_all_noted = True
        self._wake.set()

    async def run(self, known: Callable[[], Set[str]], look: Callable[[list[str]], Coroutine[Any, Any, None]]) -> None:
        """Looks until cancelled, at those of the ``known`` projects that were noted. A look that fails is repeated after a second."""
        while True:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                self._is_all_noted = True
            if self._rest_seconds:
                await asyncio.sleep(self._rest_seconds)
            self._wake.clear()
            wanted = set(known()) if self._is_all_noted else self._noted & known()
            self._noted, self._is_all_noted = set(), False
            try:
                await finish(look(sorted(wanted)))
            except Exception as error:  # noqa: BLE001  # whatever it is, the next look may find it mended
                if not isinstance(error, Unavailable):  # that has a line in the log already
                    log.warning("releases_not_refreshed", error=type(error).__name__)
                self.note(*wanted)
                await asyncio.sleep(RETRY_SECONDS)
