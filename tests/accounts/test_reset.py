"""Setting a new password by a link."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from httpx2 import AsyncClient
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import logins
from livery.accounts.failed_logins import FailedLogins
from livery.core.context import Context
from livery.core.db import Database
from livery.core.errors import Unauthorized
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user, create_user
from tests.support.clock import Clock
from tests.support.mails import Mails, token_in

NEW = "a short and loud brook"


async def ask_for_link(client: AsyncClient, mails: Mails, email: str = "mara@example.com") -> str:
    answer = await client.post("/api/auth/forgot-password", json={"email": email})
    assert answer.json() == {"message": "Password reset link sent! Please check your email (including spam folder)."}
    return (await mails.last(to=email, kind="reset")).token


async def log_in(client: AsyncClient, password: str, email: str = "mara@example.com") -> int:
    return (await client.post("/api/auth/login", json={"email": email, "password": password})).status_code


@pytest.mark.spec("reset-10")
async def test_a_reset_sets_the_password_ends_all_sessions_and_sends_the_owner_a_mail(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    person = await create_logged_in(context)
    token = await ask_for_link(client, mails)

    answer = await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})

    assert answer.status_code == 200
    said = answer.json()
    assert said.pop("device")
    assert said == {
        "message": "Password has been reset successfully! Redirecting to login...",
        "email": "mara@example.com",
    }
    assert (await client.get("/api/user/me", headers=person.headers)).status_code == 401
    assert await log_in(client, PASSWORD) == 401
    assert await log_in(client, NEW) == 200
    notice = await mails.last(kind="password_changed")
    assert NEW not in notice.raw
    assert token not in notice.raw


@pytest.mark.spec("reset-10")
async def test_a_reset_link_works_once(client: AsyncClient, context: Context, mails: Mails) -> None:
    await create_user(context)
    token = await ask_for_link(client, mails)
    await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})

    again = await client.post(f"/api/auth/reset-password/{token}", json={"password": "the attacker's"})

    assert again.status_code == 400
    assert again.json()["message"] == "The link may be invalid or expired."
    assert await log_in(client, NEW) == 200


async def test_only_the_first_of_twenty_parallel_resets_succeeds(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    await create_user(context)
    token = await ask_for_link(client, mails)
    passwords = [f"password number {number}" for number in range(20)]

    calls = (client.post(f"/api/auth/reset-password/{token}", json={"password": password}) for password in passwords)
    statuses = [answer.status_code for answer in await asyncio.gather(*calls)]

    assert sorted(statuses) == [200] + [400] * 19
    assert await log_in(client, passwords[statuses.index(200)]) == 200
    assert len(await mails.sent(kind="password_changed")) == 1


@pytest.mark.spec("reset-10")
async def test_a_reset_link_lives_for_an_hour(
    client: AsyncClient, context: Context, mails: Mails, clock: Clock
) -> None:
    await create_user(context)
    token = await ask_for_link(client, mails)
    clock.advance(hours=1)

    answer = await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})

    assert answer.status_code == 400
    assert await log_in(client, PASSWORD) == 200


async def test_a_newer_link_kills_the_older(client: AsyncClient, context: Context, mails: Mails) -> None:
    await create_user(context)
    old = await ask_for_link(client, mails)
    new = await ask_for_link(client, mails)

    assert (await client.post(f"/api/auth/reset-password/{old}", json={"password": NEW})).status_code == 400
    assert (await client.post(f"/api/auth/reset-password/{new}", json={"password": NEW})).status_code == 200


async def test_a_short_password_leaves_the_link_alive(client: AsyncClient, context: Context, mails: Mails) -> None:
    await create_user(context)
    token = await ask_for_link(client, mails)

    short = await client.post(f"/api/auth/reset-password/{token}", json={"password": "short"})

    assert short.status_code == 422
    assert short.json()["message"] == "Password must be at least 8 characters long."
    assert (await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})).status_code == 200


async def test_a_reset_verifies_the_email_and_ends_its_other_links(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    await create_pending_user(context)
    sign_up = await mails.last(kind="verify")
    token = await ask_for_link(client, mails, "pending@example.com")

    await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})

    assert await log_in(client, NEW, "pending@example.com") == 200
    assert (await client.post(f"/api/auth/verify-email/{sign_up.token}")).status_code == 400


async def test_a_verification_link_resets_no_password(client: AsyncClient, context: Context, mails: Mails) -> None:
    await create_pending_user(context)
    token = (await mails.last(kind="verify")).token

    assert (await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})).status_code == 400


class InterruptedDatabase(Database):
    """Lets something else happen before each write begins."""

    def __init__(self, url: str, interrupt: Callable[[], Awaitable[object]]) -> None:
        super().__init__(url)
        self._interrupt = interrupt

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        await self._interrupt()
        async with super().write() as db:
            yield db


async def test_a_login_with_the_old_password_loses_to_a_reset_at_the_same_time(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    actor = await create_user(context)
    token = await ask_for_link(client, mails)

    async def reset() -> None:
        answer = await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})
        assert answer.status_code == 200

    database = InterruptedDatabase(context.database.url, reset)
    interrupted = replace(context, database=database)
    with pytest.raises(Unauthorized):
        await logins.log_in(interrupted, FailedLogins(), email=actor.email, password=PASSWORD)
    await database.close()


async def test_the_mail_about_a_new_password_lists_the_keys_and_its_link_ends_them(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    person = await create_logged_in(context)
    old = (await client.get("/api/user/apikey", headers=person.headers)).json()["apikey"]
    token = await ask_for_link(client, mails)
    await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})
    notice = await mails.last(kind="password_changed")
    assert f"…{old[-4:]}, made " in notice.text
    assert "never used" in notice.text
    assert old not in notice.raw
    link = next(link for link in notice.links if "/end-keys/" in link)

    login = await client.post("/api/auth/login", json={"email": person.actor.email, "password": NEW})
    headers = {"Authorization": f"Bearer {login.json()['token']}"}
    fresh = (await client.post("/api/user/apikey/rotate", headers=headers)).json()["apikey"]
    ended = await client.post(f"/api/auth/end-keys/{token_in(link)}")
    assert (ended.status_code, ended.json()["message"]) == (200, "1 API key was ended.")
    (left,) = (await client.get("/api/user/apikeys", headers=headers)).json()["apikeys"]
    assert (left["hint"], left["current"]) == (fresh[-4:], True)
    assert (await client.post(f"/api/auth/end-keys/{token_in(link)}")).status_code == 400


async def test_the_mail_about_a_new_password_names_no_keys_to_a_person_without_keys(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    await create_logged_in(context)
    token = await ask_for_link(client, mails)
    await client.post(f"/api/auth/reset-password/{token}", json={"password": NEW})
    notice = await mails.last(kind="password_changed")
    assert "API key" not in notice.raw
    assert not [link for link in notice.links if "/end-keys/" in link]
    assert (await client.post(f"/api/auth/end-keys/{token}")).status_code == 400, "the link of the reset ended keys"
