"""S3 in trouble: uploads are refused in time with the reason in the log, leave nothing behind, and work again afterwards."""

import asyncio
import socket
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
import structlog

from livery.app import Application
from livery.core import blobs
from livery.core.blobs import PROBE, hash_of, open_blobs
from livery.core.errors import Unavailable
from tests.factories.projects import Desk
from tests.images.pictures import picture
from tests.support.s3_server import S3, Fault

pytestmark = pytest.mark.deep_on("postgresql")  # the storage does not know the database


def use_endpoint(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")


@pytest.fixture
def settings_overrides(s3: S3) -> dict[str, object]:
    return {"storage_url": s3.url}


async def try_to_upload(desk: Desk, key: str) -> tuple[int, str]:
    answer = await desk.upload("/images/{id}", {"key": key}, picture())
    return answer.status_code, answer.json().get("code", "")


REFUSALS = {
    "AccessDenied": (403, "the policy of the bucket"),
    "InvalidAccessKeyId": (403, "AWS_ACCESS_KEY_ID"),
    "InternalError": (500, "tries again"),
    "SlowDown": (503, "tries again"),
    "PermanentRedirect": (301, "AWS_REGION"),
}


@pytest.mark.fresh
async def test_uploads_that_s3_refuses_are_503_with_advice_in_the_log_and_leave_nothing(
    app: Application, desk: Desk, s3: S3
) -> None:
    assert await try_to_upload(desk, "kept") == (201, "")
    before = await s3.names()
    found: list[str] = []
    for code, (status, advice) in REFUSALS.items():
        s3.fault = Fault(status, code)
        with structlog.testing.capture_logs() as refusing:
            if await try_to_upload(desk, "refused") != (503, "storage_unavailable"):
                found.append(f"{code}: not refused")
        if [line["event"] for line in refusing] != ["storage_unavailable"]:
            found.append(f"{code}: {refusing}")
        elif code not in refusing[0]["reason"][0] or advice not in refusing[0]["reason"][0]:
            found.append(f"{code}: no advice in {refusing[0]['reason']}")
        assert b"livery_storage_available 0.0" in app.metrics.text()
        s3.fault = None
        with structlog.testing.capture_logs() as working:
            await app.context.blobs.check()
        assert [line["event"] for line in working] == ["storage_available"]
    assert found == []
    assert [name for name in await s3.names() if name not in before and hash_of(PROBE) not in name] == []
    assert [record["key"] for record in (await desk.get("/images/{id}")).json()] == ["kept"]


@pytest.mark.fresh
async def test_an_upload_while_s3_hangs_is_503_in_time(
    app: Application, desk: Desk, s3: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.fault = Fault(until=asyncio.Event())
    with monkeypatch.context() as patch, structlog.testing.capture_logs() as hanging:
        patch.setattr(blobs, "STORAGE_SECONDS", 0.3)
        assert await try_to_upload(desk, "first") == (503, "storage_unavailable")
    assert [line["event"] for line in hanging] == ["storage_unavailable"]
    assert "does not answer" in hanging[0]["reason"][0]

    s3.fault = None
    assert await try_to_upload(desk, "second") == (201, "")
    assert b"livery_storage_available 1.0" in app.metrics.text()
    assert [record["key"] for record in (await desk.get("/images/{id}")).json()] == ["second"]


async def test_an_upload_goes_on_after_two_answers_of_slow_down(desk: Desk, s3: S3) -> None:
    s3.fault = Fault(503, "SlowDown", method="PUT", times=2)

    assert await try_to_upload(desk, "logo") == (201, "")

    assert [request.split()[0] for request in s3.requests].count("PUT") == 3


@pytest.mark.fresh
async def test_images_are_served_again_once_a_bucket_that_was_away_is_back(
    client: httpx2.AsyncClient, app: Application, desk: Desk, s3: S3
) -> None:
    uploaded = (await desk.upload("/images/{id}", {"key": "logo"}, picture())).json()
    path = urlsplit(str(uploaded["url"])).path
    whole = (await client.get(path)).content
    await s3.go_away()

    assert (await client.get(path)).status_code == 503
    assert await try_to_upload(desk, "other") == (503, "storage_unavailable")
    assert (await client.get("/readyz")).json()["storage"] == "down"

    await s3.come_back()
    assert (await client.get(path)).content == whole
    assert await try_to_upload(desk, "other") == (201, "")
    assert (await client.get("/readyz")).json()["storage"] == "up"


@pytest.mark.deep
async def test_s3_that_takes_no_connection_is_given_up_after_5_seconds_a_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes 15 seconds. In `make test`: the test of an S3 that hangs."""
    with closing(socket.socket()) as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(8)]  # the system answers nobody after the first
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        use_endpoint(monkeypatch, full.getsockname()[1])
        begin = time.monotonic()

        with pytest.raises(Unavailable):
            await open_blobs("s3://bucket/livery", tmp_path).put(b"an image")

        assert 4.5 < time.monotonic() - begin < 20
        for client in waiting:
            client.close()
