"""What keys open, as the origin reports it. The disk has the last verdicts by the digests of the keys, for when the origin is away."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from livery.core import clock
from livery.core.errors import Unavailable
from livery.delivery.admission import Admission
from livery.delivery.quotas import Quotas
from livery.edge import wire
from livery.edge.counts import Counts
from livery.edge.disk import Disk
from livery.edge.origin import Origin, away
from livery.edge.wire import Question, Verdict

WRITTEN_EVERY = timedelta(minutes=10)
"""How much older than the truth the moment on the disk may be at which a key was last confirmed."""
KEYS_OF_A_PROJECT = 1_000
_LASTING = {Admission.GRANTED, Admission.GONE, Admission.UNPAID}
"""Verdicts that are remembered. A key that opens nothing is forgotten."""


@dataclass(frozen=True)
class Remembered:
    """The last verdict about a key, and when the server gave it. ``written_at`` is that moment as the disk has it."""

    admission: Admission
    confirmed_at: datetime
    written_at: datetime


_FILE: TypeAdapter[dict[str, Remembered]] = TypeAdapter(dict[str, Remembered])


class Keys:
    """The keys that an edge was asked about. ``offline`` is how long they work without the origin; ``None`` means without an end."""

    def __init__(
        self, disk: Disk, origin: Origin, counts: Counts, quotas: Quotas, *, offline: timedelta | None
    ) -> None:
        self._disk = disk
        self._origin = origin
        self._counts = counts
        self._quotas = quotas
        self._offline = offline
        self._known: dict[str, dict[str, Remembered]] = {}
        self._waiting: dict[Question, asyncio.Future[Verdict]] = {}
        self._asking: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    def open(self) -> None:
        """Reads what is on the disk. Blocking: before the edge serves."""
        for project_id in self._disk.names("keys"):
            try:
                raw = self._disk.read(self._disk.path("keys", project_id))
                self._known[project_id] = wire.read(_FILE, raw) if raw else {}
            except ValueError:  # the name of an unfinished file
                self._disk.remove(self._disk.folder / "keys" / project_id)

    async def resolve(self, key: str, project_id: str) -> Admission:
        """Returns what a key opens. Raises ``Unavailable`` for an unknown key while the origin is away."""
        question = Question.about(key, project_id)
        if question is None:
            return Admission.UNKNOWN
        (verdict,) = await self.ask([question])
        if verdict.admission is Admission.UNCHECKED and self._find(question) is None:
            raise away()
        if verdict.allowance is not None:
            calls, size = self._counts.unsent_in_month(project_id, clock.now())
            used = verdict.allowance.used_calls + calls, verdict.allowance.used_bytes + size
            self._quotas.learn(project_id, replace(verdict.allowance, used_calls=used[0], used_bytes=used[1]))
        return verdict.admission

    async def ask(self, questions: Sequence[Question]) -> list[Verdict]:
        """Returns the verdicts of the origin, or its last verdicts while it is away. Many questions at one time are one request."""
        loop = asyncio.get_running_loop()
        waiting: list[asyncio.Future[Verdict]] = []
        for question in questions:
            if question not in self._waiting:
                self._waiting[question] = loop.create_future()
            waiting.append(self._waiting[question])
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_all())
        return [await asyncio.shield(verdict) for verdict in waiting]

    async def _ask_all(self) -> None:
        try:
            await asyncio.sleep(0)  # what is asked in the same turn goes together
            while self._waiting:
                some = dict(list(self._waiting.items())[: wire.QUESTIONS_AT_ONCE])
                for question in some:
                    del self._waiting[question]  # who asks from now on gets a newer answer
                verdicts = await self._verdicts(list(some))
                for future, verdict in zip(some.values(), verdicts, strict=True):
                    future.set_result(verdict)
        finally:
            self._asking = None

    async def _verdicts(self, questions: list[Question]) -> list[Verdict]:
        try:
            asked = await self._origin.ask(questions)
        except Unavailable:
            asked = [Verdict(Admission.UNCHECKED)] * len(questions)
        verdicts = [
            self._remembered(question) if verdict.admission is Admission.UNCHECKED else verdict
            for question, verdict in zip(questions, asked, strict=True)
        ]
        changed = {
            question.project_id
            for question, verdict in zip(questions, verdicts, strict=True)
            if self._remember(question, verdict)
        }
        for project_id in sorted(changed):
            await self._write(project_id)
        return verdicts

    def _find(self, question: Question) -> Remembered | None:
        return self._known.get(question.project_id, {}).get(_name(question))

    def _remembered(self, question: Question) -> Verdict:
        known = self._find(question)
        if known is None:
            return Verdict(Admission.UNCHECKED)
        age = clock.now() - known.confirmed_at
        if self._offline is not None and age > self._offline:
            return Verdict(Admission.UNCHECKED)
        return Verdict(known.admission, max(0.0, age.total_seconds()))

    def _remember(self, question: Question, verdict: Verdict) -> bool:
        """Notes a verdict. Whether the disk must get it: it is news, or what the disk has is old."""
        if verdict.admission is Admission.UNCHECKED:
            return False
        keys = self._known.setdefault(question.project_id, {})
        name, known = _name(question), self._find(question)
        if verdict.admission not in _LASTING:
            return keys.pop(name, None) is not None
        confirmed_at = clock.now() - timedelta(seconds=verdict.age_seconds)
        is_news = known is None or known.admission is not verdict.admission
        is_old = known is None or confirmed_at - known.written_at >= WRITTEN_EVERY
        if is_news and len(keys) >= KEYS_OF_A_PROJECT:
            del keys[min(keys, key=lambda name: keys[name].confirmed_at)]
        written_at = known.written_at if known and not (is_news or is_old) else confirmed_at
        keys[name] = Remembered(verdict.admission, confirmed_at, written_at)
        return is_news or is_old

    async def _write(self, project_id: str) -> None:
        async with self._writing:
            path = self._disk.path("keys", project_id)
            if keys := self._known.get(project_id):
                await asyncio.to_thread(self._disk.write, path, wire.write(_FILE, keys))
            else:
                await asyncio.to_thread(self._disk.remove, path)


def _name(question: Question) -> str:
    return f"{question.kind}:{question.digest}"
