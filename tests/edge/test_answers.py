"""An edge answers as its origin does. The same requests go to a server, to an edge, and to an edge of the edge."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from livery.core.db import renew_epoch
from livery.workspace.service import delete_project
from tests.factories.content import Studio
from tests.support.edges import TOKEN, running_edge
from tests.support.event_stream import applied, event_stream
from tests.support.live_server import LiveServer
from tests.support.polling import ask_until

pytestmark = pytest.mark.deep_on("postgresql")  # an edge has no database
OF_THE_MOMENT = {"date", "x-request-id"}
MANY_PROJECTS = 4_000
MANY = 60
"""More releases than a patch can be had of."""


@pytest.fixture
async def edge(live: LiveServer, studio: Studio, tmp_path: Path) -> AsyncIterator[tuple[httpx2.AsyncClient, int]]:
    async with running_edge(tmp_path / "edge", live.port) as edge:
        yield edge


@pytest.fixture
async def far_edge(edge: tuple[httpx2.AsyncClient, int], tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with running_edge(tmp_path / "far", edge[1]) as (client, _):
        yield client


async def requests(http: httpx2.AsyncClient, studio: Studio) -> list[tuple[str, str, dict[str, str]]]:
    """Method, address and headers of requests of apps, right and wrong."""
    key = studio.headers
    version = (await http.get(studio.content, headers=key)).json()["version"]
    epoch, _, release = version.rpartition(".")
    etag = (await http.get(studio.content, headers=key)).headers["etag"]
    store = studio.content.replace("content", "stores/trips")
    addresses = [studio.content, *(f"{studio.content}?lang={code}" for code in ("en", "de", "de-AT", "pt", "fr", "x-"))]
    addresses += [f"{studio.content}?since={epoch}.{number}" for number in range(int(release) + 2)]
    addresses += [f"{studio.content}?lang=de&since={epoch}.{number}" for number in range(int(release) + 1)]
    addresses += [
        f"{studio.content}?since=other.1",
        f"{studio.content}?since=nothing",
        f"{studio.content}?channel=draft",
    ]
    addresses += [store, f"{store}?lang=de", f"{store}?cursor={version}.0", f"{store}?cursor={epoch}.1.0"]
    addresses += [f"{store}?cursor={epoch}.{int(release) + 1}.0", f"{store}?cursor=x", f"{store}x", "/sdk/v1/nothing"]
    addresses += [studio.content.replace(studio.project_id, "prj_of_somebody"), studio.content.replace("v1/", "v1/%20")]
    found = [("GET", address, key) for address in addresses]
    found += [("GET", f"{studio.content}?key={studio.key}", {}), ("GET", studio.content, {})]
    found += [
        ("GET", studio.content, {"Authorization": f"Bearer {wrong}"})
        for wrong in ("lvp_wrong", "lvk_wrong", "lvs_wrong", "wrong", "x" * 200)
    ]
    found += [("GET", studio.content, {**key, "If-None-Match": known}) for known in (etag, "*", '"x"', f"W/{etag}")]
    found += [
        ("GET", studio.content, {**key, "Accept-Encoding": accepted}) for accepted in ("zstd", "gzip", "identity", "x")
    ]
    return [*found, ("HEAD", studio.content, key), ("OPTIONS", studio.content, key), ("POST", studio.content, key)]


async def answer_of(http: httpx2.AsyncClient, method: str, address: str, headers: dict[str, str]) -> object:
    """Everything of an answer that does not belong to its moment."""
    given = {"Accept-Encoding": "identity", **headers}
    async with http.stream(method, address, headers=given) as answer:
        body = b"".join([chunk async for chunk in answer.aiter_raw()])
    kept = {name: value for name, value in answer.headers.items() if name not in OF_THE_MOMENT}
    return answer.status_code, kept, body


async def test_edges_give_the_answers_of_the_server(
    live: LiveServer, edge: tuple[httpx2.AsyncClient, int], far_edge: httpx2.AsyncClient, studio: Studio
) -> None:
    different: list[str] = []

    corpus = await requests(live.client, studio)
    for _ in range(2):  # the second answer is repeated by the connection
        for method, address, headers in corpus:
            expected = await answer_of(live.client, method, address, headers)
            for name, client in (("edge", edge[0]), ("far edge", far_edge)):
                found = await answer_of(client, method, address, headers)
                if found != expected:
                    different.append(f"{name}: {method} {address} {headers}: {found} in place of {expected}")

    assert len(corpus) > 40
    assert not different, "\n".join(different)


async def test_patches_of_an_edge_lead_to_the_content_of_the_server(
    live: LiveServer, edge: tuple[httpx2.AsyncClient, int], far_edge: httpx2.AsyncClient, studio: Studio
) -> None:
    """Beyond the last known release, all of them give the whole content."""
    await far_edge.get(studio.content, headers=studio.headers)
    for number in range(MANY):
        await studio.set_text("title", {"en": f"Morning {number}"}, screen="home")
        await studio.publish()
    newest = (await live.client.get(studio.content, headers=studio.headers)).json()["version"]
    for client in (edge[0], far_edge):
        await ask_until(
            lambda body: body["version"] == newest,
            lambda client=client: content_of(client, studio),
        )

    epoch, _, release = newest.rpartition(".")
    for number in range(int(release) - 55, int(release) + 1):
        address = f"{studio.content}?since={epoch}.{number}"
        expected = await answer_of(live.client, "GET", address, studio.headers)
        for client in (edge[0], far_edge):
            assert await answer_of(client, "GET", address, studio.headers) == expected, number


async def content_of(client: httpx2.AsyncClient, studio: Studio) -> dict[str, Any]:
    return (await client.get(studio.content, headers=studio.headers)).raise_for_status().json()


async def test_a_publish_reaches_the_readers_of_an_edge_and_of_its_edge(
    live: LiveServer, edge: tuple[httpx2.AsyncClient, int], far_edge: httpx2.AsyncClient, studio: Studio
) -> None:
    before = (await live.client.get(studio.content, headers=studio.headers)).json()
    far_port = int(str(far_edge.base_url).rpartition(":")[2].strip("/"))
    async with (
        event_stream(edge[1], studio.stream, studio.headers) as near,
        event_stream(far_port, studio.stream, studio.headers) as far,
    ):
        for stream in (near, far):
            assert (await stream.expect("hello")).data == {"version": before["version"], "release": 3}

        await studio.set_text("title", {"en": "Good evening"}, screen="home")
        await studio.publish()

        after = (await live.client.get(studio.content, headers=studio.headers)).json()
        for stream in (near, far):
            assert applied(before, (await stream.expect("release")).data) == after
    assert (await far_edge.get(studio.content, headers=studio.headers)).json() == after


async def test_an_edge_has_no_drafts_and_leads_to_images(edge: tuple[httpx2.AsyncClient, int], studio: Studio) -> None:
    client = edge[0]
    answer = await client.get(f"{studio.content}?channel=draft", headers={"X-Livery-Secret": "lvs_any"})
    assert (answer.status_code, answer.json()["code"]) == (403, "channel_forbidden")

    url = (await content_of(client, studio))["images"]["logo"]["url"]
    answer = await client.get(f"{url}?w=64")
    assert answer.headers["location"] == f"http://testserver{url}?w=64"
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_only_the_token_opens_what_edges_get(live: LiveServer, studio: Studio) -> None:
    path = f"/edge/v1/ledgers/{studio.project_id}"

    assert (await live.client.get(path)).status_code == 401
    assert (await live.client.get(path, headers=studio.headers)).status_code == 401
    assert (await live.client.get(path, headers={"Authorization": f"Bearer {TOKEN}x"})).status_code == 401
    answer = await live.client.get(path, headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.json()["release"] == 3


async def test_an_edge_goes_on_to_a_new_epoch(
    live: LiveServer, edge: tuple[httpx2.AsyncClient, int], far_edge: httpx2.AsyncClient, studio: Studio, tmp_path: Path
) -> None:
    version = (await content_of(far_edge, studio))["version"]

    async with studio.context.database.write() as db:
        epoch = await renew_epoch(db, version.rpartition(".")[0])

    for client in (live.client, edge[0], far_edge):
        await ask_until(lambda body: body["version"] == f"{epoch}.3", lambda client=client: content_of(client, studio))
    assert [path.name for path in (tmp_path / "far" / "edge" / "ledgers").iterdir()] == [epoch]


async def test_a_deleted_project_is_gone_at_an_edge_and_on_its_disk(
    edge: tuple[httpx2.AsyncClient, int], far_edge: httpx2.AsyncClient, studio: Studio, tmp_path: Path
) -> None:
    assert (await far_edge.get(studio.content, headers=studio.headers)).status_code == 200
    ledgers = tmp_path / "far" / "edge" / "ledgers"
    assert [path.name for path in ledgers.glob("*/*")] == [studio.project_id]

    async with studio.context.database.write() as db:
        await delete_project(db, studio.context.bus, await studio.access(db))

    for client in (edge[0], far_edge):
        await ask_until(
            lambda answer: answer.status_code == 410,
            lambda client=client: client.get(studio.content, headers=studio.headers),
        )
    await ask_until(lambda found: not found, lambda: listed(ledgers))


async def listed(folder: Path) -> list[Path]:
    return list(folder.glob("*/*"))


async def test_a_slow_edge_that_lacks_everything_hears_of_everything(live: LiveServer, studio: Studio) -> None:
    """The events are more than a connection takes at once."""
    lacking = {f"prj_{number}": 1 for number in range(MANY_PROJECTS)}
    body = json.dumps({"epoch": "former", "projects": {**lacking, studio.project_id: 3}}).encode()
    head = f"POST /edge/v1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}"
    connection = socket.create_connection(("127.0.0.1", live.port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader, writer = await asyncio.open_connection(sock=connection, limit=4096)
    writer.write(f"{head}\r\n\r\n".encode() + body)

    found = b""
    while found.count(b"event: release") <= MANY_PROJECTS:
        await live.client.get("/healthz")  # the server works on while this edge does not read
        chunk = await reader.read(20_000)
        assert chunk, f"the stream ended after {found.count(b'event: release')} events"
        found += chunk

    assert found.count(b'"release":null') == MANY_PROJECTS
    writer.close()
