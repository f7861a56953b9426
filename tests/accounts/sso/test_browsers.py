"""A login belongs to one browser: its state, its code, its cookie, and the page to which it leads."""

import asyncio
import re

import pytest
from httpx2 import AsyncClient

from livery.accounts.models import Identity, User
from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.sso import (
    CALLBACK,
    START,
    begin,
    come_back,
    count,
    go_and_return,
    landing_of,
    redeem,
)
from tests.support.clock import Clock
from tests.support.hostile_provider import (
    CLIENT_ID,
    HostileProvider,
)


async def test_a_state_works_once(client: AsyncClient, provider: HostileProvider) -> None:
    state = await begin(client, provider)
    assert (await come_back(client, state)).path == "/sso"

    assert (await come_back(client, state)).failure == "expired"
    assert provider.calls.count("token") == 1


async def test_only_the_first_of_parallel_answers_with_a_state_logs_in(
    client: AsyncClient, provider: HostileProvider
) -> None:
    state = await begin(client, provider)

    landings = await asyncio.gather(*(come_back(client, state) for _ in range(8)))

    assert sorted(landing.path for landing in landings) == ["/login"] * 7 + ["/sso"]
    assert provider.calls.count("token") == 1


async def test_parallel_first_logins_of_one_person_make_one_account(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    states = [await begin(client, provider) for _ in range(6)]

    landings = await asyncio.gather(*(come_back(client, state) for state in states))

    assert [landing.path for landing in landings] == ["/sso"] * 6
    assert (await count(context, User), await count(context, Identity)) == (1, 1)


async def test_another_browser_can_not_finish_a_login(
    client: AsyncClient, client_from: ClientFrom, context: Context, provider: HostileProvider
) -> None:
    state = await begin(client, provider)

    async with client_from("10.0.0.9") as other:
        assert (await come_back(other, state)).failure == "expired"
        await begin(other, provider)  # with a cookie of its own
        assert (await come_back(other, state)).failure == "expired"

    assert "token" not in provider.calls
    assert await count(context, User) == 0


async def test_another_browser_can_not_use_the_code_of_a_login(
    client: AsyncClient, client_from: ClientFrom, provider: HostileProvider
) -> None:
    landing = await go_and_return(client, provider)

    async with client_from("10.0.0.9") as other:
        assert (await redeem(other, landing.code)).status_code == 401

    assert (await redeem(client, landing.code)).status_code == 200


async def test_a_code_works_once_and_for_a_minute(client: AsyncClient, provider: HostileProvider, clock: Clock) -> None:
    used = await go_and_return(client, provider)
    assert (await redeem(client, used.code)).status_code == 200
    again = await redeem(client, used.code)
    assert again.json() == {"message": "This login has expired. Please try again.", "code": "sso_expired"}

    old = await go_and_return(client, provider)
    clock.advance(seconds=60)
    assert (await redeem(client, old.code)).status_code == 401


async def test_only_the_first_of_parallel_uses_of_a_code_gets_a_session(
    client: AsyncClient, provider: HostileProvider
) -> None:
    landing = await go_and_return(client, provider)
    answers = await asyncio.gather(*(redeem(client, landing.code) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7


async def test_a_login_may_take_ten_minutes(client: AsyncClient, provider: HostileProvider, clock: Clock) -> None:
    state = await begin(client, provider)
    clock.advance(minutes=10)
    assert (await come_back(client, state)).failure == "expired"


async def test_two_tabs_of_one_browser_log_in_side_by_side(client: AsyncClient, provider: HostileProvider) -> None:
    first = await client.get(START)
    second = await client.get(START)

    for answer in (second, first):
        state = provider.meet(answer.headers["location"])
        assert (await come_back(client, state)).path == "/sso"


async def test_the_cookie_is_for_this_host_and_not_for_scripts(client: AsyncClient) -> None:
    cookie = (await client.get(START)).headers["set-cookie"]
    assert re.fullmatch(r"livery_sso=[\w-]{43}; HttpOnly; Max-Age=600; Path=/; SameSite=lax", cookie)


class TestWithTls:
    """At a public address with TLS."""

    @pytest.fixture
    def settings_overrides(self, provider: HostileProvider) -> dict[str, object]:
        return {
            "billing": "off",
            "public_url": "https://livery.example.com",
            "oidc_issuer": provider.issuer,
            "oidc_client_id": CLIENT_ID,
            "oidc_allow_private": True,
        }

    async def test_no_other_host_can_set_the_cookie(self, client: AsyncClient) -> None:
        cookie = (await client.get(START)).headers["set-cookie"]
        assert re.fullmatch(r"__Host-livery_sso=[\w-]{43}; HttpOnly; Max-Age=600; Path=/; SameSite=lax; Secure", cookie)

    async def test_a_client_without_a_secret_sends_its_name(
        self, client: AsyncClient, provider: HostileProvider
    ) -> None:
        started = await client.get(START)
        state = provider.meet(started.headers["location"])
        cookie = {"Cookie": started.headers["set-cookie"].split(";")[0]}

        answer = await client.get(CALLBACK, params={"state": state, "code": "x"}, headers=cookie)

        assert landing_of(answer).path == "/sso"
        assert provider.forms[0]["client_id"] == CLIENT_ID
        assert "client_secret" not in provider.forms[0]


HOSTILE_PATHS = [
    "//evil.test", "///evil.test", "/\\evil.test", "\\\\evil.test", "https://evil.test", "http:evil.test", "javascript:alert(1)", "evil",
    "/\t/evil.test", "/\n/evil.test", "/.//evil.test", "/x/..//evil.test", "/./\\evil.test", "/a//evil.test", "",
    "/login", "/logout", "/logout?x=1", "/register", "/sso#code=x", "/\u202eevil", "/" + "x" * 600, "/ space", "#code=x", "?next=/",
]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE_PATHS)
async def test_a_login_leads_to_no_hostile_address(client: AsyncClient, provider: HostileProvider, path: str) -> None:
    landing = await go_and_return(client, provider, path)
    assert (landing.path, landing.next_path) == ("/sso", "")


@pytest.mark.parametrize(
    "path", ["/projects/prj_x/home", "/settings?tab=1&x=https://a.example//b", "/invite/token", "/%0d%0aX:1"]
)
async def test_a_login_leads_to_the_page_that_it_was_begun_for(
    client: AsyncClient, provider: HostileProvider, path: str
) -> None:
    assert (await go_and_return(client, provider, path)).next_path == path
