"""A person's own account: the name, the password, the sessions, and what is left when the account is deleted."""

import asyncio

import pytest
from httpx2 import AsyncClient, Response
from sqlalchemy import select, update

from livery.billing import queries as billing
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.core.db import Base
from livery.projects.models import Project
from livery.workspace import fsck
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, create_user, log_in
from tests.factories.billing import give_credits
from tests.factories.projects import create_project, join, open_desk
from tests.support.clock import Clock
from tests.support.mails import Mails

NEW_PASSWORD = "a short and noisy brook"


async def change_password(
    client: AsyncClient, person: LoggedIn, *, old: str = PASSWORD, new: str = NEW_PASSWORD
) -> Response:
    body = {"oldPassword": old, "newPassword": new}
    return await client.put("/api/user/password", headers=person.headers, json=body)


async def delete_account(client: AsyncClient, person: LoggedIn, password: str = PASSWORD) -> Response:
    return await client.request("DELETE", "/api/user/me", headers=person.headers, json={"password": password})


async def try_login(client: AsyncClient, password: str, email: str = "mara@example.com") -> int:
    return (await client.post("/api/auth/login", json={"email": email, "password": password})).status_code


async def is_logged_in(client: AsyncClient, person: LoggedIn) -> bool:
    return (await client.get("/api/user/me", headers=person.headers)).status_code == 200


async def test_a_new_name_is_shown_at_once_and_everywhere(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)

    answer = await client.put("/api/user/me", headers=person.headers, json={"name": "  Mara Ende "})

    assert answer.status_code == 200
    assert answer.json() == (await client.get("/api/user/me", headers=person.headers)).json()
    assert answer.json()["name"] == "Mara Ende"


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "Mara\u202elindt", "Mara\nLindt"])
async def test_a_name_is_one_line_of_1_to_100_characters(client: AsyncClient, context: Context, name: str) -> None:
    person = await create_logged_in(context)

    answer = await client.put("/api/user/me", headers=person.headers, json={"name": name})

    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == {"name"}
    assert (await client.get("/api/user/me", headers=person.headers)).json()["name"] == "Mara Lindt"


