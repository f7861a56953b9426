"""Who gets in by single sign-on, whose account it is, and how it ends. ``tests/accounts/test_sso_provider.py`` has a real provider."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import quote

import pytest
from httpx2 import AsyncClient
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries
from livery.accounts.models import ApiKey, Identity, PendingSignUp, SsoAttempt, User
from livery.core.context import Context
from livery.core.errors import Unavailable
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user, create_user
from tests.factories.projects import Desk, create_project
from tests.factories.sso import (
    OUTSIDE,
    START,
    actions,
    begin,
    come_back,
    count,
    go_and_return,
    log_in_by_sso,
    person_with,
    redeem,
)
from tests.support.clock import Clock
from tests.support.hostile_provider import (
    CLIENT_ID,
    EMAIL,
    NEW_RSA,
    RSA,
    SUBJECT,
    HostileProvider,
)
from tests.support.mails import Mails
from tests.support.outage import database_away


async def test_the_first_login_makes_a_verified_account_with_all_that_verifying_brings(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails
) -> None:
    heard: list[tuple[str, str | None]] = []
    context.bus.subscribe(lambda topic, subject: heard.append((topic, subject)))

    entry = await log_in_by_sso(client, provider)

    person = await person_with(context, EMAIL)
    assert person
    assert (person.name, person.verified_at is not None) == ("Mara Lindt", True)
    assert ("user_verified", person.id) in heard
    assert entry["user"]["email"] == EMAIL
    assert entry["user"]["isVerified"]
    me = await client.get("/api/user/me", headers={"Authorization": f"Bearer {entry['token']}"})
    assert me.json()["_id"] == person.id
    assert await actions(context) == ["accounts.identity_connected", "accounts.sso_logged_in"]
    assert await mails.sent() == []


async def test_the_second_login_is_the_same_person_whatever_their_email_is_now(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    first = await log_in_by_sso(client, provider)
    provider.claims = {"email": "renamed@other.example", "email_verified": False, "name": "Somebody"}

    second = await log_in_by_sso(client, provider)

    assert second["user"]["_id"] == first["user"]["_id"]
    assert second["user"]["email"] == EMAIL
    assert (await count(context, User), await count(context, Identity)) == (1, 1)


async def test_an_invitation_to_a_new_address_is_accepted_after_single_sign_on(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    owner = await create_logged_in(context, email="owner@example.com")
    desk = Desk(client, owner, await create_project(context, owner.actor))
    assert (await desk.post("/projects/{id}/members", {"email": EMAIL, "role": "editor"})).status_code == 201

    token = (await log_in_by_sso(client, provider))["token"]
    headers = {"Authorization": f"Bearer {token}"}
    (invitation,) = (await client.get("/api/user/invitations", headers=headers)).json()["invitations"]
    joined = await client.post(f"/api/user/invitations/{invitation['_id']}/accept", headers=headers)

    assert joined.status_code == 200
    assert joined.json()["role"] == "editor"


async def test_names_of_the_provider_are_made_harmless(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    provider.claims = {"name": "  Mara\u202e\n\u0000 Lindt " + "x" * 300}

    await log_in_by_sso(client, provider)

    person = await person_with(context, EMAIL)
    assert person
    assert person.name.startswith("Mara Lindt xxx")
    assert len(person.name) == 100


async def test_a_person_without_a_name_is_called_by_their_address(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    provider.claims = {"name": ["a", "list"]}
    await log_in_by_sso(client, provider)
    person = await person_with(context, EMAIL)
    assert person
    assert person.name == "mara"


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
async def test_tokens_of_each_good_algorithm_are_accepted(
    client: AsyncClient, provider: HostileProvider, algorithm: str
) -> None:
    provider.algorithm = algorithm
    assert (await log_in_by_sso(client, provider))["user"]["email"] == EMAIL


async def test_the_secret_the_verifier_and_the_code_are_sent_to_the_provider(
    client: AsyncClient, provider: HostileProvider
) -> None:
    await log_in_by_sso(client, provider)

    (form,) = provider.forms
    assert form["grant_type"] == "authorization_code"
    assert form["code"].startswith("code-")
    assert form["redirect_uri"] == "http://testserver/api/auth/sso/callback"
    assert re.fullmatch(r"[\w-]{43}", form["code_verifier"])
    assert "client_secret" not in form  # it is in a header, because the document names no other way


async def test_the_secret_is_in_the_body_where_the_provider_wants_that(
    client: AsyncClient, provider: HostileProvider
) -> None:
    provider.document = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    await log_in_by_sso(client, provider)
    assert (provider.forms[0]["client_id"], provider.forms[0]["client_secret"]) == (CLIENT_ID, "hush")


async def test_documents_are_fetched_once_an_hour(client: AsyncClient, provider: HostileProvider, clock: Clock) -> None:
    await log_in_by_sso(client, provider)
    await log_in_by_sso(client, provider)
    assert [provider.calls.count(call) for call in ("discovery", "jwks", "token")] == [1, 1, 2]

    clock.advance(hours=1)
    await log_in_by_sso(client, provider)

    assert [provider.calls.count(call) for call in ("discovery", "jwks")] == [2, 2]


async def test_an_unknown_key_renews_the_keys_once_a_minute_at_most(
    client: AsyncClient, provider: HostileProvider, clock: Clock
) -> None:
    await log_in_by_sso(client, provider)
    provider.key = NEW_RSA
    assert (await go_and_return(client, provider)).failure == "refused"
    assert provider.calls.count("jwks") == 1

    clock.advance(minutes=1)
    provider.published = [RSA, NEW_RSA]
    assert (await go_and_return(client, provider)).path == "/sso"

    assert provider.calls.count("jwks") == 2


async def test_claims_that_the_token_lacks_come_from_userinfo(client: AsyncClient, provider: HostileProvider) -> None:
    provider.claims = {"email": None, "email_verified": None, "name": None}
    provider.userinfo = {"sub": SUBJECT, "email": EMAIL, "email_verified": True, "name": "Of Userinfo"}
    assert (await log_in_by_sso(client, provider))["user"]["name"] == "Of Userinfo"


async def test_userinfo_about_somebody_else_is_refused(client: AsyncClient, provider: HostileProvider) -> None:
    provider.claims = {"email": None}
    provider.userinfo = {"sub": "person-2", "email": EMAIL, "email_verified": True}
    assert (await go_and_return(client, provider)).failure == "refused"


@pytest.mark.parametrize("verified", [None, False, "true", 1, "yes"])
async def test_an_address_that_the_provider_did_not_verify_opens_nothing(
    client: AsyncClient, context: Context, provider: HostileProvider, verified: object
) -> None:
    provider.claims = {"email_verified": verified}
    assert (await go_and_return(client, provider)).failure == "unverified"
    assert await count(context, User) == 0


@pytest.mark.parametrize("email", [None, "", "mara", "a@b@c", "mara@acme.example\n", 7, "x" * 600 + "@acme.example"])
async def test_without_an_address_there_is_no_account(
    client: AsyncClient, context: Context, provider: HostileProvider, email: object
) -> None:
    provider.claims = {"email": email}
    provider.userinfo = {"sub": SUBJECT, "email_verified": True}
    landing = await go_and_return(client, provider)
    if email == "mara@acme.example\n":  # an address is trimmed everywhere
        assert landing.path == "/sso"
        return
    assert landing.failure == "no_email"
    assert await count(context, User) == 0


async def test_an_account_of_a_forced_domain_is_connected_and_its_owner_gets_a_mail(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails
) -> None:
    actor = await create_user(context, email=EMAIL)

    entry = await log_in_by_sso(client, provider)

    assert entry["user"]["_id"] == actor.id
    mail = await mails.last(to=EMAIL)
    assert (mail.kind, mail.subject) == ("identity_connected", "Single sign-on is connected")
    assert "Acme login" in mail.text
    assert mail.link == f"http://testserver/settings#email={quote(EMAIL)}"


async def test_an_account_elsewhere_is_not_taken_over_by_its_address(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    await create_user(context, email=OUTSIDE)
    provider.claims = {"email": OUTSIDE}

    assert (await go_and_return(client, provider)).failure == "has_password"

    assert await count(context, Identity) == 0


async def test_a_new_owner_of_an_address_does_not_get_the_account_of_a_former_colleague(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    await log_in_by_sso(client, provider)
    provider.claims = {"sub": "person-2"}
    assert (await go_and_return(client, provider)).failure == "other_identity"
    assert await count(context, Identity) == 1


async def test_a_pending_sign_up_of_a_stranger_ends_when_the_owner_of_the_address_comes(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails
) -> None:
    provider.claims = {"email": OUTSIDE}
    await create_pending_user(context, email=OUTSIDE, name="A Stranger")
    link = await mails.last(to=OUTSIDE, kind="verify")
    pending = await person_with(context, OUTSIDE)
    assert pending
    async with context.database.write() as db:
        db.add(
            ApiKey(
                id="key_x",
                user_id=pending.id,
                key_digest="x",
                sealed_key="x",
                created_at=pending.created_at,
                last_used_at=None,
                ended_at=None,
            )
        )

    entry = await log_in_by_sso(client, provider)

    assert entry["user"]["_id"] == pending.id
    assert entry["user"]["name"] == "Mara Lindt"
    login = await client.post("/api/auth/login", json={"email": OUTSIDE, "password": PASSWORD})
    assert login.status_code == 401
    assert (await client.post(f"/api/auth/verify-email/{link.token}")).status_code == 400
    assert (await count(context, ApiKey), await count(context, PendingSignUp)) == (0, 0)


async def test_nobody_logs_in_with_a_password_to_an_account_without_a_password(
    client: AsyncClient, provider: HostileProvider
) -> None:
    provider.claims = {"email": OUTSIDE}
    await log_in_by_sso(client, provider)
    for password in ("", "livery, no login", "password", "x" * 128):
        login = await client.post("/api/auth/login", json={"email": OUTSIDE, "password": password})
        assert login.status_code == 401


async def test_a_person_without_a_password_sets_a_password_by_mail(
    client: AsyncClient, provider: HostileProvider, mails: Mails
) -> None:
    provider.claims = {"email": OUTSIDE}
    await log_in_by_sso(client, provider)
    await client.post("/api/auth/forgot-password", json={"email": OUTSIDE})
    token = (await mails.last(to=OUTSIDE, kind="reset")).token
    assert (await client.post(f"/api/auth/reset-password/{token}", json={"password": PASSWORD})).status_code == 200
    login = await client.post("/api/auth/login", json={"email": OUTSIDE, "password": PASSWORD})
    assert login.status_code == 200


async def test_a_reset_ends_codes_that_were_not_used(
    client: AsyncClient, context: Context, provider: HostileProvider, mails: Mails
) -> None:
    provider.claims = {"email": OUTSIDE}
    await log_in_by_sso(client, provider)
    landing = await go_and_return(client, provider)
    await client.post("/api/auth/forgot-password", json={"email": OUTSIDE})
    token = (await mails.last(to=OUTSIDE, kind="reset")).token

    await client.post(f"/api/auth/reset-password/{token}", json={"password": PASSWORD})

    assert (await redeem(client, landing.code)).status_code == 401


async def test_a_person_without_a_password_closes_the_account_within_ten_minutes_of_a_login(
    client: AsyncClient, context: Context, provider: HostileProvider, clock: Clock
) -> None:
    token = (await log_in_by_sso(client, provider))["token"]
    clock.advance(minutes=10, seconds=1)
    headers = {"Authorization": f"Bearer {token}"}
    refused = await client.request("DELETE", "/api/user/me", json={"password": ""}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "login_too_old")

    fresh = {"Authorization": f"Bearer {(await log_in_by_sso(client, provider))['token']}"}
    closed = await client.request("DELETE", "/api/user/me", json={"password": ""}, headers=fresh)

    assert closed.status_code == 200
    assert (await count(context, Identity), await count(context, SsoAttempt)) == (0, 0)
    again = await log_in_by_sso(client, provider)
    assert again["user"]["name"] == "Mara Lindt"
    assert await count(context, User) == 2


async def test_a_fresh_login_does_not_replace_an_existing_password(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context, email=OUTSIDE)
    answer = await client.request("DELETE", "/api/user/me", json={"password": ""}, headers=person.headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_password")


async def test_a_database_that_is_away_leads_to_a_page(
    client: AsyncClient, context: Context, provider: HostileProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First before the attempt is read, then after the provider was asked."""
    write = context.database.write
    writes = 0

    @asynccontextmanager
    async def fail_at(number: int) -> AsyncGenerator[AsyncSession]:
        nonlocal writes
        writes += 1
        async with write() as db:
            if writes == number:
                raise Unavailable("The database is not available right now. Please try again.")
            yield db

    for number in (2, 3):  # the first write counts the call; without it, the process counts alone
        state = await begin(client, provider)
        writes = 0
        with monkeypatch.context() as patched:
            patched.setattr(context.database, "write", lambda number=number: fail_at(number))
            landing = await come_back(client, state)
        assert (landing.path, landing.failure, writes) == ("/login", "unavailable", number)
    assert await count(context, User) == 0


async def test_an_account_that_is_closed_during_the_login_leads_to_a_page(
    client: AsyncClient, context: Context, provider: HostileProvider
) -> None:
    """Its identity goes with it; a row that was left over must not open the account."""
    await log_in_by_sso(client, provider)
    person = await person_with(context, EMAIL)
    assert person
    async with context.database.write() as db:
        await db.execute(update(User).where(User.id == person.id).values(email=f"{queries.DELETED}{person.id}"))
    landing = await go_and_return(client, provider)
    assert (landing.path, landing.failure) == ("/login", "expired")


@pytest.mark.fresh
@pytest.mark.usefixtures("provider")
async def test_a_login_that_begins_while_the_database_is_away_leads_to_a_page(
    client: AsyncClient, context: Context
) -> None:
    async with database_away(context.database):
        answer = await client.get(START)

    assert (answer.status_code, answer.headers["location"]) == (303, "/login#sso=unavailable")
