"""A new epoch takes every app along: after ``livery admin new-epoch``, and when the database is found to be older than what was served."""

from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import delete, update

from livery.app import Application, create_app
from livery.content.parts import Meta
from livery.core.context import Context
from livery.core.db import read_epoch, renew_epoch
from livery.core.settings import Settings
from livery.delivery.served import Served
from livery.projects.models import Project
from livery.publishing.models import Release, ReleasePart
from livery.publishing.schemas import ReleaseState
from tests.factories.content import Studio
from tests.factories.delivered import read_content, read_release
from tests.support.event_stream import event_stream
from tests.support.live_server import LiveServer, live_server

pytestmark = pytest.mark.fresh


async def set_back(context: Context, project_id: str, release: int) -> None:
    """Make of the database what it was at a release: as if a copy of that time were in place."""
    async with context.database.write() as db:
        await db.execute(update(Project).where(Project.id == project_id).values(release_number=release))
        later = ReleasePart.project_id == project_id, ReleasePart.until_release > release
        await db.execute(delete(Release).where(Release.project_id == project_id, Release.number > release))
        await db.execute(update(ReleasePart).where(*later).values(until_release=None))


def criticals(logs: Sequence[MutableMapping[str, Any]]) -> list[tuple[object, ...]]:
    """The lines that call for a person: their event, the release of the database, and the release that apps have."""
    lines = [entry for entry in logs if entry["log_level"] == "critical"]
    return [(entry["event"], entry.get("release"), entry.get("served_release")) for entry in lines]


async def publish_twice(studio: Studio) -> None:
    await studio.add_key("title", {"en": "first"})
    await studio.publish()
    await studio.set_text("title", {"en": "second"})
    await studio.publish()


async def test_readers_come_back_to_a_new_epoch(live: LiveServer, studio: Studio, app: Application) -> None:
    await publish_twice(studio)
    before = await read_release(live.client, studio, 2)
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        await stream.expect("hello")
        async with app.context.database.write() as db:
            epoch = await renew_epoch(db)
        app.delivery.notice("changed", None)
        await stream.expect("bye")
    again = {**studio.headers, "Last-Event-ID": before["version"]}
    async with event_stream(live.port, studio.stream, again) as stream:
        assert (await stream.expect("hello")).data["version"] == f"{epoch}.2"
        assert (await stream.expect("release")).data["refetch"]
    whole = await read_content(live.client, studio, since=before["version"])
    assert whole == {**before, "version": f"{epoch}.2"}
    tag = {"If-None-Match": f'"{before["version"]}-en-{studio.project_id.removeprefix("prj_")}"'}
    assert (await live.client.get(studio.content, headers={**studio.headers, **tag})).status_code == 200


async def test_a_server_whose_database_goes_back_takes_a_new_epoch(
    live: LiveServer, studio: Studio, app: Application
) -> None:
    await publish_twice(studio)
    lost = await read_release(live.client, studio, 2)
    async with event_stream(live.port, studio.stream, studio.headers) as stream:
        await stream.expect("hello")
        await set_back(app.context, studio.project_id, 1)
        with structlog.testing.capture_logs() as logs:
            app.delivery.notice("changed", None)
            await stream.expect("bye")
    assert criticals(logs) == [("database_is_older", 1, 2)]
    found = await read_content(live.client, studio, since=lost["version"])
    assert found["release"] == 1
    assert found["texts"]["general"]["title"] == "first"
    assert found["version"].split(".")[0] != lost["version"].split(".")[0]


async def test_a_server_that_starts_on_an_older_database_takes_a_new_epoch(settings: Settings, studio: Studio) -> None:
    await publish_twice(studio)
    first = create_app(settings)
    async with first.running(), live_server(first) as server:
        lost = await read_release(server.client, studio, 2)
    unchanged = create_app(settings)
    async with unchanged.running(), live_server(unchanged) as server:
        assert await read_content(server.client, studio) == lost
    await set_back(studio.context, studio.project_id, 1)

    second = create_app(settings)
    with structlog.testing.capture_logs() as logs:
        async with second.running(), live_server(second) as server:
            found = await read_content(server.client, studio, since=lost["version"])
    assert criticals(logs) == [("database_is_older", 1, 2)]
    assert found["texts"]["general"]["title"] == "first"
    assert found["version"].split(".")[0] != lost["version"].split(".")[0]


async def test_a_former_epoch_is_never_served_again(settings: Settings, studio: Studio) -> None:
    async with studio.context.database.read() as db:
        former = await read_epoch(db)
    served = Served(settings.data_dir / "served")
    served.begin(former)
    served.begin("e-later")
    served.close()
    app = create_app(settings)
    async with app.running(), live_server(app) as server:
        assert (await read_content(server.client, studio))["version"].split(".")[0] not in {former, "e-later"}


def state(release: int, epoch: str = "e1", project_id: str = "prj_a") -> ReleaseState:
    return ReleaseState(project_id, release, Meta("en", ("en",), ()), {}, epoch)


def test_the_record_of_served_releases_survives_a_cut_line_and_many_releases(tmp_path: Path) -> None:
    path = tmp_path / "served"
    served = Served(path)
    served.begin("e0")
    served.note(state(9, "e0"))
    served.begin("e1")
    for release in range(1, 20_001):
        served.note(state(release))
    served.note(state(7, project_id="prj_b"))
    served.note(state(3))
    served.close()
    with path.open("a") as file:
        file.write("prj_b e1.")
    again = Served(path)
    assert (again.epoch, again.releases) == ("e1", {"prj_a": 20_000, "prj_b": 7})
    assert again.is_former("e0")
    assert len(path.read_text().splitlines()) < 10
    again.note(state(8, project_id="prj_b"))
    again.close()
    assert Served(path).releases["prj_b"] == 8


def test_a_folder_that_cant_be_written_stops_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "absent"
    served = Served(folder / "served")
    with structlog.testing.capture_logs() as logs:
        served.begin("e1")
        for release in (1, 2):
            served.note(state(release))
        folder.mkdir()
        served.note(state(3))
    served.close()
    assert served.releases == {"prj_a": 3}
    assert Served(folder / "served").releases == {"prj_a": 3}
    assert [entry["event"] for entry in logs] == ["served_releases_not_kept", "served_releases_kept"]
