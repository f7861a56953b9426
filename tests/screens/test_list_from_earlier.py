"""The list of a screen is made from the list of before and the keys that changed since. It is the list that a whole read gives."""

import gzip
import json
import random

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.clock import now as clock_now
from livery.core.context import Context
from livery.core.json_lists import JsonList, Rows
from livery.projects.models import Project
from livery.projects.stamps import note_raised_revisions
from livery.screens import queries
from livery.screens.listing import Listing, read_changes, read_listing
from livery.screens.models import TextKey
from livery.screens.schemas import AiText
from livery.screens.service import write_ai_texts
from tests.factories.content import Studio
from tests.support.clock import Clock
from tests.support.lists import Lists
from tests.support.random_edits import KEYS, SCREENS, RandomEdits
from tests.support.tier import SEED, USUAL_SEED, seeds
from tests.support.trace import Trace

STEPS = 120
LEAST_FROM_EARLIER = 60


async def translate_by_ai(edits: RandomEdits) -> None:
    """Writes a text of AI in place of a text of a person."""
    studio, screen, name = edits.studio, edits.random.choice(SCREENS), edits.random.choice(KEYS)
    async with studio.context.database.write() as db:
        access = await studio.access(db)
        found = await queries.find_key_with_values(db, studio.project_id, screen, name)
        if found is None:
            return
        texts = {language: value.value for language, value in found[1].items()}
        replaced = texts.get("de", "")
        text = AiText(found[0].id, "de", edits.random.choice("xyz"), "en", texts.get("en", ""), replaced)
        await write_ai_texts(db, access, [text])


@pytest.mark.parametrize("seed", seeds(deep=20))
async def test_a_list_from_an_earlier_list_is_the_whole_list(context: Context, seed: int, trace: Trace) -> None:
    studio = await Studio.create(context, "de", "fr")
    edits, lists = RandomEdits(studio, seed, trace), Lists()
    await edits.furnish()
    for _ in range(STEPS):
        chance = edits.random.random()
        if chance < 0.1:
            await edits.studio.publish()
        elif chance < 0.3:
            await translate_by_ai(edits)
        else:
            await edits.edit()
        if edits.random.random() < 0.7:  # else two changes follow each other
            async with context.database.read() as db:
                assert await lists.stale(db) == []
    if SEED == USUAL_SEED:
        assert lists.made_from_earlier > LEAST_FROM_EARLIER, "too few lists were made from earlier lists"


async def project_of(db: AsyncSession, studio: Studio) -> Project:
    return (await db.scalars(select(Project).where(Project.id == studio.project_id))).one()


