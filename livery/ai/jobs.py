"""Background work of AI: translate due batches, as many at a time as the settings allow."""

import asyncio

import structlog

from livery.ai import fills, translation
from livery.ai.fills import Claimed, Stopped
from livery.ai.providers.choice import open_translator
from livery.ai.providers.gate import Gate
from livery.ai.providers.port import AWAY, ProviderDown
from livery.ai.service import tongue_of
from livery.ai.translation import NothingDone, Outcome, Spent, Text
from livery.core.context import Context
from livery.core.errors import Unavailable
from livery.core.ids import new_id
from livery.core.jobs import Sweep

log = structlog.get_logger()

TIDY_SECONDS = 6 * 3600.0
_LOOK_SECONDS = 0.5
_KEEP_SECONDS = fills.LEASE.total_seconds() / 4
_STORE_AGAIN_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweeps ``ai_jobs`` and ``ai_tidying``."""
    pump = Pump(context, open_translator(context.settings))

    async def tidy() -> None:
        await fills.forget_old(context.database)

    return [Sweep(fills.TOPIC, pump.run, stop=pump.stop), Sweep("ai_tidying", tidy, TIDY_SECONDS)]


class Pump:
    """Takes batches while any is due, and keeps the leases of those it is busy with."""

    def __init__(self, context: Context, gate: Gate) -> None:
        self._context = context
        self._gate = gate
        self._worker = new_id("wrk")
        self._is_stopping = False

    def stop(self) -> None:
        """Take no more; what is being asked for may come to its end."""
        self._is_stopping = True

    async def run(self) -> None:
        """Until nothing is due and nothing under way."""
        active: set[asyncio.Task[None]] = set()
        kept_at = asyncio.get_running_loop().time()
        try:
            while True:
                while len(active) < self._context.settings.ai_concurrency and (claimed := await self._next()):
                    active.add(asyncio.create_task(self._translate(claimed)))
                if not active:
                    return
                _, active = await asyncio.wait(active, timeout=_LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                now = asyncio.get_running_loop().time()
                if now - kept_at >= _KEEP_SECONDS:
                    kept_at = now
                    async with self._context.database.write() as db:
                        await fills.keep_leases(db, self._worker)
        finally:  # a database that is away for a moment must not lose what is being paid for
            if active:
                await asyncio.wait(active)

    async def _next(self) -> Claimed | None:
        """Returns the next batch, unless no batch is due or the service may not be asked now."""
        context = self._context
        while not self._is_stopping and not self._gate.wait_seconds:
            async with context.database.read() as db:
                if not await fills.BATCHES.has_due(db):
                    return None
            async with context.database.write() as db:
                claimed = await fills.claim(db, context.settings, self._worker, self._gate.name)
            if not isinstance(claimed, Stopped):
                return claimed
            async with context.database.write() as db:
                await fills.stop(db, context.bus, claimed)
        return None

    async def _translate(self, claimed: Claimed) -> None:
        """Never raises: one batch must not hold up the others. A batch that can't even be put off is free when its lease ends."""
        try:
            await self._ask_and_store(claimed)
        except Exception:
            log.exception("ai_batch_failed", job=claimed.job_id, batch=claimed.number)
            try:
                await self._put_off(claimed, ProviderDown(AWAY, "our own mistake"), Spent())
            except Exception:
                log.exception("ai_batch_not_put_off", job=claimed.job_id, batch=claimed.number)

    async def _ask_and_store(self, claimed: Claimed) -> None:
        try:
            outcome = await translation.put_into(
                self._gate,
                [Text(text.key_id, text.source, text.name) for text in claimed.texts],
                source=tongue_of(claimed.reference_language),
                target=tongue_of(claimed.language),
                scene=claimed.scene,
            )
        except NothingDone as error:
            await self._put_off(claimed, error.cause, error.spent)
            return
        await self._finish(claimed, outcome)

    async def _finish(self, claimed: Claimed, outcome: Outcome) -> None:
        """Stores what was paid for. If the database is busy or away, tries again several times: asking the service again would cost again."""
        context = self._context
        for pause in (*_STORE_AGAIN_SECONDS, None):
            try:
                async with context.database.write() as db:
                    await fills.finish(db, context.bus, context.settings, claimed, outcome)
            except Unavailable:
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            else:
                return

    async def _put_off(self, claimed: Claimed, cause: ProviderDown, spent: Spent) -> None:
        async with self._context.database.write() as db:
            await fills.put_off(db, self._context.bus, self._context.settings, claimed, cause, spent)
