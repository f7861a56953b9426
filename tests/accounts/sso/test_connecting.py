"""Identities that people connect and disconnect in the settings."""

import pytest
from httpx2 import AsyncClient

from livery.accounts.models import Identity, SsoAttempt
from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, create_logged_in
from tests.factories.second_factors import add_passkey
from tests.factories.sso import (
    CALLBACK,
    OUTSIDE,
    actions,
    begin,
    come_back,
    connect,
    count,
    give_identity,
    go_and_return,
    log_in_by_sso,
)
from tests.support.authenticator import Authenticator
from tests.support.clock import Clock
from tests.support.hostile_provider import (
    EMAIL,
    HostileProvider,
)
from tests.support.mails import Mails


async def test_a_person_connects_and_disconnects_an_identity_with_any_address(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    provider.claims = {"email": "work@acme.example", "email_verified": None}

    answer = await connect(client, person.headers)
    landing = await client.get(CALLBACK, params={"state": provider.meet(answer.json()["url"]), "code": "x"})

    assert landing.headers["location"] == "/settings#sso=connected"
    listed = (await client.get("/api/user/identities", headers=person.headers)).json()
    (identity,) = listed["identities"]
    assert (listed["name"], listed["hasPassword"], identity["current"]) == ("Acme login", True, True)
    assert (await mails.last(to=OUTSIDE)).kind == "identity_connected"
    assert (await log_in_by_sso(client, provider))["user"]["_id"] == person.actor.id

    gone = await client.delete(f"/api/user/identities/{identity['_id']}", headers=person.headers)

    assert gone.status_code == 200
    assert "accounts.identity_disconnected" in await actions(context)
    provider.claims = {"email": OUTSIDE}
    assert (await go_and_return(client, provider)).failure == "has_password"


async def test_connecting_needs_the_password(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    answer = await connect(client, person.headers, "not the password")
    assert (answer.status_code, answer.json()["fields"]) == (422, {"password": "This is not your password."})
    assert await count(context, SsoAttempt) == 0


async def test_a_person_with_a_second_factor_needs_it_fresh_to_connect(
    client: AsyncClient, context: Context, clock: Clock, provider: HostileProvider
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    await add_passkey(client, person, Authenticator())
    assert (await connect(client, person.headers)).status_code == 200

    clock.advance(minutes=11)
    answer = await connect(client, person.headers)

    assert (answer.status_code, answer.json()["code"]) == (403, "login_too_old")


async def test_another_browser_can_not_finish_connecting(
    client: AsyncClient, client_from: ClientFrom, context: Context, provider: HostileProvider
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    state = provider.meet((await connect(client, person.headers)).json()["url"])
    async with client_from("10.0.0.9") as other:
        await begin(other, provider)
        provider.nonce = ""
        assert (await come_back(other, state)).failure == "expired"
    assert await count(context, Identity) == 0


async def test_an_identity_of_somebody_else_is_not_connected(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    await log_in_by_sso(client, provider)
    person = await create_logged_in(context, email=OUTSIDE)

    state = provider.meet((await connect(client, person.headers)).json()["url"])
    answer = await client.get(CALLBACK, params={"state": state, "code": "x"})

    assert answer.headers["location"] == "/settings#sso=taken"


async def test_a_second_identity_is_not_connected(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    await give_identity(context, person.actor.id, subject="person-2", issuer=provider.issuer)
    state = provider.meet((await connect(client, person.headers)).json()["url"])
    answer = await client.get(CALLBACK, params={"state": state, "code": "x"})
    assert answer.headers["location"] == "/settings#sso=other_identity"


async def test_a_new_password_ends_connecting(client: AsyncClient, context: Context, provider: HostileProvider) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    state = provider.meet((await connect(client, person.headers)).json()["url"])
    passwords = {"oldPassword": PASSWORD, "newPassword": "a short and noisy brook"}
    assert (await client.put("/api/user/password", json=passwords, headers=person.headers)).status_code == 200
    assert (await come_back(client, state)).failure == "expired"


async def test_the_only_way_to_log_in_can_not_be_disconnected(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    answers: list[tuple[int, str]] = []
    for email in (EMAIL, OUTSIDE):
        provider.claims = {"email": email, "sub": email}
        token = (await log_in_by_sso(client, provider))["token"]
        headers = {"Authorization": f"Bearer {token}"}
        (identity,) = (await client.get("/api/user/identities", headers=headers)).json()["identities"]
        answer = await client.delete(f"/api/user/identities/{identity['_id']}", headers=headers)
        answers.append((answer.status_code, answer.json()["code"]))
    assert answers == [(409, "sso_required"), (409, "no_password")]


async def test_nobody_disconnects_the_identity_of_somebody_else(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    owner, other = [await create_logged_in(context, email=f"{name}@example.com") for name in ("owner", "other")]
    identity_id = await give_identity(context, owner.actor.id, subject="person-1")
    answer = await client.delete(f"/api/user/identities/{identity_id}", headers=other.headers)
    assert answer.status_code == 404
    assert await count(context, Identity) == 1


@pytest.mark.parametrize("is_connected", [True, False])
async def test_the_mail_about_a_new_password_names_what_goes_on_working(
    client: AsyncClient, context: Context, mails: Mails, is_connected: bool
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    if is_connected:
        await give_identity(context, person.actor.id, subject="a stranger's")
    passwords = {"oldPassword": PASSWORD, "newPassword": "a short and noisy brook"}
    await client.put("/api/user/password", json=passwords, headers=person.headers)
    changed = await mails.last(to=OUTSIDE, kind="password_changed")
    await client.post("/api/auth/forgot-password", json={"email": OUTSIDE})
    token = (await mails.last(to=OUTSIDE, kind="reset")).token
    await client.post(f"/api/auth/reset-password/{token}", json={"password": PASSWORD})
    reset = await mails.last(to=OUTSIDE, kind="password_changed")

    for mail in (changed, reset):
        assert (
            "Single sign-on is connected to your account, and still works." in mail.text.replace("\n", " ")
        ) == is_connected
        assert any(link.startswith("http://testserver/settings#") for link in mail.links) == is_connected


async def test_adding_a_second_factor_ends_a_connection_that_was_begun(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    state = provider.meet((await connect(client, person.headers)).json()["url"])
    await add_passkey(client, person, Authenticator())

    assert (await come_back(client, state)).failure == "expired"
    assert await count(context, Identity) == 0
