"""The items of a project's stores.

They are fetched when somebody asks, all pages of one release, and again when the content shows that they changed. All calls
come from the platform's thread; all times are in seconds.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from livery_client.backoff import Backoff, Failure, classify, parse_retry_after
from livery_client.cache import KeptItems, Shelf
from livery_client.content import Content, Json, is_object
from livery_client.holding import remember
from livery_client.platform import Cancel, Platform, Warn
from livery_client.requests import Endpoint, Reply, get_page
from livery_client.versions import Order, order, parse_version

CHANGE_SPREAD = 2.0
# All devices that watch a store hear of a release in the same moment, so their requests are spread.
PREPARE_SPREAD = 0.5
MAX_RESTARTS = 3
MAX_PAGES = 1_000


class NotFetchedError(Exception):
    """The items of a store are not held, and can't be fetched now."""


class _RefusedError(NotFetchedError):
    def __init__(self, reply: Reply) -> None:
        super().__init__(f"the server answered {reply.status}")
        self.reply = reply


class StoreHolder(Protocol):
    """What a store needs of its client."""

    platform: Platform
    shelf: Shelf
    warn: Warn

    @property
    def content(self) -> Content | None:
        """What is shown."""
        ...

    async def ready(self) -> None:
        """Returns when there is content, or no content to be had for now."""
        ...

    def endpoint(self, language: str) -> Endpoint | None:
        """Returns where to ask; ``None`` where the network is not to be used."""
        ...


@dataclass(frozen=True, slots=True)
class _Held:
    """``wanted`` is the hash that the content named when these were asked for: the server may have been ahead of it. ``None`` where it was behind."""

    items: list[Json]
    version: str
    hash: object
    wanted: str | None

    def is_of(self, wanted: str) -> bool:
        """Whether these are the items that content with the hash ``wanted`` brings."""
        return wanted in (self.hash, self.wanted)


