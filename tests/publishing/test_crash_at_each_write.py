"""SIGKILL at each write of an operation that makes a release or overwrites a draft.

Its result is there wholly or not at all, and doing the operation again does the rest.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from livery.core.context import Context
from livery.workspace import fsck, fsck_images
from tests.factories.content import Studio
from tests.support.crashes import Fate, Work, run_until_write
from tests.support.tables import changed_tables, fingerprint

RELEASED = frozenset({"projects", "releases", "release_parts"})
BEFOREHAND = {"image_files"}
"""A file is named before it is written, and that before the row of its image: what a crash leaves of it is swept."""


@dataclass(frozen=True)
class Flow:
    """What is done, the tables that must be changed by it, and what becomes of it when it is done already."""

    work: Work
    changes: frozenset[str] = RELEASED
    again: Fate = Fate.DONE


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


async def edit(studio: Studio, first: str, second: str) -> None:
    """Makes a draft with an unpublished change of every kind."""
    await studio.set_text("title", {"de": "Guten Tag"})
    await studio.add_key("more", {"en": "More"})
    await studio.set_color("accent", "#445566")
    await studio.add_color("ink", "#000000")
    await studio.set_item(first, title={"de": "Die Lofoten"})
    await studio.set_item(second, price=8)


async def first_publish(studio: Studio) -> Flow:
    await furnish(studio)
    return Flow(Work("publish"))


async def later_publish(studio: Studio) -> Flow:
    first, second = await furnish(studio)
    await studio.publish()
    await edit(studio, first, second)
    await studio.add_image("hero")
    await studio.remove_store("offers")
    await studio.add_store("people", "name:String")
    await studio.remove_item(second)
    await studio.add_item("places", price=9)
    return Flow(Work("publish"))


async def screen_roll_back(studio: Studio) -> Flow:
    await edit(studio, *await published(studio))
    return Flow(
        Work("roll_back", ("1",)), frozenset({"text_keys", "text_values", "content_versions", "content_version_bodies"})
    )


async def color_roll_back(studio: Studio) -> Flow:
    await edit(studio, *await published(studio))
    return Flow(Work("roll_colors_back", ("1",)), frozenset({"colors", "content_versions", "content_version_bodies"}))


async def scheduled_publish(studio: Studio) -> Flow:
    await later_publish(studio)
    await studio.schedule()
    return Flow(Work("publish_due"), RELEASED | {"schedules"})


async def item_roll_back(studio: Studio) -> Flow:
    first, second = await published(studio)
    await studio.set_item(first, title={"en": "Broken"})
    await studio.publish()
    await edit(studio, first, second)
    return Flow(Work("roll_item_back", (first, "1")), RELEASED | {"store_items", "content_versions"})


async def restored_release(studio: Studio) -> Flow:
    """Returns a restore of the first of two releases: something of every kind comes back and goes, and there are unpublished changes."""
    await later_publish(studio)
    await studio.add_screen("home")
    await studio.remove_language("de")
    await studio.publish()
    await studio.set_text("title", {"en": "Waiting"})
    await studio.set_color("ink", "#111111")
    await studio.add_item("places", price=10)
    changed = {"text_values", "colors", "stores", "store_items", "content_versions", "content_version_bodies"}
    return Flow(Work("restore", ("1",)), RELEASED | changed | {"project_screens", "project_languages"})


async def published(studio: Studio) -> tuple[str, str]:
    ids = await furnish(studio)
    await studio.publish()
    return ids


async def new_image(studio: Studio) -> Flow:
    await published(studio)
    return Flow(Work("add_image", ("hero",)), RELEASED | {"images", "image_files"}, again=Fate.REFUSED)


MAIN_FLOW = later_publish
DEEP_FLOWS = (
    first_publish,
    scheduled_publish,
    screen_roll_back,
    color_roll_back,
    item_roll_back,
    restored_release,
    new_image,
)


@pytest.mark.spec("schedule-23")
@pytest.mark.parametrize("prepare", [MAIN_FLOW, *(pytest.param(flow, marks=pytest.mark.deep) for flow in DEEP_FLOWS)])
async def test_it_is_there_wholly_or_not_at_all(context: Context, prepare: Callable[[Studio], Awaitable[Flow]]) -> None:
    studio = await Studio.create(context, "de")
    flow = await prepare(studio)
    before = await fingerprint(context.database)
    writes = 1

    while await asyncio.to_thread(run_until_write, context, studio, flow.work, writes) is Fate.KILLED:
        changed = changed_tables(before, await fingerprint(context.database))
        if not changed <= BEFOREHAND:
            break  # it was killed behind the last commit: all of it must be there, though nobody was informed
        writes += 1
    else:
        pytest.fail("it was done before it was killed behind its last commit")

    assert writes > 5, "hardly anything was written: this proves nothing"
    assert changed >= flow.changes, f"killed at write {writes}"
    assert await problems(context) == []
    done = await fingerprint(context.database)
    assert await asyncio.to_thread(run_until_write, context, studio, flow.work, 0) is flow.again
    assert changed_tables(done, await fingerprint(context.database)) <= BEFOREHAND, "it was done twice"


async def problems(context: Context) -> list[str]:
    """Returns what ``livery admin fsck`` reports."""
    async with context.database.read() as db:
        found = await fsck.check_all(db)
    return found + [problem async for problem in fsck_images.check_files(context.database, context.blobs)]
