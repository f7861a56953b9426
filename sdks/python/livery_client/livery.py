"""The clients that apps use: ``Livery`` for synchronous code, ``AsyncLivery`` for asyncio. Reading is the same in both."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Literal, TypeVar, overload
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_cache_path

from livery_client.content import Content, Image, Json
from livery_client.core import Change, Client, Options, State
from livery_client.messages import FormatMessage, format_message
from livery_client.platform import Cancel, Storage
from livery_client.session import Lifecycle
from livery_client.system import Engine, FileStorage, SystemPlatform, engine

Result = TypeVar("Result")
Self = TypeVar("Self", bound="Reading[Any]")
StoreKind = TypeVar("StoreKind")
Fallback = Mapping[str, Any] | Content
MAX_LANGUAGES = 50


class _Host:
    """The client in its thread. A forked process has no such thread: there the client starts again with what it showed."""

    def __init__(self, options: Options, storage: Storage | None) -> None:
        self._options = options
        self._storage = storage
        self._lock = threading.Lock()
        self._attached: dict[int, tuple[Callable[[Client], Cancel], Cancel]] = {}
        self._numbers = count()
        self._is_closed = False
        self.preview = options.preview
        self._start(options)

    def _start(self, options: Options) -> None:
        self.engine: Engine = engine()
        self._platform = SystemPlatform(self.engine, self._storage)
        self._pid = os.getpid()
        self.current = self.engine.run(lambda: Client(options, self._platform))
        self.engine.run(self.current.connect)

    @property
    def client(self) -> Client:
        """The client. What it shows can be read in any thread; for all else there is ``run``."""
        if self._pid != os.getpid():
            self._restart()
        return self.current

    def _restart(self) -> None:
        with self._lock:
            if self._pid == os.getpid():
                return
            before = self.current
            shown = () if before.content is None or before.preview else (before.content,)
            fallback = (*shown, *self._options.fallback)
            connection = "off" if self._is_closed else self._options.connection
            preview = self._options.preview if before.preview else None
            options = replace(
                self._options, language=before.requested, fallback=fallback, connection=connection, preview=preview
            )
            self._start(options)
            for number, (attach, _) in list(self._attached.items()):
                self._attached[number] = (attach, self._run_attach(attach))

    def _run_attach(self, attach: Callable[[Client], Cancel]) -> Cancel:
        return self.engine.run(lambda: attach(self.current))

    def run(self, call: Callable[[Client], Result]) -> Result:
        """Calls a function in the client's thread."""
        client = self.client
        return self.engine.run(lambda: call(client))

    def attach(self, attach: Callable[[Client], Cancel]) -> Cancel:
        """Adds a listener that a forked process adds again."""
        cancel = self.run(attach)
        number = next(self._numbers)
        self._attached[number] = (attach, cancel)

        def detach() -> None:
            found = self._attached.pop(number, None)
            if found:
                self.run(lambda _: found[1]())

        return detach

    def close(self) -> None:
        """Ends the client."""
        self._is_closed = True
        self.run(lambda client: client.close())
        self.engine.run(self._platform.close)
        self._attached.clear()


class _StoreBase:
    """A store: its items are fetched when they are asked for, and kept until the content shows that they changed."""

    def __init__(self, host: _Host, name: str) -> None:
        self._host = host
        self.name = name

    async def _items(self, client: Client) -> list[Json]:
        return await client.store(self.name).items()

    @property
    def current(self) -> list[Json] | None:
        """The items last shown, in the dashboard's order; ``None`` before that. Never blocks. Don't change them."""
        return self._host.client.current_items(self.name)

    def subscribe(self, listener: Callable[[], None]) -> Cancel:
        """Fetches the items, keeps them up to date, and calls back after each change, until the returned function is called.

        Listeners run in the client's thread: keep them short.
        """
        return self._host.attach(lambda client: client.store(self.name).subscribe(listener))


