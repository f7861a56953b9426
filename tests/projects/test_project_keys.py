"""The keys of a project: rotating, listing and ending them."""

import httpx2
import pytest

from livery.core.context import Context
from livery.core.security import Vault
from livery.projects import queries
from tests.factories.projects import Desk, open_desk
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client)


async def keys_of(desk: Desk) -> list[dict[str, object]]:
    return (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]


async def rotate(desk: Desk) -> str:
    response = await desk.post("/projects/{id}/publishable-key/rotate")
    assert response.status_code == 201
    return response.json()["publishableKey"]


async def read_with(desk: Desk, key: object) -> int:
    url = f"/sdk/v1/{desk.project_id}/content"
    return (await desk.client.get(url, headers={"Authorization": f"Bearer {key}"})).status_code


async def test_a_new_publishable_key_is_the_current_key_and_the_old_key_still_works(desk: Desk) -> None:
    first = (await desk.project())["publishableKey"]

    second = await rotate(desk)

    assert second.startswith("lvp_")
    assert (await desk.project())["publishableKey"] == second != first
    assert [(key["publishableKey"], key["current"], key["createdAt"]) for key in await keys_of(desk)] == [
        (second, True, "2026-11-20T12:00:00.000Z"),  # a microsecond later: the order is that of making
        (first, False, "2026-11-20T12:00:00.000Z"),
    ]
    assert [await read_with(desk, key) for key in (first, second)] == [200, 200]


async def test_an_ended_key_is_refused_at_once_and_the_current_key_can_not_be_ended(desk: Desk) -> None:
    first = (await desk.project())["publishableKey"]
    second = await rotate(desk)
    current, former = await keys_of(desk)
    assert await read_with(desk, first) == 200

    refused = await desk.delete(f"/projects/{{id}}/publishable-key/{current['_id']}")
    ended = await desk.delete(f"/projects/{{id}}/publishable-key/{former['_id']}")
    again = await desk.delete(f"/projects/{{id}}/publishable-key/{former['_id']}")

    assert (refused.status_code, refused.json()["code"]) == (409, "current_key")
    assert ended.status_code == 200
    assert (again.status_code, again.json()["code"]) == (404, "key_not_found")
    assert [await read_with(desk, key) for key in (first, second)] == [401, 200]
    assert [key["current"] for key in await keys_of(desk)] == [True]


async def test_ten_keys_work_at_most(desk: Desk) -> None:
    for _ in range(9):
        await rotate(desk)

    response = await desk.post("/projects/{id}/publishable-key/rotate")

    assert (response.status_code, response.json()["code"]) == (409, "too_many_keys")
    assert len(await keys_of(desk)) == 10


async def test_a_new_secret_replaces_the_old_secret(context: Context, desk: Desk) -> None:
    old = (await desk.project())["projectSecret"]

    response = await desk.post("/projects/{id}/secret/rotate")

    assert response.status_code == 201
    secret = response.json()["projectSecret"]
    assert secret.startswith("lvs_")
    assert (await desk.project())["projectSecret"] == secret != old
    async with context.database.read() as db:
        living = await queries.keys_of(db, desk.project_id, "secret")
        assert [context.vault.open(key.sealed) for key in living] == [secret]
    assert (await desk.project())["publishableKey"] == (await keys_of(desk))[0]["publishableKey"]


async def test_a_key_sealed_under_another_secret_key_of_the_server_is_listed_without_its_text(
    context: Context, desk: Desk
) -> None:
    object.__setattr__(context, "vault", Vault("another secret key of the server"))

    assert [(key["publishableKey"], key["current"]) for key in await keys_of(desk)] == [(None, True)]
    project = await desk.project()
    assert (project["publishableKey"], project["projectSecret"]) == (None, None)
    await rotate(desk)
    assert (await keys_of(desk))[0]["publishableKey"] is not None
