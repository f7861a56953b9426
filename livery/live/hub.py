"""The rooms of one process: one look at the database after a change, and its events pushed to everybody who watches the project."""

import asyncio
from collections import Counter
from collections.abc import Collection
from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity import queries as activities
from livery.core import clock, limits
from livery.core.db import Database
from livery.core.errors import LiveryError, TooMany, Unavailable
from livery.core.events import CHANGES_TOPIC, Bus, announce
from livery.core.ids import new_id
from livery.core.streams import (
    HEARTBEAT,
    HEARTBEAT_SECONDS,
    RESTART_SPREAD_MS,
    Notices,
    bye_event,
    end_all,
    event_bytes,
    push_to_all,
)
from livery.core.tasks import finish
from livery.live import presence, queries
from livery.live.rooms import Room, Watcher
from livery.live.schemas import DEPARTURES, News

log = structlog.get_logger()

CHECK_SECONDS = 20.0
"""How often the rights of everybody in a room are checked: a stream ends within 30 s after its person lost the right."""
MISSED_LIMIT = 200
"""Who missed more changes than this reads everything again."""
JUST_NOW = timedelta(seconds=10)
"""A page reads before it listens: a new stream begins with what changed so lately."""
LOOK_LIMIT = 500
REST_SECONDS = 0.03
"""Between two looks, so that a burst of changes is one look."""
RETRY_SECONDS = 1.0
ARRIVAL_SECONDS = 0.1
RENEW_SECONDS = 20.0
"""How often a process writes who is here again, and looks who is gone at a process that was killed."""
PRESENCE_TOPIC = "presence"
"""Different people have the project open that is the subject."""
DEPARTURE_SECONDS = 3.0
"""A reload is no departure."""


