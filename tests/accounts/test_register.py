"""Signing up: what a stranger learns (nothing), what the owner of the address gets, and what a link does."""

import asyncio

import pytest
from httpx2 import AsyncClient, Response

from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, create_user
from tests.support.clock import Clock
from tests.support.mails import Mails, SentMail, token_in

SIGN_UP = {"name": "Mara Lindt", "email": "mara@example.com", "password": PASSWORD}


async def log_in(client: AsyncClient, password: str = PASSWORD, email: str = "mara@example.com") -> Response:
    return await client.post("/api/auth/login", json={"email": email, "password": password})


async def test_a_sign_up_answers_what_was_submitted_and_never_the_password(client: AsyncClient) -> None:
    answer = await client.post("/api/auth/register", json={**SIGN_UP, "email": "Mara@Example.COM"})

    assert answer.status_code == 201
    assert answer.json() == {
        "message": "Account created successfully! Please check your email to verify.",
        "user": {"name": "Mara Lindt", "email": "Mara@Example.COM"},
    }
    assert PASSWORD not in answer.text


@pytest.mark.spec("verify-1")
async def test_the_link_in_the_mail_verifies_the_email_once(client: AsyncClient, mails: Mails) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    assert (await log_in(client)).status_code == 403

    mail = await mails.last(to="mara@example.com")
    first = await client.post(f"/api/auth/verify-email/{mail.token}")
    second = await client.post(f"/api/auth/verify-email/{mail.token}")

    assert mail.kind == "verify"
    assert mail.link == f"http://testserver/verify-email/{mail.token}"
    assert (first.status_code, first.json()["email"]) == (200, "mara@example.com")
    assert second.status_code == 400
    assert second.json() == {"message": "The link may be invalid or expired.", "code": "invalid_link"}
    assert (await log_in(client)).status_code == 200


async def test_a_verification_link_lives_for_24_hours(client: AsyncClient, mails: Mails, clock: Clock) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    token = (await mails.last()).token

    clock.advance(hours=24)
    assert (await client.post(f"/api/auth/verify-email/{token}")).status_code == 400

    clock.advance(seconds=-1)
    assert (await client.post(f"/api/auth/verify-email/{token}")).status_code == 200


