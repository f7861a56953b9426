"""How a process treats its provider. It limits the calls at a time, pauses when the provider asks for it, and stops calling for a while after
repeated failures."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from livery.ai.providers.port import AWAY, BUSY, Answer, Order, ProviderDown, ProviderName, Translator, Unusable
from livery.core import clock

FAILURES_BEFORE_A_PAUSE = 5
PAUSE_SECONDS = 15.0
BUSY_SECONDS = 2.0


class Gate:
    """A ``Translator`` in front of a second translator. While it is closed, calls fail at once; the first call after a pause is let through alone."""

    def __init__(self, translator: Translator, *, calls_at_a_time: int) -> None:
        self._translator = translator
        self._places = asyncio.Semaphore(calls_at_a_time)
        self._failures = 0
        self._closed_until: datetime | None = None
        self._is_probing = False

    @property
    def name(self) -> ProviderName:
        """As in the settings."""
        return self._translator.name

    @property
    def can_inflect(self) -> bool:
        """Whether it reads notes."""
        return self._translator.can_inflect

    @property
    def secrets(self) -> Sequence[str]:
        """Sentences of ours that must not come back."""
        return self._translator.secrets

    @property
    def wait_seconds(self) -> float:
        """How long no call would be let through; 0 when one would."""
        if self._closed_until is None:
            return 0.0
        left = (self._closed_until - clock.now()).total_seconds()
        return max(left, 0.0) if left > 0 or not self._is_probing else 1.0

    async def ask(self, order: Order) -> Answer:
        """Asks the service behind this gate, and returns its answer. Raises ``ProviderDown`` and ``Unusable``."""
        async with self._places:
            if wait := self.wait_seconds:
                reason = AWAY if self._failures >= FAILURES_BEFORE_A_PAUSE else BUSY
                raise ProviderDown(reason, "the gate is closed", is_busy=True, is_free=True, retry_after_seconds=wait)
            is_probe = self._closed_until is not None
            self._is_probing = self._is_probing or is_probe
            try:
                answer = await self._translator.ask(order)
            except ProviderDown as error:
                self._note(error)
                raise
            except Unusable:
                self._failures, self._closed_until = 0, None  # it is there
                raise
            finally:
                if is_probe:
                    self._is_probing = False
            self._failures, self._closed_until = 0, None
            return answer

    def _note(self, error: ProviderDown) -> None:
        if error.is_permanent:
            return
        self._failures += not error.is_busy
        pause = error.retry_after_seconds if error.is_busy else None
        if pause is None:
            pause = BUSY_SECONDS if error.is_busy else PAUSE_SECONDS
        if error.is_busy or self._failures >= FAILURES_BEFORE_A_PAUSE:
            self._closed_until = clock.now() + timedelta(seconds=pause)
