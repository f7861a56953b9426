"""Who is in a project: the list, roles, removing and leaving."""

from typing import Any

import httpx2
import pytest

from livery.accounts import queries as accounts
from livery.accounts.api_keys import KeyUses
from livery.core.context import Context
from livery.core.security import digest
from livery.projects.permissions import Role
from livery.projects.schemas import MemberRole
from tests.factories.projects import Desk, create_project, join, open_desk
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client)


async def members(desk: Desk) -> list[dict[str, Any]]:
    response = await desk.get("/projects/{id}/members")
    assert response.status_code == 200
    return response.json()


async def roles(desk: Desk) -> dict[str, str]:
    return {row["user"]["email"]: row["role"] for row in await members(desk)}


async def set_role(desk: Desk, member_id: str, role: str) -> httpx2.Response:
    return await desk.put(f"/projects/{{id}}/members/{member_id}", {"role": role})


async def remove(desk: Desk, member_id: str) -> httpx2.Response:
    return await desk.delete(f"/projects/{{id}}/members/{member_id}")


def id_of(desk: Desk) -> str:
    return desk.person.actor.id


async def test_the_list_has_the_owner_first_then_members_then_who_is_invited(
    context: Context, desk: Desk, clock: Clock
) -> None:
    viewer = await join(context, desk, "viewer")
    clock.advance(seconds=1)
    admin = await join(context, desk, "admin")
    await desk.post("/projects/{id}/members", {"email": "Noor@Example.com "})

    rows = await members(viewer)

    assert [{key: row[key] for key in ("role", "status", "expiresAt")} for row in rows] == [
        {"role": "owner", "status": "active", "expiresAt": None},
        {"role": "viewer", "status": "active", "expiresAt": None},
        {"role": "admin", "status": "active", "expiresAt": None},
        {"role": "editor", "status": "invited", "expiresAt": "2026-12-04T12:00:01.000Z"},
    ]
    assert [row["user"]["_id"] for row in rows[:3]] == [id_of(desk), id_of(viewer), id_of(admin)]
    assert rows[3]["user"]["name"] == ""
    assert rows[3]["user"]["email"] == "noor@example.com"
    assert rows[3]["user"]["_id"].startswith("inv_")
    project = await viewer.project()
    assert (project["members"], project["seatsTaken"]) == (rows, 4)


