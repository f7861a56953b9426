"""Domains of emails whose people must use single sign-on."""

import pytest
from httpx2 import AsyncClient

from livery.accounts import service
from livery.accounts.models import PendingSignUp
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user, create_user
from tests.factories.second_factors import add_passkey
from tests.factories.sso import (
    OUTSIDE,
    count,
    person_with,
)
from tests.support.authenticator import Authenticator
from tests.support.hostile_provider import (
    EMAIL,
)
from tests.support.mails import Mails


async def test_people_of_a_forced_domain_use_no_password(client: AsyncClient, context: Context, mails: Mails) -> None:
    await create_user(context, email=EMAIL)
    known, unknown = {"email": "Mara@ACME.example"}, {"email": "nobody@acme.example"}
    for body in (known, unknown):
        for path, others in (
            ("login", {"password": PASSWORD}),
            ("register", {"password": PASSWORD, "name": "Mara"}),
            ("forgot-password", {}),
            ("resend-verification", {}),
        ):
            answer = await client.post(f"/api/auth/{path}", json={**body, **others})
            assert (answer.status_code, answer.json()) == (
                403,
                {
                    "message": "People with this email address log in with single sign-on, not with a password.",
                    "code": "sso_required",
                },
            ), path
    assert await mails.sent() == []
    assert await count(context, PendingSignUp) == 0


async def test_people_of_a_forced_domain_use_no_passkey(client: AsyncClient, context: Context) -> None:
    person, phone = await create_logged_in(context, email=EMAIL), Authenticator()
    await add_passkey(client, person, phone)
    begun = (await client.post("/api/auth/login/passkey/options")).json()
    body = {"ticket": begun["ticket"], "passkey": phone.get(begun["options"])}

    answer = await client.post("/api/auth/login/passkey", json=body)

    assert (answer.status_code, answer.json()["code"]) == (403, "sso_required")


@pytest.mark.parametrize("email", ["mara@sub.acme.example", "mara@notacme.example", "mara@acme.example.com", OUTSIDE])
async def test_other_domains_use_passwords_as_before(client: AsyncClient, context: Context, email: str) -> None:
    await create_user(context, email=email)
    login = await client.post("/api/auth/login", json={"email": email, "password": PASSWORD})
    assert login.status_code == 200


async def test_links_that_were_mailed_before_the_domain_was_forced_set_no_password(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    await create_user(context, email=EMAIL)
    await create_pending_user(context, email="new@acme.example")
    async with context.database.write() as db:
        service.request_letter(db, email=EMAIL, kind="forgot")
    reset = (await mails.last(to=EMAIL, kind="reset")).token
    verify = (await mails.last(to="new@acme.example", kind="verify")).token

    answers = [
        await client.post(f"/api/auth/reset-password/{reset}", json={"password": "a short and noisy brook"}),
        await client.post(f"/api/auth/verify-email/{verify}"),
    ]

    assert [answer.json()["code"] for answer in answers] == ["sso_required", "sso_required"]
    pending = await person_with(context, "new@acme.example")
    assert pending
    assert pending.verified_at is None
