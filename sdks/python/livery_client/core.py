"""The client of an app, in the platform's thread: it shows the content that it holds, and calls listeners and waiters when that changes.

All times are in seconds. ``Livery`` and ``AsyncLivery`` are what apps use.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from livery_client.announcing import Announcer
from livery_client.cache import Shelf
from livery_client.content import Content, Json, read_body, read_content
from livery_client.holding import Held, Holding
from livery_client.messages import FormatMessage, format_message
from livery_client.platform import Cancel, Platform, Storage
from livery_client.reading import Reader
from livery_client.requests import Endpoint
from livery_client.session import Lifecycle, Session
from livery_client.stores import StoreItems

State = Literal["empty", "fallback", "cached", "live", "polling", "closed"]
"""What a client does: `Reading.state` has the meaning of each."""
Listener = TypeVar("Listener", bound=Callable[..., None])

READY = 5.0
SWITCH = 10.0
MAX_LATEST = 5.0
MAX_WARNINGS = 1_000


@dataclass(frozen=True)
class Options:
    """The options of a client, as ``Livery`` documents them."""

    project_id: str
    key: str
    base_url: str
    language: str = ""
    fallback: Sequence[object] = ()
    mode: Literal["live", "manual"] = "live"
    connection: Literal["stream", "once", "off"] = "stream"
    preview: str | None = None
    formatter: FormatMessage = format_message
    on_warning: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a listener gets: the version and the language shown now."""

    version: str | None
    language: str


@dataclass(frozen=True)
class _Shown:
    """``answers`` is the language that this content was asked for as; ``None`` if it only fills in for the content on its way."""

    content: Content
    is_bundle: bool
    answers: str | None


class _Waiters:
    """Futures that are settled together."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._futures: set[asyncio.Future[bool]] = set()

    async def wait(self, seconds: float) -> bool:
        """Returns what they are settled with, or ``False`` after ``seconds``."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        cancel = self._platform.after(seconds, lambda: None if future.done() else future.set_result(False))
        self._futures.add(future)
        try:
            return await future
        finally:
            cancel()
            self._futures.discard(future)

    def settle(self, *, outcome: bool) -> None:
        """Settles all futures."""
        for future in list(self._futures):
            if not future.done():
                future.set_result(outcome)


