"""What a provider, or who plays a provider, can't do."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import structlog
from httpx2 import AsyncClient
from joserfc import jws
from starlette.responses import JSONResponse
from starlette.responses import Response as ProviderResponse

from livery.accounts.models import SsoAttempt, User
from livery.core.context import Context
from tests.factories.sso import (
    CALLBACK,
    START,
    begin,
    come_back,
    count,
    go_and_return,
    landing_of,
)
from tests.support.clock import Clock
from tests.support.hostile_provider import (
    CLIENT_ID,
    EMAIL,
    RSA,
    SUBJECT,
    WEAK_RSA,
    HostileProvider,
    redirect_to,
)

only_one_on_postgresql = pytest.mark.deep_on("postgresql")
"""The answers of a provider are checked without the database. The other tests show on both that a refusal leaves nothing."""
LIES: dict[str, dict[str, Any]] = {
    "wrong nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "wrong issuer": {"iss": "https://evil.example"},
    "issuer with a slash": {"iss": "with a slash"},
    "no issuer": {"iss": None},
    "wrong audience": {"aud": "another-client"},
    "no audience": {"aud": None},
    "audience of others": {"aud": ["another-client", "a-third"]},
    "two audiences and no authorized party": {"aud": [CLIENT_ID, "another-client"]},
    "another authorized party": {"aud": [CLIENT_ID, "another-client"], "azp": "another-client"},
    "an authorized party that is not us": {"azp": "another-client"},
    "expired": {"exp": 1_700_000_000},
    "no end": {"exp": None},
    "an end that is no number": {"exp": "2099-01-01"},
    "an end that is true": {"exp": True},
    "made in the future": {"iat": 4_000_000_000, "exp": 4_000_000_300},
    "no beginning": {"iat": None},
    "not yet valid": {"nbf": 4_000_000_000},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a subject that is a number": {"sub": 7},
    "a long subject": {"sub": "x" * 256},
    "a subject with a line end": {"sub": "a\nb"},
}


@only_one_on_postgresql
@pytest.mark.parametrize("lie", LIES)
async def test_a_token_with_a_lie_is_refused(
    client: AsyncClient, context: Context, provider: HostileProvider, lie: str
) -> None:
    provider.claims = dict(LIES[lie])
    if lie == "issuer with a slash":
        provider.claims = {"iss": f"{provider.issuer}/"}

    assert (await go_and_return(client, provider)).failure == "refused"

    assert await count(context, User) == 0


@only_one_on_postgresql
@pytest.mark.parametrize("forgery", ["none", "hmac", "crit", "other_key"])
async def test_a_forged_signature_is_refused(
    client: AsyncClient, context: Context, provider: HostileProvider, forgery: str
) -> None:
    provider.forge = forgery
    assert (await go_and_return(client, provider)).failure == "refused"
    assert await count(context, User) == 0


async def test_a_weak_key_is_no_key(client: AsyncClient, provider: HostileProvider) -> None:
    provider.published, provider.key = [WEAK_RSA], WEAK_RSA
    assert (await go_and_return(client, provider)).failure == "refused"


async def test_two_authorized_audiences_are_accepted(client: AsyncClient, provider: HostileProvider) -> None:
    provider.claims = {"aud": [CLIENT_ID, "another-client"], "azp": CLIENT_ID}
    assert (await go_and_return(client, provider)).path == "/sso"


async def test_an_answer_of_another_provider_is_refused(client: AsyncClient, provider: HostileProvider) -> None:
    state = await begin(client, provider)
    assert (await come_back(client, state, iss="https://evil.example")).failure == "refused"
    state = await begin(client, provider)
    assert (await come_back(client, state, iss=provider.issuer)).path == "/sso"
    assert provider.calls.count("token") == 1


async def test_an_answer_without_issuer_is_refused_where_the_provider_names_itself(
    client: AsyncClient, provider: HostileProvider
) -> None:
    provider.document = {"authorization_response_iss_parameter_supported": True}
    assert (await go_and_return(client, provider)).failure == "refused"
    assert "token" not in provider.calls


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("access_denied", "denied"),
        ("login_required", "refused"),
        ("<script>alert(1)</script>", "refused"),
    ],
)
async def test_an_error_of_the_provider_leads_to_a_sentence_and_never_repeats_its_words(
    client: AsyncClient, provider: HostileProvider, said: str, failure: str
) -> None:
    state = await begin(client, provider)
    answer = await client.get(CALLBACK, params={"state": state, "error": said, "error_description": "<b>raw</b>"})
    assert answer.headers["location"] == f"/login#sso={failure}"
    assert not answer.text


async def test_an_error_without_a_state_is_no_error_of_the_provider(client: AsyncClient) -> None:
    answer = await client.get(CALLBACK, params={"error": "access_denied"})
    assert answer.headers["location"] == "/login#sso=expired"


BROKEN_DOCUMENTS: dict[str, dict[str, Any]] = {
    "another issuer": {"issuer": "https://evil.example"},
    "an issuer with a slash": {"issuer": "slash"},
    "no token endpoint": {"token_endpoint": None},
    "a token endpoint on no host": {"token_endpoint": "https:///token"},
    "a script for a login page": {"authorization_endpoint": "javascript:alert(1)"},
    "a login page with a fragment": {"authorization_endpoint": "https://a.example/#x"},
    "a login page with a line end": {"authorization_endpoint": "https://a.example/\r\nSet-Cookie: x=y"},
    "a login page with a password": {"authorization_endpoint": "https://a:b@a.example/"},
    "keys in a file": {"jwks_uri": "file:///etc/passwd"},
    "a port above the largest port": {"userinfo_endpoint": "https://a.example:99999/"},
}


@only_one_on_postgresql
@pytest.mark.parametrize("broken", BROKEN_DOCUMENTS)
async def test_a_broken_discovery_document_leads_nowhere(
    client: AsyncClient, context: Context, provider: HostileProvider, broken: str
) -> None:
    provider.document = dict(BROKEN_DOCUMENTS[broken])
    if broken == "an issuer with a slash":
        provider.document = {"issuer": f"{provider.issuer}/"}

    assert landing_of(await client.get(START)).failure == "unavailable"

    assert await count(context, SsoAttempt) == 0


@only_one_on_postgresql
@pytest.mark.parametrize(
    "answer",
    [
        JSONResponse({"padding": "x" * 1_000_000}),
        ProviderResponse("[]", media_type="application/json"),
        ProviderResponse("<html>", media_type="text/html"),
        ProviderResponse("[" * 60_000, media_type="application/json"),
        ProviderResponse(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}),
        ProviderResponse("{}", status_code=500),
        redirect_to("/elsewhere"),
    ],
    ids=["1 MB", "a list", "a page", "deep", "packed", "an error", "a redirect"],
)
async def test_an_unusable_discovery_answer_leads_nowhere(
    client: AsyncClient, provider: HostileProvider, answer: ProviderResponse
) -> None:
    provider.discovery = answer
    assert landing_of(await client.get(START)).failure == "unavailable"
    assert "elsewhere" not in provider.calls


async def test_a_failure_is_remembered_for_three_seconds(
    client: AsyncClient, provider: HostileProvider, clock: Clock
) -> None:
    provider.discovery = ProviderResponse("", status_code=500)
    for _ in range(5):
        assert landing_of(await client.get(START)).failure == "unavailable"
    assert provider.calls == ["discovery"]

    clock.advance(seconds=3)
    provider.discovery = None
    await begin(client, provider)


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (JSONResponse({"error": "invalid_grant"}, 400), "refused"),
        (JSONResponse({"id_token": 7}), "refused"),
        (JSONResponse({"id_token": "a.b.c"}), "refused"),
        (JSONResponse({"id_token": "x" * 40_000}), "refused"),
        (JSONResponse({}), "refused"),
        (ProviderResponse("", status_code=503), "unavailable"),
        (JSONResponse({"padding": "x" * 100_000}), "unavailable"),
    ],
    ids=["bad code", "a number", "no token", "a long token", "nothing", "away", "too long"],
)
async def test_an_unusable_token_answer_is_refused(
    client: AsyncClient, provider: HostileProvider, answer: ProviderResponse, failure: str
) -> None:
    provider.token_answer = answer
    assert (await go_and_return(client, provider)).failure == failure


class TestPrivateAddress:
    """A provider at a private address, which no setting allows."""

    @pytest.fixture
    async def connections(self) -> AsyncIterator[tuple[str, list[int]]]:
        made: list[int] = []

        async def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made.append(1)
            writer.close()

        server = await asyncio.start_server(note, "127.0.0.1", 0)
        async with server:
            yield f"https://localhost:{server.sockets[0].getsockname()[1]}", made

    @pytest.fixture
    def settings_overrides(self, connections: tuple[str, list[int]]) -> dict[str, object]:
        return {"oidc_issuer": connections[0], "oidc_client_id": CLIENT_ID}

    async def test_it_is_not_even_connected_to(self, client: AsyncClient, connections: tuple[str, list[int]]) -> None:
        with structlog.testing.capture_logs() as entries:
            assert landing_of(await client.get(START)).failure == "unavailable"
        assert connections[1] == []
        assert "not a public address" in str(entries)


HALF = "\ud83d"


@pytest.mark.parametrize(
    "claims", [{"name": f"Mara {HALF}"}, {"email": f"{HALF}@acme.example"}, {"nonce": HALF}, {"sub": HALF}], ids=str
)
async def test_half_of_a_character_in_a_claim_is_refused(
    client: AsyncClient, context: Context, provider: HostileProvider, claims: dict[str, Any]
) -> None:
    provider.claims = claims
    assert (await go_and_return(client, provider)).failure == "refused"
    assert await count(context, User) == 0


async def test_half_of_a_character_in_userinfo_is_refused(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    provider.claims = {"email": None}
    provider.userinfo = {"sub": SUBJECT, "email": EMAIL, "email_verified": True, "name": HALF}
    assert (await go_and_return(client, provider)).failure == "refused"
    assert await count(context, User) == 0


async def test_a_token_of_brackets_is_refused(client: AsyncClient, provider: HostileProvider) -> None:
    token = jws.serialize_compact({"alg": "RS256", "kid": "r1"}, b"[" * 20_000, RSA, algorithms=["RS256"])
    provider.token_answer = JSONResponse({"id_token": token})
    assert (await go_and_return(client, provider)).failure == "refused"
