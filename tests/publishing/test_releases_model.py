"""Eight people edit, publish, roll back and restore at the same time, in two server processes, while apps read: all as if one by one.

Every change records an activity in its own transaction, so the order in which the server did things is known exactly. The test applies each step in
that order to a model in plain Python, which must foresee its answer and its activities. The model is then compared with everything there is: each
release in the database, part by part, the drafts and the histories. The comparison includes every state that any app was ever in: by patches, by the
stream, page by page, and through the TypeScript SDK.

``LIVERY_TEST_STEPS`` is the number of steps of each person, ``LIVERY_TEST_SEED`` decides which steps. The report of a failure names both and lists
all steps with their answers. The steps are the same for a seed, but the order in which the server comes to them is not.
"""

import asyncio
from collections.abc import Generator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from sqlalchemy import select

from livery.content.parts import Meta
from livery.core.context import Context
from livery.publishing import queries
from livery.publishing.models import ReleasePart
from tests.factories.projects import Desk, join_as, open_desk
from tests.factories.stores import create_items, create_store, field, items_of
from tests.support.operations import witness
from tests.support.release_model import Model, Step
from tests.support.release_readers import SdkReader, Seen, readers_of, reading, shape, wait_for
from tests.support.release_replay import replay
from tests.support.release_states import GENERAL, Json, differences
from tests.support.release_writers import LANGUAGES, SCREENS, Shared, Writer, texts_changed
from tests.support.server_process import ForkedServer, run_command
from tests.support.tier import SEED, amount
from tests.support.trace import Trace

WRITERS = 8
TRANSLATORS = (0, 3, 6)
PROCESSES = 2
STEPS = amount(main=12, deep=500, name="STEPS")
ENOUGH = 100
"""Steps of each person after which everything was done at least once."""
MANY = 1_050
"""Items of the larger store: more than two chunks of a release and more than one page."""


@pytest.fixture
def servers(context: Context, tmp_path: Path) -> Generator[list[ForkedServer]]:
    """Server processes on the database of the test."""
    settings = {
        "database_url": context.settings.resolved_database_url,
        "secret_key": context.settings.secret_key.get_secret_value(),
        "storage_url": f"file://{tmp_path / 'blobs'}",
        "rate_limits": "off",
    }
    with ExitStack() as stack:
        found: list[ForkedServer] = []
        for number in range(PROCESSES):
            found.append(ForkedServer(tmp_path / f"server-{number}", has_demo=False, **settings))
            stack.callback(found[-1].close)
        yield found


async def furnish(context: Context, client: httpx2.AsyncClient) -> tuple[list[Desk], Shared, Model]:
    """A project with two stores and eight people in it, published once."""
    owner = await open_desk(context, client, languages=LANGUAGES)
    desks = [owner, *[await join_as(context, owner, f"person{number}") for number in range(1, WRITERS)]]
    store_ids: dict[str, str] = {}
    items: dict[str, dict[str, Json]] = {}
    for name, count in (("places", MANY), ("offers", 5)):
        store = await create_store(owner, name, field("title", isTranslatable=True), field("price", "Number"))
        await create_items(context, owner, store, [{"price": number} for number in range(count)])
        store_ids[name] = store["_id"]
        items[name] = {item["_id"]: item["data"] for item in await items_of(owner, store)}
    shared = Shared(owner.project_id, store_ids, {name: list(found) for name, found in items.items()})
    assert (await owner.post("/projects/{id}/screens", {"name": SCREENS[-1]})).status_code == 201
    model = Model(list(LANGUAGES), [GENERAL, SCREENS[-1]], items)
    outcome = model.foresee(Step("publish"))
    assert outcome.change
    outcome.change({})
    assert (await owner.publish())["release"] == model.live.number == 1
    return desks, shared, model


def note_steps(trace: Trace, writers: list[Writer]) -> None:
    """Notes all steps with their answers, in the order in which they were asked for."""
    trace.note(f"LIVERY_TEST_STEPS={STEPS}")
    for record in sorted((one for writer in writers for one in writer.records), key=lambda one: one.began_at):
        trace.note(record.began_at.time(), record.actor_id, record.step, record.status)


@pytest.mark.deep_on("sqlite")
async def test_parallel_operations_have_the_effect_of_a_sequence(
    context: Context, client: httpx2.AsyncClient, servers: list[ForkedServer], trace: Trace
) -> None:
    desks, shared, model = await furnish(context, client)
    key = (await desks[0].project())["publishableKey"]
    seen, ports = Seen(), [server.port for server in servers]
    readers = readers_of(shared, seen, key, ports)

    async with witness(context.database) as witnessed:
        writers = [
            Writer(
                shared,
                desk.person,
                f"http://127.0.0.1:{ports[number % PROCESSES]}",
                f"{SEED}-{number}",
                is_translator=number in TRANSLATORS,
            )
            for number, desk in enumerate(desks)
        ]
        async with reading(readers):
            try:
                async with asyncio.TaskGroup() as group:
                    for writer in writers:
                        group.create_task(writer.work(STEPS))
            finally:
                note_steps(trace, writers)
            await wait_for(readers, shared, (await desks[0].project())["release"])
        operations = await witnessed.operations(shared.project_id)

    changed = replay(model, [writer.records for writer in writers], operations)
    seen.check(model)
    await check_releases(context, shared, model)
    await check_history(desks[0], model)
    await check_drafts(desks[0], shared, model)
    await check_what_apps_have(desks[0], [reader for reader in readers if isinstance(reader, SdkReader)], model)
    fsck = run_command(servers[0].environment, "admin", "fsck")
    assert (fsck.returncode, fsck.stdout.strip()) == (0, "All invariants hold."), fsck.stdout + fsck.stderr
    refused = sum(record.status == 503 for writer in writers for record in writer.records)
    # On a slow machine eight people may wait for one another for longer than the database lets them: five seconds.
    assert refused <= WRITERS * STEPS / 10, "too often somebody was told to try again"
    assert not any("deadlock" in server.output for server in servers)
    assert changed > WRITERS * STEPS / 3, "hardly anything was changed: this proves nothing"
    assert model.live.number > WRITERS * STEPS / 20, "hardly anything was published: this proves nothing"
    kinds = {release.kind for release in model.released[1:]}
    # Few steps may refuse every rollback of an item: a colleague was faster each time.
    rare = {"item_rollback"} if STEPS >= ENOUGH else set[str]()
    assert kinds >= {"publish", "images", "restore"} | rare, "not everything was done: this proves too little"
    assert len(seen.contents) > model.live.number, "hardly any release was seen: this proves nothing"