class Store(_StoreBase):
    """A store of ``Livery``."""

    def items(self) -> list[Json]:
        """Returns all items, of one release, in the language shown; an empty list where there is no such store.

        A field without a value is not there. Waits for the network where the items are not held or have changed. When they
        can't be had now, it returns the items of before; ``NotFetchedError`` is raised only where no items are held.
        """
        client = self._host.client
        return self._host.engine.wait(self._items(client))


class AsyncStore(_StoreBase):
    """A store of ``AsyncLivery``."""

    async def items(self) -> list[Json]:
        """Returns all items, as ``Store.items`` does."""
        client = self._host.client
        return await self._host.engine.join(self._items(client))


class Reading(Generic[StoreKind]):
    """What both clients share: reading, which never blocks, never raises, and is safe in every thread."""

    def __init__(
        self,
        project_id: str,
        key: str,
        base_url: str,
        *,
        language: str = "",
        fallback: Fallback | Sequence[Fallback] | None = None,
        mode: Literal["live", "manual"] = "live",
        connection: Literal["stream", "once", "off"] = "stream",
        cache: bool = True,
        cache_dir: str | Path | None = None,
        preview: str | None = None,
        formatter: FormatMessage = format_message,
        time_zone: str | None = None,
        on_warning: Callable[[str], None] | None = None,
    ) -> None:
        """Shows at once what the device or the bundle has, and connects in the background.

        - ``project_id``: the project's id (``prj_…``).
        - ``key``: a publishable key (``lvp_…``), never the project secret.
        - ``base_url``: where Livery runs, such as ``https://livery.example.com``.
        - ``language``: BCP 47; without it the project's default language.
        - ``fallback``: what a first start without network shows. It is the body of the content call, or only ``texts`` and ``colors``, or a list
          with a snapshot for each language.
        - ``mode``: ``live`` shows a release at once; ``manual`` on ``activate()`` or at the next start.
        - ``connection``: ``stream`` follows every release, ``once`` asks at the start only (tools), ``off`` never.
        - ``cache``: whether content is kept in files. ``cache_dir`` is their folder; without it the user's cache folder.
        - ``preview``: the token of a preview link (``lvd_…``). The project's draft is shown, and not kept.
        - ``formatter``: what fills parameters into texts. With ``format_icu_message`` apostrophes quote, as in ICU.
        - ``time_zone``: the zone in which texts show moments, such as ``Europe/Berlin``; without it that of this computer.
        - ``on_warning``: where warnings go, each once; without it to the logger ``livery_client``.

        Raises ``ValueError`` for a mistake in the options.
        """
        _check(project_id, key, base_url)
        bundles = _as_list(fallback)
        format_text = partial(formatter, time_zone=_zone(time_zone)) if time_zone else formatter
        options = Options(
            project_id, key, base_url, language, bundles, mode, connection, preview or None, format_text, on_warning
        )
        storage = FileStorage(Path(cache_dir) if cache_dir else user_cache_path("livery")) if cache else None
        self._host = _Host(options, storage)
        self._settings: dict[str, Any] = {
            "project_id": project_id, "key": key, "base_url": base_url, "fallback": bundles, "mode": mode,
            "connection": connection, "cache": cache, "cache_dir": cache_dir, "preview": preview, "formatter": formatter, "time_zone": time_zone,
            "on_warning": on_warning,
        }  # fmt: skip
        self._siblings: dict[str, Any] = {}

    # --- reading ------------------------------------------------------------------------------------------------------

    def t(
        self, key: str, params: Mapping[str, object] | None = None, *, default: str | None = None, **more: object
    ) -> str:
        """Returns the text of ``"screen.key"`` (without a dot: of the screen ``general``), with its placeholders filled in.

        ``livery.t("home.title", name="Ada")``. Where it is missing: the bundle's text, then ``default``, then the key itself.
        """
        given = {**params, **more} if params else more
        return self._host.client.reader.text(key, given or None, default)

    @overload
    def color(self, key: str, default: str) -> str: ...
    @overload
    def color(self, key: str, default: None = None) -> str | None: ...
    def color(self, key: str, default: str | None = None) -> str | None:
        """Returns ``#rrggbb``; where it is missing the bundle's colour, then ``default``."""
        return self._host.client.reader.color(key, default)

    def colors(self) -> Mapping[str, str]:
        """Returns all colours, the bundle's included."""
        return self._host.client.reader.colors()

    def image(self, key: str) -> Image | None:
        """Returns an image with its whole address, width and height in pixels; where it is missing the bundle's, then ``None``."""
        return self._host.client.reader.image(key)

    @property
    def language(self) -> str:
        """The language shown, as the server serves it; before any content the language asked for, or ``""``."""
        return self._host.client.reader.language

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the project; empty before any content."""
        content = self._host.client.content
        return content.languages if content else ()

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """The value of the ``dir`` attribute for the language shown."""
        return self._host.client.reader.direction

    @property
    def version(self) -> str | None:
        """``<epoch>.<release>`` of what is shown."""
        content = self._host.client.content
        return content.version if content else None

    @property
    def snapshot(self) -> Content | None:
        """What is shown, whole. ``snapshot.to_json()`` is a bundle for ``fallback``."""
        return self._host.client.content

    @property
    def state(self) -> State:
        """What the client does.

        ``empty``: nothing to show yet. ``fallback``: showing the bundle. ``cached``: showing content of this device or of an earlier connection.
        ``live``: a release shows within a second. ``polling``: no stream can be had; asking about once a minute. ``closed``: after ``close()``.
        """
        return self._host.client.state

    @property
    def pending(self) -> bool:
        """Manual mode: whether newer content waits for ``activate()``."""
        return self._host.client.pending

    @property
    def preview(self) -> bool:
        """Whether the project's draft is shown."""
        return self._host.client.preview is not None

    # --- listening and control ----------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Change], None]) -> Cancel:
        """Calls back after each change of what is shown, once all of it is in place. Returns what ends this.

        Listeners run in the client's thread: keep them short. An exception of a listener is reported, and does not stop the others.
        """
        return self._host.attach(lambda client: client.subscribe(listener))

    def subscribe_state(self, listener: Callable[[], None]) -> Cancel:
        """Calls back when ``state``, ``pending`` or ``preview`` changes. Returns what ends this."""
        return self._host.attach(lambda client: client.subscribe_state(listener))

    def activate(self) -> bool:
        """Manual mode: shows what is pending. Returns whether anything changed."""
        return self._host.run(lambda client: client.activate())

    def end_preview(self) -> None:
        """Ends the preview: the release follows."""
        self._host.run(lambda client: client.end_preview())

    def pause(self) -> None:
        """The app rests: after a minute the client lets go of its connection."""
        self._lifecycle("hidden")

    def resume(self) -> None:
        """The app is back from its rest, or the machine from its sleep: the client asks once within two seconds, then follows releases."""
        self._lifecycle("visible")

    def set_online(self, *, online: bool) -> None:
        """The app knows that the network is gone or back. Without this the client finds out by itself."""
        self._lifecycle("online" if online else "offline")

    def _lifecycle(self, event: Lifecycle) -> None:
        self._host.run(lambda client: client.lifecycle(event))

    def in_language(self: Self, language: str) -> Self:
        """Returns the client of another language, for servers that answer each person in their own: the same object each time.

        A language that the project does not have gives its region's parent (``pt`` for ``pt-BR``), else this client. The clients share the cache
        folder, and end with this client.
        """
        found = _match(language, self.languages) if self.languages else language
        if not found or found in (self.language, self._host.client.requested):
            return self
        sibling = self._siblings.get(found)
        if sibling or len(self._siblings) >= MAX_LANGUAGES:
            return sibling or self
        # Until its own content is there, the new client shows what this client shows: better than keys.
        shown = self.snapshot
        settings: dict[str, Any] = {
            **self._settings,
            "fallback": _as_list(self._settings["fallback"]) + _as_list(shown),
        }
        fresh = type(self)(language=found, **settings)
        kept = self._siblings.setdefault(found, fresh)
        if kept is not fresh:
            fresh.close_now()  # another thread was faster
        return kept

    def close_now(self) -> None:
        """Ends connections and timers, as ``close`` does. Waits for the client's thread, which takes a moment at most."""
        for sibling in list(self._siblings.values()):
            sibling.close_now()
        self._siblings.clear()
        self._host.close()


