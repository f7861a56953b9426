"""A server whose public address has a path, as behind a proxy that has other services. The proxy may take the path off, or leave it."""

import re

import httpx2
import pytest
from pydantic import ValidationError

from livery.core.context import Context
from livery.core.settings import Settings
from tests.factories.content import Studio
from tests.support.mails import Mails


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"public_url": "http://testserver/tools/livery/"}


BASE = "/tools/livery"


@pytest.mark.parametrize("prefix", ["", BASE])
async def test_the_page_names_its_files_and_its_path(client: httpx2.AsyncClient, prefix: str) -> None:
    for path in (f"{prefix}/", f"{prefix}/projects/prj_x/home"):
        page = (await client.get(path)).text
        addresses = re.findall(r'(?:src|href)="([^"]+)"', page)

        assert f'<meta name="livery-base" content="{BASE}" />' in page
        assert len(addresses) > 5
        assert [address for address in addresses if not address.startswith(f"{BASE}/")] == []
        for address in addresses:
            assert (await client.get(address)).status_code == 200, address


async def test_calls_are_answered_with_and_without_the_path(client: httpx2.AsyncClient, context: Context) -> None:
    studio = await Studio.create(context)
    for prefix in ("", BASE):
        assert (await client.get(f"{prefix}{studio.content}", headers=studio.headers)).json()["release"] == 0
        assert (await client.get(f"{prefix}/api/auth/sso")).status_code == 200
        assert (await client.get(f"{prefix}/healthz")).json() == {"status": "ok"}
    assert (await client.get(f"{BASE}y{studio.content}", headers=studio.headers)).text.startswith("<!doctype html>")
    assert (await client.get(BASE)).text.startswith("<!doctype html>")


async def test_redirects_stay_below_the_path(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/api/auth/sso/start")
    assert answer.headers["Location"] == f"{BASE}/login#sso=off"
    assert (await client.get("/docs")).headers["Location"] == "docs/"
    answer = await client.get("/sdk/livery-client.tgz")
    assert re.fullmatch(r"livery-client-[\w.-]+\.tgz", answer.headers["Location"])


async def test_the_link_of_a_mail_is_below_the_path(client: httpx2.AsyncClient, mails: Mails) -> None:
    person = {"name": "Ada", "email": "ada@example.com", "password": "nine grey herons"}
    await client.post(f"{BASE}/api/auth/register", json=person)

    assert (await mails.sent())[0].link.startswith(f"http://testserver{BASE}/verify-email/")


@pytest.mark.parametrize("name", ["api", "sdk", "media", "docs"])
def test_a_path_that_the_server_has_itself_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="has such a path itself"):
        Settings(public_url=f"https://x.test/{name}/livery")
    assert Settings(public_url=f"https://x.test/{name}s").base_path == f"/{name}s"


@pytest.mark.parametrize("url", [f"https://x.test/{rest}" for rest in ("a b", "a?b", "a#b", "../a", "/a", 'a"b', "ä")])
def test_an_address_with_more_than_a_plain_path_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="below a path"):
        Settings(public_url=url)
