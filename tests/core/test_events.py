"""The bus between the workers of one command on SQLite."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from livery.core.events import FileBus
from tests.support.polling import ask_until

MESSAGES = 50
"""More than the system holds for a worker."""


async def test_a_busy_worker_gets_every_message_in_order(tmp_path: Path) -> None:
    path = tmp_path / "database"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE rows (id)")
    sender, busy = FileBus(str(path)), FileBus(str(path))
    sender.join(tmp_path, 1, 3)  # the third is away
    busy.join(tmp_path, 2, 3)
    got: list[str | None] = []
    busy.subscribe(lambda topic, subject: got.append(subject) if topic == "keys" else None)

    for number in range(MESSAGES):
        sender.publish("keys", str(number))
    assert got == []
    running = [asyncio.create_task(bus.run()) for bus in (sender, busy)]

    async def count() -> int:
        return len(got)

    await ask_until(lambda number: number == MESSAGES, count)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert got == [str(number) for number in range(MESSAGES)]
