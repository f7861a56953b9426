"""SIGKILL at each step of an edge's writes: what is left is one whole release, and each count counts once."""

import asyncio
import itertools
import shutil
from pathlib import Path

from livery.app import Application
from livery.core import clock
from livery.edge.disk import Disk
from livery.usage.queries import month_totals
from tests.factories.content import Studio
from tests.support.edge_work import ROUNDS, count, follow, hand_in, open_source
from tests.support.edges import Work, run_until_step
from tests.support.live_server import LiveServer
from tests.support.tier import amount

DEAD_PORT = 9
"""Nothing listens there."""
STRIDE = amount(main=6, deep=1)
"""From one step at which a process dies to the next."""


async def run(work: Work, arguments: tuple[object, ...], number: int = 0) -> bool:
    return await asyncio.to_thread(run_until_step, work, arguments, number)


async def whole_release(folder: Path, whole: Path, studio: Studio) -> int | None:
    """The release that an edge without an origin has; ``None`` without a release. Fails if it lacks a body or differs from ``whole``."""
    async with open_source(folder, DEAD_PORT) as source, open_source(whole, DEAD_PORT) as expected:
        if studio.project_id not in source.releases:
            return None
        state, newest = await source.current(studio.project_id), await expected.current(studio.project_id)
        assert state
        assert newest
        hashes = sorted(set(state.parts.values()))
        assert sorted(await source.parts(studio.project_id, hashes)) == hashes
        assert state.release < newest.release or state == newest
        return state.release


async def test_a_kill_while_an_edge_fetches_leaves_the_release_before_or_the_release_after(
    live: LiveServer, studio: Studio, tmp_path: Path
) -> None:
    before, whole = tmp_path / "before", tmp_path / "whole"
    assert await run(follow, (before, live.port, studio.project_id))
    await studio.set_text("title", {"en": "Good evening"}, screen="home")
    await studio.set_color("brand", "#000000")
    await studio.publish()
    assert await run(follow, (whole, live.port, studio.project_id))

    for start, seen in ((before, {3, 4}), (None, {None, 4})):
        found: set[int | None] = set()
        number = 0
        for number in itertools.count(1, STRIDE):
            folder = tmp_path / "killed"
            shutil.rmtree(folder, ignore_errors=True)
            if start:
                shutil.copytree(start, folder)
            has_ended = await run(follow, (folder, live.port, studio.project_id), number)
            found.add(await whole_release(folder, whole, studio))
            if has_ended:
                break
            if number % 3 == 0:  # a later process goes on from what is left
                assert await run(follow, (folder, live.port, studio.project_id))
                assert await whole_release(folder, whole, studio) == 4
        assert number > 10, "there are hardly any steps"
        assert found == seen


async def test_a_kill_while_an_edge_counts_loses_no_durable_count_and_counts_nothing_twice(
    app: Application, live: LiveServer, tmp_path: Path
) -> None:
    number = 0
    for number in itertools.count(1, STRIDE):
        folder, durable, project_id = tmp_path / f"edge{number}", tmp_path / "durable", f"prj_{number}"
        durable.write_text("0")
        has_ended = await run(count, (folder, live.port, project_id, durable), number)
        assert await run(hand_in, (folder, live.port))

        async with app.context.database.read() as db:
            month = await month_totals(db, project_id, clock.now())
        least = int(durable.read_text())
        assert least <= month.api_calls <= min(ROUNDS, least + 1), f"killed at step {number}"
        assert month.bytes == 10 * month.api_calls
        if has_ended:
            break
    assert number > 20, "there are hardly any steps"


async def test_a_damaged_file_is_dropped_and_fetched_again(live: LiveServer, studio: Studio, tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    assert await run(follow, (folder, live.port, studio.project_id))
    async with open_source(folder, live.port) as source:
        state = await source.current(studio.project_id)
        assert state
        hashes = sorted(set(state.parts.values()))
        for place, part_hash in enumerate(hashes):
            body = folder / "bodies" / studio.project_id / part_hash
            raw = bytearray(body.read_bytes())
            raw[place % len(raw)] ^= 1 + place
            body.write_bytes(bytes(raw) if place % 2 else bytes(raw[: len(raw) // 2]))

        assert sorted(await source.parts(studio.project_id, hashes)) == hashes
        assert all(Disk(folder).read_body(studio.project_id, part_hash) for part_hash in hashes)

    ledger = folder / "ledgers" / state.epoch / studio.project_id
    ledger.write_bytes(ledger.read_bytes().replace(b"meta", b"mata"))
    async with open_source(folder, live.port) as source:
        assert source.releases == {}
    assert not ledger.exists()
