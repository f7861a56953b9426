"""Stores and items as a kind of content: any choice of changes is published or discarded alone, and the other changes stay."""

from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from livery.content.parts import store_part
from livery.core import limits
from livery.core.context import Context
from livery.core.errors import Forbidden, Invalid
from livery.stores import queries
from livery.stores import service as stores
from livery.stores.schemas import AiValue, FieldBody, UpdateStoreBody
from tests.support.change_desk import ChangeDesk
from tests.support.store_walk import StoreWalk, draft_of, draft_parts, item_rows, store_rows
from tests.support.tier import seeds
from tests.support.trace import Trace

STEPS = 8


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> ChangeDesk:
    return await ChangeDesk.open(context, client, "de")


async def change_fields(desk: ChangeDesk, store: str, *fields: dict[str, Any], name: str | None = None) -> None:
    async with desk.studio.context.database.write() as db:
        row = await queries.find_by_identifier(db, desk.studio.project_id, store)
        assert row
        bodies = [FieldBody.model_validate(field) for field in fields] or None
        body = UpdateStoreBody(name=name, fields=bodies, confirm=True)
        await stores.update_store(db, await desk.studio.access(db), row, body)


async def fields_of(desk: ChangeDesk, store_id: str) -> list[dict[str, Any]]:
    return (await store_rows(desk.studio))[store_id]["fields"]


def store_hashes(hashes: Mapping[str, str]) -> dict[str, str]:
    return {name: part_hash for name, part_hash in hashes.items() if name.startswith("store/")}


