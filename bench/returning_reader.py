"""Many apps in one process that come back to a server as the SDKs do (``sdks/typescript/client/src/backoff.ts``).

    python -m bench.returning_reader HOST PORT PATH KEY FIRST COUNT

Each app has an address of a network of its own: its number counts from ``FIRST``. Prints ``ready`` once all have their hello. After each loss of all
streams it prints a JSON list. It has the second at which each app had its hello again, on the monotonic clock of the machine.
"""

import asyncio
import json
import random
import sys
import time

CONNECTED_AT_ONCE = 50
SPREAD_SECONDS = 9.0
"""The first delay after the loss of a stream that had worked."""
FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 1.0, 30.0


class Apps:
    """All apps of this process."""

    def __init__(self, address: tuple[str, int], request: bytes, first: int, count: int) -> None:
        self._address, self._request = address, request
        self._first, self._count = first, count
        self._moments: list[float] = []
        self._is_full = asyncio.Event()
        self._places = asyncio.Semaphore(CONNECTED_AT_ONCE)

    async def run(self) -> None:
        """Connect some apps at a time, then keep them connected."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._count):
                await self._places.acquire()
                group.create_task(self._stay(self._first + number))
            group.create_task(self._report())

    async def _report(self) -> None:
        await self._is_full.wait()
        print("ready", flush=True)
        while True:
            self._moments.clear()
            self._is_full.clear()
            await self._is_full.wait()
            print(json.dumps(self._moments), flush=True)

    async def _stay(self, number: int) -> None:
        source = f"127.{1 + number // 250}.{number % 250}.1"
        failures = 0
        while True:
            if await self._listen(source):
                failures, delay = 1, random.random() * SPREAD_SECONDS
            else:
                failures += 1
                longest = min(FIRST_DELAY_SECONDS * 2 ** (failures - 1), LONGEST_DELAY_SECONDS)
                delay = longest * (0.5 + random.random() / 2)
            await asyncio.sleep(delay)

    async def _listen(self, source: str) -> bool:
        """Returns at the end of a stream. Whether the app had its hello."""
        has_hello = False
        try:
            reader, writer = await asyncio.open_connection(*self._address, local_addr=(source, 0), limit=4096)
            writer.write(self._request)
            while await reader.readuntil(b"\n\n"):
                if not has_hello:
                    has_hello = True
                    self._moments.append(time.monotonic())
                    self._places.release()
                    if len(self._moments) == self._count:
                        self._is_full.set()
        except (OSError, asyncio.IncompleteReadError):
            pass
        return has_hello


async def main(host: str, port: int, path: str, key: str, first: int, count: int) -> None:
    """Read until the other side ends this process."""
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n\r\n"
    await Apps((host, port), request.encode(), first, count).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]), int(sys.argv[6])))
