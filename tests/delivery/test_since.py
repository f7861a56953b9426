"""Patches: old content with its patch is the new content, whatever was edited between; and what is no known version gets the whole."""

import random
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from livery.content.parts import COLORS, META, Meta, text_part
from livery.core.errors import LiveryError
from livery.delivery import content
from livery.publishing.schemas import ReleaseState
from tests.factories.content import Studio
from tests.factories.delivered import read_content, read_release
from tests.support.event_stream import applied, merge_patch
from tests.support.tier import SEED, seeds
from tests.support.trace import Trace

Json = dict[str, Any]


async def edit_at_random(studio: Studio, dice: random.Random, trace: Trace) -> None:
    """One edit that may be impossible: then nothing changes."""
    key, screen = f"k{dice.randrange(6)}", dice.choice(["general", "home", "trip"])
    texts = {language: dice.choice(["", "a", "b", "c"]) for language in dice.sample(["en", "de", "pt"], 2)}
    action = dice.randrange(9)
    trace.note("edit", action, screen, key, texts)
    match action:
        case 0:
            await studio.add_screen(screen)
        case 1 if screen != "general":
            await studio.remove_screen(screen)
        case 2:
            await studio.rename_key(key, f"k{dice.randrange(6)}", screen=screen)
        case 3:
            await studio.remove_key(key, screen=screen)
        case 4:
            await studio.add_color(key, f"#{dice.randrange(3):06x}")
        case 5:
            await studio.remove_color(key)
        case 6:
            await studio.set_text(key, texts, screen=screen)
        case _:
            await studio.add_key(key, texts, screen=screen)


@pytest.mark.deep_on("postgresql")
@pytest.mark.parametrize("seed", seeds(deep=12))
async def test_any_old_content_with_its_patch_is_the_new_content(
    http: httpx2.AsyncClient, studio: Studio, seed: int, trace: Trace
) -> None:
    dice = random.Random(f"{SEED} {seed}")
    history: dict[str, list[Json]] = {language: [] for language in ("en", "de", "pt-BR")}
    await studio.add_key("round", {})
    for round_number in range(12):
        if round_number % 2 == 0:  # there may be no possible edit in a round
            await studio.set_text("round", {"en": str(round_number)})
        for _ in range(dice.randrange(1, 7)):
            try:
                await edit_at_random(studio, dice, trace)
            except LiveryError:
                continue
        if round_number == 6:
            await studio.add_language("fr")
        release = await studio.publish()
        trace.note("publish", release)
        for language, bodies in history.items():
            fresh = await read_release(http, studio, release, lang=language)
            for old in bodies:
                change = await read_content(http, studio, lang=language, since=old["version"])
                if "patch" in change:
                    assert applied(old, change) == fresh
                else:
                    assert change == fresh
            if not bodies or bodies[-1]["release"] != release:
                bodies.append(fresh)
    assert all(len(bodies) >= 6 for bodies in history.values())


names = st.sampled_from(["a", "b", "c"])
texts = st.dictionaries(names, st.sampled_from(["", "x", "y", "null", '"'])).map(dict[str, str])
languages = st.sampled_from(["en", "de", "pt", "pt-BR"])


@st.composite
def releases(draw: st.DrawFn, number: int, spoken: tuple[str, ...]) -> tuple[ReleaseState, dict[str, object]]:
    """A release with any texts and colours, and its bodies (a hash is a body's own text here)."""
    screens = tuple(draw(st.lists(names, unique=True)))
    values: dict[str, object] = {META: number}
    for screen in screens:
        for language in spoken:
            if made := {key: text for key, text in draw(texts).items() if text}:
                values[text_part(screen, language)] = made
    if colors := draw(st.dictionaries(names, st.sampled_from(["#000000", "#ffffff"]))):
        values[COLORS] = {key: {"value": value, "nickname": ""} for key, value in colors.items()}
    parts = {name: repr(value) for name, value in values.items()}
    state = ReleaseState("prj_x", number, Meta("en", spoken, screens), parts)
    return state, {repr(value): value for value in values.values()}


