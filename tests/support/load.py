"""An installation in use: somebody who writes all the time, and an app on the SDK."""

import asyncio
import json
import threading
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

import httpx2

from tests.support.clients import open_client
from tests.support.release_readers import LINE_LIMIT, SDK_READER
from tests.support.server_process import DemoProject, ServerProcess

AT_LEAST = 15
PATIENCE_SECONDS = 60


class Writer:
    """Adds texts as fast as the server takes them, and publishes after every fifth. ``acknowledged`` are the texts that the server confirmed."""

    def __init__(self, server: ServerProcess, demo: DemoProject) -> None:
        self._server, self._demo = server, demo
        self._is_over = threading.Event()
        self._has_more = threading.Condition()
        self.acknowledged: list[str] = []

    def _run(self) -> None:
        path = f"/api/translations/{self._demo.project_id}/general"
        with open_client(self._server.base_url, headers=self._demo.headers) as client:
            while not self._is_over.is_set():
                key = f"load_{len(self.acknowledged) + 1}"
                client.post(path, json={"key": key, "values": {"en": key}}).raise_for_status()
                with self._has_more:
                    self.acknowledged.append(key)
                    self._has_more.notify_all()
                if len(self.acknowledged) % 5 == 0:
                    client.post(self._demo.publish_path).raise_for_status()

    @contextmanager
    def writing(self) -> Generator[None]:
        thread = threading.Thread(target=self._run)
        thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            thread.join(PATIENCE_SECONDS)

    def wait_for(self, count: int) -> list[str]:
        """All that is acknowledged once it is at least so many."""
        with self._has_more:
            assert self._has_more.wait_for(lambda: len(self.acknowledged) >= count, PATIENCE_SECONDS)
            return list(self.acknowledged)


@asynccontextmanager
async def sdk_app(
    server: ServerProcess, demo: DemoProject, language: str = "en"
) -> AsyncGenerator[asyncio.StreamReader]:
    """Yields the lines in which an app on the SDK reports what it has."""
    place = (server.base_url, demo.project_id, demo.key, language, "none")
    process = await asyncio.create_subprocess_exec("node", str(SDK_READER), *place, stdout=PIPE, limit=LINE_LIMIT)
    assert process.stdout
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def until_it_has(lines: asyncio.StreamReader, version: str) -> dict[str, dict[str, dict[str, str]]]:
    """The app's content once it has this version."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            content = json.loads(await lines.readline()).get("content", {})
            if content.get("version") == version:
                return content


def read_images(client: httpx2.Client, demo: DemoProject) -> dict[str, bytes]:
    """The bytes of each image that apps have, by its key."""
    images = client.get(demo.content_path, headers=demo.app_headers).raise_for_status().json()["images"]
    paths = {key: urlsplit(str(image["url"])).path for key, image in images.items()}
    return {key: client.get(path).raise_for_status().content for key, path in paths.items()}


def read_version(client: httpx2.Client, demo: DemoProject) -> str:
    return client.get(demo.content_path, params={"lang": "en"}, headers=demo.app_headers).json()["version"]
