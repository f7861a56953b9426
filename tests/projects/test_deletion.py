"""Deleting a project: gone for everybody at once, and its apps are informed."""

import httpx2
import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk
from tests.support.mails import Mails


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    desk = await open_desk(context, client)
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    return desk


def app_headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def test_a_deleted_project_is_gone_for_everybody_and_for_good(context: Context, desk: Desk) -> None:
    admin = await join(context, desk, "admin")
    other = (await admin.post("/projects", {"name": "Mine"})).json()["projectId"]
    assert (await admin.delete("/projects/{id}")).status_code == 403

    response = await desk.delete("/projects/{id}")

    assert (response.status_code, response.json()) == (200, {"message": "The project was deleted."})
    for person in (desk, admin):
        assert (await person.get("/projects/{id}")).status_code == 404
        assert (await person.delete("/projects/{id}")).status_code == 404
        assert (await person.post("/translations/{id}/publish")).status_code == 404
    assert (await desk.get("/projects")).json() == []
    assert [row["_id"] for row in (await admin.get("/projects")).json()] == [other]
    assert [row["action"] for row in (await admin.get("/activity")).json()] == ["Created project Mine"]
    assert (await desk.get("/activity")).json() == []
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_its_apps_get_410_at_once(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")
    keys = [(await desk.project())["publishableKey"]]
    keys += [(await person.get("/user/apikey")).json()["apikey"] for person in (desk, viewer)]
    url = f"/sdk/v1/{desk.project_id}/content"
    for key in keys:
        assert (await desk.client.get(url, headers=app_headers(key))).status_code == 200

    await desk.delete("/projects/{id}")

    for key in keys:
        for path in (url, url.replace("content", "stream")):
            answer = await desk.client.get(path, headers=app_headers(key))
            assert (answer.status_code, answer.json()["code"]) == (410, "gone"), key
    stranger = await desk.post("/projects", {"name": "Another"})
    foreign = app_headers(stranger.json()["publishableKey"])
    assert (await desk.client.get(url, headers=foreign)).status_code == 404


async def test_its_invitations_and_its_transfer_die_with_it(context: Context, desk: Desk, mails: Mails) -> None:
    admin = await join(context, desk, "admin")
    await desk.post("/projects/{id}/members", {"email": "noor@example.com"})
    token = (await mails.last(kind="invitation")).token
    await desk.post("/projects/{id}/transfer", {"userId": admin.person.actor.id})

    await desk.delete("/projects/{id}")

    answer = await desk.client.get(f"/api/invitations/{token}")
    assert (answer.status_code, answer.json()["code"]) == (410, "project_deleted")
    assert (await admin.post("/projects/{id}/transfer/accept")).status_code == 404


async def test_a_person_who_deleted_all_their_projects_may_close_their_account(desk: Desk) -> None:
    await desk.delete("/projects/{id}")

    assert (await desk.send("DELETE", "/user/me", {"password": "a long and quiet river"})).status_code == 200
