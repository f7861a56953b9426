"""Background work of usage: the meter's flush."""

from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.usage.meter import Meter

FLUSH_SECONDS = 5.0


def sweeps(context: Context, meter: Meter) -> list[Sweep]:
    """What a process that delivers must run. Flush once more when it stops."""

    async def flush() -> None:
        await meter.flush(context.database)

    return [Sweep("usage", flush, FLUSH_SECONDS)]