async def test_a_changed_password_ends_every_other_session_and_sends_a_mail(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    person = await create_logged_in(context)
    phone = await log_in(context, person.actor)
    noor = await create_logged_in(context, email="noor@example.com")

    assert (await change_password(client, person)).status_code == 200

    assert await is_logged_in(client, person)
    assert not await is_logged_in(client, phone)
    assert await is_logged_in(client, noor)
    assert await try_login(client, PASSWORD) == 401
    assert await try_login(client, NEW_PASSWORD) == 200
    notice = await mails.last(to="mara@example.com")
    assert notice.kind == "password_changed"
    assert notice.link == "http://testserver/forgot-password#email=mara%40example.com"


async def test_a_changed_password_kills_the_links_that_would_reset_it(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    person = await create_logged_in(context)
    await client.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
    reset = await mails.last(kind="reset")

    await change_password(client, person)

    answer = await client.post(f"/api/auth/reset-password/{reset.token}", json={"password": "yet another one"})
    assert answer.status_code == 400
    assert await try_login(client, NEW_PASSWORD) == 200


async def test_a_wrong_old_password_changes_nothing(client: AsyncClient, context: Context, mails: Mails) -> None:
    person = await create_logged_in(context)
    phone = await log_in(context, person.actor)

    answer = await change_password(client, person, old="not the password")

    assert answer.status_code == 422
    assert answer.json()["fields"] == {"oldPassword": "This is not your password."}
    assert await is_logged_in(client, phone)
    assert await try_login(client, PASSWORD) == 200
    assert await mails.sent() == []


@pytest.mark.parametrize("new", ["short", "x" * 129])
async def test_a_new_password_has_8_to_128_characters(client: AsyncClient, context: Context, new: str) -> None:
    person = await create_logged_in(context)

    answer = await change_password(client, person, new=new)

    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == {"newPassword"}
    assert await try_login(client, PASSWORD) == 200


async def test_only_the_first_of_parallel_password_changes_is_made(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)

    answers = await asyncio.gather(*(change_password(client, person, new=f"password number {n}") for n in range(3)))

    assert sorted(answer.status_code for answer in answers) == [200, 422, 422]


async def test_guesses_at_the_old_password_are_throttled_but_not_by_guesses_of_others(
    client_from: ClientFrom, context: Context
) -> None:
    person = await create_logged_in(context)
    async with client_from("198.51.100.7") as client:
        for _ in range(5):
            assert (await change_password(client, person, old="not the password")).status_code == 422
            assert (await delete_account(client, person, "not the password")).status_code == 422

        blocked = await change_password(client, person)

        assert blocked.status_code == 429
        assert int(blocked.headers["Retry-After"]) > 0
        assert (await delete_account(client, person)).status_code == 429

    noor = await create_logged_in(context, email="noor@example.com")
    async with client_from("198.51.100.7") as client:
        for number in range(12):
            await try_login(client, f"guess number {number}", "noor@example.com")
        assert await try_login(client, PASSWORD, "noor@example.com") == 429
        assert (await change_password(client, noor)).status_code == 200


async def test_the_list_of_sessions_marks_the_current_session(
    client: AsyncClient, context: Context, clock: Clock
) -> None:
    await create_user(context)
    phone = {"User-Agent": "Phone/1.0"}
    body = {"email": "mara@example.com", "password": PASSWORD}
    first = (await client.post("/api/auth/login", json=body, headers=phone)).json()["token"]
    clock.advance(minutes=5)
    second = (await client.post("/api/auth/login", json=body, headers={"User-Agent": "Laptop/2.0"})).json()["token"]
    await create_logged_in(context, email="noor@example.com")

    listed = await client.get("/api/user/sessions", headers={"Authorization": f"Bearer {first}"})

    laptop, asking = listed.json()["sessions"]
    assert set(asking) == {"_id", "createdAt", "lastUsedAt", "userAgent", "current"}
    assert (asking["userAgent"], asking["current"]) == ("Phone/1.0", True)
    assert (laptop["userAgent"], laptop["current"]) == ("Laptop/2.0", False)
    assert asking["createdAt"] < laptop["createdAt"]
    assert first not in listed.text
    assert second not in listed.text


async def test_a_session_that_is_over_is_not_listed(client: AsyncClient, context: Context, clock: Clock) -> None:
    person = await create_logged_in(context)
    clock.advance(days=31)
    late = await log_in(context, person.actor)

    listed = await client.get("/api/user/sessions", headers=late.headers)

    assert [session["current"] for session in listed.json()["sessions"]] == [True]


async def test_an_ended_session_is_logged_out(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    phone = await log_in(context, person.actor)
    listed = (await client.get("/api/user/sessions", headers=person.headers)).json()["sessions"]
    other = next(session["_id"] for session in listed if not session["current"])

    assert (await client.delete(f"/api/user/sessions/{other}", headers=person.headers)).status_code == 200

    assert not await is_logged_in(client, phone)
    assert await is_logged_in(client, person)
    assert (await client.delete(f"/api/user/sessions/{other}", headers=person.headers)).status_code == 404


async def test_nobody_ends_the_session_of_another(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    noor = await create_logged_in(context, email="noor@example.com")
    listed = (await client.get("/api/user/sessions", headers=person.headers)).json()["sessions"]

    answer = await client.delete(f"/api/user/sessions/{listed[0]['_id']}", headers=noor.headers)

    assert answer.status_code == 404
    assert await is_logged_in(client, person)


async def test_an_account_that_owns_a_project_is_not_deleted(client: AsyncClient, context: Context) -> None:
    desk = await open_desk(context, client)

    answer = await delete_account(client, desk.person)

    assert answer.status_code == 409
    assert answer.json()["code"] == "owns_projects"
    assert (await desk.project())["name"] == "Aurora Travel"


async def test_a_deleted_project_does_not_keep_its_owner(client: AsyncClient, context: Context) -> None:
    desk = await open_desk(context, client)
    key = (await desk.project())["publishableKey"]
    async with context.database.write() as db:  # no verb deletes a project yet, so the row is written as it is
        await db.execute(update(Project).values(deleted_at=core_clock.now()))

    assert (await delete_account(client, desk.person)).status_code == 200

    url = f"/sdk/v1/{desk.project_id}/content"
    assert (await client.get(url, headers={"Authorization": f"Bearer {key}"})).status_code == 410


async def test_a_wrong_password_deletes_nothing(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)

    answer = await delete_account(client, person, "not the password")

    assert answer.status_code == 422
    assert set(answer.json()["fields"]) == {"password"}
    assert await is_logged_in(client, person)


async def test_a_deleted_account_leaves_its_work_and_nothing_of_the_person(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    desk = await open_desk(context, client)
    editor = await join(context, desk, "editor")
    api_key = (await editor.get("/user/apikey")).json()["apikey"]
    await editor.text("title", {"en": "Hello"})
    await desk.publish()
    await client.post("/api/auth/forgot-password", json={"email": editor.person.actor.email})
    link = await mails.last(kind="reset")
    await client.post("/api/auth/forgot-password", json={"email": editor.person.actor.email})

    answer = await delete_account(client, editor.person)

    assert answer.json() == {"message": "Your account was deleted."}
    assert not await is_logged_in(client, editor.person)
    delivered = await client.get(f"/sdk/v1/{desk.project_id}/content", headers={"Authorization": f"Bearer {api_key}"})
    assert delivered.status_code == 401
    assert await try_login(client, PASSWORD, editor.person.actor.email) == 401
    reset = await client.post(f"/api/auth/reset-password/{link.token}", json={"password": NEW_PASSWORD})
    assert reset.status_code == 400
    assert [member["role"] for member in (await desk.project())["members"]] == ["owner"]
    assert (await desk.keys("general"))["title"] == {"en": "Hello"}
    feed = (await desk.get("/activity")).json()
    assert ("Added key general.title", "Deleted user") in [(entry["action"], entry["actor"]) for entry in feed]
    async with context.database.read() as db:
        tables = [table for table in Base.metadata.sorted_tables if table.name != "outbox"]  # the mails that were sent
        dump = "".join([repr((await db.execute(select(table))).all()) for table in tables])
    assert editor.person.actor.email not in dump
    assert (await mails.last()).kind == "account_closed"


async def test_the_answer_names_forfeited_credits_and_the_ledger_keeps_them(
    client: AsyncClient, context: Context
) -> None:
    person = await create_logged_in(context)
    await give_credits(context.database, person.actor.id, 12)

    answer = await delete_account(client, person)

    assert answer.json() == {"message": "Your account was deleted. 12 credits were forfeited."}
    async with context.database.read() as db:
        assert await billing.balance(db, person.actor.id) == 12
        assert await fsck.check_all(db) == []


async def test_the_email_of_a_deleted_account_can_sign_up_again(
    client: AsyncClient, context: Context, mails: Mails
) -> None:
    first = await create_logged_in(context)
    await delete_account(client, first)

    await client.post("/api/auth/register", json={"name": "Mara", "email": "mara@example.com", "password": PASSWORD})
    verify = await mails.last(kind="verify")
    assert (await client.post(f"/api/auth/verify-email/{verify.token}")).status_code == 200

    answer = await client.post("/api/auth/login", json={"email": "mara@example.com", "password": PASSWORD})
    assert answer.json()["user"]["_id"] != first.actor.id


async def test_a_request_that_is_under_way_gives_a_deleted_person_no_project(
    client: AsyncClient, context: Context
) -> None:
    """The session was read before the account went away."""
    person = await create_logged_in(context)
    await delete_account(client, person)

    with pytest.raises(Exception, match="Session expired"):
        await create_project(context, person.actor)
