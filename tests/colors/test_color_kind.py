"""Colours as a kind of content: any choice of changes is published or discarded alone, and the other changes stay."""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.colors import service
from livery.colors.models import Color
from livery.colors.schemas import UpdateColorBody
from livery.content.parts import COLORS, encode_part
from livery.core.context import Context
from livery.core.errors import LiveryError
from tests.support.change_desk import ChangeDesk
from tests.support.tier import SEED, seeds
from tests.support.trace import Trace

KEYS = ("ash", "blue", "coral", "dusk", "ember")
VALUES = ("#000000", "#111111", "#222222")
STEPS = 8

Row = dict[str, Any]


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> ChangeDesk:
    desk = await ChangeDesk.open(context, client)
    for key, value in zip(KEYS, VALUES, strict=False):
        await desk.studio.add_color(key, value)
    await desk.studio.publish()
    return desk


async def rename(desk: ChangeDesk, key: str, new_key: str, nickname: str = "") -> None:
    async with desk.studio.context.database.write() as db:
        body = UpdateColorBody(key=new_key, nickname=nickname)
        await service.update_color(db, await desk.studio.access(db), key, body)


async def rows(desk: ChangeDesk) -> dict[str, Row]:
    async with desk.studio.context.database.read() as db:
        found = await db.scalars(select(Color).order_by(Color.created_at, Color.key))
        return {
            row.key: {column.name: getattr(row, column.name) for column in Color.__table__.columns} for row in found
        }


def draft_of(found: dict[str, Row]) -> dict[str, dict[str, str]]:
    return {
        key: {"value": row["value"], "nickname": row["nickname"]}
        for key, row in found.items()
        if row["removed_at"] is None
    }