class Client:
    """One project in one language at a time."""

    def __init__(self, options: Options, platform: Platform) -> None:
        self.options = options
        self.platform = platform
        self.preview = None if options.connection == "off" else options.preview
        self.requested = options.language
        self._base_url = options.base_url.rstrip("/")
        self._warned: set[str] = set()
        self._listeners: list[Callable[[Change], None]] = []
        self._state_listeners: list[Callable[[], None]] = []
        self._stores: dict[str, StoreItems] = {}
        self._ready_waiters, self._latest_waiters, self._switch_waiters = (_Waiters(platform) for _ in range(3))
        self._bundles = self._read_bundles()
        self.shelf = Shelf(platform, self._storage(), self._base_url, options.project_id, self.warn)
        self._announcer = Announcer(platform, self)
        self._holding = Holding(self.shelf, self._bundles, self._announcer.taken)
        self._session: Session | None = None
        self._shown: _Shown | None = None
        self._is_fresh = False
        self._is_ready = False
        self._is_closed = False
        self.reader = self._read(None)
        self._load()
        if not self._shown and self._bundles:
            self._show(Held(self._bundles[0], None, is_bundle=True), None)
        if self._shown or options.connection == "off":
            self._is_ready = True
        self._last_state = self._state_key()

    def warn(self, key: str, message: str) -> None:
        """Gives a warning, once for each key."""
        if key in self._warned or len(self._warned) >= MAX_WARNINGS:
            return
        self._warned.add(key)
        # Reading a value must not fail because its warning could not be given.
        with suppress(Exception):
            (self.options.on_warning or self.platform.warn)(f"[livery] {message}")

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def content(self) -> Content | None:
        """What is shown, whole."""
        return self._shown.content if self._shown else None

    @property
    def pending(self) -> bool:
        """Manual mode: whether newer content waits for ``activate``."""
        latest = self._holding.latest if self.options.mode == "manual" else None
        return latest is not None and latest.content is not self.content

    @property
    def state(self) -> State:
        """See ``Livery.state``."""
        if self._is_closed:
            return "closed"
        if not self._shown:
            return "empty"
        status = self._session.status if self._session else "down"
        if status != "down":
            return status
        return "fallback" if self._shown.is_bundle else "cached"

    def store(self, name: str) -> StoreItems:
        """Returns the store with this API identifier; the same object each time."""
        if name not in self._stores:
            self._stores[name] = StoreItems(name, self)
        return self._stores[name]

    def current_items(self, name: str) -> list[Json] | None:
        """Returns the items of a store that were shown last. Can be called in any thread."""
        store = self._stores.get(name)
        return store.current if store else None

    # --- listening and waiting ----------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Change], None]) -> Cancel:
        """Calls back after each change of what is shown. Returns what ends this."""
        return _add(self._listeners, listener)

    def subscribe_state(self, listener: Callable[[], None]) -> Cancel:
        """Calls back when the state, ``pending``, ``preview`` or the requested language changes."""
        return _add(self._state_listeners, listener)

    async def ready(self) -> None:
        """Returns at the first usable source, at the latest when the first request failed or after 5 s."""
        if not self._is_ready and not self._is_closed:
            await self._ready_waiters.wait(READY)
            self._become_ready()

    async def wait_for_latest(self, seconds: float) -> bool:
        """Returns whether the server has confirmed what is shown within ``seconds``, at most 5."""
        if self._is_fresh:
            return True
        if self._is_closed or not self._session:
            return False
        return await self._latest_waiters.wait(min(max(seconds, 0.0), MAX_LATEST))

    async def set_language(self, language: str) -> bool:
        """Returns ``True`` when the language is shown, ``False`` after 10 s or when another switch came first."""
        if not self.switch(language):
            return False
        if self._shown and self._shown.answers == self.requested:
            return True
        return await self._switch_waiters.wait(SWITCH) if self._session else False

    def switch(self, language: str) -> bool:
        """Begins to show another language. ``False`` after ``close``."""
        if self._is_closed:
            return False
        if language != self.requested:
            self._open(language)
        return True

    def activate(self) -> bool:
        """Manual mode: shows what is pending. Returns whether anything changed."""
        latest = self._holding.latest
        if not latest or not self.pending:
            return False
        self._show(latest, self.requested)
        self._state_may_have_changed()
        return True

    def end_preview(self) -> None:
        """Ends the preview: the release follows."""
        if not self.preview or self._is_closed:
            return
        self.preview = None
        self._holding.memory.clear()
        self.shelf.storage = self._storage()
        # The draft stays until the release is here, and gives way to it in manual mode too.
        if self._shown:
            self._shown = replace(self._shown, answers=None)
        self._open(self.requested)

    def lifecycle(self, event: Lifecycle) -> None:
        """The app rests or is back, or the network is gone or back."""
        if self._session:
            self._session.lifecycle(event)

    def close(self) -> None:
        """Ends connections and timers. What is shown can still be read."""
        if self._is_closed:
            return
        self._is_closed = True
        self._is_fresh = False
        self._end_session()
        self._become_ready()
        self._latest_waiters.settle(outcome=False)
        self._switch_waiters.settle(outcome=False)
        self._state_may_have_changed()
        for store in self._stores.values():
            store.close()
        self._listeners.clear()
        self._state_listeners.clear()

    def connect(self) -> None:
        """Begins to connect, where the options allow it."""
        endpoint = self.endpoint(self.requested)
        if endpoint and not self._is_closed:
            self._session = Session(endpoint, self._holding, self, is_once=self.options.connection == "once")

    def endpoint(self, language: str) -> Endpoint | None:
        """Returns where to ask; ``None`` where the network is not to be used."""
        options = self.options
        if options.connection == "off" or self._is_closed:
            return None
        return Endpoint(self.platform, self._base_url, options.project_id, options.key, language, self.preview)

    # --- what the connection reports ----------------------------------------------------------------------------------

    def confirmed(self) -> None:
        """The server has confirmed what is held."""
        self._announcer.confirmed()

    def attempted(self) -> None:
        """A request has ended."""
        self._become_ready()

    def status_changed(self) -> None:
        """The connection has another status."""
        if not self._session or self._session.status == "down":
            self._is_fresh = False
        self._state_may_have_changed()

    def refused(self) -> None:
        """The server lets us have nothing."""
        self.end_preview()

    def prepare(self, content: Content) -> "list[asyncio.Task[None]]":
        """Begins to fetch the items that this content brings and somebody watches."""
        tasks = [task for store in self._stores.values() if (task := store.prepare(content))]
        if tasks:
            self._is_fresh = False
        return tasks

    def show_taken(self, held: Held, language: str) -> None:
        """New content is to be shown."""
        # Manual mode keeps what someone is looking at, but nobody is served by an empty page or the wrong language.
        is_awaited = not self._shown or self._shown.answers != language
        if self.options.mode != "manual" or is_awaited or self.preview:
            self._show(held, language)
        self._become_ready()
        self._state_may_have_changed()

    def show_confirmed(self) -> None:
        """The server has confirmed what is shown."""
        self._is_fresh = True
        self._latest_waiters.settle(outcome=True)

    # --- showing ------------------------------------------------------------------------------------------------------

    def _read_bundles(self) -> list[Content]:
        """Leaves out what is no snapshot. A bundle that can't be compared with the server's content loses its version."""
        bundles: list[Content] = []
        for one in self.options.fallback:
            whole = one if isinstance(one, Content) else read_body(one, self.options.project_id)
            content = whole or read_content(one)
            if not content:
                self.warn("bundle", "the fallback is no snapshot")
            elif whole or content.version is None:
                bundles.append(content)
            else:
                self.warn("bundle", "the fallback is of another project or not whole; used without its version")
                bundles.append(replace(content, version=None, release=0))
        return bundles

    def _storage(self) -> Storage | None:
        """Nothing of a draft stays on the device."""
        return None if self.preview else self.platform.storage

    def _open(self, language: str) -> None:
        self._switch_waiters.settle(outcome=False)
        self._end_session()
        self._is_fresh = False
        self.requested = language
        self._load()
        self.connect()
        self._state_may_have_changed()

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session:
            session.close()
        self._announcer.close()

    def _load(self) -> None:
        held = self._holding.open(self.requested)
        if held:
            self._show(held, self.requested)

    def _show(self, held: Held, answers: str | None) -> None:
        self._shown = _Shown(held.content, held.is_bundle, answers)
        self.reader = self._read(held.content)
        change = Change(held.content.version, self.reader.language)
        for store in self._stores.values():
            store.adopt()
        self._tell(self._listeners, lambda listener: listener(change))
        for store in list(self._stores.values()):
            store.content_changed()
        if answers == self.requested:
            self._switch_waiters.settle(outcome=True)

    def _read(self, content: Content | None) -> Reader:
        """Over the bundle of the content's own language, else the first."""
        language = (content.language if content else "") or self.requested
        first = self._bundles[0] if self._bundles else None
        bundle = next((one for one in self._bundles if one.language == language), first)
        return Reader(content, bundle, self.requested, self._base_url, self.warn, self.options.formatter)

    def _become_ready(self) -> None:
        self._is_ready = True
        self._ready_waiters.settle(outcome=True)

    def _state_key(self) -> tuple[object, ...]:
        return (self.state, self.pending, self.requested, self.preview is not None)

    def _state_may_have_changed(self) -> None:
        now = self._state_key()
        if now != self._last_state:
            self._last_state = now
            self._tell(self._state_listeners, lambda listener: listener())

    def _tell(self, listeners: list[Listener], call: Callable[[Listener], None]) -> None:
        for listener in list(listeners):
            try:
                call(listener)
            except Exception as error:  # noqa: BLE001  # the app's own code
                self.warn(f"listener:{error!r}", f"a listener failed: {error!r}")


def _add(listeners: list[Listener], listener: Listener) -> Cancel:
    listeners.append(listener)

    def remove() -> None:
        if listener in listeners:
            listeners.remove(listener)

    return remove
