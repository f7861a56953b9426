"""Apps that read while others write: by polling, by the stream, page by page of the stores, and through the TypeScript SDK in Node.

Each app keeps its content as apps do, by applying patches to what it has, and notes every state it was in. The states of all apps are compared
with the model afterwards.
"""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import httpx2

from tests.support.clients import open_async_client
from tests.support.event_stream import applied, event_stream
from tests.support.release_model import Model
from tests.support.release_states import DEFAULT, Json
from tests.support.release_writers import LANGUAGES, SHORT_LIVED, Shared

SDK_READER = Path(__file__).parent / "sdk-reader.mjs"
SDK_STORE = "offers"
LARGE_STORE_EVERY = 5
LINE_LIMIT = 2**22
Found = dict[tuple[int, str], list[Json]]


def shape(content: Json) -> Json:
    """The part of a content that the model knows: of images their width, of stores their names."""
    known = {name: content[name] for name in ("release", "language", "languages", "texts", "colors")}
    images = {key: image["width"] for key, image in content["images"].items()}
    return {**known, "images": images, "stores": sorted(content["stores"])}


def said(items: list[Json]) -> str:
    """Items in a form that can be looked up."""
    return json.dumps(items, sort_keys=True)


@dataclass
class Seen:
    """Every state that any reader was in, once: contents by release and language asked for, items and hashes of stores."""

    contents: Found = field(default_factory=dict[tuple[int, str], list[Json]])
    items: dict[tuple[int, str, str], list[list[Json]]] = field(default_factory=dict[Any, Any])
    hashes: dict[tuple[int, str], set[str]] = field(default_factory=dict[Any, Any])
    sdk_items: dict[tuple[str, str], set[str]] = field(default_factory=dict[Any, Any])

    def note(self, asked: str, content: Json) -> None:
        known = self.contents.setdefault((content["release"], asked), [])
        found = shape(content)
        if found not in known:
            known.append(found)
        for store, digest in content["stores"].items():
            self.hashes.setdefault((content["release"], store), set()).add(digest)

    def note_items(self, release: int, store: str, asked: str, items: list[Json], digest: str) -> None:
        known = self.items.setdefault((release, store, asked), [])
        if items not in known:
            known.append(items)
        self.hashes.setdefault((release, store), set()).add(digest)

    def check(self, model: Model) -> None:
        """Nobody ever saw anything but a release, whole."""
        for (release, asked), contents in self.contents.items():
            assert contents == [model.released[release].content(asked)], f"a reader of {asked} saw no release {release}"
        for (release, store, asked), pages in self.items.items():
            assert pages == [model.released[release].store(store, asked)], (
                f"{store} in {asked} was not release {release}"
            )
        for (release, store), digests in self.hashes.items():
            assert len(digests) == 1, f"{store} had several hashes at release {release}"
        for (store, asked), lists in self.sdk_items.items():
            # While its content is still that of a release without the language, it shows the default language, and asks for items in it.
            spoken = (asked, DEFAULT)
            possible = {said(release.store(store, code)) for release in model.released for code in spoken}
            assert lists <= possible, f"the SDK had {store} in {asked} as no release has it: {lists - possible}"


class Reader(Protocol):
    """``release`` is that of its content, which never goes back."""

    release: int

    async def read(self) -> None: ...


@dataclass
class _App:
    """What each reader knows."""

    shared: Shared
    seen: Seen
    key: str
    port: int
    asked: str
    release: int = 0
    content: Json = field(default_factory=dict[str, Any])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def address(self) -> str:
        return f"/sdk/v1/{self.shared.project_id}"

    def client(self) -> httpx2.AsyncClient:
        base_url = f"http://127.0.0.1:{self.port}"
        return open_async_client(base_url, headers=self.headers, limits=SHORT_LIVED)

    async def refresh(self, http: httpx2.AsyncClient, *, whole: bool = False) -> None:
        """Ask for what is new, or for everything."""
        since = {} if whole or not self.content else {"since": self.content["version"]}
        answer = await http.get(f"{self.address}/content", params={"lang": self.asked, **since})
        self.take(answer.raise_for_status().json())

    def take(self, change: Json) -> None:
        """Takes a content, or a patch of the content that is here."""
        self.content = applied(self.content, change) if "patch" in change else change
        assert self.content["release"] >= self.release, "a reader went back to an older release"
        self.release = self.content["release"]
        self.seen.note(self.asked, self.content)


