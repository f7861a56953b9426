"""Reads a CDN as an app does that knows nothing but its address and plain HTTP, and runs the server's work on the bucket."""

import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from livery.cdn import jobs
from livery.core.context import Context
from tests.factories.projects import Desk
from tests.support.s3_server import S3


@dataclass
class Cdn:
    """The bucket of one project. ``work`` does what is due."""

    context: Context
    desk: Desk
    s3: S3

    async def work(self) -> None:
        """Does all copies that are due now."""
        await jobs.sweeps(self.context)[0].run()

    async def look_elsewhere(self) -> None:
        """Looks for copies of a different bucket or epoch."""
        await jobs.sweeps(self.context)[1].run()

    async def addresses(self) -> list[str]:
        """The content addresses of the project, the current first, as its admins get them."""
        keys = (await self.desk.get("/projects/{id}/publishable-keys")).json()["keys"]
        return [key["contentUrl"] for key in keys]

    async def pointer(self, language: str, address: str = "") -> dict[str, Any] | None:
        """What the pointer of a language has; `None` if there is no pointer."""
        address = address or (await self.addresses())[0]
        answer = await self._get(f"{address}/{language}.json")
        if answer.status_code in {403, 404}:
            return None
        assert answer.headers["cache-control"] == "public, max-age=10"
        return answer.json()

    async def content(self, language: str, address: str = "") -> dict[str, Any] | None:
        """The content that the pointer of a language leads to; `None` if there is no pointer. Fails if what it leads to is not there or not whole."""
        address = address or (await self.addresses())[0]
        pointer = await self.pointer(language, address)
        if pointer is None:
            return None
        answer = await self._get(urljoin(f"{address}/{language}.json", pointer["content"]))
        assert answer.status_code == 200, f"{pointer} leads to nothing"
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        raw = answer.content
        assert (len(raw), hashlib.sha256(raw).hexdigest()) == (pointer["sizeBytes"], pointer["sha256"])
        content = json.loads(raw)
        for name in ("projectId", "version", "release", "language"):
            assert content[name] == pointer[name]
        return content

    async def release(self, language: str = "en") -> int | None:
        """The release that readers of a language get."""
        content = await self.content(language)
        return None if content is None else content["release"]

    async def names(self) -> list[str]:
        """The names of all objects of the project."""
        prefix = f"livery/{self.desk.project_id}/"
        return [name.removeprefix(prefix) for name in await self.s3.names() if name.startswith(prefix)]

    async def everything(self) -> str:
        """All that is in the bucket, names and bytes, unpacked."""
        found: list[str] = []
        for name in await self.s3.names():
            raw = (await self.s3.read(name)).content
            found += [name, (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()]
        return "\n".join(found)

    async def _get(self, url: str) -> Any:
        return await self.s3.read(urlsplit(url).path.removeprefix("/"))
