"""Search: what is found, in which order, in any script; and that the index never differs from the drafts."""

import asyncio
import json
import random
import unicodedata
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text, update

from livery.core.context import Context
from livery.search import jobs, queries, service
from livery.search.blocks import find, make_block, needles, sign
from livery.search.folding import fold
from livery.search.models import SearchBlock
from tests.factories.projects import Desk, create_project, join, open_desk
from tests.support.tier import SEED, seeds
from tests.support.trace import Trace

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "search.json").read_text())
"""Queries with texts that hold them and texts that don't; the dashboard marks by the same rule."""


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr", "ar", "ko"))


async def renew(context: Context) -> None:
    """What background work does within a second."""
    while await service.renew(context.database):
        continue


async def found(desk: Desk, query: str) -> list[tuple[str, str, str, str]]:
    """Screen, key, language and kind of match of each result."""
    answer = await desk.client.get(
        f"/api/translations/{desk.project_id}/search", params={"q": query}, headers=desk.person.headers
    )
    assert answer.status_code == 200, answer.text
    return [
        (result["tabName"], result["key"], result["language"], result["matchType"])
        for result in answer.json()["results"]
    ]


async def keys_found(desk: Desk, query: str) -> list[str]:
    return [key for _, key, _, _ in await found(desk, query)]


@pytest.mark.spec("search-3")
async def test_a_result_has_its_place_and_its_text(desk: Desk) -> None:
    await desk.text("title", {"en": "Where to next?", "de": "Wohin als Nächstes?"})

    answer = await desk.get("/translations/{id}/search?q=nachst")

    assert answer.json() == {
        "results": [
            {
                "tabName": "general",
                "key": "title",
                "value": "Wohin als Nächstes?",
                "language": "de",
                "matchType": "value",
            }
        ]
    }


@pytest.mark.spec("search-3")
async def test_a_name_counts_once_with_the_default_text_and_comes_before_texts(context: Context, desk: Desk) -> None:
    await desk.text("other", {"en": "The title of it", "de": "Kein Titel"})
    await desk.text("title", {"en": "Title", "de": "Der title"})
    await desk.text("subtitle", {"de": "Nur deutsch"})

    for _ in ("as written", "from the index"):
        answer = (await desk.get("/translations/{id}/search?q=TITLE")).json()["results"]
        assert [(one["key"], one["value"], one["language"], one["matchType"]) for one in answer] == [
            ("title", "Title", "en", "key"),
            ("subtitle", "", "en", "key"),
            ("other", "The title of it", "en", "value"),
            ("title", "Der title", "de", "value"),
        ]
        await renew(context)


@pytest.mark.spec("search-5")
async def test_whole_matches_come_first_then_beginnings_then_words(context: Context, desk: Desk) -> None:
    for key, value in {"e": "restart", "d": "Wild art", "c": "Artful", "b": "Art", "a": "Smart"}.items():
        await desk.text(key, {"en": value})

    for _ in ("as written", "from the index"):
        assert (await keys_found(desk, "art"))[:3] == ["b", "c", "d"]
        assert sorted(await keys_found(desk, "art")) == ["a", "b", "c", "d", "e"]
        await renew(context)


async def differing(context: Context, desk: Desk, cases: list[list[str]], expected: list[str]) -> list[str]:
    """The cases in which a search does not find what is expected, in the text just written or in the index."""
    await desk.text("k1", {"en": "nothing yet"})
    found: list[str] = []
    for query, value in cases:
        response = await desk.put("/translations/{id}/general/k1", {"key": "k1", "values": {"en": value}})
        assert response.status_code == 200, (value, response.text)
        as_written = await keys_found(desk, query)
        await renew(context)
        from_index = await keys_found(desk, query)
        if not as_written == from_index == expected:
            found.append(f"{query!r} in {value!r}: {as_written} as written, {from_index} from the index")
    return found


@pytest.mark.spec("search-4")
async def test_case_accents_and_script_do_not_matter(context: Context, desk: Desk) -> None:
    assert await differing(context, desk, VECTORS["found"], ["k1"]) == []