class Walk:
    """Random edits of few colours with few values, so that they meet."""

    def __init__(self, desk: ChangeDesk, seed: int, trace: Trace) -> None:
        self.desk, self.trace = desk, trace
        self.random = random.Random(f"{SEED} {seed}")

    async def edit(self) -> None:
        pick, studio = self.random.choice, self.desk.studio
        key, new_key, value, nickname = pick(KEYS), pick(KEYS), pick(VALUES), pick(("", "n"))
        edits: dict[str, Callable[[], Awaitable[None]]] = {
            f"add {key} {value}": lambda: studio.add_color(key, value),
            f"set {key} {value}": lambda: studio.set_color(key, value),
            f"remove {key}": lambda: studio.remove_color(key),
            f"rename {key} {new_key} {nickname}": lambda: rename(self.desk, key, new_key, nickname),
        }
        name = pick(sorted(edits))
        with suppress(LiveryError):
            await edits[name]()
            self.trace.note(name)

    async def some_refs(self) -> list[str]:
        for _ in range(self.random.randint(1, 4)):
            await self.edit()
        units = await self.desk.units()
        refs = self.random.sample(units, self.random.randint(0, min(3, len(units))))
        self.trace.note("chosen", *refs)
        return refs


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_apps_get_all_colors_of_the_draft(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = Walk(desk, seed, trace)
    for _ in range(STEPS):
        await walk.some_refs()
        draft = draft_of(await rows(desk))

        await desk.studio.publish()

        assert (await desk.hashes()).get(COLORS) == (encode_part(draft).hash if draft else None)


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_changes_that_are_left_out_stay_in_the_draft(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = Walk(desk, seed, trace)
    for _ in range(STEPS):
        refs = await walk.some_refs()
        draft = draft_of(await rows(desk))

        staying = await desk.publish(*refs)

        assert await desk.sides() == staying
        assert draft_of(await rows(desk)) == draft
        assert await desk.problems() == []


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_discarded_colors_are_what_apps_have(desk: ChangeDesk, seed: int, trace: Trace) -> None:
    walk = Walk(desk, seed, trace)
    for step in range(STEPS):
        refs = await walk.some_refs()
        before = await rows(desk)

        staying = await desk.discard(*refs)

        after = await rows(desk)
        assert await desk.sides() == staying
        assert await desk.problems() == []
        for key in before.keys() & after.keys():
            is_same = all(before[key][name] == after[key][name] for name in ("value", "nickname", "removed_at"))
            assert after[key]["revision"] > before[key]["revision"] or (is_same and before[key] == after[key])
        if step % 4 == 3:
            await desk.publish()


async def test_a_renamed_color_is_published_whole_or_not_at_all(desk: ChangeDesk) -> None:
    await rename(desk, "ash", "stone")
    await desk.studio.set_color("blue", "#0000ff")
    new, old = await desk.change("color:stone"), await desk.change("color:ash")
    assert (new.way, new.former_name, old.way, old.new_name) == ("added", "ash", "removed", "stone")

    for half in (new, old):
        staying = await desk.publish(half.ref)
        assert sorted(staying) == ["color:ash", "color:stone"]

    await desk.publish()
    assert (await desk.values(4))[COLORS] == {
        "blue": {"value": "#0000ff", "nickname": ""},
        "coral": {"value": VALUES[2], "nickname": ""},
        "stone": {"value": VALUES[0], "nickname": ""},
    }
    assert (await rows(desk))["stone"]["renamed_from"] is None


async def test_a_discarded_rename_gives_the_old_key_back_in_its_place(desk: ChangeDesk) -> None:
    before = await rows(desk)
    await rename(desk, "ash", "stone", "Stone")
    await rename(desk, "stone", "rock")

    await desk.discard("color:rock")

    after = await rows(desk)
    assert list(after) == list(before)
    assert draft_of(after) == draft_of(before)
    assert await desk.sides() == {}


async def test_a_color_that_comes_back_under_a_key_of_apps_is_not_renamed(desk: ChangeDesk) -> None:
    await rename(desk, "ash", "temporary")
    await rename(desk, "blue", "ash")
    await desk.studio.remove_color("ash")

    await desk.discard("color:ash")

    after = await rows(desk)
    assert (after["ash"]["value"], after["ash"]["renamed_from"]) == (VALUES[0], None)
    assert await desk.problems() == []


async def test_a_value_is_not_published_without_its_nickname(desk: ChangeDesk) -> None:
    await rename(desk, "ash", "ash", "Ash")
    await desk.studio.set_color("ash", "#0000ff")
    await desk.studio.add_color("dusk", "#00ff00")

    staying = await desk.publish("color:ash/nickname", "color:dusk/value")

    assert sorted(staying) == ["color:ash", "color:dusk"]


async def test_the_overwritten_draft_is_in_the_history(desk: ChangeDesk) -> None:
    await desk.studio.set_color("ash", "#0000ff")
    await desk.studio.remove_color("blue")
    await desk.studio.add_color("dusk", "#00ff00")
    draft = draft_of(await rows(desk))

    answer = await desk.http.post("/projects/{id}/discard", {"changes": ["all"]})

    kept = (await desk.http.get("/colors/{id}/versions")).json()["versions"][0]
    assert (kept["kind"], kept["release"], kept["changes"]) == ("draft", 1, 3)
    assert kept["timestamp"] == answer.json()["keptAt"]
    await desk.http.post(f"/colors/{{id}}/rollback/{kept['id']}")
    assert draft_of(await rows(desk)) == draft


async def test_a_release_is_in_the_history_with_what_was_published(desk: ChangeDesk) -> None:
    await desk.studio.set_color("ash", "#0000ff")
    await desk.studio.remove_color("blue")
    await desk.studio.add_color("dusk", "#00ff00")

    await desk.publish("color:blue")

    newest = (await desk.http.get("/colors/{id}/versions")).json()["versions"][0]
    assert (newest["kind"], newest["release"], newest["changes"]) == ("release", 2, 2)


async def test_apps_get_colors_that_the_draft_does_not_have(desk: ChangeDesk) -> None:
    studio = desk.studio
    released = (await desk.values(1))[COLORS]
    await studio.remove_color("ash")
    await studio.set_color("blue", "#00ffff")
    await studio.add_color("dusk", "#00ff00")
    await desk.publish()
    await studio.set_color("blue", "#0000ff")
    await studio.remove_color("coral")
    draft = draft_of(await rows(desk))

    await studio.restore(1, draft=False)

    assert (await desk.values(3))[COLORS] == released
    assert draft_of(await rows(desk)) == draft
    assert await desk.sides() == {
        "color:ash": (released["ash"], None),
        "color:blue": (released["blue"], draft["blue"]),
        "color:coral": (released["coral"], None),
        "color:dusk": (None, draft["dusk"]),
    }
    assert await desk.problems() == []
    await desk.discard("all")
    assert draft_of(await rows(desk)) == released
