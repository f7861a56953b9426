"""Project tokens: what a program may do with a token, and when a token ends."""

from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.accounts import create_logged_in
from tests.factories.projects import Desk, add_member, create_project
from tests.support.clock import Clock

BOTH = ["read", "write"]


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    owner = await create_logged_in(context)
    return Desk(client, owner, await create_project(context, owner.actor))


async def make_token(desk: Desk, **body: Any) -> dict[str, Any]:
    response = await desk.post("/projects/{id}/tokens", {"name": "CI", "scopes": BOTH, **body})
    assert response.status_code == 201, response.text
    return response.json()


async def call(desk: Desk, token: str, method: str, path: str, body: Any = None) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {token}"}
    address = f"/api{path}".replace("{id}", desk.project_id)
    return await desk.client.request(method, address, headers=headers, json=body)


async def test_a_token_changes_content_for_its_maker(desk: Desk) -> None:
    made = await make_token(desk)

    created = await call(desk, made["token"], "POST", "/translations/{id}/general", {"key": "title", "values": {}})
    activity = (await desk.get("/activity")).json()

    assert created.status_code == 201
    assert desk.person.actor.name in str(activity)
    assert made["token"].startswith("lvt_")


async def test_a_token_lacks_what_its_scopes_lack(desk: Desk) -> None:
    made = await make_token(desk, scopes=["read"])

    refused = await call(desk, made["token"], "POST", "/translations/{id}/general", {"key": "title", "values": {}})

    assert refused.status_code == 403
    assert refused.json() == {"message": "This project token lacks the scope write.", "code": "token_forbidden"}


async def test_a_token_of_one_project_finds_no_other_project(context: Context, desk: Desk) -> None:
    other = await create_project(context, desk.person.actor, name="Other")
    made = await make_token(desk)

    found = await call(desk, made["token"], "GET", f"/projects/{other}")

    assert found.status_code == 404


async def test_a_token_never_manages_even_if_its_maker_does(desk: Desk) -> None:
    made = await make_token(desk, scopes=["read", "write", "publish"])
    own = await call(desk, made["token"], "GET", "/projects/{id}")

    for method, path, status in (
        ("GET", "/projects/{id}/tokens", 403),
        ("POST", "/projects/{id}/secret/rotate", 403),
        ("DELETE", "/projects/{id}", 403),
        ("GET", "/projects/{id}/members", 401),
        ("GET", "/user/me", 401),
    ):
        refused = await call(desk, made["token"], method, path)
        assert (path, refused.status_code) == (path, status)
    assert own.json()["projectSecret"] is None


async def test_a_token_is_shown_once_and_kept_as_a_digest(desk: Desk) -> None:
    made = await make_token(desk)

    listed = (await desk.get("/projects/{id}/tokens")).json()["tokens"]
    audit = (await desk.get("/projects/{id}/audit")).text

    assert made["token"] not in f"{listed}{audit}"
    assert listed == [made["made"]]
    assert listed[0]["hint"] == made["token"][-4:]
    assert "Made the project token CI" in audit


async def test_a_token_reads_its_own_project_and_scopes(desk: Desk) -> None:
    made = await make_token(desk, days=30)

    own = await call(desk, made["token"], "GET", "/token")

    assert own.json() == {
        "projectId": desk.project_id,
        "name": "CI",
        "scopes": BOTH,
        "expiresAt": made["made"]["expiresAt"],
    }


async def test_an_ended_token_is_refused_at_the_next_call(desk: Desk) -> None:
    made = await make_token(desk)
    first = await call(desk, made["token"], "GET", "/projects/{id}")

    ended = await desk.delete(f"/projects/{{id}}/tokens/{made['made']['_id']}")
    after = await call(desk, made["token"], "GET", "/projects/{id}")
    again = await desk.delete(f"/projects/{{id}}/tokens/{made['made']['_id']}")

    assert (first.status_code, ended.status_code) == (200, 200)
    assert (after.status_code, after.json()["code"]) == (401, "token_ended")
    assert again.status_code == 404


async def test_a_token_ends_on_its_day(desk: Desk, clock: Clock) -> None:
    made = await make_token(desk, days=1)

    clock.advance(hours=23)
    before = await call(desk, made["token"], "GET", "/projects/{id}")
    clock.advance(hours=2)
    after = await call(desk, made["token"], "GET", "/projects/{id}")

    assert (before.status_code, after.status_code) == (200, 401)


async def test_a_token_ends_when_its_maker_leaves_and_stays_ended(context: Context, desk: Desk) -> None:
    admin = await create_logged_in(context, email="admin@example.com")
    await add_member(context, desk.project_id, admin.actor, "admin")
    made = await make_token(Desk(desk.client, admin, desk.project_id))

    await desk.delete(f"/projects/{{id}}/members/{admin.actor.id}")
    await add_member(context, desk.project_id, admin.actor, "admin")

    assert (await call(desk, made["token"], "GET", "/projects/{id}")).status_code == 401
    assert (await desk.get("/projects/{id}/tokens")).json()["tokens"] == []


async def test_a_token_of_somebody_who_became_a_viewer_only_reads(context: Context, desk: Desk) -> None:
    admin = await create_logged_in(context, email="admin@example.com")
    await add_member(context, desk.project_id, admin.actor, "admin")
    made = await make_token(Desk(desk.client, admin, desk.project_id))

    await desk.put(f"/projects/{{id}}/members/{admin.actor.id}", {"role": "viewer"})
    read = await call(desk, made["token"], "GET", "/projects/{id}")
    written = await call(desk, made["token"], "POST", "/translations/{id}/general", {"key": "a", "values": {}})

    assert (read.status_code, written.status_code) == (200, 403)


async def test_the_use_of_a_token_is_written_once_an_hour(desk: Desk, clock: Clock) -> None:
    made = await make_token(desk)

    async def last_use() -> str | None:
        return (await desk.get("/projects/{id}/tokens")).json()["tokens"][0]["lastUsedAt"]

    before = await last_use()
    await call(desk, made["token"], "GET", "/projects/{id}")
    first = await last_use()
    clock.advance(minutes=59)
    await call(desk, made["token"], "GET", "/projects/{id}")
    within = await last_use()
    clock.advance(minutes=2)
    await call(desk, made["token"], "GET", "/projects/{id}")

    assert before is None
    assert first is not None
    assert within == first
    assert await last_use() != first


async def test_wrong_tokens_name_the_field(desk: Desk) -> None:
    await make_token(desk)

    bodies: list[dict[str, object]] = [
        {"name": " ", "scopes": BOTH},
        {"name": "x" * 61, "scopes": BOTH},
        {"name": "B", "scopes": []},
        {"name": "B", "scopes": ["manage"]},
        {"name": "B", "scopes": BOTH, "days": 0},
        {"name": "CI", "scopes": BOTH},
    ]

    answers = [await desk.post("/projects/{id}/tokens", body) for body in bodies]

    assert [answer.status_code for answer in answers] == [422, 422, 422, 422, 422, 409]
    assert [[*answer.json()["fields"]] for answer in answers] == [
        ["name"], ["name"], ["scopes"], ["scopes.0"], ["days"], ["name"],
    ]  # fmt: skip


async def test_a_project_has_at_most_20_tokens(desk: Desk) -> None:
    for number in range(20):
        await make_token(desk, name=f"Token {number}")

    refused = await desk.post("/projects/{id}/tokens", {"name": "One more", "scopes": ["read"]})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_tokens")