class Hub:
    """Every open stream of this process. Run ``run`` beside it; call ``close`` and then ``forget`` before the server stops. All methods run on the
    event loop."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus
        self._process = new_id("prc")
        self.heartbeat_seconds = HEARTBEAT_SECONDS
        self.check_seconds = CHECK_SECONDS
        self.renew_seconds = RENEW_SECONDS
        self._rooms: dict[str, Room] = {}
        self._people: Counter[str] = Counter()
        self._notices = Notices(self._try_to_look, rest_after_seconds=REST_SECONDS)
        self._arrivals = Notices(self._try_to_share, rest_after_seconds=REST_SECONDS)
        self._shared: dict[str, frozenset[str]] = {}
        self._due: set[str] = set()
        self._lock = asyncio.Lock()
        self.is_closing = False

    @property
    def open_streams(self) -> int:
        """How many streams are open here."""
        return self._people.total()

    def notice(self, topic: str, subject: str | None) -> None:
        """A bus subscriber: something of a project changed, or anything may have."""
        if subject is None:
            self._notices.note(*self._rooms)
        elif topic in {CHANGES_TOPIC, PRESENCE_TOPIC} and subject in self._rooms:
            self._notices.note(subject)

    def admit(self, person_id: str) -> None:
        """Take one of a person's places; ``leave`` gives it back. Raises ``TooMany`` or ``Unavailable``."""
        if self.is_closing:
            raise Unavailable("This server is restarting.", retry_after_seconds=1)
        if self._people.total() >= limits.STREAMS_OF_A_PROCESS:
            raise Unavailable("Too many pages listen to this server.", retry_after_seconds=30)
        if self._people[person_id] >= limits.STREAMS_OF_A_PERSON:
            raise TooMany("You have too many open streams.", code="too_many_streams", retry_after_seconds=30)
        self._people[person_id] += 1

    async def open(self, watcher: Watcher, since: int | None, *, stays: bool) -> None:
        """Sends a watcher the present id of its project and what it missed. A watcher that ``stays`` gets every change from then on."""
        async with self._lock:
            async with self._database.read() as db:
                room = self._rooms.get(watcher.project_id) or await self._new_room(db, watcher.project_id)
                missed = await _missed(db, room, since)
            chunk = event_bytes("hello", {"id": str(room.cursor)}, str(room.cursor)) + missed
            if not stays:
                watcher.end(chunk + room.presence_event())
                return
            if self.is_closing:
                watcher.end(chunk + bye_event(RESTART_SPREAD_MS))
                return
            self._rooms[watcher.project_id] = room
            if not watcher.push(chunk + room.let_in(watcher)):
                watcher.cut()
        room.tell_people_in(ARRIVAL_SECONDS)
        self._notices.note(watcher.project_id)  # what came since the room was read is found at once

    def leave(self, watcher: Watcher) -> None:
        """Forget a watcher and give its place back."""
        watcher.is_open = False
        self._people -= Counter([watcher.person_id])
        room = self._rooms.get(watcher.project_id)
        if room is None or watcher not in room.watchers:
            return
        room.watchers.discard(watcher)
        room.tell_people_in(DEPARTURE_SECONDS)
        if not room.watchers:
            room.close()
            del self._rooms[watcher.project_id]
            asyncio.get_running_loop().call_later(DEPARTURE_SECONDS, self._arrivals.note, watcher.project_id)

    def close(self) -> None:
        """Sends ``bye`` to every watcher and ends its stream; new watchers are refused from now on. Idempotent."""
        if self.is_closing:
            return
        self.is_closing = True
        end_all([watcher for room in self._rooms.values() for watcher in room.watchers])
        for room in self._rooms.values():
            room.close()

    async def forget(self) -> None:
        """Deletes what other processes know of the people here."""
        if not self._shared:
            return
        async with self._database.write() as db:
            for project_id in await presence.forget(db, self._process):
                announce(db, self._bus, PRESENCE_TOPIC, project_id)

    async def run(self) -> None:
        """Follow changes, share who is here, keep streams alive and look at rights, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._notices.follow())
            group.create_task(self._arrivals.follow())
            group.create_task(self._renew())
            group.create_task(self._beat())
            group.create_task(self._watch_rights())

    async def _try_to_look(self, project_ids: set[str]) -> None:
        wanted = project_ids & self._rooms.keys()
        try:
            await self._look(wanted)
        except Exception as error:  # noqa: BLE001  # whatever it is, the next look may find it mended
            _log_failure("changes_not_read", error)
            self._notices.note(*wanted)
            await asyncio.sleep(RETRY_SECONDS)

    async def _look(self, project_ids: Collection[str]) -> None:
        if not project_ids:
            return
        async with self._lock:
            rooms = {project_id: room for project_id, room in self._rooms.items() if project_id in project_ids}
            async with self._database.read() as db:
                news = await queries.read_news(db, {name: room.cursor for name, room in rooms.items()}, LOOK_LIMIT)
                for project_id, told in news.items():
                    rooms[project_id].may_have_jobs |= any("jobs" in change.parts for change in told.changes)
                    if any(change.action in DEPARTURES for change in told.changes):
                        await _dismiss_strangers(db, rooms[project_id])
                with_jobs = [name for name, room in rooms.items() if room.may_have_jobs]
                jobs = await queries.running_jobs(db, with_jobs) if with_jobs else {}
                others = await presence.read_others(db, self._process, rooms)
            for project_id, people in others.items():
                rooms[project_id].hear_of(people)
            for project_id, told in news.items():
                rooms[project_id].tell(told)
            for project_id, running in jobs.items():
                rooms[project_id].tell_jobs(running)
        if sum(len(told.changes) for told in news.values()) >= LOOK_LIMIT:  # there may be more
            self._notices.note(*rooms)

    async def _try_to_share(self, project_ids: set[str]) -> None:
        """Writes who is here in these projects, where that differs from what was written last, or where it is due again."""
        rooms = {project_id: self._rooms.get(project_id) for project_id in project_ids}
        people = {project_id: frozenset(room.people if room else ()) for project_id, room in rooms.items()}
        wanted = {
            name: ids for name, ids in people.items() if name in self._due or ids != self._shared.get(name, frozenset())
        }
        if not wanted:
            return
        try:
            async with self._database.write() as db:
                await presence.write(db, self._process, wanted)
                for project_id in wanted:
                    announce(db, self._bus, PRESENCE_TOPIC, project_id)
        except Exception as error:  # noqa: BLE001  # whatever it is, the next try may succeed
            _log_failure("presence_not_shared", error)
            self._arrivals.note(*wanted)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            self._due -= wanted.keys()
            self._shared = {name: ids for name, ids in {**self._shared, **wanted}.items() if ids}

    async def _renew(self) -> None:
        """Has everything written again, and everybody look: rows of a process that was killed are valid no more."""
        while True:
            await asyncio.sleep(self.renew_seconds)
            self._due = set(self._shared)
            self._arrivals.note(*self._due)

    async def _new_room(self, db: AsyncSession, project_id: str) -> Room:
        jobs = (await queries.running_jobs(db, [project_id]))[project_id]
        others = (await presence.read_others(db, self._process, [project_id]))[project_id]
        newest = await activities.newest_id(db, project_id)
        room = Room(project_id, newest, bool(jobs), others, lambda: self._arrivals.note(project_id))
        room.know_jobs(jobs)
        return room

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.heartbeat_seconds)
            await push_to_all([watcher for room in self._rooms.values() for watcher in room.watchers], HEARTBEAT)

    async def _watch_rights(self) -> None:
        while True:
            await asyncio.sleep(self.check_seconds)
            for room in list(self._rooms.values()):
                try:
                    await finish(self._check(room))
                except Exception as error:  # noqa: BLE001  # without a database nothing is told either
                    _log_failure("rights_not_read", error)

    async def _check(self, room: Room) -> None:
        async with self._database.read() as db:
            newest = await _dismiss_strangers(db, room)
        if newest > room.cursor:  # a wake-up was lost: the process that made the change may have died
            self.notice(CHANGES_TOPIC, room.project_id)


async def _missed(db: AsyncSession, room: Room, since: int | None) -> bytes:
    """Returns the events between ``since`` (by default a few seconds ago) and the present id of the room."""
    if since is None:
        moment = clock.now() - JUST_NOW
        since = await activities.last_before(db, room.project_id, moment, within=MISSED_LIMIT)
    elif since > await activities.newest_id(db, room.project_id):
        return event_bytes("reset", {})  # another database: a backup was restored
    found = await queries.read_news(db, {room.project_id: since}, MISSED_LIMIT + 1)
    news = found.get(room.project_id, News([], {}, {}, {}))
    if len(news.changes) > MISSED_LIMIT:
        return event_bytes("reset", {})
    return b"".join(room.event_of(news, change) for change in news.changes if change.id <= room.cursor)


async def _dismiss_strangers(db: AsyncSession, room: Room) -> int:
    """End the streams of sessions that are over and of people who may not see the project any more; gives the newest activity's id."""
    sessions = {watcher.session for watcher in room.watchers}
    staying, newest = await queries.who_may_stay(db, room.project_id, sessions)
    for watcher in list(room.watchers):
        if watcher.session in sessions - staying:
            watcher.end(bye_event(0))
    return newest


def _log_failure(event: str, error: Exception) -> None:
    if isinstance(error, Unavailable):  # that has a line in the log already
        return
    if isinstance(error, LiveryError):
        log.warning(event, error=type(error).__name__)
    else:
        log.exception(event, exc_info=error)
