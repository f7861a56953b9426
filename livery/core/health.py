"""What an operator's tools ask: is the process alive, are its dependencies there, what does it count."""

import hmac
from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text

from livery.core.context import Context
from livery.core.errors import NotFound, Unavailable
from livery.core.metrics import Metrics


def add_routes(api: FastAPI, context: Context, metrics: Metrics) -> None:
    """Add ``/healthz``, ``/readyz`` and ``/metrics`` (open only with ``LIVERY_METRICS_TOKEN`` as bearer token)."""

    @api.get("/healthz", include_in_schema=False)
    async def healthz() -> JSONResponse:
        return JSONResponse({"status": "ok"})

    @api.get("/readyz", include_in_schema=False)
    async def readyz() -> JSONResponse:
        states = {"database": await _state(ask_database), "storage": await _state(context.blobs.check)}
        is_ready = all(state == "up" for state in states.values())
        return JSONResponse({"status": "ok" if is_ready else "unavailable", **states}, 200 if is_ready else 503)

    async def ask_database() -> None:
        async with context.database.read() as db:
            await db.execute(text("SELECT 1"))

    @api.get("/metrics", include_in_schema=False)
    async def read_metrics(request: Request) -> Response:
        token = context.settings.metrics_token.get_secret_value()
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not token or not hmac.compare_digest(token.encode(), sent.encode()):
            raise NotFound("There is nothing at this address.")
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


async def _state(ask: Callable[[], Awaitable[None]]) -> str:
    try:
        await ask()
    except Unavailable:
        return "down"
    return "up"
