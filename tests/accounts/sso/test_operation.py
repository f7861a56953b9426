"""What an operator sees of single sign-on: limits, the log, the database, and a server without it."""

import pytest
import structlog
from httpx2 import AsyncClient
from sqlalchemy import select
from starlette.responses import JSONResponse

from livery.accounts.models import SsoAttempt
from livery.billing import queries as billing_queries
from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.accounts import create_logged_in
from tests.factories.sso import (
    CALLBACK,
    SESSION,
    START,
    begin,
    come_back,
    connect,
    count,
    give_identity,
    landing_of,
    log_in_by_sso,
)
from tests.support.clock import Clock
from tests.support.hostile_provider import (
    EMAIL,
    HostileProvider,
)
from tests.support.mails import Mails


async def test_a_network_that_asks_too_often_is_led_to_a_sentence(
    client: AsyncClient, client_from: ClientFrom, provider: HostileProvider
) -> None:
    for _ in range(60):
        await begin(client, provider)
    assert landing_of(await client.get(START)).failure == "busy"
    assert landing_of(await client.get(CALLBACK, params={"state": "x"})).failure == "busy"
    assert (await client.post(SESSION, json={"code": "x"})).status_code == 429
    async with client_from("10.0.0.9") as other:
        await begin(other, provider)


async def test_the_log_has_no_code_no_state_and_no_token(
    client: AsyncClient, provider: HostileProvider, capfd: pytest.CaptureFixture[str]
) -> None:
    with structlog.testing.capture_logs() as entries:
        entry = await log_in_by_sso(client, provider)
        provider.claims = {"nonce": "another"}
        state = await begin(client, provider)
        await client.get(CALLBACK, params={"state": state, "code": "canary-code"})
        state = await begin(client, provider)
        await client.get(CALLBACK, params={"state": state, "error": "canary_text canary"})
        provider.token_answer = JSONResponse({"error": "canary-answer"}, 400)
        state = await begin(client, provider)
        await client.get(CALLBACK, params={"state": state, "code": "canary-code"})

    told = [line for line in entries if line["event"] == "sso_failed"]
    assert [line["reason"] for line in told] == ["refused", "refused", "refused"]
    written = str(entries) + str(capfd.readouterr())
    for secret in ("canary", entry["token"], state, provider.nonce, "hush", "access", EMAIL):
        assert secret not in written, secret


async def test_the_database_has_no_state_no_nonce_and_no_code(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    state = await begin(client, provider, "/invite/canary")
    async with context.database.read() as db:
        (attempt,) = (await db.scalars(select(SsoAttempt))).all()
    kept = str({column.name: getattr(attempt, column.name) for column in SsoAttempt.__table__.columns})
    for secret in (state, provider.nonce, "canary", str(client.cookies.get("livery_sso"))):
        assert secret not in kept
    landing = await come_back(client, state)
    async with context.database.read() as db:
        (attempt,) = (await db.scalars(select(SsoAttempt))).all()
    assert (attempt.state_digest, attempt.sealed) == (None, "")
    assert landing.code not in str(attempt.code_digest)


async def test_old_attempts_are_deleted(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails, clock: Clock
) -> None:
    await begin(client, provider)
    await mails.sweep()
    assert await count(context, SsoAttempt) == 1
    clock.advance(minutes=10)
    await mails.sweep()
    assert await count(context, SsoAttempt) == 0


async def test_a_new_person_by_single_sign_on_has_their_free_month(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    entry = await log_in_by_sso(client, provider)
    assert entry["user"]["freeMonthUsed"] is False
    async with context.database.read() as db:
        assert await billing_queries.balance(db, entry["user"]["_id"]) == entry["user"]["credits"]


class TestWithoutProvider:
    """A server without single sign-on."""

    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {}

    async def test_there_is_nothing_to_use(self, client: AsyncClient, context: Context) -> None:
        person = await create_logged_in(context)
        await give_identity(context, person.actor.id, subject="person-1")

        assert (await client.get("/api/auth/sso")).json() == {"name": None, "registration": "open"}
        assert landing_of(await client.get(START)).failure == "off"
        assert landing_of(await client.get(CALLBACK, params={"state": "x", "code": "x"})).failure == "off"
        assert (await connect(client, person.headers)).json()["code"] == "sso_off"
        listed = (await client.get("/api/user/identities", headers=person.headers)).json()
        assert (listed["name"], [row["current"] for row in listed["identities"]]) == (None, [False])