@pytest.mark.spec("search-4")
async def test_a_text_that_only_looks_alike_is_not_found(context: Context, desk: Desk) -> None:
    assert await differing(context, desk, VECTORS["not_found"], []) == []


@pytest.mark.spec("search-6")
@pytest.mark.parametrize("query", ["", " ", "%09%0A", "\u200b", "\u0301", "\u3000"])
async def test_an_empty_query_finds_nothing(desk: Desk, query: str) -> None:
    await desk.text("title", {"en": "Hello you"})

    answer = await desk.get(f"/translations/{{id}}/search?q={query}")

    assert (answer.status_code, answer.json()) == (200, {"results": []})
    assert (await desk.get("/translations/{id}/search")).json() == {"results": []}


async def test_a_query_has_at_most_200_characters(desk: Desk) -> None:
    await desk.text("title", {"en": "x" * 300})

    assert await keys_found(desk, "x" * 200) == ["title"]
    answer = await desk.get(f"/translations/{{id}}/search?q={'x' * 201}")
    assert (answer.status_code, answer.json()["fields"]) == (422, {"q": "Use at most 200 characters."})


@pytest.mark.parametrize(
    "query", ["%ff%fe", "%ed%a0%80", "%F0%9F%98%80", "'%20OR%201=1", "%5C%27", "a&q=b", "a%0Ab", "\u202e"]
)
async def test_no_query_breaks_it(context: Context, desk: Desk, query: str) -> None:
    await desk.text("title", {"en": "Hello"})
    await renew(context)

    assert (await desk.get(f"/translations/{{id}}/search?q={query}")).status_code == 200


@pytest.mark.spec("search-5")
async def test_at_most_fifty_come_back_keys_first(context: Context, desk: Desk) -> None:
    for number in range(40):
        await desk.text(f"save_{number}", {"en": "Nothing", "de": "Nichts"})
        await desk.text(f"other_{number}", {"en": "Please save", "de": "save"})

    for _ in ("as written", "from the index"):
        results = await found(desk, "save")
        assert [kind for *_, kind in results] == ["key"] * 40 + ["value"] * 10
        assert len(set(results)) == 50
        assert {language for *_, language, kind in results if kind == "value"} == {"de"}, "whole texts come first"
        await renew(context)


@pytest.mark.spec("search-7")
async def test_an_edit_is_found_at_once_and_what_was_there_no_more(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Departures"})
    await renew(context)

    await desk.put("/translations/{id}/general/title", {"key": "heading", "values": {"en": "Arrivals"}})

    for _ in ("as written", "from the index"):
        assert await keys_found(desk, "arriv") == ["heading"]
        assert await keys_found(desk, "depart") == []
        assert await keys_found(desk, "title") == []
        assert await found(desk, "head") == [("general", "heading", "en", "key")]
        await renew(context)


@pytest.mark.spec("search-7")
async def test_deleted_keys_screens_and_languages_are_not_found_though_apps_have_them(
    context: Context, desk: Desk
) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.text("kept", {"en": "Harbour", "de": "Hafen"})
    await desk.text("gone", {"en": "Harbour"})
    await desk.text("away", {"en": "Harbour"}, screen="home")
    await desk.publish()
    await renew(context)

    await desk.delete("/translations/{id}/general/gone")
    await desk.delete("/projects/{id}/screens/home")
    await desk.delete("/projects/{id}/languages/de")

    for _ in ("as written", "from the index"):
        assert await found(desk, "harbour") == [("general", "kept", "en", "value")]
        assert await keys_found(desk, "gone") == []
        assert await keys_found(desk, "away") == []
        assert await keys_found(desk, "hafen") == []
        await renew(context)
    await desk.text("gone", {"en": "Harbour again"})
    assert sorted(await keys_found(desk, "harbour")) == ["gone", "kept"]


async def test_another_project_is_never_found(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "A secret of ours"})
    other = Desk(desk.client, desk.person, await create_project(context, desk.person.actor, name="Other"))
    await other.text("title", {"en": "A word of theirs"})

    for _ in ("as written", "from the index"):
        assert await keys_found(other, "secret") == []
        assert await keys_found(desk, "theirs") == []
        assert len(await found(desk, "secret")) == 1
        await renew(context)


