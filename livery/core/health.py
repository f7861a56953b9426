"""What an operator's tools ask: is the process alive, are its dependencies there, what does it count."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text

from livery.core.context import CurrentContext
from livery.core.errors import NotFound, Unavailable
from livery.core.metrics import Metrics
from livery.core.routing import Router

READY_SECONDS = 2.0

router = Router(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """Whether the process is alive."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
async def readyz(context: CurrentContext) -> JSONResponse:
    """Whether the database and the storage answer within two seconds; 503 if one of them does not, or the database is damaged.

    The bucket of a CDN is shown as its last use was. Apps are served without it, so it does not count.
    """

    async def ask_database() -> None:
        async with context.database.read() as db:
            await db.execute(text("SELECT 1"))

    database, storage = await asyncio.gather(_state(ask_database), _state(context.blobs.check))
    if context.database.outages.is_damaged:
        database = "damaged"
    states = {"database": database, "storage": storage}
    is_ready = all(state == "up" for state in states.values())
    if context.cdn:
        states["cdn"] = "down" if context.cdn.trouble.is_present else "up"
    return JSONResponse({"status": "ok" if is_ready else "unavailable", **states}, 200 if is_ready else 503)


@router.get("/metrics")
async def read_metrics(request: Request, context: CurrentContext) -> Response:
    """Returns what the server counts, for the bearer of ``LIVERY_METRICS_TOKEN``; 404 for everybody else.

    With several workers each number has the label ``worker``.
    """
    token = context.settings.metrics_token.get_secret_value()
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not token or not hmac.compare_digest(token.encode(), sent.encode()):
        raise NotFound("There is nothing at this address.")
    metrics: Metrics = request.app.state.metrics
    return Response(await metrics.report(), media_type=CONTENT_TYPE_LATEST)


async def _state(ask: Callable[[], Awaitable[None]]) -> str:
    try:
        async with asyncio.timeout(READY_SECONDS):
            await ask()
    except (Unavailable, TimeoutError):
        return "down"
    return "up"