class StoreItems:
    """The items of one store. ``current`` are the items last shown; ``None`` before that."""

    def __init__(self, name: str, holder: StoreHolder) -> None:
        self.name = name
        self.current: list[Json] | None = None
        self._holder = holder
        self._platform = holder.platform
        self._held: dict[str, _Held] = {}
        self._looked: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        self._backoff = Backoff(holder.platform.random)
        # Items of content that is not shown yet.
        self._ahead: tuple[str, _Held] | None = None
        self._language = ""
        self._is_quiet = False
        self._is_untold = False
        self._loading: tuple[str, asyncio.Task[None]] | None = None
        self._timer: Cancel | None = None
        self._pauses: set[Cancel] = set()
        self._is_closed = False

    async def items(self) -> list[Json]:
        """Returns all items. Raises ``NotFetchedError`` only where no items are held."""
        if not self._holder.content:
            await self._holder.ready()
        try:
            # A release or another language may come while this is under way: what counts is what is shown in the end.
            for _ in range(MAX_RESTARTS):
                if self._take():
                    break
                await self._load()
        except Exception as error:
            if self.current is None:
                raise NotFetchedError(f'the store "{self.name}" can\'t be fetched: {error}') from error
        if self.current is None:
            raise NotFetchedError(f'nothing is known of the store "{self.name}" yet')
        return self.current

    def subscribe(self, listener: Callable[[], None]) -> Cancel:
        """Fetches the items, and calls back after each change, until the returned function is called."""
        self._listeners.append(listener)
        if not self._timer:
            self._follow(0.0)

        def stop() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)
            if not self._listeners:
                self._cancel()

        return stop

    def prepare(self, content: Content) -> "asyncio.Task[None] | None":
        """Fetches the items that this content brings. ``None`` if there is nothing to fetch, nobody watches, or nothing is shown yet."""
        shown, wanted = self._holder.content, content.stores.get(self.name)
        if not shown or not shown.version or not content.version or wanted is None or not self._listeners:
            return None
        language = content.language
        held = self._find(language)
        ahead = self._ahead[1] if self._ahead and self._ahead[0] == language else None
        if (held and held.is_of(wanted)) or (ahead and ahead.is_of(wanted)):
            return None
        return self._request(content, wanted, PREPARE_SPREAD if shown.language == language else 0.0)

    def adopt(self) -> None:
        """The content shown has changed. Listeners are not called before ``content_changed``."""
        self._is_quiet = True
        self._take()
        self._is_quiet = False

    def content_changed(self) -> None:
        """The content shown has changed, and listeners of the client know it."""
        if self._is_untold:
            self._tell()
        if not self._take() and self._listeners and not self._timer:
            shown = self._holder.content
            is_new_here = self.current is None or not shown or self._language != shown.language
            self._follow(0.0 if is_new_here else CHANGE_SPREAD)

    def close(self) -> None:
        """Fetches nothing more. ``current`` stays."""
        self._is_closed = True
        self._cancel()
        self._listeners.clear()
        for cancel in list(self._pauses):
            cancel()
        if self._loading:
            self._loading[1].cancel()

    # --- asking again as long as somebody listens ---------------------------------------------------------------------

    def _follow(self, spread: float) -> None:
        if not self._take() and self._holder.endpoint(""):
            self._timer = self._platform.after(self._platform.random() * spread, self._begin)

    def _begin(self) -> None:
        self._platform.spawn(self._try())

    async def _try(self) -> None:
        wait: float | None = None
        try:
            await self._load()
        except Exception as error:  # noqa: BLE001  # the network fails in many ways; all are tried again
            wait = self._wait(error)
        self._timer = None
        if wait is None:
            self.content_changed()
        elif self._listeners:
            self._timer = self._platform.after(wait, self._begin)

    def _wait(self, error: Exception) -> float:
        if not isinstance(error, _RefusedError):
            return self._backoff.fail(Failure.TRANSIENT)
        reply = error.reply
        # A store that is named but not found is a store that this server does not know yet.
        is_unknown = reply.status == 404
        failure = Failure.TRANSIENT if is_unknown else classify(reply.status, is_livery=reply.problem is not None)
        return self._backoff.fail(failure, parse_retry_after(reply.retry_after))

    def _cancel(self) -> None:
        if self._timer:
            self._timer()
        self._timer = None

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _take(self) -> bool:
        """Shows what is held of the content shown. ``False`` where something is to be fetched."""
        content = self._holder.content
        if not content or not content.version:
            return True
        wanted = content.stores.get(self.name)
        if wanted is None:
            if content.release > 0:
                self._holder.warn(f"store:{self.name}", f'no store "{self.name}"')
            self._show([])
            return True
        language = content.language
        if self._ahead and self._ahead[0] == language and self._ahead[1].is_of(wanted):
            remember(self._held, language, self._ahead[1])
            self._ahead = None
        held = self._find(language)
        if not held:
            return False
        is_right = held.is_of(wanted)
        # Items of the device may be of an older release; until there are others, they are better than no items.
        if is_right or self.current is None:
            self._language = language
            self._show(held.items)
        return is_right

    def _find(self, language: str) -> _Held | None:
        if language not in self._held and language not in self._looked:
            kept = self._holder.shelf.read_items(self.name, language)
            if kept:
                remember(self._held, language, _Held(kept.items, kept.version, kept.hash, None))
        self._looked.add(language)
        return self._held.get(language)

    def _show(self, items: list[Json]) -> None:
        if self.current is items or self.current == items:
            return
        self.current = items
        if self._is_quiet:
            self._is_untold = True
        else:
            self._tell()

    def _tell(self) -> None:
        self._is_untold = False
        for listener in list(self._listeners):
            try:
                listener()
            except Exception as error:  # noqa: BLE001  # the app's own code
                self._holder.warn(f"listener:{error!r}", f"a listener failed: {error!r}")

    # --- fetching -----------------------------------------------------------------------------------------------------

    async def _load(self) -> None:
        """Fetches what the content shown wants; callers of the same moment share it."""
        content = self._holder.content
        wanted = content.stores.get(self.name) if content else None
        if not content or not wanted or self._take():
            return
        task = self._request(content, wanted, 0.0)
        if task:
            await asyncio.shield(task)
        else:
            raise NotFetchedError("the client has no connection")

    def _request(self, content: Content, wanted: str, spread: float) -> "asyncio.Task[None] | None":
        """Fetches what ``content`` wants within ``spread``; a request for the same is shared."""
        endpoint = self._holder.endpoint(content.language)
        if not endpoint or self._is_closed:
            return None
        key = f"{content.language} {wanted}"
        if self._loading and self._loading[0] == key:
            return self._loading[1]
        # A draft is not heard by many devices.
        wait = 0.0 if endpoint.preview else spread * self._platform.random()
        task = self._platform.spawn(self._fetch_after(wait, endpoint, content, wanted))
        self._loading = (key, task)

        def ended(done: "asyncio.Task[None]") -> None:
            if self._loading and self._loading[1] is done:
                self._loading = None
            if not done.cancelled():
                done.exception()  # who asked has it; nobody may have asked

        task.add_done_callback(ended)
        return task

    async def _fetch_after(self, wait: float, to: Endpoint, content: Content, wanted: str) -> None:
        if wait > 0:
            over = asyncio.get_running_loop().create_future()
            cancel = self._platform.after(wait, lambda: None if over.done() else over.set_result(None))
            self._pauses.add(cancel)
            try:
                await over
            finally:
                cancel()
                self._pauses.discard(cancel)
        fetched = await _fetch_all(to, self.name)
        self._fetched(fetched, to, content, wanted)

    def _fetched(self, fetched: KeptItems, to: Endpoint, content: Content, wanted: str) -> None:
        is_behind = fetched.hash != wanted and order(fetched.version, content.version) is Order.NEWER
        language = content.language
        before = self._find(language)
        if not before or order(before.version, fetched.version) is not Order.OLDER:
            items = before.items if before and before.items == fetched.items else fetched.items
            held = _Held(items, fetched.version, fetched.hash, None if is_behind else wanted)
            shown = self._holder.content
            if shown and shown.language == language and shown.stores.get(self.name) != wanted:
                self._ahead = (language, held)
            else:
                remember(self._held, language, held)
            # Nothing of a draft stays on the device.
            if not to.preview:
                self._holder.shelf.save_items(self.name, language, fetched)
        if self._take():
            self._backoff.reset()
        elif is_behind:
            if self.current is None:
                self._show(fetched.items)
            raise NotFetchedError("the server has not heard of the release yet")