async def test_only_the_first_of_twenty_parallel_uses_of_a_link_succeeds(client: AsyncClient, mails: Mails) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    token = (await mails.last()).token

    answers = await asyncio.gather(*(client.post(f"/api/auth/verify-email/{token}") for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 19


@pytest.mark.spec("register-13")
async def test_a_stranger_gets_the_same_bytes_for_a_new_a_pending_and_a_verified_email(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    new = await client.post("/api/auth/register", json=SIGN_UP)
    pending = await client.post("/api/auth/register", json=SIGN_UP)
    await client.post(f"/api/auth/verify-email/{(await mails.last()).token}")
    verified = await client.post("/api/auth/register", json=SIGN_UP)

    for answer in (pending, verified):
        assert answer.status_code == new.status_code == 201
        assert answer.content == new.content
        assert answer.headers == new.headers


async def test_a_second_sign_up_sends_the_owner_a_mail_and_changes_nothing(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    await create_user(context)

    await client.post("/api/auth/register", json={**SIGN_UP, "name": "Mallory", "password": "something else"})

    mail = await mails.last(to="mara@example.com")
    assert mail.kind == "already_registered"
    assert mail.link == "http://testserver/login#email=mara%40example.com"
    assert "Mallory" not in mail.raw
    assert (await log_in(client, "something else")).status_code == 401
    assert (await log_in(client)).status_code == 200


async def sign_up_twice(client: AsyncClient, mails: Mails) -> tuple[SentMail, SentMail]:
    """The mails of two sign-ups for one address, the second by somebody else."""
    await client.post("/api/auth/register", json={**SIGN_UP, "password": "the first password"})
    first = await mails.last()
    await client.post("/api/auth/register", json={**SIGN_UP, "name": "Mallory", "password": "the second password"})
    return first, (await mails.sent())[-1]


@pytest.mark.parametrize("followed", [0, 1])
async def test_a_link_verifies_only_the_sign_up_that_it_was_mailed_for(
    client: AsyncClient, mails: Mails, followed: int
) -> None:
    both = await sign_up_twice(client, mails)
    passwords = ["the first password", "the second password"]

    assert (await client.post(f"/api/auth/verify-email/{both[followed].token}")).status_code == 200

    other = both[1 - followed]
    assert (await client.post(f"/api/auth/verify-email/{other.token}")).status_code == 400
    assert (await client.delete(f"/api/auth/verify-email/{token_in(other.links[1])}")).status_code == 400
    assert (await log_in(client, passwords[1 - followed])).status_code == 401
    answer = await log_in(client, passwords[followed])
    assert (answer.status_code, answer.json()["user"]["name"]) == (200, ["Mara Lindt", "Mallory"][followed])


@pytest.mark.parametrize("removed", [0, 1])
async def test_this_was_not_me_leaves_the_other_sign_up_of_the_address(
    client: AsyncClient, mails: Mails, removed: int
) -> None:
    both = await sign_up_twice(client, mails)
    passwords = ["the first password", "the second password"]

    assert (await client.delete(f"/api/auth/verify-email/{token_in(both[removed].links[1])}")).status_code == 200

    assert (await client.post(f"/api/auth/verify-email/{both[removed].token}")).status_code == 400
    assert (await log_in(client, passwords[removed])).status_code == 401
    assert (await client.post(f"/api/auth/verify-email/{both[1 - removed].token}")).status_code == 200
    assert (await log_in(client, passwords[1 - removed])).status_code == 200


async def test_a_password_by_a_mailed_link_ends_every_sign_up(client: AsyncClient, mails: Mails) -> None:
    both = await sign_up_twice(client, mails)
    await client.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
    token = (await mails.last(kind="reset")).token
    await client.post(f"/api/auth/reset-password/{token}", json={"password": "the owner's password"})

    for mail in both:
        assert (await client.post(f"/api/auth/verify-email/{mail.token}")).status_code == 400
    assert (await log_in(client, "the owner's password")).status_code == 200


async def test_another_mail_is_for_the_newest_sign_up_and_leaves_the_first_link_alone(
    client: AsyncClient, mails: Mails
) -> None:
    first, second = await sign_up_twice(client, mails)
    await client.post("/api/auth/resend-verification", json={"email": "mara@example.com"})
    assert len(await mails.sent(kind="verify")) == 3

    assert (await client.post(f"/api/auth/verify-email/{second.token}")).status_code == 400
    assert (await client.post(f"/api/auth/verify-email/{first.token}")).status_code == 200
    assert (await log_in(client, "the first password")).status_code == 200


@pytest.mark.spec("verify-4")
@pytest.mark.parametrize("link", [0, 1])
async def test_this_was_not_me_removes_the_pending_sign_up(client: AsyncClient, mails: Mails, link: int) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    mail = await mails.last()
    assert mail.links[1].endswith("?not-me=1")

    removed = await client.delete(f"/api/auth/verify-email/{token_in(mail.links[link])}")

    assert removed.status_code == 200
    assert (await client.post(f"/api/auth/verify-email/{mail.token}")).status_code == 400
    assert (await log_in(client)).status_code == 401


async def test_this_was_not_me_never_removes_a_verified_account(client: AsyncClient, mails: Mails) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    mail = await mails.last()
    await client.post(f"/api/auth/verify-email/{mail.token}")

    for link in mail.links[:2]:
        assert (await client.delete(f"/api/auth/verify-email/{token_in(link)}")).status_code == 400

    assert (await log_in(client)).status_code == 200


async def test_only_the_first_of_a_parallel_verification_and_withdrawal_takes_effect(
    client: AsyncClient, mails: Mails
) -> None:
    for number in range(6):
        email = f"p{number}@example.com"
        await client.post("/api/auth/register", json={**SIGN_UP, "email": email})
        links = [token_in(link) for link in (await mails.last(to=email)).links[:2]]

        verified, withdrawn = await asyncio.gather(
            client.post(f"/api/auth/verify-email/{links[0]}"), client.delete(f"/api/auth/verify-email/{links[1]}")
        )

        assert sorted([verified.status_code, withdrawn.status_code]) == [200, 400]
        assert (await log_in(client, email=email)).status_code == (200 if verified.status_code == 200 else 401)


async def test_the_not_me_link_does_not_verify(client: AsyncClient, mails: Mails) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)

    answer = await client.post(f"/api/auth/verify-email/{token_in((await mails.last()).links[1])}")

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"password": "seven77"}, "password", "Password must be at least 8 characters long."),
        ({"password": "x" * 129}, "password", "Password must be at most 128 characters long."),
        ({"name": "  "}, "name", "Enter your name."),
        ({"name": "x" * 101}, "name", "Your name may be at most 100 characters long."),
        ({"email": "mara@"}, "email", "Enter a valid email address, like name@example.com."),
        (
            {"email": "mara@example.com\nBcc: eve@example.com"},
            "email",
            "Enter a valid email address, like name@example.com.",
        ),
    ],
)
async def test_a_wrong_field_is_named_and_not_echoed(
    client: AsyncClient, change: dict[str, str], field: str, message: str
) -> None:
    answer = await client.post("/api/auth/register", json={**SIGN_UP, **change})

    assert answer.status_code == 422
    assert answer.json()["message"] == message
    assert answer.json()["fields"] == {field: message}
    assert SIGN_UP["password"] not in answer.text


