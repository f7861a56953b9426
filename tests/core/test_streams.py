"""What the streams of a process share: slow readers are cut off, a restart ends all, and a burst of notices is one look."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

from livery.core.streams import WRITES_PER_TURN, Notices, Outlet, end_all, keep_open, push_to_all


class Wire:
    """The far end of a stream: it keeps what was written, or takes nothing once it ``is_full``."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.is_full = False
        self.was_cut = False

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if self.is_full:
            await asyncio.Event().wait()
        self.chunks.append(message["body"])

    def cut(self) -> None:
        self.was_cut = True


def outlet_of(wire: Wire) -> Outlet:
    return Outlet(wire.send, wire.cut)


async def test_a_reader_that_takes_nothing_is_cut_off_and_the_others_get_everything() -> None:
    wires = [Wire() for _ in range(WRITES_PER_TURN + 2)]
    wires[1].is_full = True
    outlets = [outlet_of(wire) for wire in wires]

    await push_to_all(outlets, b"one")
    await push_to_all(outlets, b"two")

    assert wires[1].was_cut
    assert not outlets[1].is_open
    assert all(wire.chunks == [b"one", b"two"] for wire in wires if not wire.is_full)


async def test_a_restart_sends_bye_to_each_reader() -> None:
    reading, full = Wire(), Wire()
    full.is_full = True

    end_all([outlet_of(reading), outlet_of(full)])

    assert reading.chunks == [b'event: bye\ndata: {"spreadMs":5000}\n\n']
    assert full.was_cut


async def test_a_stream_is_open_until_its_reader_leaves() -> None:
    messages = iter([{"type": "http.request"}, {"type": "http.disconnect"}])

    async def receive() -> MutableMapping[str, Any]:
        return next(messages)

    outlet = outlet_of(Wire())

    await keep_open(outlet, receive)

    assert outlet.is_open, "the reader left by itself"
    assert next(messages, None) is None


async def test_a_burst_of_notices_is_one_look_and_a_look_may_ask_for_another() -> None:
    looks: list[set[str]] = []
    done = asyncio.Event()

    async def look(subjects: set[str]) -> None:
        looks.append(subjects)
        if len(looks) == 1:
            notices.note("third")
        else:
            done.set()

    notices = Notices(look)
    notices.note("first", "second")
    notices.note("first")
    following = asyncio.create_task(notices.follow())
    async with asyncio.timeout(10):
        await done.wait()
    following.cancel()

    assert looks == [{"first", "second"}, {"third"}]
