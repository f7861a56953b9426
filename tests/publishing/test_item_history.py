"""The roll back of an item, to apps at once or to the draft alone, whatever the store's fields are now. It publishes nobody else's drafts."""

from typing import Any, cast

import pytest
from sqlalchemy import func, select

from livery.content.models import Version
from livery.content.parts import store_part
from livery.core.context import Context
from livery.core.errors import Forbidden, NotFound
from livery.delivery.content import stores_of
from livery.projects import service as projects
from livery.publishing import queries
from livery.publishing.models import PartBody, Release, ReleasePart
from livery.workspace import fsck
from tests.factories.content import Studio


@pytest.fixture
async def studio(context: Context) -> Studio:
    studio = await Studio.create(context, "de")
    await studio.add_store("places", "title:String*", "price:Number")
    return studio


async def released(context: Context, studio: Studio) -> dict[str, Any]:
    """What the newest release holds of items, by id."""
    async with context.database.read() as db:
        state = await queries.load_current(db, studio.project_id)
        assert state
        names = [store_part(store.id, chunk) for store in stores_of(state).values() for chunk in store.chunks]
        hashes = [state.parts[name] for name in names]
        bodies = await queries.read_parts(db, studio.project_id, hashes)
        entries = [entry for found in hashes for entry in cast("list[dict[str, Any]]", bodies[found].value)]
        return {entry["_id"]: sorted(entry["data"].values(), key=str) for entry in entries}


async def check(context: Context) -> None:
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_an_item_is_rolled_back_and_no_other_draft_is_published(context: Context, studio: Studio) -> None:
    item = await studio.add_item("places", title={"en": "First"}, price=1)
    other = await studio.add_item("places", title={"en": "Other"})
    await studio.add_key("title", {"en": "Hello"})
    await studio.publish()
    await studio.set_item(item, title={"en": "Broken"})
    await studio.publish()
    await studio.set_item(other, title={"en": "Draft of a colleague"})
    unsaved = await studio.add_item("places", title={"en": "New"})
    await studio.set_text("title", {"en": "Draft"})

    assert await studio.roll_item_back(item, 1) == 3

    assert await released(context, studio) == {item: [1, {"en": "First"}], other: [{"en": "Other"}]}
    assert await studio.item_versions(item) == [(3, "release", 3), (2, "release", 2), (1, "release", 1)]
    assert await studio.item_versions(unsaved) == []
    await check(context)
    assert await studio.publish() == 4
    assert (await released(context, studio))[other] == [{"en": "Draft of a colleague"}]
    await check(context)


async def test_the_overwritten_draft_is_kept_and_comes_back_to_the_draft_alone(
    context: Context, studio: Studio
) -> None:
    item = await studio.add_item("places", price=1)
    await studio.publish()
    await studio.set_item(item, price=2)
    await studio.publish()
    await studio.set_item(item, price=3)

    await studio.roll_item_back(item, 1)

    history = [(4, "release", 3), (3, "draft", 2), (2, "release", 2), (1, "release", 1)]
    assert await studio.item_versions(item) == history
    assert await studio.roll_item_back(item, 3) == 3
    assert (await released(context, studio))[item] == [1]
    assert await studio.item_versions(item) == history
    await check(context)
    assert await studio.publish() == 4
    assert (await released(context, studio))[item] == [3]
    await check(context)


async def test_going_back_to_what_apps_have_drops_the_draft_and_makes_no_release(
    context: Context, studio: Studio
) -> None:
    item = await studio.add_item("places", price=1)
    await studio.publish()
    assert await studio.roll_item_back(item, 1) == 1
    assert await studio.item_versions(item) == [(1, "release", 1)]
    await studio.set_item(item, price=2)

    assert await studio.roll_item_back(item, 1) == 1

    assert await studio.item_versions(item) == [(2, "draft", 1), (1, "release", 1)]
    assert await studio.publish() == 1
    await check(context)


async def test_one_items_way_back_stores_one_chunk(context: Context, studio: Studio) -> None:
    ids = await studio.add_items("places", [{"price": number} for number in range(1_100)])
    await studio.publish()
    await studio.set_item(ids[700], price=-1)
    await studio.publish()

    async def counts() -> list[int]:
        async with context.database.read() as db:
            tables = (Release, PartBody, ReleasePart)
            return [(await db.execute(select(func.count()).select_from(table))).scalar_one() for table in tables]

    before = await counts()
    await studio.roll_item_back(ids[700], 1)

    assert await counts() == [before[0] + 1, before[1], before[2] + 1]  # the body is the first release's
    assert list(await released(context, studio))[700] == ids[700]
    await check(context)


async def test_a_roll_back_of_an_item_leaves_out_removed_languages(context: Context, studio: Studio) -> None:
    item = await studio.add_item("places", title={"en": "One", "de": "Eins"})
    await studio.publish()
    await studio.set_item(item, title={"en": "Two", "de": "Zwei"})
    await studio.publish()
    await studio.remove_language("de")

    await studio.roll_item_back(item, 1)

    assert await released(context, studio) == {item: [{"en": "One", "de": "Eins"}]}  # apps have German still
    await studio.publish()
    assert await released(context, studio) == {item: [{"en": "One"}]}
    await check(context)


async def test_a_wrong_version_and_a_plan_without_history_are_refused(context: Context, studio: Studio) -> None:
    item = await studio.add_item("places", price=1)
    other = await studio.add_item("places", price=1)
    await studio.publish()
    async with context.database.read() as db:
        foreign = (await db.scalars(select(Version.id).where(Version.place == other))).one()
    for version_id in (foreign, "ver_aaaaaaaaaaaaaaaa", ""):
        with pytest.raises(NotFound, match=r"Invalid version ID\."):
            await studio.roll_item_back_to(item, version_id)
    async with context.database.write() as db:
        await projects.set_tier(db, (await studio.access(db)).project, tier="growth", expires_at=None)

    with pytest.raises(Forbidden) as refused:
        await studio.roll_item_back(item, 1)

    assert refused.value.code == "tier_feature"
