"""Developer keys: rotated without breaking what runs, ended by hand, with their last use."""

import asyncio
from datetime import datetime

from httpx2 import AsyncClient

from livery.app import Application
from livery.core.context import Context
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.factories.projects import Desk, open_desk
from tests.support.clock import Clock


async def read_key(client: AsyncClient, person: LoggedIn) -> str:
    return (await client.get("/api/user/apikey", headers=person.headers)).json()["apikey"]


async def rotate(client: AsyncClient, person: LoggedIn) -> str:
    answer = await client.post("/api/user/apikey/rotate", headers=person.headers)
    assert answer.status_code == 201
    return answer.json()["apikey"]


async def list_keys(client: AsyncClient, person: LoggedIn) -> list[dict[str, object]]:
    return (await client.get("/api/user/apikeys", headers=person.headers)).json()["apikeys"]


async def delivered(desk: Desk, key: str) -> int:
    url = f"/sdk/v1/{desk.project_id}/content"
    return (await desk.client.get(url, headers={"Authorization": f"Bearer {key}"})).status_code


async def test_the_old_key_works_until_it_is_ended(client: AsyncClient, context: Context) -> None:
    desk = await open_desk(context, client)
    await desk.publish()
    old = await read_key(client, desk.person)
    new = await rotate(client, desk.person)

    assert await read_key(client, desk.person) == new != old
    assert [await delivered(desk, old), await delivered(desk, new)] == [200, 200]
    current, former = await list_keys(client, desk.person)
    assert (current["hint"], current["current"]) == (new[-4:], True)
    assert (former["hint"], former["current"]) == (old[-4:], False)

    ended = await client.delete(f"/api/user/apikeys/{former['_id']}", headers=desk.person.headers)

    assert ended.status_code == 200
    assert [await delivered(desk, old), await delivered(desk, new)] == [401, 200]
    assert [key["hint"] for key in await list_keys(client, desk.person)] == [new[-4:]]
    again = await client.delete(f"/api/user/apikeys/{former['_id']}", headers=desk.person.headers)
    assert again.status_code == 404


async def test_the_newest_is_the_current_one_even_within_one_moment(
    client: AsyncClient, context: Context, clock: Clock
) -> None:
    person = await create_logged_in(context)

    for _ in range(5):
        assert await rotate(client, person) == await read_key(client, person)


async def test_the_current_key_is_not_ended(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    key = await read_key(client, person)
    (current,) = await list_keys(client, person)

    answer = await client.delete(f"/api/user/apikeys/{current['_id']}", headers=person.headers)

    assert (answer.status_code, answer.json()["code"]) == (409, "current_key")
    assert await read_key(client, person) == key


async def test_ten_keys_work_at_most_whatever_runs_at_once(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    for _ in range(8):
        await rotate(client, person)

    calls = (client.post("/api/user/apikey/rotate", headers=person.headers) for _ in range(5))
    statuses = sorted(answer.status_code for answer in await asyncio.gather(*calls))

    assert statuses == [201, 201, 409, 409, 409]
    assert len(await list_keys(client, person)) == 10


async def test_a_key_of_another_is_neither_listed_nor_ended(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    noor = await create_logged_in(context, email="noor@example.com")
    await read_key(client, person)
    await rotate(client, person)
    former = (await list_keys(client, person))[1]

    answer = await client.delete(f"/api/user/apikeys/{former['_id']}", headers=noor.headers)

    assert answer.status_code == 404
    assert await list_keys(client, noor) == []
    assert len(await list_keys(client, person)) == 2


async def test_the_last_use_is_written_at_most_once_an_hour(
    app: Application, client: AsyncClient, context: Context, clock: Clock
) -> None:
    desk = await open_desk(context, client)
    await desk.publish()
    key = await read_key(client, desk.person)

    async def last_use_after(minutes: float) -> object:
        clock.advance(minutes=minutes)
        app.delivery.notice("keys", "")  # delivery looks the key up again, as it does every ten seconds
        assert await delivered(desk, key) == 200
        await app.key_uses.flush(context.database)
        return (await list_keys(client, desk.person))[0]["lastUsedAt"]

    assert (await list_keys(client, desk.person))[0]["lastUsedAt"] is None
    first = await last_use_after(0)
    assert datetime.fromisoformat(str(first)) == clock().replace(microsecond=clock().microsecond // 1000 * 1000)
    assert await last_use_after(59) == first
    assert await last_use_after(1) != first


async def test_a_use_that_could_not_be_written_is_kept(app: Application, client: AsyncClient, context: Context) -> None:
    desk = await open_desk(context, client)
    await desk.publish()
    key = await read_key(client, desk.person)
    await delivered(desk, key)
    writer = asyncio.create_task(app.key_uses.flush(context.database))
    await asyncio.sleep(0)
    writer.cancel()
    await asyncio.gather(writer, return_exceptions=True)

    await app.key_uses.flush(context.database)

    assert (await list_keys(client, desk.person))[0]["lastUsedAt"] is not None