async def test_those_who_may_remove_people_see_when_their_keys_were_used(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")
    key = (await viewer.get("/user/apikey")).json()["apikey"]
    async with context.database.read() as db:
        live = await accounts.find_api_key(db, digest(key))
    assert live is not None
    used_at = [row["apiKeyLastUsedAt"] for row in await members(desk)]

    await desk.client.get(f"/sdk/v1/{desk.project_id}/content", headers={"Authorization": f"Bearer {key}"})
    uses = KeyUses()
    uses.note(live)
    await uses.flush(context.database)  # what the background work does every few seconds

    assert used_at == [None, None]
    assert [row["apiKeyLastUsedAt"] for row in await members(desk)] == [None, "2026-11-20T12:00:00.000Z"]
    assert [row["apiKeyLastUsedAt"] for row in await members(viewer)] == [None, None]


async def test_a_role_is_in_force_at_the_next_call(context: Context, desk: Desk) -> None:
    member = await join(context, desk, "viewer")
    body = {"key": "title", "values": {"en": "x"}}
    assert (await member.post("/translations/{id}/general", body)).status_code == 403

    response = await set_role(desk, id_of(member), "editor")

    assert response.status_code == 200
    assert [row["role"] for row in response.json()["members"]] == ["owner", "editor"]
    assert (await member.post("/translations/{id}/general", body)).status_code == 201
    await set_role(desk, id_of(member), "viewer")
    assert (await member.put("/translations/{id}/general/title", body)).status_code == 403
    assert (await member.project())["projectSecret"] is None


async def test_nobody_is_raised_to_owner_and_the_owner_is_not_touched(context: Context, desk: Desk) -> None:
    admin = await join(context, desk, "admin")
    for role in ("owner", "Admin", "", "root"):
        assert (await set_role(admin, id_of(admin), role)).status_code == 422, role

    for person in (admin, desk):
        demoted = await set_role(person, id_of(desk), "viewer")
        removed = await remove(person, id_of(desk))
        assert [(answer.status_code, answer.json()["code"]) for answer in (demoted, removed)] == [
            (409, "owner_required")
        ] * 2

    assert list((await roles(desk)).values()) == ["owner", "admin"]


async def test_editors_and_viewers_change_nobody_not_even_themselves(context: Context, desk: Desk) -> None:
    admin = await join(context, desk, "admin")
    both: tuple[MemberRole, ...] = ("editor", "viewer")
    for role in both:
        person = await join(context, desk, role)
        for target in (person, admin, desk):
            assert (await set_role(person, id_of(target), "admin")).status_code == 403
            if target is not person:
                assert (await remove(person, id_of(target))).status_code == 403
        assert (await person.post("/projects/{id}/members", {"email": "x@example.com"})).status_code == 403


async def test_an_admin_manages_other_admins_and_may_step_down(context: Context, desk: Desk) -> None:
    admin = await join(context, desk, "admin")
    editor = await join(context, desk, "editor")

    assert (await set_role(admin, id_of(editor), "admin")).status_code == 200
    assert (await set_role(editor, id_of(admin), "viewer")).status_code == 200

    assert await roles(desk) == {
        "mara@example.com": "owner",
        "admin@example.com": "viewer",
        "editor@example.com": "admin",
    }
    assert (await set_role(editor, id_of(editor), "viewer")).status_code == 200
    assert (await set_role(editor, id_of(editor), "admin")).status_code == 403


async def test_a_removed_member_is_a_stranger_at_once_and_so_is_their_key(context: Context, desk: Desk) -> None:
    member = await join(context, desk, "admin")
    own = await create_project(context, member.person.actor, name="Own")
    headers = {"Authorization": f"Bearer {(await member.get('/user/apikey')).json()['apikey']}"}
    url = f"/sdk/v1/{desk.project_id}/content"
    assert (await desk.client.get(url, headers=headers)).status_code == 200

    response = await remove(desk, id_of(member))

    assert [row["role"] for row in response.json()["members"]] == ["owner"]
    assert (await member.get("/projects/{id}")).status_code == 404
    assert (await member.get("/projects/{id}/members")).status_code == 404
    assert [row["_id"] for row in (await member.get("/projects")).json()] == [own]
    assert (await desk.client.get(url, headers=headers)).status_code == 404
    assert (await desk.client.get(f"/sdk/v1/{own}/content", headers=headers)).status_code == 200
    assert (await remove(desk, id_of(member))).status_code == 404
    assert (await desk.get("/activity")).json()[0]["action"] == "Removed member Admin"


@pytest.mark.parametrize("role", ["admin", "editor", "viewer"])
async def test_any_member_but_the_owner_may_leave(context: Context, desk: Desk, role: MemberRole) -> None:
    member = await join(context, desk, role)

    response = await remove(member, id_of(member))

    assert (response.status_code, response.json()) == (200, {"members": []})
    assert (await member.get("/projects/{id}")).status_code == 404
    assert list((await roles(desk)).values()) == ["owner"]
    (entry, *_) = (await desk.get("/activity")).json()
    assert (entry["action"], entry["actor"]) == ("Left the team", role.capitalize())


async def test_an_id_that_is_nobodys_here_is_404(context: Context, desk: Desk) -> None:
    stranger = await open_desk(context, desk.client, email="stranger@example.com")
    invited = await stranger.post("/projects/{id}/members", {"email": "noor@example.com"})
    foreign = invited.json()["members"][-1]["user"]["_id"]

    for member_id in (id_of(stranger), foreign, "usr_x", "inv_x"):
        assert (await set_role(desk, member_id, "viewer")).status_code == 404
        assert (await remove(desk, member_id)).status_code == 404
        assert (await desk.post(f"/projects/{{id}}/members/{member_id}/resend")).status_code == 404
    assert len(await members(stranger)) == 2


async def test_without_a_plan_people_can_still_be_removed(
    context: Context, client: httpx2.AsyncClient, clock: Clock
) -> None:
    desk = await open_desk(context, client, tier="none")
    member = await join(context, desk, "editor")

    assert (await set_role(desk, id_of(member), "viewer")).status_code == 200
    assert (await remove(desk, id_of(member))).status_code == 200


async def test_a_person_who_closes_their_account_is_in_no_project_any_more(context: Context, desk: Desk) -> None:
    member = await join(context, desk, "admin")
    await desk.post("/projects/{id}/transfer", {"userId": id_of(member)})

    assert (await member.send("DELETE", "/user/me", {"password": "a long and quiet river"})).status_code == 200

    assert list((await roles(desk)).values()) == ["owner"]
    assert (await desk.project())["transfer"] is None
    assert (await set_role(desk, id_of(member), "viewer")).status_code == 404


GOLDEN = set(
    """_id projectId name description ownerId languages defaultLanguage tabs members seatsTaken transfer activeTier tierName plan expiresAt
    revision role permissions limits hasHistory hasScheduling scheduledFor scheduleObstacle scheduleFailed release isPublished unpublished
    publishableKey projectSecret storeCount updatedAt freeMonthUsed""".split()
)
SEEN_BY_MANAGERS_ALONE = {"projectSecret", "transfer"}


@pytest.mark.parametrize("role", ["owner", "admin", "editor", "viewer"])
async def test_each_role_sees_these_fields_of_a_project_and_no_others(context: Context, desk: Desk, role: Role) -> None:
    admin = await join(context, desk, "admin")
    await desk.post("/projects/{id}/transfer", {"userId": id_of(admin)})
    person = desk if role == "owner" else admin if role == "admin" else await join(context, desk, role)

    project = await person.project()

    assert project.keys() == GOLDEN
    empty = {name for name in SEEN_BY_MANAGERS_ALONE if project[name] is None}
    assert empty == (set() if role in {"owner", "admin"} else SEEN_BY_MANAGERS_ALONE)
    for row in project["members"]:
        assert row.keys() == {"user", "role", "status", "expiresAt", "apiKeyLastUsedAt", "inviteLink"}
        assert row["user"].keys() == {"_id", "name", "email"}
    text = (await person.get("/projects/{id}")).text
    assert "password" not in text
    assert ("lvs_" in text) == (role in {"owner", "admin"})