async def check_releases(context: Context, shared: Shared, model: Model) -> None:
    """Each release in the database is that of the model, part by part, and there is no other."""
    async with context.database.read() as db:
        query = select(ReleasePart).where(ReleasePart.project_id == shared.project_id)
        rows = (await db.scalars(query)).all()
        parts = await queries.read_parts(db, shared.project_id, {row.hash for row in rows})
    for release in model.released[1:]:
        found = {
            row.part: parts[row.hash].value
            for row in rows
            if row.since_release <= release.number and (row.until_release or release.number + 1) > release.number
        }
        meta = Meta.from_part(found.pop("meta"))
        assert (meta.languages, meta.screens) == (release.languages, release.screens), release.number
        colors = cast("dict[str, Json]", found.pop("colors", {}))
        assert {key: (color["value"], color["nickname"]) for key, color in colors.items()} == release.colors
        images = cast("dict[str, Json]", found.pop("images", {}))
        assert {key: image["width"] for key, image in images.items()} == release.images
        for name, store_id in shared.store_ids.items():
            assert items_in(found, store_id) == list(release.items[name].items()), (name, release.number)
        texts = {f"text/{screen}/{code}": keys for (screen, code), keys in release.texts.items()}
        assert found == texts, f"release {release.number} has other texts"


def items_in(parts: dict[str, object], store_id: str) -> list[tuple[str, Json]]:
    """The items of a store in their order, taken out of a release's parts."""
    definition = cast("Json", parts.pop(f"store/{store_id}"))
    names = {one["_id"]: one["name"] for one in definition["fields"]}
    chunks = sorted(int(part.split("/")[2]) for part in parts if part.startswith(f"store/{store_id}/"))
    entries = [item for chunk in chunks for item in cast("list[Json]", parts.pop(f"store/{store_id}/{chunk}"))]
    return [(item["_id"], {names[field_id]: value for field_id, value in item["data"].items()}) for item in entries]


async def check_history(desk: Desk, model: Model) -> None:
    """Checks that the history of releases is without a gap, and shows for each release what it is and which texts it changed."""
    listed: list[Json] = []
    cursor: int | None = model.live.number + 1
    while cursor is not None:
        page = (await desk.get(f"/projects/{{id}}/releases?limit=100&cursor={cursor}")).json()
        listed, cursor = [*listed, *page["releases"]], page["nextCursor"]
    found = [(entry["number"], entry["kind"]) for entry in reversed(listed)]
    assert found == [(release.number, release.kind) for release in model.released[1:]]
    counts = {entry["number"]: entry["changes"] for entry in listed}
    for before, after in pairwise(model.released):
        diff = (await desk.get(f"/projects/{{id}}/releases/{after.number}/diff")).json()
        assert texts_changed(diff) == differences(before, after), after.number
        assert diff["total"] == counts[after.number], after.number


async def check_drafts(desk: Desk, shared: Shared, model: Model) -> None:
    """The drafts and the histories are those of the model."""
    project = await desk.project()
    assert (project["release"], project["languages"]) == (model.live.number, model.languages)
    assert project["tabs"] == sorted(model.screens, key=lambda name: model.places[name])
    for screen, keys in model.screens.items():
        assert await desk.keys(screen) == keys, screen
        versions = await histories(desk, f"/translations/{{id}}/{screen}/versions")
        assert versions == [(one.kind, one.release) for one in model.screen_versions.get(screen, [])], screen
    colors = (await desk.get("/colors/{id}")).json()["colors"]
    assert {color["key"]: (color["value"], color["nickname"]) for color in colors} == model.colors
    versions = await histories(desk, "/colors/{id}/versions")
    assert versions == [(one.kind, one.release) for one in model.color_versions]
    for name, store_id in shared.store_ids.items():
        items = await items_of(desk, {"_id": store_id})
        drafted = {item_id: model.items[name][item_id] for item_id in model.order[name] if item_id in model.items[name]}
        assert [(item["_id"], item["data"]) for item in items] == list(drafted.items()), name


async def histories(desk: Desk, path: str) -> list[tuple[str, int]]:
    """Kind and release of every version, oldest first."""
    found: list[Any] = []
    cursor = ""
    while cursor is not None:
        page = (await desk.get(f"{path}?limit=100{cursor and f'&cursor={cursor}'}")).json()
        found += page["versions"]
        cursor = page["nextCursor"]
    return [(version["kind"], version["release"]) for version in reversed(found)]


async def check_what_apps_have(desk: Desk, sdks: list[SdkReader], model: Model) -> None:
    """After all those patches each SDK has what a fresh one gets."""
    for sdk in sdks:
        fresh = await desk.content(sdk.asked)
        assert shape(fresh) == model.live.content(sdk.asked)
        assert shape(sdk.content) == shape(fresh)
        assert {**sdk.content, "images": {}} == {**fresh, "images": {}}
