"""Background work of usage: the meter's flush."""

from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep
from livery.usage import service
from livery.usage.meter import Meter

FLUSH_SECONDS = 5.0


def sweeps(context: Context, meter: Meter) -> list[Sweep]:
    """What a process that delivers must run. Flush once more when it stops."""

    async def flush() -> None:
        await meter.flush(context.database)

    async def prune() -> None:
        await service.prune_batches(context.database)

    return [Sweep("usage", flush, FLUSH_SECONDS), Sweep("edge_batches", prune, PRUNE_SECONDS)]
