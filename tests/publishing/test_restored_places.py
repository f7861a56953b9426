"""Keys and colours that come back return to their old positions, whatever happened to them in between."""

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.factories.releases import restore, set_text

NAMES = ["pear", "apple", "fig", "cherry"]


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    desk = await open_desk(context, client)
    for name in NAMES:
        await desk.text(name, {"en": name})
    for number, key in enumerate(NAMES):
        await desk.post("/colors/{id}", {"key": key, "value": f"#00000{number}", "nickname": ""})
    await desk.publish()
    return desk


async def keys(desk: Desk, screen: str = "general") -> list[str]:
    return [record["key"] for record in (await desk.get(f"/translations/{{id}}/{screen}")).json()["keys"]]


async def colors(desk: Desk) -> list[str]:
    return [color["key"] for color in (await desk.get("/colors/{id}")).json()["colors"]]


async def remove(desk: Desk, name: str) -> None:
    assert (await desk.delete(f"/translations/{{id}}/general/{name}")).status_code == 200
    assert (await desk.delete(f"/colors/{{id}}/{name}")).status_code == 200


async def roll_back(desk: Desk, place: str, number: int) -> None:
    entries = (await desk.get(f"/{place}/versions")).json()["versions"]
    entry = next(entry for entry in entries if entry["versionNumber"] == number)
    assert (await desk.post(f"/{place}/rollback/{entry['id']}")).status_code == 200


async def test_a_restore_brings_removed_entries_back_to_their_positions(context: Context, desk: Desk) -> None:
    await remove(desk, "apple")
    await remove(desk, "fig")
    await desk.text("melon", {"en": "melon"})
    await desk.publish()

    await restore(context, desk, 1)

    assert (await keys(desk), await colors(desk)) == (NAMES, NAMES)
    await restore(context, desk, 2)
    assert await keys(desk) == ["pear", "cherry", "melon"]
    assert await colors(desk) == ["pear", "cherry"]
    await restore(context, desk, 3)
    assert (await keys(desk), await colors(desk)) == (NAMES, NAMES)


async def test_a_roll_back_brings_removed_entries_back_to_their_positions(desk: Desk) -> None:
    await remove(desk, "apple")
    await remove(desk, "fig")
    await desk.publish()

    await roll_back(desk, "translations/{id}/general", 1)
    await roll_back(desk, "colors/{id}", 1)

    assert (await keys(desk), await colors(desk)) == (NAMES, NAMES)


async def test_a_restore_puts_an_entry_that_was_created_again_where_the_release_had_it(
    context: Context, desk: Desk
) -> None:
    await remove(desk, "apple")
    await desk.publish()
    await desk.text("apple", {"en": "another"})
    await desk.post("/colors/{id}", {"key": "apple", "value": "#ffffff", "nickname": ""})
    await desk.publish()
    await remove(desk, "apple")
    await desk.publish()

    await restore(context, desk, 3)
    assert (await keys(desk), await colors(desk)) == (["pear", "fig", "cherry", "apple"],) * 2
    await restore(context, desk, 2)
    await restore(context, desk, 1)
    assert (await keys(desk), await colors(desk)) == (NAMES, NAMES)


@pytest.mark.parametrize("is_published", [True, False])
async def test_a_renamed_key_and_colour_have_their_place_under_the_old_name(
    context: Context, desk: Desk, is_published: bool
) -> None:
    await desk.put("/translations/{id}/general/apple", {"key": "quince", "values": {"en": "quince"}})
    await desk.put("/colors/{id}/apple", {"key": "quince", "value": "#ffffff"})
    if is_published:
        await desk.publish()

    await restore(context, desk, 1)

    assert (await keys(desk), await colors(desk)) == (NAMES, NAMES)


async def test_the_keys_of_a_deleted_screen_come_back_in_their_order(context: Context, desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "stand"})
    for name in NAMES:
        await desk.text(name, {"en": name}, screen="stand")
    await desk.publish()
    assert (await desk.delete("/projects/{id}/screens/stand")).status_code == 200
    await desk.publish()

    await restore(context, desk, 2)

    assert await keys(desk, "stand") == NAMES


async def test_a_key_that_was_emptied_before_it_went_comes_back_to_its_place(context: Context, desk: Desk) -> None:
    await set_text(desk, "apple", en="")
    await desk.publish()
    assert (await desk.delete("/translations/{id}/general/apple")).status_code == 200

    await restore(context, desk, 1)

    assert await keys(desk) == NAMES