class Livery(Reading[Store]):
    """A client for synchronous code: scripts, Django, Flask, desktop apps. See ``Reading`` for the options.

    Use it as a context manager, or call ``close()`` at the end.
    """

    def ready(self) -> None:
        """Waits for the first usable source; at the latest until the first request failed, or 5 s. Never raises."""
        self._wait(lambda client: client.ready())

    def wait_for_latest(self, timeout: float = 2.0) -> bool:  # the name that all SDKs have
        """Waits until the server has confirmed what is shown. Returns ``False`` after ``timeout`` seconds (at most 5)."""
        return self._wait(lambda client: client.wait_for_latest(timeout))

    def set_language(self, language: str) -> bool:
        """Shows another language. Returns ``False`` when it is not there after 10 s, or another switch came first."""
        return self._wait(lambda client: client.set_language(language))

    def store(self, name: str) -> Store:
        """Returns the store with this API identifier."""
        return Store(self._host, name)

    def close(self) -> None:
        """Ends connections and timers. What is shown can still be read."""
        self.close_now()

    def __enter__(self) -> "Livery":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait(self, work: Callable[[Client], Coroutine[Any, Any, Result]]) -> Result:
        client = self._host.client
        return self._host.engine.wait(work(client))


class AsyncLivery(Reading[AsyncStore]):
    """A client for asyncio: FastAPI, Starlette, bots. Its network runs in a thread of its own, so it never holds up the app's event loop.

    ``async with AsyncLivery(...) as livery`` waits for something to show, and closes the client at the end. See ``Reading`` for the options.
    """

    async def ready(self) -> None:
        """Waits for the first usable source, as ``Livery.ready`` does."""
        await self._join(lambda client: client.ready())

    async def wait_for_latest(self, timeout: float = 2.0) -> bool:  # noqa: ASYNC109  # the name that all SDKs have
        """Waits until the server has confirmed what is shown, as ``Livery.wait_for_latest`` does."""
        return await self._join(lambda client: client.wait_for_latest(timeout))

    async def set_language(self, language: str) -> bool:
        """Shows another language, as ``Livery.set_language`` does."""
        return await self._join(lambda client: client.set_language(language))

    def store(self, name: str) -> AsyncStore:
        """Returns the store with this API identifier."""
        return AsyncStore(self._host, name)

    async def close(self) -> None:
        """Ends connections and timers. What is shown can still be read."""
        await asyncio.to_thread(self.close_now)

    async def __aenter__(self) -> "AsyncLivery":
        await self.ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _join(self, work: Callable[[Client], Coroutine[Any, Any, Result]]) -> Result:
        client = self._host.client
        return await self._host.engine.join(work(client))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"livery: time_zone is no zone that this computer knows: {name}") from error


def _check(project_id: str, key: str, base_url: str) -> None:
    """A mistake in the set-up is the one thing that raises: at once, where it was made."""
    for name, value in (("project_id", project_id), ("key", key), ("base_url", base_url)):
        if not isinstance(value, str) or not value:  # pyright: ignore[reportUnnecessaryIsInstance]  # an app may have no types
            raise ValueError(f"livery: {name} is missing")
    if key.startswith("lvs_"):
        raise ValueError("livery: the project secret must not be used in an app; use a publishable key (lvp_…)")
    if not base_url.lower().startswith(("http://", "https://")):
        raise ValueError(f'livery: the base_url "{base_url}" has no scheme. Write "https://{base_url}"')


def _as_list(fallback: Fallback | Sequence[Fallback] | None) -> list[Fallback]:
    if fallback is None:
        return []
    return [fallback] if isinstance(fallback, Mapping | Content) else list(fallback)


def _match(language: str, languages: Sequence[str]) -> str | None:
    """The language of the project that fits a tag: itself, or its parent."""
    known = {one.lower(): one for one in languages}
    parts = language.replace("_", "-").lower().split("-")
    return next((known[tag] for end in range(len(parts), 0, -1) if (tag := "-".join(parts[:end])) in known), None)