async def test_a_viewer_searches_too(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})

    assert await keys_found(await join(context, desk, "viewer"), "hello") == ["title"]


async def test_a_text_that_changes_while_its_block_is_made_stays_marked(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "First"})
    async with context.database.read() as db:
        (mark,) = [mark for mark in await queries.some_marks(db, 10) if mark.language == "en"]
        rows = await queries.texts_of(db, mark.project_id, mark.screen, mark.language)
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "Second"}})
    async with context.database.write() as db:
        block = make_block(rows)
        await service.keep(db, mark, block, sign(block.text))

    assert await keys_found(desk, "second") == ["title"]
    assert await keys_found(desk, "first") == []
    await renew(context)
    assert await keys_found(desk, "second") == ["title"]


async def test_a_look_ends_while_somebody_edits_all_the_time(context: Context, desk: Desk) -> None:
    """Each block is made once in a look, not after each edit."""
    await desk.text("title", {"en": "0"})

    edited = asyncio.Event()

    async def edit() -> None:
        for number in count(1):
            await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": f"Text {number}"}})
            edited.set()

    (sweep,) = jobs.sweeps(context)
    editing = asyncio.create_task(edit())
    try:
        async with asyncio.timeout(5):
            await edited.wait()
            await sweep.run()
            await sweep.run()
    finally:
        editing.cancel()
        await asyncio.gather(editing, return_exceptions=True)
    await renew(context)
    assert await keys_found(desk, "text") == ["title"]


