"""A line of the log has its moment, with the zone, and the request that it belongs to."""

import re
from pathlib import Path

import httpx2
import pytest
import structlog
from fastapi import FastAPI

from livery.cli.logs import set_up_logging
from livery.core.http import Measure, render_errors
from livery.core.metrics import Metrics
from livery.core.settings import Settings

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z) \[(\w+) *\] (\w+) +(.*)")


@pytest.fixture
def broken() -> httpx2.AsyncClient:
    """An application with one route, which fails."""
    app = FastAPI()
    render_errors(app)

    @app.get("/broken")
    async def fail() -> None:
        raise RuntimeError("on purpose")

    transport = httpx2.ASGITransport(Measure(app, Metrics()), raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url="http://testserver")


async def test_an_unexpected_error_is_found_in_the_log_by_the_id_in_its_answer(
    broken: httpx2.AsyncClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging(Settings(data_dir=tmp_path))

    async with broken as client:
        first, second = await client.get("/broken"), await client.get("/broken")

    lines = [line.groups() for line in map(LINE.match, capsys.readouterr().out.splitlines()) if line]
    found = [(level, event, re.findall(r"request_id=(\w+)", rest)) for _, level, event, rest in lines]
    ids = [answer.headers["X-Request-ID"] for answer in (first, second)]
    assert found == [("error", "unexpected", [one]) for one in ids]
    assert len(set(ids)) == 2
    structlog.contextvars.clear_contextvars()
