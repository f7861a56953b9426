"""Single sign-on with a real provider: oidc-provider, which is certified by the OpenID Foundation, as a process on loopback."""

from collections.abc import Iterator

import pytest
from httpx2 import AsyncClient

from tests.factories.sso import START, Landing, landing_of, redeem
from tests.support.oidc_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    PUBLIC_CLIENT_ID,
    OidcProvider,
    running_provider,
)


@pytest.fixture(scope="session")
def provider() -> Iterator[OidcProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def client_settings() -> dict[str, object]:
    return {"oidc_client_id": CLIENT_ID, "oidc_client_secret": CLIENT_SECRET}


@pytest.fixture
def settings_overrides(provider: OidcProvider, client_settings: dict[str, object]) -> dict[str, object]:
    return {"oidc_issuer": provider.issuer, "oidc_allow_private": True, **client_settings}


async def go_and_return(client: AsyncClient, provider: OidcProvider, login: str) -> Landing:
    """Logs in at the provider's own page, and follows its way back."""
    started = await client.get(START, params={"next": "/projects"})
    back = await provider.log_in(started.headers["location"], login)
    assert back.startswith("http://testserver/api/auth/sso/callback?")
    return landing_of(await client.get(back.removeprefix("http://testserver")))


async def test_a_person_logs_in_twice_and_is_the_same(client: AsyncClient, provider: OidcProvider) -> None:
    first = await go_and_return(client, provider, "mara@acme.example")
    entry = (await redeem(client, first.code)).json()
    second = await go_and_return(client, provider, "mara@acme.example")

    assert (first.path, first.next_path) == ("/sso", "/projects")
    assert (entry["user"]["email"], entry["user"]["name"]) == ("mara@acme.example", "Person mara")
    assert (await redeem(client, second.code)).json()["user"]["_id"] == entry["user"]["_id"]


async def test_an_address_that_is_not_verified_opens_nothing(client: AsyncClient, provider: OidcProvider) -> None:
    assert (await go_and_return(client, provider, "unverified@acme.example")).failure == "unverified"


async def test_a_code_for_one_login_does_not_end_another(client: AsyncClient, provider: OidcProvider) -> None:
    """The provider checks the verifier of PKCE: a code that was caught elsewhere is of no use."""
    caught = await provider.log_in((await client.get(START)).headers["location"], "mara@acme.example")
    own = await provider.log_in((await client.get(START)).headers["location"], "noor@acme.example")
    codes = [dict(part.split("=") for part in url.split("?")[1].split("&")) for url in (caught, own)]
    mixed = {**codes[1], "code": codes[0]["code"], "iss": provider.issuer}

    assert landing_of(await client.get("/api/auth/sso/callback", params=mixed)).failure == "refused"


class TestPublicClient:
    """A client without a secret, whose tokens are signed with ES256."""

    @pytest.fixture
    def client_settings(self) -> dict[str, object]:
        return {"oidc_client_id": PUBLIC_CLIENT_ID}

    async def test_a_person_logs_in(self, client: AsyncClient, provider: OidcProvider) -> None:
        landing = await go_and_return(client, provider, "noor@acme.example")
        assert (await redeem(client, landing.code)).json()["user"]["email"] == "noor@acme.example"


class TestWrongSecret:
    """A server that does not know the client's secret."""

    @pytest.fixture
    def client_settings(self) -> dict[str, object]:
        return {"oidc_client_id": CLIENT_ID, "oidc_client_secret": "wrong"}

    async def test_nobody_logs_in(self, client: AsyncClient, provider: OidcProvider) -> None:
        assert (await go_and_return(client, provider, "noor@acme.example")).failure == "refused"
