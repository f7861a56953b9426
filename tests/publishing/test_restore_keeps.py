"""What a restore with the draft remembers of what it takes: the edits, and the revisions that somebody may still have open.

The random walks found each of these.
"""

import pytest

from livery.core.context import Context
from livery.publishing import restore
from livery.screens.listing import list_keys
from livery.stores.models import StoreItem
from tests.factories.content import Studio


@pytest.fixture
async def studio(context: Context) -> Studio:
    return await Studio.create(context, "de")


async def _newest_version(studio: Studio, item_id: str) -> str:
    return (await studio.item_versions(item_id))[0][1]


async def test_a_key_that_comes_back_twice_has_a_higher_revision_each_time(studio: Studio) -> None:
    async def revision() -> int:
        async with studio.context.database.read() as db:
            (key,) = await list_keys(db, studio.project_id, "general")
        return key["revision"]

    await studio.publish()
    await studio.add_key("title", {"en": "Hello"})
    for text in ("one", "two", "three"):
        await studio.set_text("title", {"en": text})
    await studio.publish()
    seen = await revision()

    for _ in range(2):
        await studio.restore(1)
        await studio.restore(2)

        assert await revision() > seen
        seen = await revision()


async def test_an_edit_that_emptied_a_value_is_kept_if_the_item_leaves(studio: Studio) -> None:
    await studio.add_store("trips", "title:String*")
    await studio.publish()
    item_id = await studio.add_item("trips", title={"en": "Oslo", "de": "Oslo"})
    await studio.publish()
    await studio.set_item(item_id, title={"en": "Oslo", "de": ""})

    await studio.restore(1)

    assert await _newest_version(studio, item_id) == "draft"


async def test_the_edits_in_a_store_that_was_removed_are_kept_if_it_comes_back(studio: Studio) -> None:
    await studio.add_store("trips", "title:String*")
    item_id = await studio.add_item("trips", title={"en": "Oslo"})
    await studio.publish()
    await studio.set_item(item_id, title={"en": "Bergen"})
    await studio.remove_store("trips")

    await studio.restore(1)

    assert await _newest_version(studio, item_id) == "draft"


@pytest.mark.parametrize("draft", [True, False])
async def test_the_edits_of_an_item_that_apps_lose_in_a_removed_store_are_kept(studio: Studio, draft: bool) -> None:
    await studio.add_store("trips", "title:String*")
    await studio.publish()
    item_id = await studio.add_item("trips", title={"en": "Oslo"})
    await studio.publish()
    await studio.set_item(item_id, title={"en": "Bergen"})
    await studio.remove_store("trips")

    await studio.restore(1, draft=draft)

    assert await _newest_version(studio, item_id) == "draft"


async def test_an_item_of_a_store_that_comes_back_loses_its_texts_in_a_language_that_leaves(studio: Studio) -> None:
    await studio.add_store("trips", "title:String*")
    await studio.publish()
    await studio.add_language("fr")
    await studio.publish()
    item_id = await studio.add_item("trips", title={"en": "Oslo", "fr": "Oslo"})
    await studio.remove_store("trips")

    await studio.restore(1)

    async with studio.context.database.read() as db:
        item = await db.get_one(StoreItem, (studio.project_id, item_id))
    assert list(item.data.values()) == [{"en": "Oslo"}]


async def test_an_item_that_was_removed_before_its_store_comes_back_with_the_store(studio: Studio) -> None:
    await studio.add_store("trips", "title:String*")
    item_id = await studio.add_item("trips", title={"en": "Oslo"})
    await studio.publish()
    await studio.remove_item(item_id)
    await studio.remove_store("trips")

    await studio.restore(1)

    async with studio.context.database.read() as db:
        item = await db.get_one(StoreItem, (studio.project_id, item_id))
    assert (item.removed_at, item.is_changed) == (None, False)


@pytest.mark.parametrize("note", [{"en": "x", "fr": "y"}, {"fr": "y"}])
async def test_a_value_in_a_new_field_leaves_with_its_language_and_is_kept(
    studio: Studio, note: dict[str, str]
) -> None:
    await studio.add_store("trips", "title:String")
    item_id = await studio.add_item("trips", title="Oslo")
    await studio.publish()
    await studio.add_language("fr")
    await studio.publish()
    await studio.change_fields("trips", "title:String", "note:String*")
    await studio.set_item(item_id, note=note)

    await studio.restore(1)

    async with studio.context.database.read() as db:
        item = await db.get_one(StoreItem, (studio.project_id, item_id))
    left = {"en": "x"} if "en" in note else None
    assert list(item.data.values()) == ["Oslo", *([left] if left else [])]
    assert await _newest_version(studio, item_id) == "draft"


async def test_a_key_that_apps_never_had_stays_though_its_only_language_leaves(studio: Studio) -> None:
    await studio.publish()
    await studio.add_language("fr")
    await studio.publish()
    await studio.add_key("title", {"fr": "Salut"})

    await studio.restore(1)

    async with studio.context.database.read() as db:
        (key,) = await list_keys(db, studio.project_id, "general")
    assert (key["key"], key["values"]) == ("title", {})


async def test_a_field_gets_its_form_again_also_if_an_item_that_apps_never_had_stays(studio: Studio) -> None:
    await studio.add_store("trips", "price:Number*")
    first = await studio.add_item("trips", price={"en": 1})
    await studio.publish()
    await studio.change_fields("trips", "price:Number")
    await studio.remove_item(first)
    await studio.publish()
    second = await studio.add_item("trips", price=2)

    restored = await studio.restore(1)

    async with studio.context.database.read() as db:
        data = [list((await db.get_one(StoreItem, (studio.project_id, one))).data.values()) for one in (first, second)]
    assert data == [[{"en": 1}], [{"en": 2}]]
    assert restored.left_out == []


async def test_a_deletion_that_a_restore_undoes_is_kept_if_the_two_releases_share_no_text(studio: Studio) -> None:
    await studio.add_key("title", {"de": "Hallo"})
    await studio.publish()
    await studio.set_text("title", {"de": "", "en": "Hello"})
    await studio.publish()
    await studio.remove_key("title")

    restored = await studio.restore(1)

    assert restored.kept_edits == 1
    assert restored.kept_at is not None
    answer = restored.model_dump(mode="json", by_alias=True)
    earlier = restore.Undo.model_validate({"release": 1, "keptAt": answer["keptAt"]})
    async with studio.context.database.write() as db:
        undone = await restore.undo(db, studio.context.bus, await studio.access(db), 2, earlier)
    assert undone.returned_edits == 1
    async with studio.context.database.read() as db:
        assert await list_keys(db, studio.project_id, "general") == []
