"""Bodies ready to send: built once per (release, language), compressed once per encoding, off the event loop."""

import asyncio
import gzip
import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import brotli
import zstandard

from livery.core.errors import Conflict, NotFound, Unavailable
from livery.core.once import Once
from livery.delivery import content as contents
from livery.delivery import stores
from livery.delivery.content import Json
from livery.delivery.library import Library
from livery.delivery.wire import PageCursor
from livery.publishing.schemas import ReleaseState

HELD_BYTES = 256 * 1024 * 1024
OVERHEAD_BYTES = 2 * 1024
"""What an answer takes in memory beside its bytes, about."""
SMALL_BYTES = 200
"""Under this a body is sent as it is: compressing would make it longer."""
SQUEEZED_BYTES = 256 * 1024
"""Over this the best compression would take the processor for seconds (and keep a stopping process alive)."""
SQUEEZE_AFTER_SECONDS = 1.0
"""When the best compression begins. It would take the processor from the broadcast. A release that is soon replaced needs no squeeze."""
BUILT_AT_ONCE_BYTES = 64 * 1024
"""Up to this an answer is built on the event loop, in 1 or 2 ms. On a busy server, each step in a thread takes longer than that to come back."""
PREPARED_BYTES = 256 * 1024
"""How much is built of a release before apps get it: 20 to 40 ms."""


def _brotli(raw: bytes, quality: int) -> bytes:
    return cast("bytes", brotli.compress(raw, quality=quality))  # pyright: ignore[reportUnknownMemberType]  # it is not typed


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda raw: _brotli(raw, 5),
    "zstd": lambda raw: zstandard.ZstdCompressor(level=3).compress(raw),
    "gzip": lambda raw: gzip.compress(raw, compresslevel=6, mtime=0),
}


@dataclass
class Encoded:
    """One encoding of a body. ``etags`` has all ETags with which these contents were sent. The last is the present ETag."""

    body: bytes
    etags: list[bytes]


class Key(NamedTuple):
    """What an answer is. A patch also has the release from which it starts, in the requested language; a page of a store has its place."""

    project_id: str
    epoch: str
    release: int
    language: str | None
    since: int | None = None
    page: tuple[str, int] | None = None


@dataclass(eq=False)
class Rendered:
    """One answer in every encoding that was asked for. ``is_wanted`` is whether anybody asked since it was built."""

    key: Key
    tag: str
    raw: bytes
    is_wanted: bool = False
    encodings: dict[str, Encoded] = field(default_factory=dict[str, "Encoded"])

    @property
    def size_bytes(self) -> int:
        """What it takes in memory, about."""
        return OVERHEAD_BYTES + len(self.raw) + sum(len(encoded.body) for encoded in self.encodings.values())