class Reader:
    """Reads the English texts of the screen ``general``, each time from what it read before."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.earlier: Listing | None = None

    async def is_from_earlier(self) -> bool:
        """Whether the list can be made from the list of before. Then that gives the whole list."""
        async with self.studio.context.database.read() as db:
            project = await project_of(db, self.studio)
            made = await read_changes(db, project, "general", ["en"], self.earlier) if self.earlier else None
            whole = await read_listing(db, project, "general", ["en"], None)
        assert made is None or made.raw == whole.raw
        self.earlier = made or whole
        return made is not None


async def test_a_list_is_made_from_an_earlier_list_after_edits_of_texts_only(context: Context) -> None:
    studio = await Studio.create(context, "de")
    reader = Reader(studio)
    await studio.add_key("first", {"en": "one"})
    await studio.add_key("title", {"en": "a", "de": "b"})

    assert not await reader.is_from_earlier()
    assert await reader.is_from_earlier()  # nothing changed
    await studio.set_text("title", {"de": "shown in the progress only"})
    await studio.set_text("title", {"en": "c"})
    assert await reader.is_from_earlier()
    await studio.add_key("last", {"en": "z"})
    assert await reader.is_from_earlier()
    await studio.rename_key("title", "name")
    assert not await reader.is_from_earlier()
    await studio.remove_key("last")
    assert not await reader.is_from_earlier()
    await studio.publish()
    assert not await reader.is_from_earlier()
    await studio.rename_key("name", "other")
    assert not await reader.is_from_earlier()
    await studio.add_key("name", {"en": "back, so the other key was renamed from no name that apps have"})
    assert not await reader.is_from_earlier()
    await studio.remove_language("de")
    assert not await reader.is_from_earlier()


async def test_a_new_key_that_may_not_be_the_last_of_the_list_needs_a_whole_read(
    context: Context, clock: Clock
) -> None:
    studio = await Studio.create(context)
    reader = Reader(studio)
    await studio.add_key("d", {})
    await reader.is_from_earlier()
    clock.advance(seconds=10)
    await studio.add_key("b", {})
    assert await reader.is_from_earlier()
    await studio.add_key("a", {})  # at the same moment: the name decides
    assert not await reader.is_from_earlier()
    clock.advance(seconds=10)
    await studio.add_key("f", {})
    assert await reader.is_from_earlier()
    clock.advance(seconds=-5)
    await studio.add_key("c", {})
    assert not await reader.is_from_earlier()


async def test_a_list_of_long_ago_or_of_an_unknown_moment_is_of_no_use(context: Context) -> None:
    studio = await Studio.create(context)
    reader = Reader(studio)
    await studio.add_key("title", {})
    await reader.is_from_earlier()
    for number in range(20):
        await studio.set_text("title", {"en": str(number)})
    assert await reader.is_from_earlier()
    for number in range(40):
        await studio.set_text("title", {"en": f"again {number}"})
    assert not await reader.is_from_earlier()
    async with context.database.read() as db:
        assert len((await project_of(db, studio)).last_stamps) <= 512
    async with context.database.write() as db:
        await db.execute(update(Project).values(stamp=""))  # as the migration leaves it
    assert not await reader.is_from_earlier()
    assert not await reader.is_from_earlier()
    await studio.set_text("title", {"en": "first edit since the migration"})
    assert not await reader.is_from_earlier()
    await studio.set_text("title", {"en": "second edit"})
    assert await reader.is_from_earlier()
    async with context.database.write() as db:
        await db.execute(update(Project).values(stamp="published"))  # as a server of an earlier version does
    assert not await reader.is_from_earlier()
    await studio.set_text("title", {"en": "third edit"})
    assert await reader.is_from_earlier()


async def test_many_changed_keys_need_a_whole_read(context: Context) -> None:
    studio = await Studio.create(context)
    reader = Reader(studio)
    moment = clock_now()
    async with context.database.write() as db:
        access = await studio.access(db)
        times = {"created_at": moment, "updated_at": moment, "updated_by": None, "removed_at": None}
        place = {"project_id": studio.project_id, "screen": "general", "revision": access.next_revision()}
        db.add_all(TextKey(id=f"key_{n}", name=f"k{n:03}", **times, **place) for n in range(101))
    await reader.is_from_earlier()
    for changed, is_from_earlier in ((100, True), (101, False)):
        async with context.database.write() as db:
            note_raised_revisions(db)
            raised = (await studio.access(db)).next_revision()
            names = [f"k{n:03}" for n in range(changed)]
            await db.execute(update(TextKey).where(TextKey.name.in_(names)).values(revision=raised))
        assert await reader.is_from_earlier() is is_from_earlier, changed


def test_rows_replaced_at_random_give_the_same_text_as_new_rows(trace: Trace) -> None:
    dice = random.Random(SEED)
    rows: dict[str, bytes] = {}
    made = Rows({})
    for _ in range(300):
        names = [f"key_{dice.randrange(400)}" for _ in range(dice.choice((0, 1, 1, 3, 40)))]
        changed = {name: json.dumps({name: dice.choice("äx😀") * dice.randrange(600)}).encode() for name in names}
        trace.note("replace", {name: len(row) for name, row in changed.items()})
        rows.update(changed)
        made = made.replaced(changed)
        found, wanted = (JsonList(b'{"rows":[', one, b"]}") for one in (made, Rows(rows)))
        assert found.raw == wanted.raw == b'{"rows":[' + b",".join(rows.values()) + b"]}"
        assert gzip.decompress(found.gzipped()) == found.raw
        assert [name in made for name in (*rows, "key_400")] == [*(True for _ in rows), False]


def test_only_the_groups_of_replaced_rows_are_compressed_again() -> None:
    rows = {f"key_{number}": b'"%s"' % (b"x" * 500) for number in range(1_000)}
    earlier = JsonList(b"[", Rows(rows), b"]")
    assert earlier.rows.bytes_to_pack > 500_000
    earlier.gzipped()

    later = earlier.rows.replaced({"key_500": b'"y"', "key_new": b'"z"'})

    assert earlier.rows.bytes_to_pack == 0
    assert 0 < later.bytes_to_pack < 50_000
