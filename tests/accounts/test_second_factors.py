"""Two-factor sign-in with an app and recovery codes: the second step, its limits, and how it is turned on and off."""

import asyncio
import json
from typing import Any

import pytest
from httpx2 import AsyncClient, Response
from sqlalchemy import func, select

from livery.accounts import service
from livery.accounts.models import LoginChallenge, TotpSecret
from livery.activity.models import Activity
from livery.activity.sentences import sentence_of
from livery.core.context import Context
from livery.core.db import Base
from tests.conftest import ClientFrom
from tests.factories.accounts import (
    PASSWORD,
    LoggedIn,
    create_logged_in,
    create_pending_user,
    log_in,
)
from tests.factories.second_factors import FACTORS, add_passkey, change, code_at, list_factors, set_up_totp
from tests.support.authenticator import Authenticator
from tests.support.clock import Clock
from tests.support.mails import Mails

MARA = "mara@example.com"
WRONG = "000000"


async def try_password(client: AsyncClient, password: str = PASSWORD, email: str = MARA, **more: str) -> Response:
    return await client.post("/api/auth/login", json={"email": email, "password": password, **more})


async def begin(client: AsyncClient) -> dict[str, Any]:
    answer = await try_password(client)
    assert answer.status_code == 202, answer.text
    return answer.json()


async def try_code(client: AsyncClient, ticket: str, code: str, **more: object) -> Response:
    return await client.post("/api/auth/login/second-factor", json={"ticket": ticket, "code": code, **more})


async def read_me(client: AsyncClient, token: str) -> int:
    return (await client.get("/api/user/me", headers={"Authorization": f"Bearer {token}"})).status_code


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


async def count(context: Context, table: type[TotpSecret | LoginChallenge]) -> int:
    async with context.database.read() as db:
        return await db.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture
async def mara(context: Context, clock: Clock) -> LoggedIn:
    return await create_logged_in(context)


async def test_a_person_with_an_app_gets_a_session_after_both_steps_only(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    secret, codes = await set_up_totp(client, mara, clock())
    clock.advance(minutes=1)

    step = await begin(client)
    assert step.keys() == {"message", "ticket", "methods", "passkeyOptions"}
    assert step["methods"] == ["totp", "recovery"]
    assert step["passkeyOptions"] is None
    assert await read_me(client, step["ticket"]) == 401, "the ticket is a session"
    done = await try_code(client, step["ticket"], code_at(secret, clock()))

    assert done.status_code == 200, done.text
    assert done.json().keys() == {"message", "token", "user", "device"}
    assert done.json()["user"]["email"] == MARA
    assert await read_me(client, done.json()["token"]) == 200
    assert len(codes) == 10


async def test_a_wrong_password_reveals_nothing_about_the_second_factor(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())

    known, unknown = await try_password(client, "wrong"), await try_password(client, "wrong", "nobody@example.com")

    assert known.status_code == unknown.status_code == 401
    assert known.content == unknown.content


@pytest.mark.parametrize(("steps", "status"), [(-2, 422), (-1, 200), (0, 200), (1, 200), (2, 422)])
async def test_a_clock_may_be_one_step_off(
    client: AsyncClient, mara: LoggedIn, clock: Clock, steps: int, status: int
) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)

    answer = await try_code(client, (await begin(client))["ticket"], code_at(secret, clock(), steps=steps))

    assert answer.status_code == status, answer.text