async def test_blocks_that_another_version_folded_are_not_trusted_and_made_again(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await renew(context)
    async with context.database.write() as db:
        await db.execute(update(SearchBlock).values(form="0-old", text="\nother\n", signature=bytes(8)))

    assert await keys_found(desk, "hello") == ["title"]
    assert await keys_found(desk, "other") == []
    async with context.database.write() as db:
        await service.mark_foreign_forms(db)
    await renew(context)

    assert await keys_found(desk, "hello") == ["title"]
    async with context.database.read() as db:
        assert {problem async for problem in queries.check_search(db)} == set()
        assert (await db.execute(text("SELECT count(*) FROM search_blocks WHERE form = '0-old'"))).scalar_one() == 0


async def test_a_project_that_goes_takes_its_index_along(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await renew(context)
    await desk.text("second", {"en": "Hello"})

    async with context.database.write() as db:
        await db.execute(text("DELETE FROM project_keys"))
        await db.execute(text("DELETE FROM projects"))

    async with context.database.read() as db:
        for table in ("search_blocks", "search_marks"):
            assert (await db.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() == 0


LETTERS = "aAbBéÉ\u0131İßs 京東ᄒ한하אب%_"


def plain(value: str) -> str:
    """The rule in its simplest form."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", value) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", " ".join(bare.replace("\u0131", "i").casefold().split()))


def expected(drafts: Mapping[str, Mapping[str, Mapping[str, str]]], query: str) -> set[tuple[str, str, str, str]]:
    """What a search through everything finds."""
    wanted = plain(query)
    results: set[tuple[str, str, str, str]] = set()
    for screen, keys in drafts.items():
        for key, values in keys.items():
            if wanted in plain(key):
                results.add((screen, key, "en", "key"))
            results |= {
                (screen, key, language, "value")
                for language, value in values.items()
                if wanted in plain(value) and (language != "en" or wanted not in plain(key))
            }
    return results


class Team:
    """People who do anything at all to a project."""

    def __init__(self, desk: Desk, context: Context, seed: int, trace: Trace) -> None:
        self.desk, self.context, self.pick, self.trace = desk, context, random.Random(f"{SEED} {seed}"), trace
        self.screens, self.languages = ["general"], ["en", "de", "ar"]

    def text(self) -> str:
        return "".join(self.pick.choices(LETTERS, k=self.pick.randint(0, 6)))

    async def act(self) -> None:
        operations = [self.write] * 6 + [
            self.rename,
            self.remove,
            self.publish,
            self.renew,
            self.turn_screen,
            self.turn_language,
        ]
        operation = self.pick.choice(operations)
        self.trace.note(operation.__name__)
        await operation()

    def place(self) -> tuple[str, str]:
        return (
            f"/translations/{{id}}/{self.pick.choice(self.screens)}",
            f"{self.pick.choice('abs')}_{self.pick.randrange(4)}",
        )

    def values(self) -> dict[str, str]:
        some = self.pick.sample(self.languages, self.pick.randint(0, len(self.languages)))
        return {language: self.text() for language in some}

    async def write(self) -> None:
        screen, key = self.place()
        values = self.values()
        self.trace.note(screen, key, values)
        if not (await self.desk.put(f"{screen}/{key}", {"key": key, "values": values})).is_success:
            await self.desk.post(screen, {"key": key, "values": values})

    async def rename(self) -> None:
        screen, key = self.place()
        renamed = {"key": self.place()[1], "values": self.values()}
        self.trace.note(screen, key, renamed)
        await self.desk.put(f"{screen}/{key}", renamed)

    async def remove(self) -> None:
        path = "/".join(self.place())
        self.trace.note(path)
        await self.desk.delete(path)

    async def publish(self) -> None:
        await self.desk.publish()

    async def renew(self) -> None:
        await renew(self.context)

    async def turn_screen(self) -> None:
        if "one" in self.screens:
            self.screens.remove("one")
            await self.desk.delete("/projects/{id}/screens/one")
        else:
            self.screens.append("one")
            await self.desk.post("/projects/{id}/screens", {"name": "one"})

    async def turn_language(self) -> None:
        if "de" in self.languages:
            self.languages.remove("de")
            await self.desk.delete("/projects/{id}/languages/de")
        else:
            self.languages.append("de")
            await self.desk.post("/projects/{id}/languages", {"language": "de"})


@pytest.mark.spec("search-7")
@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("seed", seeds(deep=8))
async def test_after_random_edits_a_search_finds_the_same_as_a_look_at_every_draft(
    context: Context, client: httpx2.AsyncClient, seed: int, trace: Trace
) -> None:
    desk = await open_desk(context, client, languages=("en", "de", "ar"))
    team = Team(desk, context, seed, trace)
    most = 0

    for _ in range(40):
        await team.act()
        drafts = {screen: await desk.keys(screen) for screen in team.screens}
        for query in ("a", "_", team.text() or "b", "京"):
            wanted = expected(drafts, query) if plain(query) else set[tuple[str, str, str, str]]()
            results = await found(desk, query)
            assert len(results) == len(set(results))
            assert set(results) == wanted or (len(results) == 50 and set(results) < wanted), (query, drafts)
            most = max(most, len(results))

    assert most > 5
    async with context.database.read() as db:
        assert [problem async for problem in queries.check_search(db)] == []


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=5))
def test_folding_twice_changes_nothing_and_gives_no_line_break(before: str, after: str, query: str) -> None:
    folded = fold(before + query + after)

    assert fold(folded) == folded
    assert "\n" not in folded
    assert "\0" not in folded


@given(
    st.lists(st.text(alphabet="ab _é京", max_size=6), max_size=8), st.text(alphabet="ab _é京", min_size=1, max_size=4)
)
def test_a_block_gives_each_line_that_holds_the_needle_once(texts: list[str], query: str) -> None:
    wanted = fold(query)
    block = make_block([(str(number), value) for number, value in enumerate(texts)])
    lines = dict(zip(block.key_ids, block.text.strip("\n").split("\n"), strict=False))

    if wanted:
        *_, whole, anywhere = (needles(wanted, is_name=False)[0], needles(wanted, is_name=False)[3])
        assert list(find(block, anywhere.text)) == [key for key, line in lines.items() if wanted in line]
        assert list(find(block, whole.text)) == [key for key, line in lines.items() if wanted == line]
        signature = sign(block.text)
        if anywhere.text in block.text:
            size = 8 * len(signature)
            assert all(signature[gram % size >> 3] >> (gram & 7) & 1 for gram in anywhere.grams)
