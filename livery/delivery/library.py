"""The releases this process holds in memory: loaded once, refreshed when a notice reports a change, served while their source is away."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any

import structlog

from livery.content.parts import META, Meta
from livery.core.errors import Unavailable
from livery.core.once import Once
from livery.core.tasks import STOP_SECONDS
from livery.delivery.looks import Looks
from livery.delivery.served import Served
from livery.delivery.source import KNOWN_RELEASES, Source
from livery.delivery.wire import Cursor
from livery.publishing.schemas import ReleaseState

log = structlog.get_logger()

HELD_PROJECTS = 5_000
HELD_BODY_BYTES = 64 * 1024 * 1024
_PROJECTS_AT_ONCE = 500
LONGEST_WAIT_SECONDS = 1.0
"""How long an answer to a publish is held back until this process serves the release."""
PREPARE_SECONDS = 0.5
"""How long a release is held back until what apps ask for is built. It is some milliseconds, unless the source is slow."""

Listener = Callable[[ReleaseState, ReleaseState], Coroutine[Any, Any, None]]


class Library:
    """The current release of every project that was asked for lately. All methods run on the event loop.

    ``prepare`` is called with the release before and a new release, before the new release is served. ``on_release`` is called when it is served.
    """

    def __init__(self, source: Source, on_release: Listener, on_epoch: Callable[[], None], served: Served) -> None:
        self._source = source
        self._on_release = on_release
        self._on_epoch = on_epoch
        self._served = served
        self.states: OrderedDict[str, ReleaseState] = OrderedDict()
        self._loading: Once[ReleaseState | None] = Once()
        self._bodies: OrderedDict[str, tuple[object, int]] = OrderedDict()
        self._body_bytes = 0
        self._looks = Looks()
        self._moved = asyncio.Event()
        self.epoch = ""
        self.is_pinned: Callable[[str], bool] = lambda _project_id: False
        self.prepare: Listener = _unprepared

    async def start(self) -> None:
        """Learns the epoch of this installation. A source that is older than what this server has served gets a new epoch."""
        epoch, _ = await self._source.newest(())
        if await self._is_older(epoch):
            epoch = await self._renew(epoch)
        self._set_epoch(epoch)

    async def _is_older(self, epoch: str) -> bool:
        """Whether the source lacks an epoch, or a release, that apps got from here."""
        if self._served.is_former(epoch):
            log.critical("database_is_older", epoch=epoch, served_epoch=self._served.epoch)
            return True
        served = self._served.releases if self._served.epoch == epoch else {}
        project_ids = sorted(served)
        for start in range(0, len(project_ids), _PROJECTS_AT_ONCE):
            _, numbers = await self._source.newest(project_ids[start : start + _PROJECTS_AT_ONCE])
            for project_id, number in numbers.items():
                if number is not None and number < served[project_id]:
                    log.critical(
                        "database_is_older", project_id=project_id, release=number, served_release=served[project_id]
                    )
                    return True
        return False

    async def _renew(self, epoch: str) -> str:
        renewed = await self._source.renew_epoch(epoch)
        log.warning("epoch_renewed", before=epoch, epoch=renewed)
        return renewed

    def _set_epoch(self, epoch: str) -> None:
        self.epoch = epoch
        self._served.begin(epoch)

    def known_release(self, since: str, state: ReleaseState) -> int | None:
        """Returns the release a cursor names, if a patch from there to ``state`` can be had."""
        cursor = Cursor.parse(since)
        if cursor is None or cursor.epoch != state.epoch:
            return None
        is_near = max(1, state.release - KNOWN_RELEASES) <= cursor.release <= state.release
        return cursor.release if is_near or cursor.release == state.release else None

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber: a project has a new release, or anything may have changed."""
        if subject is None:
            self._looks.note_all()
        elif topic == "release":
            self._looks.note(subject)

    async def until_served(self, project_id: str, number: int) -> None:
        """Returns when this process serves a release, or after ``LONGEST_WAIT_SECONDS``. A project that is not held is read at its next request."""
        try:
            async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                if loading := self._loading.running(project_id):  # it may have read the release before
                    await asyncio.wait([loading])
                while (state := self.states.get(project_id)) and state.release < number:
                    await self._moved.wait()
        except TimeoutError:
            log.warning("release_served_late", project_id=project_id, release=number)

    async def current(self, project_id: str) -> ReleaseState | None:
        """Returns the newest release known here; loaded at the first call, whatever the number of callers. ``None`` when there is no such project."""
        if state := self.states.get(project_id):
            return state
        return await self._loading.run(project_id, lambda: self._load(project_id))

    async def _load(self, project_id: str) -> ReleaseState | None:
        state = await self._source.current(project_id)
        if state is not None:
            if not self.epoch:  # an edge that had not reached its origin when it started
                self._set_epoch(state.epoch)
            self._keep_state(state)
            self._looks.note(project_id)  # a release between the read and now is found at once
            self._evict()
        return state

    def _keep_state(self, state: ReleaseState) -> None:
        """Serve ``state`` from now on."""
        self.states[state.project_id] = state
        self._served.note(state)
        self._wake_waiting()

    def _wake_waiting(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()

    def _evict(self) -> None:
        for project_id in list(self.states):
            if len(self.states) <= HELD_PROJECTS:
                return
            if not self.is_pinned(project_id):
                del self.states[project_id]

    async def state_at(self, current: ReleaseState, release: int) -> ReleaseState:
        """Returns the state of an older release of the same project."""
        changes = await self._source.changes(current.project_id, release, current.release)
        hashes = {change.part: change.before for change in changes}
        return await self._stepped(current, release, hashes)

    async def _stepped(self, state: ReleaseState, release: int, hashes: dict[str, str | None]) -> ReleaseState:
        """``state`` with some parts replaced."""
        parts = dict(state.parts)
        for part, part_hash in hashes.items():
            if part_hash is None:
                parts.pop(part, None)
            else:
                parts[part] = part_hash
        meta = state.meta
        if META in hashes and META in parts:
            meta = Meta.from_part((await self.bodies(state.project_id, [parts[META]]))[parts[META]])
        return replace(state, release=release, parts=parts, meta=meta)

    async def bodies(self, project_id: str, hashes: list[str]) -> dict[str, object]:
        """Returns the decoded bodies, from memory where they are, else from the source."""
        found: dict[str, object] = {}
        for part_hash in hashes:
            if kept := self._bodies.get(part_hash):
                self._bodies.move_to_end(part_hash)
                found[part_hash] = kept[0]
        if missing := [part_hash for part_hash in hashes if part_hash not in found]:
            for part_hash, part in (await self._source.parts(project_id, missing)).items():
                found[part_hash] = part.value
                self._keep(part_hash, part.value, part.size_bytes)
        return found

    def size_bytes(self, hashes: Iterable[str]) -> int:
        """Returns how much JSON these bodies are, as far as they are in memory."""
        return sum(self._bodies[part_hash][1] for part_hash in hashes if part_hash in self._bodies)

    def _keep(self, part_hash: str, value: object, size_bytes: int) -> None:
        if part_hash not in self._bodies:
            self._bodies[part_hash] = (value, size_bytes)
            self._body_bytes += size_bytes
        while self._body_bytes > HELD_BODY_BYTES:
            _, (_, size) = self._bodies.popitem(last=False)
            self._body_bytes -= size

    async def settle(self) -> None:
        """Wait for reads that are under way."""
        await self._loading.end(STOP_SECONDS)

    async def run(self) -> None:
        """Follow new releases until cancelled; when the source is away, what is known stays and the look is repeated."""
        await self._looks.run(self.states.keys, self._refresh)

    async def _refresh(self, project_ids: list[str]) -> None:
        for start in range(0, len(project_ids), _PROJECTS_AT_ONCE):
            epoch, numbers = await self._source.newest(project_ids[start : start + _PROJECTS_AT_ONCE])
            if epoch != self.epoch:
                self._follow(epoch)
                return
            for project_id, number in numbers.items():
                known = self.states.get(project_id)
                if number is None:
                    self.states.pop(project_id, None)
                    self._wake_waiting()
                elif known is not None and number > known.release:
                    await self._try_to_advance(known, number)
                elif known is not None and number < known.release:
                    log.critical(
                        "database_is_older", project_id=project_id, release=number, served_release=known.release
                    )
                    self._follow(await self._renew(epoch))
                    return

    def _follow(self, epoch: str) -> None:
        """Begins a new epoch: the database may be a different database, so nothing that is known of it is valid any more."""
        self._set_epoch(epoch)
        self.states.clear()
        self._wake_waiting()
        self._on_epoch()

    async def _try_to_advance(self, known: ReleaseState, number: int) -> None:
        """Goes on to a release. An unreadable release must not keep other projects from theirs: it is tried again at the next look."""
        try:
            await self._advance(known, number)
        except Unavailable:
            raise
        except Exception:
            log.exception("release_not_read", project_id=known.project_id, release=number)

    async def _advance(self, known: ReleaseState, number: int) -> None:
        if known.release == 0:
            state = await self._source.current(known.project_id)
        else:
            changes = await self._source.changes(known.project_id, known.release, number)
            state = await self._stepped(known, number, {change.part: change.after for change in changes})
        if state is not None:
            await self._try_to_prepare(known, state)
            self._keep_state(state)
            await self._on_release(known, state)

    async def _try_to_prepare(self, old: ReleaseState, new: ReleaseState) -> None:
        """Prepares a release before it is served. What can't be built now is built for the first app that asks for it, which gets any error."""
        try:
            async with asyncio.timeout(PREPARE_SECONDS):
                await self.prepare(old, new)
        except Exception as error:  # noqa: BLE001  # nobody may miss a release because a body can't be read now
            log.warning("release_not_prepared", project_id=new.project_id, error=type(error).__name__)


async def _unprepared(_old: ReleaseState, _new: ReleaseState) -> None:
    """Prepares nothing."""
