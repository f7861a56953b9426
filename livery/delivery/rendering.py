"""Bodies ready to send: built once per (release, language), compressed once per encoding, off the event loop."""

import asyncio
import gzip
import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, cast

import brotli
import zstandard

from livery.delivery import content as contents
from livery.delivery.content import Json
from livery.delivery.library import Library
from livery.publishing.schemas import ReleaseState

HELD_BYTES = 256 * 1024 * 1024
KNOWN_RELEASES = 50
SMALL_BYTES = 200
"""Under this a body is sent as it is: compressing would make it longer."""


def _brotli(raw: bytes, quality: int) -> bytes:
    return cast("bytes", brotli.compress(raw, quality=quality))  # pyright: ignore[reportUnknownMemberType]  # it is not typed


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda raw: _brotli(raw, 5),
    "zstd": lambda raw: zstandard.ZstdCompressor(level=3).compress(raw),
    "gzip": lambda raw: gzip.compress(raw, compresslevel=6, mtime=0),
}


@dataclass
class Encoded:
    """One encoding of a body. ``etags`` are all under which these contents went out; the last is the present one."""

    body: bytes
    etags: list[bytes]


@dataclass
class Rendered:
    """One answer in every encoding that was asked for."""

    state: ReleaseState
    tag: str
    raw: bytes
    encodings: dict[str, Encoded] = field(default_factory=dict[str, "Encoded"])

    @property
    def size_bytes(self) -> int:
        """What it takes in memory, about."""
        return len(self.raw) + sum(len(encoded.body) for encoded in self.encodings.values())


def dump(value: object) -> bytes:
    """JSON as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Renderer:
    """Builds answers from the library's releases and keeps the ones that are asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: OrderedDict[tuple[str, int, str, int], Rendered] = OrderedDict()
        self._kept_bytes = 0
        self._working: dict[object, asyncio.Task[Any]] = {}
        self._build = ThreadPoolExecutor(max_workers=1, thread_name_prefix="render")
        self._squeeze = ThreadPoolExecutor(max_workers=1, thread_name_prefix="squeeze")

    async def content(self, state: ReleaseState, language: str, since: int | None = None) -> Rendered:
        """The content in ``language``, whole, or as a patch from the known release ``since``."""
        key = (state.project_id, state.release, language, -1 if since is None else since)
        if kept := self._kept.get(key):
            self._kept.move_to_end(key)
            return kept
        return await self._once(key, lambda: self._render(key, state, language, since))

    async def encoded(self, rendered: Rendered, encoding: str) -> Encoded:
        """``rendered`` in one encoding (``br``, ``zstd``, ``gzip`` or ``identity``)."""
        if found := rendered.encodings.get(encoding):
            return found
        return await self._once((id(rendered), encoding), lambda: self._encode(rendered, encoding))

    async def patch(self, old: ReleaseState, new: ReleaseState, language: str) -> Json | None:
        """The merge patch between two releases in ``language``, or ``None`` when apps must fetch (they were served another language)."""
        if (
            contents.served_language(old, language) != language
            or old.meta.default_language != new.meta.default_language
        ):
            return None
        screens = contents.touched_screens(old, new, language)
        hashes: set[str] = set()
        for state in (old, new):
            hashes.update(contents.hashes_of_screens(state, language, screens))
            hashes.update(part_hash for part_hash in (state.parts.get("colors"),) if part_hash)
        bodies = await self._library.bodies(new.project_id, sorted(hashes))
        return contents.patch(old, new, language, screens, bodies)

    async def _once(self, key: object, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Run ``work`` for the first of many callers; the others get its result."""
        task = self._working.get(key)
        if task is None:
            task = self._working[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._working.pop(key, None))
        return await asyncio.shield(task)

    async def _render(
        self, key: tuple[str, int, str, int], state: ReleaseState, language: str, since: int | None
    ) -> Rendered:
        version = self._library.version(state.release)
        value: Json | None = None
        if since is not None:
            old = state if since == state.release else await self._library.state_at(state, since)
            merge = await self.patch(old, state, language)
            if merge is not None:
                value = {
                    "from": self._library.version(since),
                    "version": version,
                    "release": state.release,
                    "patch": merge,
                }
        loop = asyncio.get_running_loop()
        if value is None:
            bodies = await self._library.bodies(state.project_id, contents.hashes_of_content(state, language))
            raw = await loop.run_in_executor(
                self._build, lambda: dump(contents.compose(state, language, version, bodies))
            )
        else:
            raw = dump(value)
        kind = "" if since is None else f"-since{since}"
        rendered = Rendered(state, f"{version}-{language}{kind}", raw)
        self._kept[key] = rendered
        self._kept_bytes += len(raw)
        self._evict()
        return rendered

    async def _encode(self, rendered: Rendered, encoding: str) -> Encoded:
        if encoding == "identity":
            encoded = Encoded(rendered.raw, [f'"{rendered.tag}"'.encode()])
        else:
            loop = asyncio.get_running_loop()
            body = await loop.run_in_executor(self._build, COMPRESSORS[encoding], rendered.raw)
            encoded = Encoded(body, [f'"{rendered.tag}-{encoding}1"'.encode()])
            if encoding == "br":
                loop.run_in_executor(self._squeeze, _brotli, rendered.raw, 11).add_done_callback(
                    lambda done: self._squeezed(rendered, encoded, done)
                )
        rendered.encodings[encoding] = encoded
        self._kept_bytes += len(encoded.body)
        return encoded

    def _squeezed(self, rendered: Rendered, encoded: Encoded, done: "asyncio.Future[bytes]") -> None:
        """Put the best compression in place of the quick one, under a new ETag (the old one stays valid: it names the same content)."""
        if done.cancelled() or done.exception() or len(done.result()) >= len(encoded.body):
            return
        self._kept_bytes += len(done.result()) - len(encoded.body)
        better = Encoded(done.result(), [*encoded.etags, f'"{rendered.tag}-br2"'.encode()])
        rendered.encodings["br"] = better

    def _evict(self) -> None:
        while self._kept_bytes > HELD_BYTES and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._kept_bytes -= old.size_bytes

    def forget_older(self, state: ReleaseState) -> None:
        """Drop what was built for earlier releases of a project."""
        stale = [key for key in self._kept if key[0] == state.project_id and key[1] < state.release]
        for key in stale:
            self._kept_bytes -= self._kept.pop(key).size_bytes

    def close(self) -> None:
        """Let the threads end."""
        self._build.shutdown(wait=False, cancel_futures=True)
        self._squeeze.shutdown(wait=False, cancel_futures=True)