class Poller(_App):
    """Asks after everything that is done what is new since its last answer; now and then for all of it."""

    async def read(self) -> None:
        """Until cancelled."""
        number = 0
        async with self.client() as http:
            while True:
                done = self.shared.done
                await self.refresh(http, whole=number % 20 == 0)
                number += 1
                await done.wait()


class Listener(_App):
    """Follows the stream."""

    async def read(self) -> None:
        """Until cancelled."""
        async with self.client() as http:
            await self.refresh(http)
            path = f"{self.address}/stream?lang={self.asked}&since={self.content['version']}"
            async with event_stream(self.port, path, self.headers, patience_seconds=60) as stream:
                while True:
                    event = await stream.next()
                    assert event, "the stream ended"
                    if event.name == "release" and event.data["release"] > self.release:
                        is_next = "patch" in event.data and event.data["from"] == self.content["version"]
                        self.take(event.data) if is_next else await self.refresh(http)


class StoreReader(_App):
    """Reads the stores page by page, whatever is published in between."""

    async def read(self) -> None:
        """Until cancelled."""
        number = 0
        async with self.client() as http:
            while True:
                done = self.shared.done
                for store in self.shared.store_ids:
                    if number % LARGE_STORE_EVERY == 0 or store == SDK_STORE:
                        await self._read_store(http, store)
                number += 1
                await done.wait()

    async def _read_store(self, http: httpx2.AsyncClient, store: str) -> None:
        query, items, versions = {"lang": self.asked}, list[Json](), set[str]()
        while True:
            answer = await http.get(f"{self.address}/stores/{store}", params=query)
            if answer.status_code == 409:  # so many releases came since that this release is forgotten
                return
            body = answer.raise_for_status().json()
            items += body["items"]
            versions.add(body["version"])
            if "nextCursor" not in body:
                break
            query["cursor"] = body["nextCursor"]
        assert len(versions) == 1, f"pages of several releases: {versions}"
        self.release = int(body["version"].split(".")[1])
        self.seen.note_items(self.release, store, self.asked, items, body["hash"])


class SdkReader(_App):
    """An app on the SDK: a process of Node that reports each of its states."""

    process: Process | None = None

    async def read(self) -> None:
        """Until cancelled."""
        arguments = [f"http://127.0.0.1:{self.port}", self.shared.project_id, self.key, self.asked]
        self.process = await asyncio.create_subprocess_exec(
            "node", str(SDK_READER), *arguments, SDK_STORE, stdout=PIPE, limit=LINE_LIMIT
        )
        try:
            assert self.process.stdout is not None
            while line := await self.process.stdout.readline():
                state = cast("Json", json.loads(line))
                if "items" in state:
                    self.seen.sdk_items.setdefault((SDK_STORE, self.asked), set()).add(said(state["items"]))
                else:
                    self.take(state["content"])
            raise AssertionError(f"the SDK's process ended with {await self.process.wait()}")
        finally:
            if self.process.returncode is None:
                self.process.kill()
                await self.process.wait()


def readers_of(shared: Shared, seen: Seen, key: str, ports: list[int]) -> list[Reader]:
    """Returns a poller, a listener and an SDK for each language, spread over the processes; and a reader of the stores."""
    found: list[Reader] = []
    for number, asked in enumerate(LANGUAGES):
        near, far = ports[number % len(ports)], ports[(number + 1) % len(ports)]
        found += [
            Poller(shared, seen, key, near, asked),
            Listener(shared, seen, key, far, asked),
            SdkReader(shared, seen, key, near, asked),
            StoreReader(shared, seen, key, far, asked),
        ]
    return found


@asynccontextmanager
async def reading(readers: list[Reader]) -> AsyncGenerator[None]:
    """Readers at work; at the end of the block each must come to the newest release. The first problem of any ends all."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(reader.read()) for reader in readers]
        yield
        for task in tasks:
            task.cancel()


async def wait_for(readers: list[Reader], shared: Shared, release: int) -> None:
    """Until every reader has a release."""
    async with asyncio.timeout(60):
        while any(reader.release < release for reader in readers):
            shared.beat()
            await asyncio.sleep(0.02)  # a process hears of what a different process did a moment later