def dump(value: object) -> bytes:
    """JSON as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


async def merge_patch(old: ReleaseState, new: ReleaseState, asked: str | None, read: stores.Bodies) -> Json | None:
    """Returns the merge patch between two states for an app that asks for a language; ``None`` when the app is served a different language now."""
    language = contents.served_language(new, asked)
    if contents.served_language(old, asked) != language or old.meta.default_language != new.meta.default_language:
        return None
    screens = contents.touched_screens(old, new, language)
    hashes: set[str] = set()
    for state in (old, new):
        hashes.update(contents.hashes_of_screens(state, language, screens))
        hashes.update(state.parts[name] for name in contents.SHARED if name in state.parts)
    return contents.patch(old, new, language, screens, await read(new.project_id, sorted(hashes)))


def cursor_expired() -> Conflict:
    """Returns the refusal of a page whose release is forgotten."""
    return Conflict(
        "The release that this page belongs to is not known any more. Start again without a cursor.",
        code="cursor_expired",
    )


class Renderer:
    """Builds answers from the library's releases and keeps the answers that are asked for.

    ``on_change`` gets the project of every answer that was replaced or dropped, so that nobody else keeps it.
    """

    def __init__(self, library: Library, on_change: Callable[[str], None]) -> None:
        self._library = library
        self._on_change = on_change
        self._kept: OrderedDict[Key, Rendered] = OrderedDict()
        self._kept_bytes = 0
        self._is_closed = False
        self._once: Once[Any] = Once()
        self._build = ThreadPoolExecutor(max_workers=1, thread_name_prefix="render")
        self._squeeze = ThreadPoolExecutor(max_workers=1, thread_name_prefix="squeeze")

    async def content(self, state: ReleaseState, asked: str | None, since: int | None = None) -> Rendered:
        """Returns what an app gets that asks for a language: the patch from release ``since`` if there is such a patch, else the content."""
        if since is not None:
            return await self._kept_or(
                Key(state.project_id, state.epoch, state.release, asked, since),
                lambda key: self._render_patch(key, state),
            )
        language = contents.served_language(state, asked)
        return await self._kept_or(
            Key(state.project_id, state.epoch, state.release, language),
            lambda key: self._render_whole(key, state),
        )

    async def prepare(self, old: ReleaseState, new: ReleaseState) -> None:
        """Builds the contents of ``new`` that apps asked for in ``old``, in the encodings that they asked for, the latest first.

        Else the first app of each language would wait for it, while the release goes to all streams. Ends once it has built ``PREPARED_BYTES``.
        """
        room = PREPARED_BYTES
        for rendered in [one for one in reversed(self._kept.values()) if one.key.project_id == old.project_id]:
            key = rendered.key
            is_whole = key.since is None and key.page is None and key.language is not None
            if not rendered.is_wanted or not is_whole or key[:3] != (old.project_id, old.epoch, old.release):
                continue
            room -= len(rendered.raw) * len(rendered.encodings)
            if room < 0:
                return
            language = contents.served_language(new, key.language)
            wanted = Key(new.project_id, new.epoch, new.release, language)
            built = await self._once.run(wanted, lambda wanted=wanted: self._render_whole(wanted, new))
            for encoding in list(rendered.encodings):  # an app may ask for another encoding at any moment
                await self.encoded(built, encoding)

    async def store_page(
        self, state: ReleaseState, store: str, asked: str | None, cursor: PageCursor | None
    ) -> Rendered:
        """Returns a page of a store's items: the first page of ``state``, or the page at ``cursor`` in the release that it names.

        Raises ``NotFound``, and ``Conflict`` when that release is not known any more: then the reader starts again.
        """
        release, chunk = (cursor.version.release, cursor.chunk) if cursor else (state.release, 0)
        if cursor and self._library.known_release(str(cursor.version), state) is None:
            raise cursor_expired()
        language = contents.served_language(state, asked) if release == state.release else asked
        return await self._kept_or(
            Key(state.project_id, state.epoch, release, language, page=(store, chunk)),
            lambda key: self._render_page(key, state),
        )

    async def encoded(self, rendered: Rendered, encoding: str) -> Encoded:
        """``rendered`` in one encoding (``br``, ``zstd``, ``gzip`` or ``identity``)."""
        if found := rendered.encodings.get(encoding):
            return found
        return await self._once.run((rendered.key, encoding), lambda: self._encode(rendered, encoding))

    async def patch(self, old: ReleaseState, new: ReleaseState, asked: str | None) -> Json | None:
        """Returns the merge patch between two releases for an app that asks for a language.

        ``None`` when it must fetch: it is served a different language now, or ``old`` is no release yet (its languages are those of a draft).
        """
        if old.release == new.release:
            return {}
        return None if old.release == 0 else await merge_patch(old, new, asked, self._library.bodies)

    async def _kept_or(self, key: Key, render: Callable[[Key], Coroutine[Any, Any, Rendered]]) -> Rendered:
        kept = self._kept.get(key)
        if kept is None:
            kept = await self._once.run(key, lambda: render(key))
        else:
            self._kept.move_to_end(key)
        kept.is_wanted = True
        return kept

    async def _render_whole(self, key: Key, state: ReleaseState) -> Rendered:
        language = contents.served_language(state, key.language)
        bodies = await self._library.bodies(state.project_id, contents.hashes_of_content(state, language))
        raw = await self._built(
            self._library.size_bytes(bodies), lambda: dump(contents.compose(state, language, state.version, bodies))
        )
        return self._keep(Rendered(key, contents.tag(state, language), raw))

    async def _render_patch(self, key: Key, state: ReleaseState) -> Rendered:
        asked, since = key.language, key.since
        if since is None:
            raise ValueError("a patch starts somewhere")
        try:
            old = state if since == state.release else await self._library.state_at(state, since)
            patch = await self.patch(old, state, asked)
        except Unavailable:  # the whole content may well be in memory
            return await self.content(state, asked)
        if patch is None:
            return await self.content(state, asked)
        value = {"from": old.version, "version": state.version, "release": state.release, "patch": patch}
        tag = f"{contents.tag(state, contents.served_language(state, asked))}-since{since}"
        return self._keep(Rendered(key, tag, dump(value)))

    async def _render_page(self, key: Key, newest: ReleaseState) -> Rendered:
        if key.page is None:
            raise ValueError("a page is of a store")
        state = newest if key.release == newest.release else await self._library.state_at(newest, key.release)
        name, first = key.page
        store = contents.stores_of(state).get(name)
        if store is None:
            raise NotFound("There is no such store.", code="store_not_found")
        language = contents.served_language(state, key.language)
        page = await stores.read_page(state, store, first, self._library.bodies)
        raw = await self._in_thread(lambda: dump(stores.compose_page(state, store, language, state.version, page)))
        return self._keep(Rendered(key, f"{contents.tag(state, language)}-{store.digest}-{first}", raw))

    def _keep(self, rendered: Rendered) -> Rendered:
        self._kept[rendered.key] = rendered
        self._kept_bytes += rendered.size_bytes
        while self._kept_bytes > HELD_BYTES and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))
        return rendered

    def _drop(self, key: Key) -> None:
        self._kept_bytes -= self._kept.pop(key).size_bytes
        self._on_change(key.project_id)

    def _put(self, rendered: Rendered, encoding: str, encoded: Encoded) -> None:
        """Notes an encoding, in place of the previous encoding."""
        before = rendered.size_bytes
        rendered.encodings[encoding] = encoded
        if self._kept.get(rendered.key) is rendered:
            self._kept_bytes += rendered.size_bytes - before
        self._on_change(rendered.key.project_id)

    async def _encode(self, rendered: Rendered, encoding: str) -> Encoded:
        plain = f'"{rendered.tag}"'.encode()
        if encoding == "identity":
            encoded = Encoded(rendered.raw, [plain])
        else:
            body = await self._built(len(rendered.raw), lambda: COMPRESSORS[encoding](rendered.raw))
            # The plain tag is good for every encoding: an app that came here by patches knows no other.
            encoded = Encoded(body, [plain, f'"{rendered.tag}-{encoding}1"'.encode()])
            if encoding == "br" and rendered.key.since is None and len(rendered.raw) <= SQUEEZED_BYTES:
                asyncio.get_running_loop().call_later(SQUEEZE_AFTER_SECONDS, self._begin_squeeze, rendered, encoded)
        self._put(rendered, encoding, encoded)
        return encoded

    async def _built(self, size_bytes: int, build: Callable[[], bytes]) -> bytes:
        """Builds a small answer at once, a large answer in a thread."""
        return build() if size_bytes <= BUILT_AT_ONCE_BYTES else await self._in_thread(build)

    async def _in_thread(self, build: Callable[[], bytes]) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._build, build)

    def _begin_squeeze(self, rendered: Rendered, encoded: Encoded) -> None:
        if self._is_closed or self._kept.get(rendered.key) is not rendered:
            return
        asyncio.get_running_loop().run_in_executor(self._squeeze, self._best, rendered).add_done_callback(
            lambda done: self._squeezed(rendered, encoded, done)
        )

    def _best(self, rendered: Rendered) -> bytes | None:
        """Returns the best compression, unless a newer release came while this waited for its turn."""
        return _brotli(rendered.raw, 11) if self._kept.get(rendered.key) is rendered else None

    def _squeezed(self, rendered: Rendered, encoded: Encoded, done: "asyncio.Future[bytes | None]") -> None:
        """Puts the best compression in place of the quick compression, under a new ETag. The old ETag stays valid: it names the same content."""
        if done.cancelled() or done.exception():
            return
        body = done.result()
        if body is not None and len(body) < len(encoded.body):
            self._put(rendered, "br", Encoded(body, [*encoded.etags, f'"{rendered.tag}-br2"'.encode()]))

    def forget_older(self, state: ReleaseState) -> None:
        """Drop what was built for earlier releases of a project."""
        for key in [key for key in self._kept if key.project_id == state.project_id and key.release < state.release]:
            self._drop(key)

    def forget_all(self) -> None:
        """Drop everything that was built."""
        for key in list(self._kept):
            self._drop(key)

    def close(self) -> None:
        """Let the threads end."""
        self._is_closed = True
        self._build.shutdown(wait=False, cancel_futures=True)
        self._squeeze.shutdown(wait=False, cancel_futures=True)
