"""What an edge delivered: counted in memory, kept on its disk, and handed in at the origin in batches that count once.

Two files suffice. ``open`` has what was counted since the last batch was closed. ``closed`` has the batch that is being handed in: it never changes,
so the server knows it again by its number.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import date, datetime

from livery.core import clock
from livery.core.errors import Unavailable
from livery.edge import wire
from livery.edge.disk import Disk
from livery.edge.origin import Origin
from livery.edge.wire import Batch, Count

WRITE_SECONDS = 1.0
"""How much a killed edge loses at most."""
HAND_IN_SECONDS = 5.0

Days = dict[tuple[str, date], tuple[int, int]]


class Counts:
    """The counts of one edge. To be used from the event loop only."""

    def __init__(self, disk: Disk, origin: Origin) -> None:
        self._disk = disk
        self._origin = origin
        self._counted: dict[str, list[int]] = {}
        self._open: Days = {}
        self._closed: Batch | None = None
        self._source = secrets.token_hex(16)
        self._number = 1
        self._is_durable = False
        """Whether the disk has the present ``open``. Until then nothing is handed in: an older ``open`` could be counted again."""
        self._writing = asyncio.Lock()
        self._handing_in = asyncio.Lock()

    def open(self) -> None:
        """Reads what the process before left. Blocking: before the edge serves."""
        left, closed = self._read("open"), self._read("closed")
        self._closed = closed
        if left is not None and not (closed and (closed.source, closed.number) == (left.source, left.number)):
            self._open = as_days(left)  # else it was closed, and the process died before it began the next
        # A copy of the folder must not number batches as its original does: each run has a source of its own.
        self._is_durable = self._disk.write(self._disk.path("counts", "open"), wire.write(wire.BATCH, self._batch()))

    def count(self, project_id: str, calls: int, size_bytes: int) -> None:
        """Adds to a project's counts. Runs in every delivery call."""
        row = self._counted.get(project_id)
        if row is None:
            self._counted[project_id] = [calls, size_bytes]
        else:
            row[0] += calls
            row[1] += size_bytes

    def unsent_in_month(self, project_id: str, moment: datetime) -> tuple[int, int]:
        """Returns the calls and bytes of a project in the UTC month of ``moment`` that the server does not have, as far as is known."""
        counted = self._counted.get(project_id, [0, 0])
        calls, size = counted[0], counted[1]
        for days in (self._open, as_days(self._closed) if self._closed else {}):
            for (owner, day), (some, some_bytes) in days.items():
                if owner == project_id and (day.year, day.month) == (moment.year, moment.month):
                    calls, size = calls + some, size + some_bytes
        return calls, size

    @property
    def unsent_calls(self) -> int:
        """All calls that the server does not have, as far as is known."""
        closed = sum(one.calls for one in self._closed.counts) if self._closed else 0
        return sum(row[0] for row in self._counted.values()) + sum(calls for calls, _ in self._open.values()) + closed

    async def run(self) -> None:
        """Writes and hands in, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(_every(WRITE_SECONDS, self.write))
            group.create_task(_every(HAND_IN_SECONDS, self.hand_in))

    async def write(self) -> None:
        """Makes what was counted durable."""
        async with self._writing:
            counted, self._counted = self._counted, {}
            today = clock.now().date()
            for project_id, (calls, size) in counted.items():
                add(self._open, project_id, today, calls, size)
            if counted or not self._is_durable:
                await self._write_open()

    async def hand_in(self) -> None:
        """Hands in what was counted. What the origin does not take is kept. Idempotent at the server, whatever moment the process dies at."""
        async with self._handing_in:
            await self.write()
            if self._closed is None and self._open:
                await self._close()
            if self._closed is None or not self._is_durable:
                return
            try:
                await self._origin.hand_in(self._closed)
            except Unavailable:
                return  # that has a line in the log already
            self._closed = None
            await asyncio.to_thread(self._disk.remove, self._disk.path("counts", "closed"))

    async def _close(self) -> None:
        """Closes the batch that is open, and opens the next."""
        async with self._writing:
            batch = self._batch()
            if await self._keep("closed", batch):
                self._closed, self._open = batch, {}
                self._number += 1
                await self._write_open()

    async def _write_open(self) -> None:
        self._is_durable = await self._keep("open", self._batch())

    def _batch(self) -> Batch:
        counts = tuple(Count(owner, day, calls, size) for (owner, day), (calls, size) in sorted(self._open.items()))
        return Batch(self._source, self._number, counts)

    async def _keep(self, name: str, batch: Batch) -> bool:
        return await asyncio.to_thread(self._disk.write, self._disk.path("counts", name), wire.write(wire.BATCH, batch))

    def _read(self, name: str) -> Batch | None:
        raw = self._disk.read(self._disk.path("counts", name))
        return wire.read(wire.BATCH, raw) if raw else None


def as_days(batch: Batch) -> Days:
    """Returns the counts of a batch by project and day."""
    return {(one.project_id, one.day): (one.calls, one.size_bytes) for one in batch.counts}


def add(days: Days, project_id: str, day: date, calls: int, size_bytes: int) -> None:
    """Adds to the counts of a project on a day."""
    before = days.get((project_id, day), (0, 0))
    days[project_id, day] = before[0] + calls, before[1] + size_bytes


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()
