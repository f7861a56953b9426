"""Logging in, sessions, and the ways they end."""

import asyncio

import pytest
from httpx2 import AsyncClient, Response

from livery.accounts.devices import new_device
from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user, create_user, log_in
from tests.support.clock import Clock
from tests.support.mails import Mails


async def try_login(client: AsyncClient, email: str = "mara@example.com", password: str = PASSWORD) -> Response:
    return await client.post("/api/auth/login", json={"email": email, "password": password})


async def read_me(client: AsyncClient, token: str) -> int:
    return (await client.get("/api/user/me", headers={"Authorization": f"Bearer {token}"})).status_code


async def test_the_email_is_compared_without_case(client: AsyncClient, context: Context) -> None:
    await create_user(context, email="Mara@Example.com")

    assert (await try_login(client, "mARA@eXAMPLE.com ")).status_code == 200


@pytest.mark.spec("login-26")
async def test_an_unknown_email_and_a_wrong_password_get_the_same_bytes(client: AsyncClient, context: Context) -> None:
    await create_user(context)

    wrong = await try_login(client, password="not the password")
    unknown = await try_login(client, "nobody@example.com", "not the password")

    assert wrong.status_code == unknown.status_code == 401
    assert wrong.content == unknown.content
    assert wrong.headers == unknown.headers
    assert wrong.json() == {"message": "Invalid email or password.", "code": "wrong_login"}


@pytest.mark.spec("login-26")
async def test_only_the_right_password_reveals_that_the_email_is_not_verified(
    client: AsyncClient, context: Context
) -> None:
    await create_pending_user(context)

    right = await try_login(client, "pending@example.com")
    wrong = await try_login(client, "pending@example.com", "not the password")

    assert right.status_code == 403
    assert right.json()["message"].startswith("Please verify your email first")
    assert right.json()["code"] == "email_not_verified"
    assert wrong.status_code == 401


@pytest.mark.spec("login-27")
async def test_a_session_slides_for_30_days_after_its_last_use(
    client: AsyncClient, context: Context, clock: Clock
) -> None:
    person = await create_logged_in(context)

    clock.advance(days=29)
    assert await read_me(client, person.token) == 200
    clock.advance(days=29)
    assert await read_me(client, person.token) == 200
    clock.advance(days=30)
    assert await read_me(client, person.token) == 401


async def test_a_session_is_written_at_most_once_an_hour(client: AsyncClient, context: Context, clock: Clock) -> None:
    person = await create_logged_in(context)
    clock.advance(minutes=59)
    await read_me(client, person.token)

    clock.advance(days=30, minutes=-59)  # 30 days after the login: the look after 59 minutes did not slide it

    assert await read_me(client, person.token) == 401


async def test_logging_out_kills_this_token_only(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    other = await log_in(context, person.actor)

    answer = await client.post("/api/auth/logout", headers=person.headers)
    replay = await client.get("/api/user/me", headers=person.headers)

    assert answer.status_code == 204
    assert answer.content == b""
    assert replay.status_code == 401
    assert replay.json() == {"message": "Session expired. Please log in again.", "code": "session_expired"}
    assert (await client.post("/api/auth/logout", headers=person.headers)).status_code == 401
    assert await read_me(client, other.token) == 200


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic bWFyYTpw", "Bearer " + "x" * 5000, "Bearer nope"]
)
async def test_a_call_without_a_living_token_gets_401(client: AsyncClient, header: str | None) -> None:
    answer = await client.get("/api/user/me", headers={} if header is None else {"Authorization": header})

    assert answer.status_code == 401
    assert set(answer.json()) == {"message", "code"}


async def test_a_guesser_is_stopped_and_the_owner_still_gets_in_from_elsewhere(
    client_from: ClientFrom, context: Context
) -> None:
    await create_user(context)
    async with client_from("198.51.100.7") as guesser:
        answers = [await try_login(guesser, password=f"guess number {number}") for number in range(15)]
        even_right = await try_login(guesser)
    async with client_from("203.0.113.20") as owner:
        own = await try_login(owner)

    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 5
    assert even_right.status_code == 429
    assert 1 <= int(even_right.headers["Retry-After"]) <= 900
    assert even_right.json()["message"] == "Too many attempts. Try again in 15 minutes."
    assert own.status_code == 200