async def test_a_code_is_accepted_once_and_makes_older_codes_invalid(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    again = await try_code(client, (await begin(client))["ticket"], code_at(secret, clock()))
    assert (again.status_code, again.json()["code"]) == (422, "code_used"), "the code that turned it on"

    clock.advance(minutes=5)
    code = code_at(secret, clock())
    assert (await try_code(client, (await begin(client))["ticket"], code)).status_code == 200
    replayed = await try_code(client, (await begin(client))["ticket"], code)
    older = await try_code(client, (await begin(client))["ticket"], code_at(secret, clock(), steps=-1))

    assert replayed.json()["fields"] == {"code": "This code was used already. Wait for the next code."}
    assert older.status_code == 422


async def test_only_the_first_of_parallel_uses_of_a_code_logs_in(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    tickets = [(await begin(client))["ticket"] for _ in range(6)]

    answers = await asyncio.gather(*(try_code(client, ticket, code_at(secret, clock())) for ticket in tickets))

    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422, 422, 422]


async def test_only_the_first_of_parallel_uses_of_a_ticket_logs_in(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    ticket = (await begin(client))["ticket"]

    answers = await asyncio.gather(*(try_code(client, ticket, code) for code in codes[:4]))

    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    assert (await list_factors(client, mara))["recoveryCodesLeft"] == 9


async def test_a_ticket_lives_five_minutes_and_works_once(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    secret, codes = await set_up_totp(client, mara, clock())
    ticket = (await begin(client))["ticket"]
    clock.advance(minutes=5)

    late = await try_code(client, ticket, code_at(secret, clock()))
    assert (late.status_code, late.json()["code"]) == (401, "login_over")

    ticket = (await begin(client))["ticket"]
    assert (await try_code(client, ticket, code_at(secret, clock()))).status_code == 200
    used = await try_code(client, ticket, codes[0])
    assert (used.status_code, used.json()["code"]) == (401, "login_over")


async def test_a_ticket_takes_five_answers_and_five_wrong_codes_send_its_owner_a_mail(
    client: AsyncClient, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    ticket, code = (await begin(client))["ticket"], code_at(secret, clock())

    answers = [await try_code(client, ticket, other_than(code)) for _ in range(4)]
    told = await mails.sent(kind="second_factor_changed")
    answers.append(await try_code(client, ticket, other_than(code)))

    assert [answer.json()["code"] for answer in answers] == ["wrong_code"] * 5
    assert (await try_code(client, ticket, code)).status_code == 401
    warned = await mails.sent(kind="second_factor_changed")
    assert len(warned) == len(told) + 1
    assert "Somebody entered your password, and five wrong codes after it." in warned[-1].text


async def test_codes_are_limited_by_account_wherever_they_come_from(
    client_from: ClientFrom, mara: LoggedIn, clock: Clock
) -> None:
    async with client_from("192.0.2.1") as owner:
        secret, _ = await set_up_totp(owner, mara, clock())
        clock.advance(minutes=5)
        known = (await try_code(owner, (await begin(owner))["ticket"], code_at(secret, clock()))).json()["device"]
    clock.advance(minutes=5)
    code, statuses = code_at(secret, clock()), list[int]()
    for network in range(6):
        async with client_from(f"198.51.{network}.7") as thief:
            ticket = (await begin(thief))["ticket"]
            statuses += [(await try_code(thief, ticket, other_than(code))).status_code for _ in range(4)]
    async with client_from("203.0.113.7") as thief:
        right = await try_code(thief, (await begin(thief))["ticket"], code)

    assert statuses.count(422) == 9, "ten with that of the owner"
    assert statuses.count(429) == 15
    assert right.status_code == 429
    async with client_from("192.0.2.1") as owner:
        ticket = (await try_password(owner, device=known)).json()["ticket"]
        assert (await try_code(owner, ticket, code, device=known)).status_code == 200, (
            "the owner's device is locked out"
        )


async def test_a_stolen_device_guesses_ten_codes(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    secret, _ = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    code = code_at(secret, clock())
    device = (await try_code(client, (await begin(client))["ticket"], code)).json()["device"]

    statuses: list[int] = []
    for _ in range(4):
        ticket = (await try_password(client, device=device)).json()["ticket"]
        statuses += [(await try_code(client, ticket, WRONG, device=device)).status_code for _ in range(4)]

    assert statuses.count(422) == 10
    assert statuses.count(429) == 6


async def test_a_right_password_alone_does_not_reset_the_limit(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())

    statuses = [(await try_password(client)).status_code for _ in range(12)]

    assert statuses == [202] * 10 + [429] * 2


async def test_a_recovery_code_works_once_and_sends_its_owner_a_mail(
    client: AsyncClient, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    typed = codes[0].upper().replace("-", " ")
    clock.advance(seconds=1)

    first = await try_code(client, (await begin(client))["ticket"], typed)
    second = await try_code(client, (await begin(client))["ticket"], codes[0])

    assert first.status_code == 200
    assert (second.status_code, second.json()["code"]) == (422, "wrong_code")
    assert (await list_factors(client, mara))["recoveryCodesLeft"] == 9
    notice = await mails.last(kind="second_factor_changed")
    assert "A recovery code was used. You have 9 left." in notice.text


async def test_only_the_first_of_parallel_uses_of_a_recovery_code_logs_in(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    tickets = [(await begin(client))["ticket"] for _ in range(4)]

    answers = await asyncio.gather(*(try_code(client, ticket, codes[0]) for ticket in tickets))

    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]


async def test_recovery_codes_of_another_person_do_not_work(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    noor = await create_logged_in(context, email="noor@example.com")
    await set_up_totp(client, mara, clock())
    _, codes = await set_up_totp(client, noor, clock())

    assert (await try_code(client, (await begin(client))["ticket"], codes[0])).status_code == 422


@pytest.mark.parametrize("code", ["", "12345", "1234567", "\u0660" * 6, "abcdef", "x" * 40, "-", "½½½½½½"])
async def test_a_malformed_code_is_refused(client: AsyncClient, mara: LoggedIn, clock: Clock, code: str) -> None:
    await set_up_totp(client, mara, clock())

    answer = await try_code(client, (await begin(client))["ticket"], code)

    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"code"})


async def test_the_second_step_takes_a_code_or_a_passkey(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    await set_up_totp(client, mara, clock())
    ticket = (await begin(client))["ticket"]

    answer = await client.post("/api/auth/login/second-factor", json={"ticket": ticket})

    assert answer.json()["fields"] == {"code": "Send a code or a passkey."}


async def test_a_reset_by_mail_keeps_the_second_factor_and_ends_open_steps(
    client: AsyncClient, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    secret, codes = await set_up_totp(client, mara, clock())
    before = (await begin(client))["ticket"]
    await client.post("/api/auth/forgot-password", json={"email": MARA})
    token = (await mails.last(kind="reset")).token
    reset = await client.post(f"/api/auth/reset-password/{token}", json={"password": "a new and longer one"})
    assert reset.status_code == 200
    clock.advance(minutes=1)

    login = await try_password(client, "a new and longer one")

    assert login.status_code == 202
    assert (await try_code(client, before, codes[0])).status_code == 401, "a step with the old password is open"
    assert (await try_code(client, login.json()["ticket"], code_at(secret, clock()))).status_code == 200


async def test_a_changed_password_ends_open_steps(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    ticket = (await begin(client))["ticket"]

    body = {"oldPassword": PASSWORD, "newPassword": "a new and longer one"}
    assert (await client.put("/api/user/password", headers=mara.headers, json=body)).status_code == 200

    assert (await try_code(client, ticket, codes[0])).status_code == 401


async def test_nothing_is_turned_on_before_the_first_code(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    setup = (await change(client, mara, "POST", "/totp")).json()
    assert setup["uri"].startswith("otpauth://totp/Livery:mara%40example.com?secret=" + setup["secret"])

    body = {"code": other_than(code_at(setup["secret"], clock()))}
    wrong = await client.post(f"{FACTORS}/totp/confirm", headers=mara.headers, json=body)

    assert (wrong.status_code, set(wrong.json()["fields"])) == (422, {"code"})
    assert (await list_factors(client, mara)) == {"totpSince": None, "passkeys": [], "recoveryCodesLeft": 0}
    assert (await try_password(client)).status_code == 200


async def test_a_setup_must_be_confirmed_within_30_minutes(
    client: AsyncClient, mara: LoggedIn, clock: Clock, context: Context
) -> None:
    setup = (await change(client, mara, "POST", "/totp")).json()
    clock.advance(minutes=30)

    body = {"code": code_at(setup["secret"], clock())}
    late = await client.post(f"{FACTORS}/totp/confirm", headers=mara.headers, json=body)

    assert (late.status_code, late.json()["code"]) == (409, "no_totp_setup")
    assert await count(context, TotpSecret) == 1
    await service.prune(context.database)
    assert await count(context, TotpSecret) == 0


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/totp"),
        ("DELETE", "/totp"),
        ("POST", "/passkeys/options"),
        ("DELETE", "/passkeys/psk_x"),
        ("POST", "/recovery-codes"),
    ],
)
async def test_each_change_needs_the_password_and_the_second_factor(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock, method: str, path: str
) -> None:
    secret, codes = await set_up_totp(client, mara, clock())
    before = await list_factors(client, mara)

    without = await client.request(method, f"{FACTORS}{path}", headers=mara.headers, json={})
    wrong = await change(client, mara, method, path, password="not the password")
    assert (without.status_code, set(without.json()["fields"])) == (422, {"password"})
    assert wrong.json()["fields"] == {"password": "This is not your password."}

    thief = await log_in(context, mara.actor)  # a session that never showed the second factor
    refused = await change(client, thief, method, path)
    assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_needed")
    assert refused.json()["methods"] == ["totp", "recovery"]
    ticket = refused.json()["ticket"]
    clock.advance(minutes=1)
    guessed = await change(client, thief, method, path, ticket=ticket, code=other_than(code_at(secret, clock())))
    assert (guessed.status_code, set(guessed.json()["fields"])) == (422, {"code"})
    assert await list_factors(client, mara) == before

    proven = await change(client, thief, method, path, ticket=ticket, code=code_at(secret, clock()))
    assert proven.status_code in {200, 201, 404, 409}, proven.text  # past the proof
    again = await change(client, thief, method, path, ticket=ticket, code=codes[0])
    assert again.json().get("code") != "second_factor_needed" or proven.status_code in {404, 409}


async def test_a_login_ticket_changes_nothing_and_a_change_ticket_logs_nobody_in(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    _, codes = await set_up_totp(client, mara, clock())
    other = await log_in(context, mara.actor)
    login = (await begin(client))["ticket"]
    changing = (await change(client, other, "DELETE", "/totp")).json()["ticket"]

    crossed = await change(client, other, "DELETE", "/totp", ticket=login, code=codes[0])
    assert crossed.json()["code"] == "second_factor_needed"
    assert (await try_code(client, changing, codes[0])).status_code == 401
    assert (await list_factors(client, mara))["recoveryCodesLeft"] == 10


async def test_the_ticket_of_another_person_proves_nothing(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    noor = await create_logged_in(context, email="noor@example.com")
    await set_up_totp(client, mara, clock())
    _, codes = await set_up_totp(client, noor, clock())
    ticket = (await change(client, await log_in(context, noor.actor), "DELETE", "/totp")).json()["ticket"]

    answer = await change(client, await log_in(context, mara.actor), "DELETE", "/totp", ticket=ticket, code=codes[0])

    assert answer.json()["code"] == "second_factor_needed"
    assert (await list_factors(client, mara))["totpSince"] is not None


async def test_a_session_need_not_show_the_factor_again_for_ten_minutes(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())

    assert (await change(client, mara, "POST", "/recovery-codes")).status_code == 201
    clock.advance(minutes=10)
    assert (await change(client, mara, "POST", "/recovery-codes")).status_code == 403


async def test_the_first_factor_ends_other_sessions_and_the_next_does_not(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    phone = await log_in(context, mara.actor)
    noor = await create_logged_in(context, email="noor@example.com")
    await set_up_totp(client, mara, clock())
    assert await read_me(client, phone.token) == 401
    assert await read_me(client, mara.token) == 200
    assert await read_me(client, noor.token) == 200

    tablet = await log_in(context, mara.actor)
    assert await add_passkey(client, mara, Authenticator()) == [], "there are recovery codes already"
    assert await read_me(client, tablet.token) == 200


async def test_new_recovery_codes_make_the_former_codes_invalid(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    _, old = await set_up_totp(client, mara, clock())

    fresh = (await change(client, mara, "POST", "/recovery-codes")).json()["recoveryCodes"]

    assert len(set(fresh)) == 10
    assert not set(fresh) & set(old)
    assert (await try_code(client, (await begin(client))["ticket"], old[0])).status_code == 422
    assert (await try_code(client, (await begin(client))["ticket"], fresh[0])).status_code == 200


async def test_recovery_codes_go_with_the_last_factor(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    await set_up_totp(client, mara, clock())
    authenticator = Authenticator()
    await add_passkey(client, mara, authenticator)
    assert (await change(client, mara, "DELETE", "/totp")).status_code == 200
    assert (await list_factors(client, mara))["recoveryCodesLeft"] == 10

    (passkey,) = (await list_factors(client, mara))["passkeys"]
    assert (await change(client, mara, "DELETE", f"/passkeys/{passkey['_id']}")).status_code == 200

    assert (await list_factors(client, mara)) == {"totpSince": None, "passkeys": [], "recoveryCodesLeft": 0}
    assert (await try_password(client)).status_code == 200
    assert (await change(client, mara, "POST", "/recovery-codes")).status_code == 404
    assert (await change(client, mara, "DELETE", "/totp")).status_code == 404


async def test_an_app_is_not_replaced_without_its_removal(client: AsyncClient, mara: LoggedIn, clock: Clock) -> None:
    await set_up_totp(client, mara, clock())

    again = await change(client, mara, "POST", "/totp")

    assert (again.status_code, again.json()["code"]) == (409, "totp_on")


async def test_each_change_is_mailed_and_recorded(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock, mails: Mails
) -> None:
    await set_up_totp(client, mara, clock())
    clock.advance(seconds=1)
    await add_passkey(client, mara, Authenticator(), name="Mara's phone")
    clock.advance(seconds=1)
    await change(client, mara, "POST", "/recovery-codes")
    (passkey,) = (await list_factors(client, mara))["passkeys"]
    url = f"{FACTORS}/passkeys/{passkey['_id']}"
    await client.put(url, headers=mara.headers, json={"name": "Tablet"})
    clock.advance(seconds=1)
    await change(client, mara, "DELETE", f"/passkeys/{passkey['_id']}")
    clock.advance(seconds=1)
    await change(client, mara, "DELETE", "/totp")

    told = [mail.text for mail in await mails.sent(to=MARA, kind="second_factor_changed")]
    expected = [
        "An authenticator app was set up as your second factor.",
        "The passkey “Mara's phone” was added.",
        "New recovery codes were made. The former codes no longer work.",
        "The passkey “Tablet” was removed.",
        "Your authenticator app was removed.",
    ]
    assert sorted(event for event in expected for text in told if event in text) == sorted(expected)
    assert "http://testserver/forgot-password#email=mara%40example.com" in told[0]
    async with context.database.read() as db:
        rows = (await db.scalars(select(Activity).order_by(Activity.id))).all()
    assert {row.actor_id for row in rows} == {mara.actor.id}
    assert [sentence_of(row.action, row.subject) for row in rows] == [
        "Set up an authenticator app",
        "Added passkey Mara's phone",
        "Made new recovery codes",
        "Renamed a passkey to Tablet",
        "Removed passkey Tablet",
        "Removed the authenticator app",
    ]


async def test_a_closed_account_leaves_nothing_of_its_factors(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())
    await add_passkey(client, mara, Authenticator())
    await begin(client)

    closed = await client.request("DELETE", "/api/user/me", headers=mara.headers, json={"password": PASSWORD})

    assert closed.status_code == 200
    async with context.database.read() as db:
        for name in ("totp_secrets", "passkeys", "recovery_codes", "login_challenges"):
            table = Base.metadata.tables[name]
            assert await db.scalar(select(func.count()).select_from(table)) == 0, name


async def test_an_unverified_person_adds_no_factor(client: AsyncClient, context: Context, clock: Clock) -> None:
    await create_pending_user(context)
    async with context.database.read() as db:
        actor = await service.queries.find_user_by_email(db, "pending@example.com")
    assert actor
    pending = await log_in(context, actor)

    for method, path in (("POST", "/totp"), ("POST", "/passkeys/options"), ("POST", "/recovery-codes")):
        assert (await change(client, pending, method, path)).json()["code"] == "email_not_verified"


async def test_secrets_are_answered_once_and_kept_nowhere_readable(
    client: AsyncClient,
    context: Context,
    mara: LoggedIn,
    clock: Clock,
    mails: Mails,
    capfd: pytest.CaptureFixture[str],
) -> None:
    secret, codes = await set_up_totp(client, mara, clock())
    clock.advance(minutes=5)
    step = await begin(client)
    code = code_at(secret, clock())
    await try_code(client, step["ticket"], other_than(code))
    await try_code(client, step["ticket"], code)
    await try_code(client, (await begin(client))["ticket"], codes[0])

    read = json.dumps(await list_factors(client, mara)) + (await client.get("/api/user/me", headers=mara.headers)).text
    read += (await client.get("/api/activity", headers=mara.headers)).text
    read += "".join(mail.raw for mail in await mails.sent())
    async with context.database.read() as db:
        read += "".join([repr((await db.execute(select(table))).all()) for table in Base.metadata.sorted_tables])
    written = capfd.readouterr()
    read += written.out + written.err
    assert [
        value for value in (secret, step["ticket"], *codes, *(code.replace("-", "") for code in codes)) if value in read
    ] == []


async def test_steps_that_are_over_are_pruned(
    client: AsyncClient, context: Context, mara: LoggedIn, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())
    await begin(client)
    await begin(client)
    clock.advance(minutes=5)

    assert await count(context, LoginChallenge) == 2
    await service.prune(context.database)
    assert await count(context, LoginChallenge) == 0
