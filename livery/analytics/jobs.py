"""Background work of analytics: the flush of the counter, and the page views for a different service."""

from livery.analytics.counter import PageViews
from livery.analytics.forwarding import Forwarder
from livery.core.context import Context
from livery.core.jobs import Sweep

FLUSH_SECONDS = 5.0


def sweeps(context: Context, views: PageViews, forwarder: Forwarder) -> list[Sweep]:
    """Returns the sweeps ``page_views`` and ``analytics``. Flush ``views`` once more when the process stops."""

    async def flush() -> None:
        await views.flush(context.database)

    return [Sweep("page_views", flush, FLUSH_SECONDS), Sweep("analytics", forwarder.send, FLUSH_SECONDS)]