async def test_guesses_from_many_networks_lock_out_neither_a_known_device_nor_a_password_reset(
    client_from: ClientFrom, context: Context, mails: Mails
) -> None:
    await create_user(context)
    async with client_from("203.0.113.20") as owner:
        device = (await try_login(owner)).json()["device"]
    answers: list[Response] = []
    for network in range(32):
        async with client_from(f"198.51.{network}.7") as guesser:
            answers += [await try_login(guesser, password=f"guess {number}") for number in range(6)]
    counted = [answer.status_code for answer in answers]
    assert counted[:100] == [401] * 100
    assert counted.count(401) < 110, "guesses are not slowed down"
    assert int(answers[-1].headers["Retry-After"]) <= 60

    async with client_from("192.0.2.1") as owner:
        body = {"email": "mara@example.com", "password": PASSWORD}
        assert (await owner.post("/api/auth/login", json=body)).status_code == 429
        for wrong in ("", "not a token", device[:-4] + "AAAA", await device_of(context, "noor@example.com")):
            assert (await owner.post("/api/auth/login", json={**body, "device": wrong})).status_code == 429
        known = {**body, "device": device}
        assert (await owner.post("/api/auth/login", json=known)).status_code == 200

        await owner.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
        token = (await mails.last(to="mara@example.com", kind="reset")).token
        reset = await owner.post(f"/api/auth/reset-password/{token}", json={"password": "a new and longer one"})
        anew = {"email": "mara@example.com", "password": "a new and longer one", "device": reset.json()["device"]}
        assert (await owner.post("/api/auth/login", json=anew)).status_code == 200

        for number in range(10):
            guess = {**known, "password": f"guess {number}"}
            assert (await owner.post("/api/auth/login", json=guess)).status_code == 401
        assert (await owner.post("/api/auth/login", json=known)).status_code == 429, "a stolen device guesses for ever"


async def device_of(context: Context, email: str) -> str:
    return new_device(context.vault, email)


async def test_parallel_guesses_are_counted_before_they_are_evaluated(client: AsyncClient, context: Context) -> None:
    await create_user(context)

    answers = await asyncio.gather(*(try_login(client, password=f"guess number {number}") for number in range(30)))

    assert [answer.status_code for answer in answers].count(401) == 10


async def test_a_right_password_resets_the_count_of_wrong_passwords(client: AsyncClient, context: Context) -> None:
    await create_user(context)

    for _ in range(3):
        for number in range(4):
            await try_login(client, password=f"guess number {number}")
        assert (await try_login(client)).status_code == 200


class TestUnverifiedLoginAllowed:
    """With ``LIVERY_REQUIRE_VERIFIED_LOGIN`` off an unverified person gets in."""

    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"require_verified_login": False}

    async def test_a_pending_person_gets_in_and_is_shown_as_unverified(
        self, client: AsyncClient, context: Context
    ) -> None:
        await create_pending_user(context)

        token = (await try_login(client, "pending@example.com")).json()["token"]
        me = await client.get("/api/user/me", headers={"Authorization": f"Bearer {token}"})

        assert me.json()["isVerified"] is False

    async def test_a_second_sign_up_ends_the_sessions_of_the_first(
        self, client: AsyncClient, context: Context, mails: Mails
    ) -> None:
        await create_pending_user(context)
        token = (await try_login(client, "pending@example.com")).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        refused = await client.get("/api/user/apikey", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "email_not_verified")

        body = {"name": "The Owner", "email": "pending@example.com", "password": "the owner's password"}
        await client.post("/api/auth/register", json=body)
        await client.post(f"/api/auth/verify-email/{(await mails.last()).token}")

        assert await read_me(client, token) == 401
        token = (await try_login(client, "pending@example.com", "the owner's password")).json()["token"]
        own = await client.get("/api/user/apikey", headers={"Authorization": f"Bearer {token}"})
        assert own.status_code == 200


class TestThrottlesOff:
    """With ``LIVERY_RATE_LIMITS`` off nobody is refused or delayed."""

    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"rate_limits": "off"}

    async def test_no_limit_slows_anybody_down(self, client: AsyncClient, mails: Mails, context: Context) -> None:
        await create_user(context)

        for _ in range(25):
            answer = await client.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
            assert answer.status_code == 200

        assert len(await mails.sent()) == 25
