"""What somebody tries who knows the password, reads the mails or has a session, but not the second factor."""

import pytest
from httpx2 import AsyncClient
from sqlalchemy import select

from livery.accounts import second_factors
from livery.activity.models import Activity, AuditEntry
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in
from tests.factories.second_factors import add_passkey, change, code_at, set_up_totp
from tests.support.authenticator import Authenticator
from tests.support.clock import Clock
from tests.support.mails import Mails

WRONG = "000000"
REFUSED = "accounts.second_factor_refused"


@pytest.fixture
async def mara(context: Context, clock: Clock) -> LoggedIn:
    return await create_logged_in(context)


async def log_in(client: AsyncClient, **more: str) -> dict[str, str]:
    body = {"email": "mara@example.com", "password": PASSWORD, **more}
    return (await client.post("/api/auth/login", json=body)).json()


async def answer(client: AsyncClient, ticket: str, **body: str) -> int:
    return (await client.post("/api/auth/login/second-factor", json={"ticket": ticket, **body})).status_code


async def guess(client: AsyncClient, count: int, **more: str) -> list[int]:
    """The statuses of so many wrong codes, four for each ticket."""
    statuses: list[int] = []
    while len(statuses) < count:
        ticket = (await log_in(client, **more))["ticket"]
        statuses += [await answer(client, ticket, code=WRONG, **more) for _ in range(min(4, count - len(statuses)))]
    return statuses


async def entries(context: Context, account_id: str, action: str) -> list[AuditEntry]:
    async with context.database.read() as db:
        query = select(AuditEntry).where(AuditEntry.account_id == account_id, AuditEntry.action == action)
        return list(await db.scalars(query))


async def test_devices_from_before_the_second_factor_give_no_more_codes(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    devices = [(await log_in(client))["device"] for _ in range(3)]
    await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)

    statuses = [status for device in devices for status in await guess(client, 8, device=device)]

    assert (statuses.count(422), statuses.count(429)) == (10, 14)


async def test_a_new_password_by_mail_gives_no_more_codes(
    client: AsyncClient, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    assert (await guess(client, 12)).count(429) == 2
    await client.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
    token = (await mails.last(kind="reset")).token
    device = (await client.post(f"/api/auth/reset-password/{token}", json={"password": PASSWORD})).json()["device"]

    assert set(await guess(client, 4, device=device)) == {429}


async def test_recovery_codes_work_while_somebody_uses_up_the_codes(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    assert (await guess(client, 12)).count(429) == 2

    assert await answer(client, (await log_in(client))["ticket"], code=codes[0]) == 200


async def test_the_fifth_wrong_code_in_an_hour_sends_a_mail_whatever_the_tickets(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    before = len(await mails.sent(kind="second_factor_changed"))

    await guess(client, 4)
    assert len(await mails.sent(kind="second_factor_changed")) == before
    await guess(client, 6)

    assert len(await mails.sent(kind="second_factor_changed")) == before + 1
    assert len(await entries(context, mara.actor.id, REFUSED)) == 10
    assert len(await entries(context, mara.actor.id, "accounts.second_factor_asked")) == 3


async def test_an_answer_without_a_code_or_a_passkey_counts_as_no_attempt(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    ticket = (await log_in(client))["ticket"]

    assert {await answer(client, ticket) for _ in range(8)} == {422}
    assert await entries(context, mara.actor.id, REFUSED) == []
    assert await answer(client, ticket, code=WRONG) == 422


async def test_a_wrong_code_in_the_settings_is_in_the_audit_log(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    clock.advance(minutes=11)
    ticket = (await change(client, mara, "DELETE", "/totp")).json()["ticket"]

    wrong = await change(client, mara, "DELETE", "/totp", ticket=ticket, code=WRONG)
    right = await change(client, mara, "DELETE", "/totp", ticket=ticket, code=code_at(secret, clock()))

    assert (wrong.status_code, right.status_code) == (422, 200)
    assert len(await entries(context, mara.actor.id, REFUSED)) == 1


async def test_an_account_is_closed_with_a_fresh_second_factor_only(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    await add_passkey(client, mara, Authenticator())
    clock.advance(minutes=11)

    refused = await client.request("DELETE", "/api/user/me", headers=mara.headers, json={"password": PASSWORD})

    assert (refused.status_code, refused.json()["code"]) == (403, "login_too_old")


async def test_the_audit_log_names_whose_factors_the_operator_removed(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())
    async with context.database.write() as db:
        assert await second_factors.remove_all(db, context, mara.actor.id)

    (entry,) = await entries(context, mara.actor.id, "accounts.second_factors_removed")
    assert entry.subject == {"email": mara.actor.email}
    async with context.database.read() as db:
        last = (await db.scalars(select(Activity).order_by(Activity.id.desc()).limit(1))).one()
    assert last.subject == {"email": mara.actor.email}