async def values(desk: ChangeDesk, item_id: str) -> dict[str, Any]:
    """The draft of an item by the names of its fields."""
    row = (await item_rows(desk.studio))[item_id]
    names = {field["_id"]: field["name"] for field in await fields_of(desk, row["store_id"])}
    return {names[field_id]: value for field_id, value in row["data"].items()}


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_apps_get_all_stores_and_items_of_the_draft(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = StoreWalk(desk, seed, trace)
    await walk.furnish()
    for _ in range(STEPS):
        await walk.some_refs()
        wanted = await draft_parts(desk.studio)

        await desk.studio.publish()

        assert store_hashes(await desk.hashes()) == wanted


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_changes_that_are_left_out_stay_in_the_draft(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = StoreWalk(desk, seed, trace)
    await walk.furnish()
    for _ in range(STEPS):
        refs = await walk.some_refs()
        draft = await draft_of(desk.studio)

        staying = await desk.publish(*refs)

        assert await desk.sides() == staying
        assert await draft_of(desk.studio) == draft
        assert await desk.problems() == []
    await desk.publish()
    assert store_hashes(await desk.hashes()) == await draft_parts(desk.studio)


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_discarded_changes_are_what_apps_have(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = StoreWalk(desk, seed, trace)
    await walk.furnish()
    for step in range(STEPS):
        refs = await walk.some_refs()
        stores_before, items_before = await store_rows(desk.studio), await item_rows(desk.studio)
        back = {
            change.id
            for group in (await desk.unpublished()).changes.values()
            for change in group
            if change.kind == "store" and change.after is None
        }

        staying = await desk.discard(*refs)

        stores_after, items_after = await store_rows(desk.studio), await item_rows(desk.studio)
        hidden = {f"item:{item_id}" for item_id, item in items_before.items() if item["store_id"] in back}
        assert {ref: side for ref, side in (await desk.sides()).items() if ref not in hidden} == staying
        assert await desk.problems() == []
        for before, after, names in (
            (stores_before, stores_after, ("name", "fields", "removed_at")),
            (items_before, items_after, ("data", "removed_at", "position")),
        ):
            for row_id in before.keys() & after.keys():
                is_same = all(before[row_id][name] == after[row_id][name] for name in names)
                assert after[row_id]["revision"] > before[row_id]["revision"] or is_same
        await check_kept(desk, items_before, items_after)
        if step % 4 == 3:
            await desk.publish()


async def check_kept(desk: ChangeDesk, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """The newest version of each item whose draft was overwritten has that draft."""
    for item_id, row in before.items():
        if row["removed_at"] is None and row["data"] != after.get(item_id, {}).get("data"):
            number, kind, _ = (await desk.studio.item_versions(item_id))[0]
            assert (number > 0, kind) == (True, "draft")


async def test_an_item_of_a_new_store_needs_the_store(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="Oslo")
    await studio.add_store("people", "name:String")
    await studio.publish()
    await studio.remove_store("people")
    people = await studio.add_store("people", "name:String")
    person = await studio.add_item("people", name="Ada")
    await studio.set_item(item, title="Bergen")

    staying = await desk.publish(f"store:{people}")

    assert sorted(staying) == [f"item:{person}", f"store:{people}"]
    assert store_hashes(await desk.hashes()).keys() == {store_part(trips), store_part(trips, 0)}
    await desk.discard(f"store:{people}")
    assert await desk.sides() == {}
    assert people not in await store_rows(studio)
    assert await studio.item_versions(person) == [(1, "draft", 2)]


async def test_a_store_with_the_identifier_of_a_removed_store_needs_the_removal(desk: ChangeDesk) -> None:
    studio = desk.studio
    old = await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="Oslo")
    await studio.publish()
    draft = await draft_of(studio)
    await studio.remove_store("trips")
    new = await studio.add_store("trips", "name:String")
    fresh = await studio.add_item("trips", name="Bergen")

    staying = await desk.publish(f"store:{old}")

    assert sorted(staying) == sorted([f"item:{fresh}", f"store:{new}", f"store:{old}"])
    await desk.discard(f"store:{old}")
    assert await draft_of(studio) == draft
    assert (await item_rows(studio)).keys() == {item}
    assert await desk.problems() == []


async def test_a_removed_store_is_one_change_with_all_its_parts(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String", "note:String")
    items = await studio.add_items("trips", [{"title": f"{number}", "note": "a"} for number in range(501)])
    await studio.publish()
    await studio.set_item(items[0], title="Oslo")
    note = (await fields_of(desk, trips))[1]
    await change_fields(desk, "trips", note)
    await studio.remove_store("trips")

    assert list(await desk.sides()) == [f"store:{trips}"]
    await desk.discard(f"store:{trips}")

    assert await values(desk, items[1]) == {"title": "1", "note": "a"}
    assert await desk.sides() == {}
    await studio.remove_store("trips")
    await desk.publish()
    assert (await store_rows(studio), await item_rows(studio)) == ({}, {})
    assert store_hashes(await desk.hashes()) == {}
    assert await desk.problems() == []


async def test_a_change_touches_the_part_of_its_chunk_only(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String")
    items = await studio.add_items("trips", [{"title": f"{number}"} for number in range(502)])
    await studio.publish()

    before = await desk.hashes()
    await studio.set_item(items[501], title="Oslo")

    await desk.publish()

    assert {name for name, part_hash in (await desk.hashes()).items() if part_hash != before[name]} == {
        store_part(trips, 1)
    }


async def test_items_stay_in_their_order_whenever_they_are_published(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String")
    items = [await studio.add_item("trips", title=f"{number}") for number in range(4)]
    refs = [f"item:{item}" for item in items]

    for number, left_out in enumerate([[refs[0], refs[2]], [refs[0]], []], 1):
        await desk.publish(*left_out)
        given = [entry["_id"] for entry in (await desk.values(number))[store_part(trips, 0)]]
        assert given == [item for item, ref in zip(items, refs, strict=True) if ref not in left_out]


async def test_items_with_a_reshaped_field_are_published_with_their_store(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String", "note:String", "price:Number")
    titled, priced = await studio.add_item("trips", title="Oslo", price=1), await studio.add_item("trips", price=1)
    await studio.publish()
    title, note, price = await fields_of(desk, trips)
    await change_fields(desk, "trips", {**title, "isTranslatable": True}, price, note, name="Journeys")
    await studio.set_item(priced, price=2)
    await studio.set_item(titled, price=3)

    store, item = await desk.change(f"store:{trips}"), await desk.change(f"item:{titled}")
    assert store.tie == item.tie == f"store:{trips}"
    for left_out in (f"store:{trips}", f"item:{titled}", f"item:{titled}/{title['_id']}", f"store:{trips}/name"):
        assert sorted(await desk.publish(left_out)) == sorted([f"item:{titled}", f"store:{trips}"])

    await desk.discard(f"store:{trips}")
    assert (await values(desk, titled), await values(desk, priced)) == ({"title": "Oslo", "price": 1}, {"price": 2})
    assert [field["name"] for field in await fields_of(desk, trips)] == ["title", "note", "price"]
    assert await desk.sides() == {}


async def test_a_renamed_or_moved_field_ties_nothing(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String", "price:Number")
    item = await studio.add_item("trips", title="Oslo", price=1)
    await studio.publish()
    title, price = await fields_of(desk, trips)
    await change_fields(desk, "trips", {**price, "required": True}, {**title, "name": "headline"})
    await studio.set_item(item, price=2)

    assert list(await desk.publish(f"store:{trips}")) == [f"store:{trips}"]
    assert [field["name"] for field in await fields_of(desk, trips)] == ["price", "headline"]
    await studio.set_item(item, price=3)
    assert list(await desk.publish(f"item:{item}")) == [f"item:{item}"]


async def test_a_value_in_a_new_field_needs_the_field_but_not_the_other_way_round(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "price:Number")
    item = await studio.add_item("trips", price=1)
    await studio.publish()
    await change_fields(desk, "trips", *await fields_of(desk, trips), {"name": "title", "type": "String"})
    title = (await fields_of(desk, trips))[1]["_id"]
    await studio.set_item(item, price=2, title="Oslo")

    assert await desk.publish(f"store:{trips}") == {
        f"store:{trips}": (await desk.sides())[f"store:{trips}"],
        f"item:{item}": ({(await fields_of(desk, trips))[0]["_id"]: 2}, (await desk.sides())[f"item:{item}"][1]),
    }
    await desk.discard(f"item:{item}/{title}")

    assert list(await desk.sides()) == [f"store:{trips}"]


async def test_values_in_a_language_go_with_the_language(desk: ChangeDesk) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String*")
    item = await studio.add_item("trips", title={"en": "Oslo", "de": "Oslo"})
    await studio.publish()
    title = next(iter((await item_rows(studio))[item]["data"]))
    await studio.add_language("fr")
    await studio.remove_language("de")
    await studio.set_item(item, title={"en": "Bergen", "fr": "Bergen"})

    staying = await desk.publish("language:fr", "language:de")

    assert staying[f"item:{item}"] == (
        {f"{title}/en": "Bergen", f"{title}/de": "Oslo"},
        {f"{title}/en": "Bergen", f"{title}/fr": "Bergen"},
    )
    assert await desk.sides() == staying
    await desk.discard(f"item:{item}/{title}/de")

    assert await values(desk, item) == {"title": {"en": "Bergen", "de": "Oslo", "fr": "Bergen"}}


async def test_a_removed_store_comes_back_without_values_in_a_language_that_was_discarded(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String*")
    item = await studio.add_item("trips", title={"en": "Oslo"})
    await studio.publish()
    await studio.add_language("fr")
    await studio.set_item(item, title={"en": "Bergen", "fr": "Bergen"})
    await studio.remove_store("trips")
    await desk.discard("language:fr")
    assert await desk.problems() == []

    await desk.discard(f"store:{trips}")

    assert await values(desk, item) == {"title": {"en": "Bergen"}}
    assert list(await desk.sides()) == [f"item:{item}"]


async def test_a_value_in_a_new_language_of_a_new_field_needs_both(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "price:Number")
    item = await studio.add_item("trips", price=1)
    await studio.publish()
    await studio.add_language("fr")
    new = {"name": "title", "type": "String", "isTranslatable": True}
    await change_fields(desk, "trips", *await fields_of(desk, trips), new)
    await studio.set_item(item, title={"en": "Oslo", "fr": "Oslo"})

    title = (await fields_of(desk, trips))[1]["_id"]

    change = await desk.change(f"item:{item}")

    assert change.needs == {"language:fr"}
    assert change.slot_needs == {f"{title}/{code}": f"store:{trips}" for code in ("en", "fr")}


async def test_an_item_is_discarded_value_by_value(desk: ChangeDesk) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String*", "price:Number")
    item = await studio.add_item("trips", title={"en": "Oslo"}, price=1)
    await studio.publish()
    await studio.set_item(item, title={"en": "Bergen", "de": "Bergen"}, price=2)
    new = await studio.add_item("trips", title={"en": "Rome", "de": "Rom"}, price=3)
    title, price = (field["_id"] for field in (await store_rows(studio)).popitem()[1]["fields"])

    await desk.discard(f"item:{item}/{title}/de", f"item:{item}/{price}", f"item:{new}/{price}")

    assert await values(desk, item) == {"title": {"en": "Bergen"}, "price": 1}
    assert await values(desk, new) == {"title": {"en": "Rome", "de": "Rom"}}
    await desk.discard(f"item:{new}")
    assert new not in await item_rows(studio)


async def test_an_editor_that_is_open_while_its_item_is_discarded_gets_a_conflict(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="Oslo")
    await studio.publish()
    await studio.set_item(item, title="Bergen")
    seen = (await desk.http.get(f"/stores/items/{trips}")).json()[0]["revision"]

    await desk.discard(f"item:{item}")

    answer = await desk.http.put(f"/stores/items/{item}", {"data": {"title": "Rome"}, "revision": seen})
    assert answer.status_code == 409


async def test_the_overwritten_draft_of_an_item_is_in_its_history(desk: ChangeDesk) -> None:
    studio = desk.studio
    trips = await studio.add_store("trips", "title:String")
    item, removed = await studio.add_item("trips", title="Oslo"), await studio.add_item("trips", title="Rome")
    await studio.publish()
    await studio.set_item(item, title="Bergen")
    await studio.remove_item(removed)

    answer = await desk.http.post("/projects/{id}/discard", {"changes": [f"item:{item}"]})
    await desk.discard("all")

    listed = (await desk.http.get(f"/stores/items/{trips}")).json()
    assert [one["data"] for one in listed] == [{"title": "Oslo"}, {"title": "Rome"}]
    kept = listed[0]["publishedVersions"][0]
    assert (kept["kind"], kept["release"]) == ("draft", 1)
    assert kept["timestamp"] == answer.json()["keptAt"]
    await desk.http.post(f"/stores/items/{item}/rollback/{kept['_id']}")
    assert await values(desk, item) == {"title": "Bergen"}


async def test_a_release_is_in_the_histories_of_the_items_that_it_gives_apps(desk: ChangeDesk) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String", "price:Number")
    changed, removed, left_out = [await studio.add_item("trips", title="Oslo", price=1) for _ in range(3)]
    await studio.publish()
    await studio.set_item(changed, title="Bergen", price=2)
    await studio.set_item(left_out, price=2)
    await studio.remove_item(removed)
    price = (await store_rows(studio)).popitem()[1]["fields"][1]["_id"]

    await desk.publish(f"item:{left_out}", f"item:{changed}/{price}")

    assert await studio.item_versions(changed) == [(2, "release", 2), (1, "release", 1)]
    assert await studio.item_versions(left_out) == await studio.item_versions(removed) == [(1, "release", 1)]
    await studio.roll_item_back(changed, 2)
    assert await values(desk, changed) == {"title": "Bergen", "price": 1}


async def test_a_change_is_marked_as_written_by_ai_and_a_discard_removes_the_mark(desk: ChangeDesk) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String*")
    item = await studio.add_item("trips", title={"en": "Oslo"})
    await studio.publish()
    title = next(iter((await item_rows(studio))[item]["data"]))
    async with studio.context.database.write() as db:
        found = await queries.find_item(db, item)
        assert found
        value = AiValue(title, "de", "Oslo!", "en", "Oslo", "")
        await stores.write_ai_values(db, await studio.access(db), *found, [value])

    change = await desk.change(f"item:{item}")
    assert {slot: stamp.is_ai for slot, stamp in change.stamps.items()} == {f"{title}/de": True}
    await desk.discard(change.ref)

    assert (await item_rows(studio))[item]["ai_written"] == []


async def test_a_chunk_that_is_too_large_is_refused(desk: ChangeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="Oslo")
    await studio.publish()
    await studio.set_item(item, title="x" * 2000)
    monkeypatch.setattr(limits, "STORE_PART_BYTES", 2000)

    with pytest.raises(Invalid, match='The items 1 to 500 of "Trips" are'):
        await desk.publish()


async def test_no_more_items_come_back_than_a_store_can_hold(desk: ChangeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    studio = desk.studio
    await studio.add_store("trips", "title:String")
    item = await studio.add_item("trips", title="Oslo")
    await studio.publish()
    await studio.remove_item(item)
    new = await studio.add_item("trips", title="Rome")
    monkeypatch.setattr(limits, "STORE_ITEMS", 1)

    with pytest.raises(Forbidden, match="A Data Store can hold at most 10,000 items"):
        await desk.discard(f"item:{item}")

    await desk.discard(f"item:{item}", f"item:{new}")
    assert await desk.sides() == {}


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_apps_get_an_older_release_and_the_draft_stays(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = StoreWalk(desk, seed, trace)
    await walk.furnish()
    released: dict[int, dict[str, str]] = {}
    for _ in range(STEPS):
        await walk.some_refs()
        await desk.publish(*await walk.some_refs())
        released.setdefault((await desk.unpublished()).frame.release, store_hashes(await desk.hashes()))
        await walk.some_refs()
        number = walk.random.choice(sorted(released))
        trace.note("give apps", number)
        draft = await draft_of(desk.studio)

        await desk.studio.restore(number, draft=False)

        assert store_hashes(await desk.hashes()) == released[number]
        assert await draft_of(desk.studio) == draft
        assert await desk.problems() == []
        if walk.random.random() < 0.3:
            await desk.discard(*await walk.some_refs())
            assert await desk.problems() == []
