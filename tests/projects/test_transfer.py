"""Handing a project over: offered by the owner, accepted by an admin, with exactly one owner at every moment."""

import asyncio

import httpx2
import pytest

from livery.core.context import Context
from livery.projects.permissions import Role
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk
from tests.support.clock import Clock
from tests.support.mails import Mails


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client)


@pytest.fixture
async def admin(context: Context, desk: Desk) -> Desk:
    return await join(context, desk, "admin")


async def offer(desk: Desk, to: Desk) -> httpx2.Response:
    return await desk.post("/projects/{id}/transfer", {"userId": to.person.actor.id})


async def accept(person: Desk) -> httpx2.Response:
    return await person.post("/projects/{id}/transfer/accept")


async def end(person: Desk) -> httpx2.Response:
    return await person.delete("/projects/{id}/transfer")


async def roles(desk: Desk) -> list[tuple[str, str]]:
    rows = (await desk.get("/projects/{id}/members")).json()
    return [(row["user"]["name"], row["role"]) for row in rows]


async def test_an_accepted_offer_changes_the_owner_and_keeps_the_plan(
    context: Context, desk: Desk, admin: Desk, mails: Mails
) -> None:
    before = await desk.project()

    offered = await offer(desk, admin)

    assert offered.status_code == 200
    waiting = {
        "to": {"_id": admin.person.actor.id, "name": "Admin", "email": "admin@example.com"},
        "offeredAt": "2026-11-20T12:00:00.000Z",
    }
    assert (await desk.project())["transfer"] == (await admin.project())["transfer"] == waiting
    assert await roles(desk) == [("Mara Lindt", "owner"), ("Admin", "admin")]
    mail = await mails.last(to="admin@example.com")
    assert (mail.kind, mail.subject) == ("transfer_offered", "Mara Lindt wants to hand Aurora Travel over to you")
    assert mail.link == f"http://testserver/projects/{desk.project_id}/settings#email=admin%40example.com"

    assert (await accept(admin)).status_code == 200

    assert await roles(desk) == [("Admin", "owner"), ("Mara Lindt", "admin")]
    after = await admin.project()
    assert (after["role"], after["ownerId"], after["transfer"]) == ("owner", admin.person.actor.id, None)
    for field in ("activeTier", "plan", "expiresAt", "publishableKey", "projectSecret"):
        assert after[field] == before[field]
    assert (await desk.delete("/projects/{id}")).status_code == 403
    assert (await desk.get("/user/me")).json()["plan"] == "free"
    assert (await admin.get("/user/me")).json()["plan"] == "paid"
    (entry, *_) = (await desk.get("/activity")).json()
    assert (entry["action"], entry["actor"]) == ("Took over ownership from Mara Lindt", "Admin")
    assert (await accept(admin)).status_code == 404
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    assert (await admin.delete("/projects/{id}")).status_code == 200


async def test_only_the_owner_offers_and_only_to_an_admin(context: Context, desk: Desk, admin: Desk) -> None:
    editor = await join(context, desk, "editor")
    stranger = await open_desk(context, desk.client, email="stranger@example.com")

    assert (await offer(admin, admin)).status_code == 403
    assert (await offer(editor, editor)).status_code == 403
    for person in (editor, desk):
        response = await offer(desk, person)
        assert (response.status_code, response.json()["code"]) == (409, "not_an_admin")
    assert (await offer(desk, stranger)).status_code == 404
    assert (await offer(desk, admin)).status_code == 200
    second = await offer(desk, admin)
    assert (second.status_code, second.json()["code"]) == (409, "transfer_waits")


async def test_nobody_else_can_accept(context: Context, desk: Desk, admin: Desk) -> None:
    editor = await join(context, desk, "editor")
    viewer = await join(context, desk, "viewer")
    await desk.put(f"/projects/{{id}}/members/{viewer.person.actor.id}", {"role": "admin"})
    other_admin = viewer
    await offer(desk, admin)

    answers = [(await accept(person)).status_code for person in (desk, other_admin, editor)]

    assert answers == [404, 404, 403]
    assert (await end(other_admin)).status_code == 403
    assert (await end(editor)).status_code == 403
    assert (await editor.project())["transfer"] is None
    assert (await desk.project())["ownerId"] == desk.person.actor.id


async def test_an_offer_can_be_withdrawn_and_declined(desk: Desk, admin: Desk) -> None:
    assert (await end(desk)).status_code == 404
    for person, action in (
        (desk, "Withdrew the offer of ownership to Admin"),
        (admin, "Declined ownership"),
    ):
        await offer(desk, admin)

        assert (await end(person)).status_code == 200

        assert (await desk.project())["transfer"] is None
        assert (await accept(admin)).status_code == 404
        assert (await desk.get("/activity")).json()[0]["action"] == action


@pytest.mark.parametrize("role", ["editor", "viewer", None])
async def test_an_offer_ends_when_its_recipient_is_no_longer_an_admin(
    desk: Desk, admin: Desk, role: Role | None
) -> None:
    await offer(desk, admin)
    path = f"/projects/{{id}}/members/{admin.person.actor.id}"

    changed = await (desk.put(path, {"role": role}) if role else desk.delete(path))

    assert changed.status_code == 200
    assert (await desk.project())["transfer"] is None
    if role:
        await desk.put(path, {"role": "admin"})
        assert (await accept(admin)).status_code == 404


async def test_a_parallel_acceptance_and_withdrawal_have_a_single_effect(
    context: Context, desk: Desk, admin: Desk
) -> None:
    await offer(desk, admin)

    answers = await asyncio.gather(*(call for _ in range(5) for call in (accept(admin), end(desk))))

    accepted = [answer.status_code for answer in answers[::2]].count(200)
    ended = [answer.status_code for answer in answers[1::2]].count(200)
    assert accepted + ended == 1
    owner = (await desk.project())["ownerId"]
    assert owner == (admin if accepted else desk).person.actor.id
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_new_owner_can_not_close_the_account_and_the_former_owner_can(desk: Desk, admin: Desk) -> None:
    password = {"password": "a long and quiet river"}
    await offer(desk, admin)
    await accept(admin)

    assert (await admin.send("DELETE", "/user/me", password)).status_code == 409
    assert (await desk.send("DELETE", "/user/me", password)).status_code == 200
    assert await roles(admin) == [("Admin", "owner")]
