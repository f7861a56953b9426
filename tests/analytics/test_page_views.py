"""Page views are counted by the template of their route, per day; nothing of an address is kept."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import httpx2
import pytest

from livery.analytics import queries
from livery.analytics.forwarding import parse_target
from livery.app import Application, create_app
from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.settings import Settings, load_settings
from tests.support.clock import Clock
from tests.support.recording_service import RecordingService, recording_service


async def look_at(client: httpx2.AsyncClient, path: str, **headers: str) -> None:
    answer = await client.post("/api/analytics/page-view", json={"path": path}, headers=headers)
    assert answer.status_code == 204, answer.text
    assert answer.content == b""
    assert "set-cookie" not in answer.headers


async def views(database: Database) -> list[tuple[date, str, int]]:
    async with database.read() as db:
        return [(row.day, row.route, row.views) for row in await queries.days(db, date(2020, 1, 1))]


@pytest.mark.spec("views-3")
async def test_views_add_up_per_route_and_utc_day(client: httpx2.AsyncClient, app: Application, clock: Clock) -> None:
    first = clock.moment.date()
    for path in ("/dashboard", "/reset-password/:token", "/dashboard"):
        await look_at(client, path)
    await app.page_views.flush(app.context.database)
    clock.advance(days=1)
    await look_at(client, "/dashboard")
    await app.page_views.flush(app.context.database)
    await app.page_views.flush(app.context.database)

    assert await views(app.context.database) == [
        (first, "/dashboard", 2),
        (first, "/reset-password/:token", 1),
        (clock.moment.date(), "/dashboard", 1),
    ]


@pytest.mark.spec("views-2")
@pytest.mark.parametrize("path", ["/reset-password/kq3v5mq7aw2xhb6td", "/projects/prj_k3v5mq7aw2xhb6td/home", "/", ""])
async def test_an_address_is_not_kept(client: httpx2.AsyncClient, app: Application, path: str) -> None:
    await look_at(client, path)

    await app.page_views.flush(app.context.database)

    assert await views(app.context.database) == []


async def test_counts_outlive_a_database_that_is_away(
    client: httpx2.AsyncClient, app: Application, tmp_path: Path
) -> None:
    await look_at(client, "/settings")
    away = Database(f"sqlite+aiosqlite:///{tmp_path / 'no-such-folder' / 'livery.db'}")
    with pytest.raises(Unavailable):
        await app.page_views.flush(away)
    await away.close()

    await app.page_views.flush(app.context.database)

    assert [(route, count) for _, route, count in await views(app.context.database)] == [("/settings", 1)]


class TestAnotherService:
    @pytest.fixture
    def service(self) -> Iterator[RecordingService]:
        with recording_service() as service:
            yield service

    @pytest.fixture
    def kind(self) -> str:
        return "plausible"

    @pytest.fixture
    def settings_overrides(self, service: RecordingService, kind: str) -> dict[str, object]:
        return {"analytics_url": f"{kind}+{service.url}?site=app.example.com"}

    async def test_plausible_gets_each_page_view(
        self, client: httpx2.AsyncClient, app: Application, service: RecordingService
    ) -> None:
        await look_at(client, "/reset-password/:token", **{"User-Agent": "Firefox", "Authorization": "Bearer secret"})
        await look_at(client, "/reset-password/an-address")
        await app.forwarder.send()
        await app.forwarder.send()

        (call,) = service.calls
        url = "http://testserver/reset-password/:token"
        assert call.path == "/api/event"
        assert call.body == {"name": "pageview", "domain": "app.example.com", "url": url}
        assert (call.headers["user-agent"], call.headers["x-forwarded-for"]) == ("Firefox", "127.0.0.1")
        assert not {"authorization", "cookie", "referer"} & call.headers.keys()

    @pytest.mark.parametrize("kind", ["umami"])
    async def test_umami_gets_each_page_view(
        self, client: httpx2.AsyncClient, app: Application, service: RecordingService
    ) -> None:
        await look_at(client, "/projects/:projectId/:tabName")
        await app.forwarder.send()

        (call,) = service.calls
        assert call.path == "/api/send"
        payload = {"website": "app.example.com", "hostname": "testserver", "url": "/projects/:projectId/:tabName"}
        assert call.body == {"type": "event", "payload": payload}

    async def test_a_service_that_refuses_costs_nothing_but_views(
        self, client: httpx2.AsyncClient, app: Application, service: RecordingService, settings: Settings
    ) -> None:
        service.status = 500
        await look_at(client, "/dashboard")
        await look_at(client, "/dashboard")
        await app.forwarder.send()
        assert len(service.calls) == 2

        service.status = 202
        await look_at(client, "/settings")
        await app.forwarder.send()
        assert [call.body["url"] for call in service.calls[2:]] == [f"{settings.base_url}/settings"]

    def test_the_address_may_have_a_path_and_must_be_complete(self) -> None:
        target = parse_target("umami+https://example.com/umami/?site=abc")
        assert target is not None
        assert target.url == "https://example.com/umami/api/send"
        assert parse_target("") is None
        for wrong in ("https://plausible.io?site=a", "plausible+https://plausible.io", "plausible+ftp://a?site=b"):
            with pytest.raises(ValueError, match="LIVERY_ANALYTICS_URL must look like"):
                parse_target(wrong)


class TestLegalPages:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"terms_url": "https://example.com/terms"}

    async def test_the_terms_redirect_to_the_address_of_the_setting(self, client: httpx2.AsyncClient) -> None:
        terms, privacy = await client.get("/terms"), await client.get("/privacy")

        assert (terms.status_code, terms.headers["location"]) == (307, "https://example.com/terms")
        assert "location" not in privacy.headers


def test_a_wrong_setting_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="LIVERY_ANALYTICS_URL"):
        create_app(load_settings(data_dir=tmp_path, analytics_url="https://plausible.io"))
