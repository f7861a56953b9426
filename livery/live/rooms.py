"""A room: the people who watch one project here, the activity that they have heard of last, and the jobs as they know them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from livery.ai.models import AiJob
from livery.core.streams import Outlet, event_bytes, push_or_cut
from livery.live.schemas import Change, News

PEOPLE_SHOWN = 50

JobMark = tuple[int, int, str]


@dataclass(eq=False)
class Watcher(Outlet):
    """One open stream of one person; ``session`` is the digest of the token that opened it."""

    project_id: str
    person_id: str
    name: str
    session: str


def _mark(job: AiJob) -> JobMark:
    return job.done, job.failed, job.state


@dataclass(eq=False)
class Room:
    """Everybody in it has every event up to ``cursor``, the id of an activity.

    ``others`` are the people of other processes, their names by id. ``on_people`` is called when the people here may have changed.
    """

    project_id: str
    cursor: int
    may_have_jobs: bool
    others: Mapping[str, str]
    on_people: Callable[[], None]
    watchers: set[Watcher] = field(default_factory=set[Watcher])
    _jobs: dict[str, JobMark] = field(default_factory=dict[str, JobMark])
    _shown: bytes = b""
    _timers: set[asyncio.TimerHandle] = field(default_factory=set[asyncio.TimerHandle])

    def know_jobs(self, jobs: Mapping[str, AiJob]) -> None:
        """Takes the state of the jobs that run as known to everybody."""
        self._jobs = {job_id: _mark(job) for job_id, job in jobs.items()}

    def push(self, chunk: bytes) -> None:
        """Write to everybody; who does not read is cut off."""
        for watcher in list(self.watchers):
            push_or_cut(watcher, chunk)

    def event_of(self, news: News, change: Change) -> bytes:
        """Returns the event of one change."""
        return event_bytes("change", news.data_of(change), str(change.id))

    def tell(self, news: News) -> None:
        """Push what came after the cursor, and move it."""
        changes = [change for change in news.changes if change.id > self.cursor]
        if changes:
            self.push(b"".join(self.event_of(news, change) for change in changes))
            self.cursor = changes[-1].id

    def tell_jobs(self, running: Mapping[str, AiJob]) -> None:
        """Sends the progress of jobs where it changed. A batch has no activity; the end of a job has an activity for all of its batches."""
        marks = {job_id: _mark(job) for job_id, job in running.items()}
        moved = [job for job_id, job in running.items() if self._jobs.get(job_id) != marks[job_id]]
        written = [job for job in moved if (job.done, job.failed) != self._jobs.get(job.id, (0, 0, ""))[:2]]
        self._jobs, self.may_have_jobs = marks, bool(marks)
        if not moved:
            return
        data: dict[str, object] = {"by": None, "jobs": True}
        screens = {job.screen for job in written}
        if None in screens:
            data["texts"] = True
        elif screens:
            data["screens"] = dict.fromkeys(sorted(screen for screen in screens if screen))
        self.push(event_bytes("change", data))

    def let_in(self, watcher: Watcher) -> bytes:
        """Takes a watcher in and returns the event that names who is here. The other watchers get the event a little later."""
        self.watchers.add(watcher)
        event = self.presence_event()
        if len(self.watchers) == 1:
            self._shown = event
        return event

    @property
    def people(self) -> dict[str, str]:
        """The people who are here, their names by id."""
        return {watcher.person_id: watcher.name for watcher in self.watchers if watcher.is_open}

    def hear_of(self, others: Mapping[str, str]) -> None:
        """Takes the people of other processes, and sends who is here if that has changed."""
        self.others = others
        self._tell_people()

    def presence_event(self) -> bytes:
        """Who is here, by name; a person once, however many streams they have."""
        people = {**self.others, **self.people}
        shown = sorted(people.items(), key=lambda one: (one[1].casefold(), one[0]))[:PEOPLE_SHOWN]
        return event_bytes(
            "presence",
            {"people": [{"_id": person_id, "name": name} for person_id, name in shown], "total": len(people)},
        )

    def tell_people_in(self, seconds: float) -> None:
        """Sends who is here after this time, if that has changed by then."""

        def tell() -> None:
            self._timers.discard(timer)
            self._tell_people()
            self.on_people()

        timer = asyncio.get_running_loop().call_later(seconds, tell)
        self._timers.add(timer)

    def _tell_people(self) -> None:
        event = self.presence_event()
        if event != self._shown:
            self._shown = event
            self.push(event)

    def close(self) -> None:
        """Sends nothing any more."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
