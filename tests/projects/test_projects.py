"""Creating, listing and reading projects."""

import httpx2
import pytest

from livery.core.context import Context
from livery.core.settings import Settings
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user
from tests.factories.projects import Desk, create_project, join, open_desk, put_on_tier
from tests.support.clock import Clock

MISSING = "prj_aaaaaaaaaaaaaaaa"


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def test_a_new_project_has_one_screen_one_language_no_plan_and_its_keys(desk: Desk) -> None:
    response = await desk.post(
        "/projects", {"name": "  Nordlicht  ", "description": " Ferries ", "defaultLanguage": "DE"}
    )

    assert response.status_code == 201
    project = response.json()
    assert project["_id"] == project["projectId"]
    assert project["projectId"].startswith("prj_")
    assert len(project["projectId"]) == 20
    assert (
        project
        | {
            "name": "Nordlicht",
            "description": "Ferries",
            "languages": ["de"],
            "defaultLanguage": "de",
            "tabs": ["general"],
            "activeTier": "none",
            "tierName": "No Active Plan",
            "plan": "free",
            "expiresAt": None,
            "role": "owner",
            "release": 0,
            "isPublished": False,
            "ownerId": desk.person.actor.id,
            "unpublished": {"total": 0, "screens": {}, "colors": 0, "stores": 0},
        }
        == project
    )
    assert project["publishableKey"].startswith("lvp_")
    assert project["projectSecret"].startswith("lvs_")
    assert [(member["user"]["_id"], member["role"]) for member in project["members"]] == [
        (desk.person.actor.id, "owner")
    ]


@pytest.mark.parametrize("name", ["", "   ", "\t"])
async def test_a_project_needs_a_name(desk: Desk, name: str) -> None:
    response = await desk.post("/projects", {"name": name})

    assert response.status_code == 422
    if name != "\t":  # a control character is refused as such
        assert response.json()["message"] == "Project name is required."
    assert set(response.json()["fields"]) == {"name"}


async def test_a_name_has_at_most_a_hundred_characters_and_no_invisible_characters(desk: Desk) -> None:
    assert (await desk.post("/projects", {"name": "é" * 100})).status_code == 201
    for name in ("x" * 101, "Liv\u202eery", "a\u200bb", "a\nb", "a\x1b[0m", "\ufeffa", "a\U000e0041"):
        response = await desk.post("/projects", {"name": name})
        assert response.status_code == 422, name
        assert "name" in response.json()["fields"]


async def test_an_unsupported_default_language_is_named_as_the_wrong_field(desk: Desk) -> None:
    response = await desk.post("/projects", {"name": "Nordlicht", "defaultLanguage": "klingon"})

    assert response.status_code == 422
    message = "Not a directly supported language. Please use ISO code or full name."
    assert response.json()["fields"] == {"defaultLanguage": message}


class TestUnverified:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"require_verified_login": False}

    async def test_somebody_unverified_may_look_but_not_create_a_project(
        self, context: Context, client: httpx2.AsyncClient
    ) -> None:
        await create_pending_user(context)
        login = await client.post("/api/auth/login", json={"email": "pending@example.com", "password": PASSWORD})
        headers = {"Authorization": f"Bearer {login.json()['token']}"}

        assert (await client.get("/api/projects", headers=headers)).json() == []
        response = await client.post("/api/projects", headers=headers, json={"name": "Nordlicht"})

        assert response.status_code == 403
        assert response.json()["code"] == "email_not_verified"
        assert (await client.get("/api/projects", headers=headers)).json() == []


async def test_the_list_has_the_last_changed_project_first_with_the_role_in_each(
    context: Context, client: httpx2.AsyncClient, clock: Clock
) -> None:
    desk = await open_desk(context, client)
    clock.advance(minutes=1)
    second = await create_project(context, desk.person.actor, name="Second")
    clock.advance(minutes=1)
    editor = await join(context, desk, "editor")
    assert [row["name"] for row in (await desk.get("/projects")).json()] == ["Second", "Aurora Travel"]

    await editor.text("title", {"en": "Hello"})

    rows = (await desk.get("/projects")).json()
    assert [(row["_id"], row["projectId"], row["role"]) for row in rows] == [
        (desk.project_id, desk.project_id, "owner"),
        (second, second, "owner"),
    ]
    assert rows[0]["updatedAt"] == "2026-11-20T12:02:00.000Z"
    assert rows[0]["isPublished"] is False
    assert rows[0]["activeTier"] == "pro"
    assert [(row["name"], row["role"]) for row in (await editor.get("/projects")).json()] == [
        ("Aurora Travel", "editor")
    ]


async def test_a_stranger_gets_the_same_answer_for_a_project_and_a_missing_project(
    context: Context, desk: Desk
) -> None:
    stranger = desk.at(await create_logged_in(context, email="stranger@example.com"))

    foreign = await stranger.get("/projects/{id}")
    missing = await stranger.get(f"/projects/{MISSING}")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    assert dict(foreign.headers) == dict(missing.headers)
    assert foreign.json() == {"message": "Project not found.", "code": "not_found"}


@pytest.mark.parametrize("role", ["viewer", "editor"])
async def test_the_secret_is_for_owner_and_admin_only(context: Context, desk: Desk, role: str) -> None:
    secret = (await desk.project())["projectSecret"]
    admin = await join(context, desk, "admin")
    assert (await admin.project())["projectSecret"] == secret
    member = await join(context, desk, "viewer" if role == "viewer" else "editor")

    answers = [
        await member.get("/projects/{id}"),
        await member.get("/projects"),
        await member.get("/activity"),
        await member.get("/projects/{id}/diff"),
        await member.post("/projects/{id}/screens", {"name": "checkout"}),
        await member.post("/projects/{id}/languages", {"language": "de"}),
        await member.delete("/projects/{id}/screens/checkout"),
    ]

    assert answers[0].json()["projectSecret"] is None
    assert all(secret not in answer.text and "lvs_" not in answer.text for answer in answers)


async def test_an_expired_plan_is_shown_with_what_apps_may_still_use(
    context: Context, client: httpx2.AsyncClient, clock: Clock
) -> None:
    desk = await open_desk(context, client)
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth", days=1)
    clock.advance(days=1, seconds=1)

    project = await desk.project()

    assert (project["activeTier"], project["tierName"], project["plan"]) == ("expired", "Expired Plan", "expired")
    assert project["limits"]["screens"] == 0
    assert project["limits"]["apiCalls"] == 750_000


async def test_a_page_of_another_address_gets_json_even_for_nul(client_from: ClientFrom, settings: Settings) -> None:
    async with client_from("127.0.0.1") as client:
        for path in ("/api/projects/%00", "/api/nothing", "/%00", "/healthz%00"):
            response = await client.get(path)
            assert response.status_code in {401, 404}, path
            assert set(response.json()) == {"message", "code"}
