"""What a process of an edge does that a test kills at a step of its writes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from livery.edge import wire
from livery.edge.counts import Counts
from livery.edge.disk import Disk
from livery.edge.origin import Origin
from livery.edge.source import EdgeSource
from tests.support.edges import TOKEN

ROUNDS = 3


@asynccontextmanager
async def open_source(folder: Path, port: int) -> AsyncGenerator[EdgeSource]:
    """The releases of an edge as a new process finds them."""
    origin = Origin(f"http://127.0.0.1:{port}", TOKEN)
    source = EdgeSource(Disk(folder), origin)
    source.open()
    yield source
    await origin.close()


async def follow(folder: Path, port: int, project_id: str) -> None:
    """Takes the origin's epoch, and fetches the newest release of a project."""
    async with open_source(folder, port) as source:
        origin = Origin(f"http://127.0.0.1:{port}", TOKEN)
        async with origin.stream(wire.Following(source.epoch, source.releases)) as events:
            hello = await anext(events)
            await source.begin_epoch(wire.read(wire.HELLO, hello.data))
        await source.advance(project_id)


async def count(folder: Path, port: int, project_id: str, durable: Path) -> None:
    """Counts a call in each round, and notes in a file of its own how many are durable. It hands in after each round but the first."""
    counts = Counts(Disk(folder), Origin(f"http://127.0.0.1:{port}", TOKEN))
    counts.open()
    for number in range(1, ROUNDS + 1):
        counts.count(project_id, 1, 10)
        await counts.write()
        durable.write_text(str(number))
        if number > 1:
            await counts.hand_in()


async def hand_in(folder: Path, port: int) -> None:
    """Hands in what a killed process left."""
    counts = Counts(Disk(folder), Origin(f"http://127.0.0.1:{port}", TOKEN))
    counts.open()
    await counts.hand_in()
    await counts.hand_in()
