"""A new kind of content takes one class and one word in the tuple of kinds. Every operation works on it, and no operation was changed for it."""

import sys
from collections.abc import Sequence
from typing import Any, cast

import httpx2
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.context import Context
from livery.history import service as history
from livery.previews import drafts
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.publishing import kinds, queries
from livery.schedules import jobs
from livery.workspace import fsck
from tests.factories.projects import Desk, open_desk
from tests.factories.schedules import create_schedule, let_time_come
from tests.support.fonts import FONTS, Files, Fonts

FIRST = {"body": "inter.woff2", "title": "lora.woff2"}
SECOND = {"body": "roboto.woff2", "code": "mono.woff2"}


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch) -> Fonts:
    """The kind, as if its word were in the tuple."""
    found, known = Fonts(), kinds.KINDS
    for name, module in list(sys.modules.items()):
        if name.startswith("livery.") and getattr(module, "KINDS", None) is known:
            monkeypatch.setattr(module, "KINDS", (*known, found))
    return found


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en",))


class World:
    """A project with fonts: the draft, what apps have, and whether the data is sound."""

    def __init__(self, context: Context, desk: Desk, fonts: Fonts) -> None:
        self.context, self.desk, self.fonts = context, desk, fonts

    @property
    def draft(self) -> Files:
        return self.fonts.drafts.files[self.desk.project_id]

    def write(self, files: Files) -> None:
        self.fonts.drafts.files[self.desk.project_id] = dict(files)

    async def apps(self) -> Files:
        """What delivery loads."""
        async with self.context.database.read() as db:
            state = await queries.load_current(db, self.desk.project_id)
            assert state
            bodies = await queries.read_parts(db, self.desk.project_id, [state.parts[FONTS]])
        return cast("Files", bodies[state.parts[FONTS]].value)

    async def problems(self) -> Sequence[str]:
        async with self.context.database.read() as db:
            return await fsck.check_all(db)

    async def send(self, path: str, body: object) -> dict[str, Any]:
        """The answer. The data is sound then."""
        answer = await self.desk.post(path, body)
        assert answer.is_success, answer.text
        assert await self.problems() == []
        return answer.json()

    async def access(self, db: AsyncSession) -> Access:
        settings = self.context.settings
        return await open_project(db, settings, self.desk.person.actor, self.desk.project_id, Permission.EDIT)


@pytest.fixture
async def world(context: Context, desk: Desk, fonts: Fonts) -> World:
    """Returns a world in which apps have the first fonts, and the draft has the second fonts."""
    found = World(context, desk, fonts)
    found.write(FIRST)
    await desk.publish()
    found.write(SECOND)
    return found


async def test_it_is_published_and_reviewed(world: World) -> None:
    assert await world.apps() == FIRST
    review = await world.desk.diff()
    assert review["total"] == 3
    assert world.fonts.shown
    assert [(one.name, one.way) for one in world.fonts.shown.shown[FONTS]] == [
        ("body", "changed"),
        ("code", "added"),
        ("title", "removed"),
    ]

    await world.send("/translations/{id}/publish", {"expected": review["token"], "leaveOut": ["font:body"]})

    assert await world.apps() == {"body": FIRST["body"], "code": SECOND["code"]}
    assert (await world.desk.diff())["total"] == 1
    assert (await world.desk.project())["unpublished"]["total"] == 1


async def test_it_is_discarded_and_comes_back(world: World) -> None:
    answer = await world.send("/projects/{id}/discard", {"changes": ["font:code", "font:title"]})

    assert (answer["discarded"], world.draft) == (2, {"body": SECOND["body"], "title": FIRST["title"]})
    await world.send("/projects/{id}/discard/undo", {"keptAt": answer["keptAt"]})
    assert world.draft == SECOND


async def test_it_is_restored_for_apps_alone_and_with_the_draft(world: World) -> None:
    await world.desk.publish()

    await world.send("/projects/{id}/releases/1/restore", {})

    assert (await world.apps(), world.draft) == (FIRST, SECOND)
    await world.send("/projects/{id}/releases/2/restore", {})
    world.write({"body": "draft.woff2"})
    answer = await world.send("/projects/{id}/releases/1/restore", {"draft": True})
    assert (await world.apps(), world.draft) == (FIRST, FIRST)
    undo = {"release": 1, "keptAt": answer["keptAt"]}
    await world.send("/projects/{id}/releases/2/restore", {"undo": undo})
    assert (await world.apps(), world.draft) == (SECOND, {"body": "draft.woff2"})


async def test_two_releases_are_compared_with_each_other_and_with_the_draft(world: World) -> None:
    await world.desk.publish()
    world.write({})

    totals = [
        (await world.desk.get(f"/projects/{{id}}/releases/{path}")).json()["total"]
        for path in ("2/diff", "1/diff?against=draft", "2/diff?against=draft")
    ]

    assert totals == [3, 2, 2]


async def test_it_is_rolled_back(world: World) -> None:
    await world.desk.publish()
    world.write({"body": "draft.woff2"})

    async with world.context.database.write() as db:
        access = await world.access(db)
        listed = await history.list_versions(db, access, world.fonts, FONTS, limit=10, before=None)
        assert [(one.version_number, one.release, one.changes) for one in listed.versions] == [(2, 2, 3), (1, 1, 2)]
        outcome = await history.roll_back(db, access, world.fonts, FONTS, listed.versions[1].id)

    assert outcome.message == "Rolled back to version 1: 2 fonts changed."
    assert (world.draft, await world.apps()) == (FIRST, SECOND)
    assert await world.problems() == []


async def test_a_preview_shows_its_draft(world: World) -> None:
    async with world.context.database.read() as db:
        draft = await drafts.build_draft(db, world.desk.project_id, None, lambda outline: frozenset(outline.languages))

    assert draft
    assert draft.pieces[FONTS].value == SECOND
    assert draft.state.parts[FONTS] == draft.pieces[FONTS].hash


async def test_a_schedule_publishes_it(world: World) -> None:
    await let_time_come(world.context, await create_schedule(world.desk))

    for sweep in jobs.sweeps(world.context):
        await sweep.run()

    assert await world.apps() == SECOND


async def test_fsck_finds_what_its_draft_remembers_wrongly(world: World) -> None:
    assert await world.problems() == []

    world.fonts.drafts.published[world.desk.project_id]["body"] = "lost.woff2"

    assert [problem.split(": ")[1] for problem in await world.problems()] == [
        "part fonts of the release differs from what the draft remembers"
    ]