async def _fetch_all(to: Endpoint, name: str) -> KeptItems:
    """All pages of one release; from the start again where that release is forgotten before the last page."""
    for _ in range(MAX_RESTARTS):
        whole = await _fetch_once(to, name)
        if whole:
            return whole
    raise NotFetchedError("the releases follow each other too fast")


async def _fetch_once(to: Endpoint, name: str) -> KeptItems | None:
    items: list[Json] = []
    cursor: str | None = None
    first: Json | None = None
    for _ in range(MAX_PAGES):
        reply = await get_page(to, name, cursor)
        if reply.status == 409 and cursor:
            return None
        if reply.status != 200:
            raise _RefusedError(reply)
        body = reply.body
        if not is_object(body) or not parse_version(body.get("version")) or not isinstance(body.get("items"), list):
            raise NotFetchedError("the answer is no page")
        first = first or body
        if body["version"] != first["version"]:
            return None
        items += [
            _with_addresses(one, to) for one in body["items"] if is_object(one) and isinstance(one.get("_id"), str)
        ]
        following = body.get("nextCursor")
        if not isinstance(following, str):
            return KeptItems(items, first["version"], first.get("hash"))
        cursor = following
    raise NotFetchedError("the store has no end")


def _with_addresses(item: Json, to: Endpoint) -> Json:
    """Paths of the project's images become addresses of the server."""
    path = re.compile(rf"/media/{re.escape(to.project_id)}/[\w.-]+", re.ASCII)
    return {
        field: to.base_url + value if isinstance(value, str) and path.fullmatch(value) else value
        for field, value in item.items()
    }
