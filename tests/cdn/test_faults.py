"""A bucket in trouble, processes that die, and several at work: readers always get a whole release, and never go back to an older release."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx2
import pytest
import structlog
from sqlalchemy import update

from livery.app import Application
from livery.cdn.visits import Overtaken, Visit
from livery.core.errors import Unavailable
from livery.projects import copies
from livery.projects.models import ContentCopy
from livery.publishing.models import PartBody
from tests.factories.projects import Desk, open_desk
from tests.support.cdn_reader import Cdn
from tests.support.clock import Clock
from tests.support.s3_server import Fault

pytestmark = pytest.mark.deep_on("postgresql")  # a bucket in trouble does not depend on the database
LANGUAGES = ("en", "pt-br", "_default")


async def no_lease() -> None:
    """For visits that a test runs beside the queue."""


def visit(cdn: Cdn, keep_lease: Callable[[], Awaitable[None]] = no_lease) -> Visit:
    assert cdn.context.cdn
    return Visit(cdn.context, cdn.context.cdn, cdn.desk.project_id, keep_lease)


async def change(desk: Desk, number: int) -> None:
    await desk.text(f"text_{number}", {"en": f"Text {number}", "pt-BR": f"Texto {number}"})
    await desk.publish()


async def releases_read(cdn: Cdn) -> set[int | None]:
    """The releases that readers get. Fails if a pointer leads to a content that is not whole."""
    address = (await cdn.addresses())[0]
    contents = [await cdn.content(language, address) for language in LANGUAGES]
    return {None if content is None else content["release"] for content in contents}


async def reached(cdn: Cdn, count: int) -> None:
    """Waits until the bucket got more than ``count`` requests."""
    async with asyncio.timeout(20):
        while len(cdn.s3.requests) <= count:  # the server is in this process, but it has no event for it
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "has_effect",
    [pytest.param(False, id="refused"), pytest.param(True, id="answer lost", marks=pytest.mark.deep)],
)
async def test_a_visit_that_fails_at_any_request_leaves_whole_releases_and_the_next_completes_it(
    clock: Clock, cdn: Cdn, desk: Desk, has_effect: bool
) -> None:
    await desk.publish()
    await cdn.work()
    release, request = 1, 0
    while True:
        await change(desk, request)
        fault = cdn.s3.fault = Fault(403, "AccessDenied", times=1, after=request, has_effect=has_effect)
        try:
            await visit(cdn).run()
        except Unavailable:
            failed = True
        else:
            failed = False
        cdn.s3.fault = None
        assert await releases_read(cdn) <= {release, release + 1}
        await visit(cdn).run()
        release += 1
        assert await releases_read(cdn) == {release}
        if not failed:
            assert fault.times == 1
            break
        request += 1
    assert request >= 9


@pytest.mark.parametrize("request_number", [0, 2, 4, 7, 8])
async def test_a_process_that_dies_at_a_request_leaves_whole_releases_and_the_next_completes_it(
    cdn: Cdn, desk: Desk, request_number: int
) -> None:
    await desk.publish()
    await cdn.work()
    await change(desk, 1)
    cdn.s3.fault = Fault(after=request_number, until=asyncio.Event())
    before = len(cdn.s3.requests)
    dying = asyncio.create_task(visit(cdn).run())
    await reached(cdn, before + request_number)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    cdn.s3.fault = None

    assert await releases_read(cdn) <= {1, 2}
    await visit(cdn).run()
    assert await releases_read(cdn) == {2}


async def test_a_pointer_moves_after_all_contents_of_its_release(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()

    await cdn.work()

    written = [request.split("/")[4] for request in cdn.s3.requests if request.startswith("PUT ")]
    assert written[:2] == ["releases", "releases"]
    assert "releases" not in written[2:]
    assert len(written) == 5


async def test_two_visits_at_once_agree(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    for number in range(3):
        results = await asyncio.gather(*(visit(cdn).run() for _ in range(2)), return_exceptions=True)
        assert all(not isinstance(result, Exception) for result in results), results
        assert await releases_read(cdn) == {number + 1}
        await change(desk, number)


@pytest.mark.parametrize("request_number", [2, 5, 6, 8])
async def test_a_visit_that_was_held_up_never_moves_a_pointer_back(cdn: Cdn, desk: Desk, request_number: int) -> None:
    await desk.publish()
    await visit(cdn).run()
    await change(desk, 2)
    hold = asyncio.Event()
    cdn.s3.fault = Fault(after=request_number, times=1, until=hold)
    before = len(cdn.s3.requests)
    late = asyncio.create_task(visit(cdn).run())
    await reached(cdn, before + request_number)
    await change(desk, 3)
    await visit(cdn).run()
    assert await releases_read(cdn) == {3}

    hold.set()
    await asyncio.gather(late, return_exceptions=True)

    assert await releases_read(cdn) == {3}


async def test_a_visit_that_was_held_up_brings_no_ended_key_back(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await visit(cdn).run()
    assert (await desk.post("/projects/{id}/publishable-key/rotate")).is_success
    _, former = await cdn.addresses()
    await change(desk, 2)
    ended = False

    async def end_key() -> None:
        nonlocal ended
        if not ended:
            ended = True
            keys = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
            assert (await desk.delete(f"/projects/{{id}}/publishable-key/{keys[1]['_id']}")).is_success
            await visit(cdn).run()

    with pytest.raises(Overtaken):
        await visit(cdn, end_key).run()

    assert await cdn.content("en", former) is None
    assert await cdn.release() == 2


async def test_a_bucket_that_was_away_gets_the_newest_release_and_the_log_two_lines(
    clock: Clock, cdn: Cdn, desk: Desk, client: httpx2.AsyncClient, app: Application
) -> None:
    await desk.publish()
    await cdn.work()
    await cdn.s3.go_away()
    with structlog.testing.capture_logs() as lines:
        for number in range(3):
            await change(desk, number)
            for _ in range(2):
                with pytest.raises(Unavailable):
                    await cdn.work()
                clock.advance(seconds=2)
        assert [line["event"] for line in lines] == ["cdn_unavailable"]
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["cdn"]) == (200, "down")
        assert b"livery_cdn_available 0.0" in app.metrics.text()

        await cdn.s3.come_back()
        await cdn.work()

        assert [line["event"] for line in lines] == ["cdn_unavailable", "cdn_available"]
    assert await releases_read(cdn) == {4}
    assert (await client.get("/readyz")).json()["cdn"] == "up"
    assert b"livery_cdn_available 1.0" in app.metrics.text()


async def test_a_bucket_that_takes_no_deletion_does_not_keep_releases_back(clock: Clock, cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    assert (await desk.delete("/projects/{id}/languages/pt-BR")).is_success
    await desk.publish()
    cdn.s3.fault = Fault(403, "AccessDenied", method="POST")

    with pytest.raises(Unavailable):
        await cdn.work()

    assert await cdn.release("en") == 2
    cdn.s3.fault = None
    clock.advance(seconds=2)
    await cdn.work()
    assert await cdn.content("pt-br") is None


@pytest.mark.fresh
async def test_a_release_that_cant_be_read_keeps_no_other_project_waiting(
    app: Application, client: httpx2.AsyncClient, cdn: Cdn, desk: Desk
) -> None:
    other = await open_desk(app.context, client, email="ben@example.com")
    await other.text("title", {"en": "Other"})
    await other.publish()
    await desk.publish()
    async with app.context.database.write() as db:
        broken = update(PartBody).where(PartBody.project_id == desk.project_id).values(body=b"broken")
        await db.execute(broken)
    with structlog.testing.capture_logs() as lines:
        await cdn.work()

    failed = [line["project_id"] for line in lines if line["event"] == "content_not_copied"]
    assert failed == [desk.project_id]  # delivery may log the broken release, too
    assert await Cdn(app.context, other, cdn.s3).release() == 1
    async with app.context.database.read() as db:
        row = await db.get_one(ContentCopy, desk.project_id)
        assert row.due_at
        assert row.leased_until is None


async def test_a_lost_lease_makes_another_visit_due(clock: Clock, cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    database = cdn.context.database
    async with database.write() as db:
        (first,) = await copies.claim(db)
    clock.advance(minutes=6)
    async with database.write() as db:
        (second,) = await copies.claim(db)
        assert not await copies.keep(db, first)
        await copies.finish(db, second, copies.Copied("", "", 1, None))
    async with database.write() as db:
        await copies.finish(db, first, copies.Copied("", "", 1, None))

    await cdn.work()

    assert await releases_read(cdn) == {1}
