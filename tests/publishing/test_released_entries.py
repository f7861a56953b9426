"""A release knows of each entry what the draft held when it was published, whatever became of the entry since."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import httpx2
import pytest
from sqlalchemy import select

from livery.colors.models import Color
from livery.content import entries
from livery.content.changes import Stamp
from livery.content.entries import WHOLE
from livery.core.context import Context
from livery.screens.models import TextKey, TextValue
from tests.factories.projects import Desk, join, open_desk
from tests.factories.releases import restore, set_text
from tests.support.clock import Clock

Known = Mapping[str, tuple[str | None, datetime | None, Mapping[str, Stamp]]]


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


def whole(moment: datetime) -> datetime:
    """The moment as releases keep it, in milliseconds."""
    return moment - timedelta(microseconds=moment.microsecond % 1000)


async def drafted(context: Context) -> Known:
    """Id, place and edits of each key of the draft."""
    async with context.database.read() as db:
        keys = (await db.scalars(select(TextKey).where(TextKey.removed_at.is_(None)))).all()
        texts = (await db.scalars(select(TextValue).where(TextValue.value != ""))).all()
    edits: dict[str, dict[str, Stamp]] = {key.id: {} for key in keys}
    for one in texts:
        edits[one.key_id][one.language] = Stamp(one.updated_by, whole(one.updated_at), one.author == "ai")
    return {key.name: (key.id, key.created_at, edits[key.id]) for key in keys}


async def known(context: Context, desk: Desk, release: int, *names: str) -> Known:
    """The same of these keys, as a release knows it."""
    async with context.database.read() as db:
        found = await entries.find(db, desk.project_id, "screen/general", names, until=release)
    return {
        name: (entry.id, entry.created_at, {slot: edit for slot, edit in entry.edits.items() if slot != WHOLE})
        for name, entry in found.items()
    }


async def test_a_release_knows_the_keys_as_they_were(context: Context, desk: Desk, clock: Clock) -> None:
    await desk.post("/projects/{id}/languages", {"language": "de"})
    bob = await join(context, desk, "admin")
    for name in ("pear", "apple", "fig"):
        await desk.text(name, {"en": name, "de": name})
        clock.advance(seconds=1)
    await desk.publish()
    await set_text(bob, "apple", de="Apfel")
    await bob.publish()
    drafts = {2: await drafted(context)}
    clock.advance(minutes=1)
    await desk.put("/translations/{id}/general/fig", {"key": "ficus", "values": {}})
    await set_text(bob, "pear", en="Pear")
    await desk.publish()
    drafts[3] = await drafted(context)
    await desk.delete("/translations/{id}/general/apple")
    await set_text(desk, "pear", de="")
    await bob.publish()

    for release, draft in drafts.items():
        assert await known(context, desk, release, *draft) == draft
    async with context.database.read() as db:
        found = await entries.find(db, desk.project_id, "screen/general", ["apple"])
    assert found["apple"].edits[WHOLE].by == desk.person.actor.id
    assert (found["apple"].id, found["apple"].since) == (drafts[2]["apple"][0], 4)


async def test_a_key_that_comes_back_has_its_id_and_its_place_again(context: Context, desk: Desk, clock: Clock) -> None:
    for name in ("pear", "apple", "fig"):
        await desk.text(name, {"en": name})
        clock.advance(seconds=1)
    await desk.publish()
    before = await drafted(context)
    await desk.delete("/translations/{id}/general/apple")
    await desk.put("/translations/{id}/general/fig", {"key": "ficus", "values": {}})
    await desk.publish()

    await restore(context, desk, 1)

    after = await drafted(context)
    assert {name: row[1] for name, row in after.items()} == {name: row[1] for name, row in before.items()}
    assert after["apple"][0] == before["apple"][0]
    assert len({row[0] for row in after.values()}) == 3
    restored = await known(context, desk, 3, *before)
    assert {name: row[0] for name, row in restored.items()} == {name: row[0] for name, row in before.items()}


async def test_a_colour_is_known_with_its_place_and_who_changed_it_last(context: Context, desk: Desk) -> None:
    bob = await join(context, desk, "admin")
    await desk.post("/colors/{id}", {"key": "ink", "value": "#112233", "nickname": "Ink"})
    await desk.publish()
    await bob.put("/colors/{id}/ink", {"value": "#445566"})
    await desk.publish()
    async with context.database.read() as db:
        created_at = await db.scalar(select(Color.created_at))
    await desk.delete("/colors/{id}/ink")
    await desk.publish()

    async with context.database.read() as db:
        by = [
            (await entries.find(db, desk.project_id, "colors", ["ink"], until=release))["ink"] for release in (1, 2, 3)
        ]

    assert [entry.created_at for entry in by] == [created_at] * 3
    mine, theirs = desk.person.actor.id, bob.person.actor.id
    assert [entry.edits[WHOLE].by for entry in by] == [mine, theirs, mine]