@given(st.data(), languages, st.lists(languages, unique=True).map(lambda more: tuple(dict.fromkeys(["en", *more]))))
def test_the_patch_of_any_two_releases_leads_from_one_to_the_other(
    data: st.DataObject, asked: str, spoken: tuple[str, ...]
) -> None:
    old, old_bodies = data.draw(releases(1, spoken))
    new, new_bodies = data.draw(releases(2, spoken))
    bodies = {**old_bodies, **new_bodies}
    language = content.served_language(new, asked)
    screens = content.touched_screens(old, new, language)

    patch = content.patch(old, new, language, screens, bodies)

    before, after = (content.compose(state, language, "v", bodies) for state in (old, new))
    assert merge_patch({**before, "release": 2}, patch) == after


async def test_a_current_version_gets_an_empty_patch(http: httpx2.AsyncClient, studio: Studio) -> None:
    for release in range(2):
        body = await read_release(http, studio, release)
        assert await read_content(http, studio, since=body["version"]) == {
            "from": body["version"],
            "version": body["version"],
            "release": release,
            "patch": {},
        }
        await studio.publish()


async def test_an_unknown_or_unreadable_version_gets_the_whole_content(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_key("title", {"en": "first"})
    await studio.publish()
    whole = await read_release(http, studio, 1)
    epoch = whole["version"].partition(".")[0]

    unknown = ("other.1", f"{epoch}.2", f"{epoch}.0", f"{epoch}.999999999", f"{epoch.upper()}x.1")
    unreadable = ("1", epoch, f"{epoch}.", f"{epoch}.-1", f"{epoch}.1.1", f"{epoch}.1e1", f"{epoch}.٣", "." * 99, "\0")
    for since in (*unknown, *unreadable):
        assert await read_content(http, studio, since=since) == whole, since


async def test_fifty_releases_back_a_patch_can_be_had_and_before_that_the_whole(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_key("title", {"en": "0"})
    await studio.publish()
    first = await read_release(http, studio, 1)
    for number in range(1, 51):
        await studio.set_text("title", {"en": str(number)})
        await studio.publish()
    fresh = await read_release(http, studio, 51)

    assert applied(first, await read_content(http, studio, since=first["version"])) == fresh

    await studio.set_text("title", {"en": "last"})
    await studio.publish()
    fresh = await read_release(http, studio, 52)
    assert await read_content(http, studio, since=first["version"]) == fresh


async def test_an_app_that_gets_another_language_now_gets_the_whole(http: httpx2.AsyncClient, studio: Studio) -> None:
    await studio.add_key("title", {"en": "en", "pt": "pt"})
    await studio.publish()
    old = await read_release(http, studio, 1, lang="pt-BR")
    await studio.add_language("pt-BR")
    await studio.set_text("title", {"pt-BR": "br"})
    await studio.publish()
    fresh = await read_release(http, studio, 2, lang="pt-BR")

    assert (old["language"], fresh["language"]) == ("pt", "pt-BR")
    assert await read_content(http, studio, lang="pt-BR", since=old["version"]) == fresh
    change = await read_content(http, studio, lang="pt", since=old["version"])
    assert change["patch"] == {"languages": ["en", "de", "pt", "pt-BR"]}


async def test_a_text_that_falls_back_changes_with_the_language_it_comes_from(
    http: httpx2.AsyncClient, studio: Studio
) -> None:
    await studio.add_key("title", {"en": "old", "de": "alt"})
    await studio.add_key("only_english", {"en": "old"})
    await studio.publish()
    old = await read_release(http, studio, 1, lang="de")
    await studio.set_text("title", {"en": "new"})
    await studio.set_text("only_english", {"en": "new"})
    await studio.publish()
    await read_release(http, studio, 2, lang="de")

    change = await read_content(http, studio, lang="de", since=old["version"])

    assert change["patch"] == {"texts": {"general": {"only_english": "new"}}}
