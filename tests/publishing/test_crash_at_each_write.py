"""SIGKILL behind each write of what makes a release: a publish (also a scheduled one), an item's roll back, an upload."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.content import Studio
from tests.support.crashes import Work, run_until_write
from tests.support.tables import changed_tables, fingerprint

RELEASED = {"projects", "releases", "release_parts"}
BEFOREHAND = {"image_files"}
"""A file is named before it is written, and that before the row of its image: what a crash leaves of it is swept."""


async def furnish(studio: Studio) -> tuple[str, str]:
    """A draft with something of everything; the ids of two items."""
    await studio.add_key("title", {"en": "Hello", "de": "Hallo"})
    await studio.add_color("accent", "#112233")
    await studio.add_image("logo")
    await studio.add_store("places", "title:String*", "price:Number")
    await studio.add_store("offers", "title:String")
    await studio.add_item("offers", title="Spring")
    first, second = await studio.add_items("places", [{"title": {"en": "Lofoten"}}, {"price": 7}])
    return first, second


async def first_publish(studio: Studio) -> Work:
    await furnish(studio)
    return Work("publish")


async def later_publish(studio: Studio) -> Work:
    first, second = await furnish(studio)
    await studio.publish()
    await studio.set_text("title", {"de": "Guten Tag"})
    await studio.set_color("accent", "#445566")
    await studio.add_image("hero")
    await studio.remove_store("offers")
    await studio.add_store("people", "name:String")
    await studio.set_item(first, title={"de": "Die Lofoten"})
    await studio.remove_item(second)
    await studio.add_item("places", price=9)
    return Work("publish")


async def scheduled_publish(studio: Studio) -> Work:
    await later_publish(studio)
    await studio.schedule()
    return Work("publish_due")


async def item_roll_back(studio: Studio) -> Work:
    first, second = await furnish(studio)
    await studio.publish()
    await studio.set_item(first, title={"en": "Broken"})
    await studio.publish()
    await studio.set_item(first, title={"en": "A draft"})
    await studio.set_item(second, price=8)
    return Work("roll_item_back", (first, "1"))


async def new_image(studio: Studio) -> Work:
    await furnish(studio)
    await studio.publish()
    return Work("add_image", ("hero",))


@pytest.mark.parametrize("prepare", [first_publish, later_publish, scheduled_publish, item_roll_back, new_image])
async def test_a_release_is_there_wholly_or_not_at_all(
    context: Context, prepare: Callable[[Studio], Awaitable[Work]]
) -> None:
    studio = await Studio.create(context, "de")
    work = await prepare(studio)
    before = await fingerprint(context.database)
    writes = 1

    while not await asyncio.to_thread(run_until_write, context, studio, work, writes):
        assert changed_tables(before, await fingerprint(context.database)) <= BEFOREHAND, (
            f"killed behind write {writes}"
        )
        writes += 1

    assert writes > 5, "hardly anything was written: this proves nothing"
    assert changed_tables(before, await fingerprint(context.database)) >= RELEASED
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