@pytest.mark.parametrize(
    "change",
    [
        {"password": 12345678},
        {"password": None},
        {"name": "a\u202eb"},
        {"admin": True},
        {"password": ["canary-password"]},
    ],
)
async def test_a_body_of_another_shape_is_refused_without_an_echo(
    client: AsyncClient, change: dict[str, object]
) -> None:
    answer = await client.post("/api/auth/register", json={**SIGN_UP, **change})

    assert answer.status_code == 422
    assert set(answer.json()) == {"message", "code", "fields"}
    assert PASSWORD not in answer.text
    assert "canary" not in answer.text


@pytest.mark.parametrize("password", ["x" * 8, "x" * 128, "pässwörd", "密码密码密码密码"])
async def test_a_password_of_8_to_128_characters_is_taken_whole(
    client: AsyncClient, mails: Mails, password: str
) -> None:
    await client.post("/api/auth/register", json={**SIGN_UP, "password": password})
    await client.post(f"/api/auth/verify-email/{(await mails.last()).token}")

    assert (await log_in(client, password[:-1] + "?")).status_code == 401
    assert (await log_in(client, password)).status_code == 200


async def test_resend_sends_a_new_link_and_the_old_link_is_invalid(client: AsyncClient, mails: Mails) -> None:
    await client.post("/api/auth/register", json=SIGN_UP)
    old = (await mails.last()).token

    answer = await client.post("/api/auth/resend-verification", json={"email": " MARA@example.com "})

    assert answer.json() == {"message": "Verification email sent! Check your inbox and spam folder."}
    new = (await mails.last()).token
    assert (await client.post(f"/api/auth/verify-email/{old}")).status_code == 400
    assert (await client.post(f"/api/auth/verify-email/{new}")).status_code == 200


@pytest.mark.parametrize("call", ["resend-verification", "forgot-password"])
async def test_asking_for_a_mail_reveals_nothing_about_accounts(
    client: AsyncClient, context: Context, mails: Mails, call: str
) -> None:
    await create_user(context, email="known@example.com")

    known = await client.post(f"/api/auth/{call}", json={"email": "known@example.com"})
    unknown = await client.post(f"/api/auth/{call}", json={"email": "unknown@example.com"})

    assert known.status_code == unknown.status_code == 200
    assert known.content == unknown.content
    assert known.headers == unknown.headers
    assert await mails.sent(to="unknown@example.com") == []
    assert len(await mails.sent(to="known@example.com")) == 1


async def test_an_address_gets_three_mails_an_hour_whatever_is_asked(client_from: ClientFrom, mails: Mails) -> None:
    contents: set[bytes] = set()
    for number in range(12):
        async with client_from(f"192.0.2.{number}") as client:
            if number == 0:
                await client.post("/api/auth/register", json=SIGN_UP)
            answer = await client.post("/api/auth/resend-verification", json={"email": "mara@example.com"})
        assert answer.status_code == 200
        contents.add(answer.content)

    assert len(contents) == 1
    assert len(await mails.sent(to="mara@example.com")) == 3


async def test_a_client_is_refused_after_twenty_mails_an_hour(client: AsyncClient, client_from: ClientFrom) -> None:
    forged = {"X-Forwarded-For": "203.0.113.9"}
    for number in range(20):
        answer = await client.post(
            "/api/auth/forgot-password", json={"email": f"p{number}@example.com"}, headers=forged
        )
        assert answer.status_code == 200

    refused = await client.post(
        "/api/auth/forgot-password", json={"email": "p@example.com"}, headers={"X-Forwarded-For": "203.0.113.10"}
    )
    async with client_from("192.0.2.1") as other:
        elsewhere = await other.post("/api/auth/forgot-password", json={"email": "p@example.com"})

    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 3600
    assert refused.json()["code"] == "too_many_requests"
    assert elsewhere.status_code == 200


async def test_links_start_with_the_public_address_and_ignore_the_host_header(
    client: AsyncClient, mails: Mails
) -> None:
    headers = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}

    await client.post("/api/auth/register", json=SIGN_UP, headers=headers)

    mail = await mails.last()
    assert "evil" not in mail.raw
    assert all(link.startswith("http://testserver") for link in mail.links)


async def test_parallel_sign_ups_make_one_account(client: AsyncClient, context: Context, mails: Mails) -> None:
    answers = await asyncio.gather(*(client.post("/api/auth/register", json=SIGN_UP) for _ in range(8)))

    assert {answer.status_code for answer in answers} == {201}
    living = [await client.post(f"/api/auth/verify-email/{mail.token}") for mail in await mails.sent()]
    assert [answer.status_code for answer in living].count(200) == 1
