"""Imports of files of colours: what they do to the draft, and the way back."""

from dataclasses import replace

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.accounts import create_logged_in
from tests.factories.imports import apply, import_of, plan_of, undo
from tests.factories.projects import Desk, create_project

THEME = "@theme { --color-primary: #0b5d5e; --color-brand-dark: oklch(0 0 0); --glass: rgb(0 0 0 / 0.5); }"


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    owner = await create_logged_in(context)
    return Desk(client, owner, await create_project(context, owner.actor, languages=("en", "de")))


async def colors_of(desk: Desk) -> dict[str, str]:
    return {color["key"]: color["value"] for color in (await desk.get("/colors/{id}")).json()["colors"]}


async def paint(desk: Desk, key: str, value: str) -> None:
    made = await desk.post("/colors/{id}", {"key": key, "value": value})
    if made.status_code == 409:
        made = await desk.put(f"/colors/{{id}}/{key}", {"value": value})
    assert made.is_success, made.text


async def test_a_theme_becomes_colours_of_the_draft(desk: Desk) -> None:
    import_id = await import_of(desk, {"theme.css": THEME})

    plan = await plan_of(desk, import_id)
    applied = await apply(desk, import_id, token=plan["token"])

    assert [(row["kind"], row["name"], row["key"], row["text"], row["state"]) for row in plan["rows"]] == [
        ("colors", "--color-primary", "primary", "#0b5d5e", "new"),
        ("colors", "--color-brand-dark", "brand-dark", "#000000", "new"),
        ("colors", "--glass", None, "", "invalid"),
    ]
    assert applied == {"message": "Imported 2 colours.", "texts": 0, "colors": 2, "items": 0, "newScreens": []}
    assert await colors_of(desk) == {"primary": "#0b5d5e", "brand-dark": "#000000"}
    assert (await desk.get("/activity")).json()[0]["action"] == "Imported 2 colours from files"


async def test_an_unpublished_colour_is_a_conflict_and_stays_unless_it_is_chosen(desk: Desk) -> None:
    await paint(desk, "published", "#111111")
    await desk.publish()
    await paint(desk, "mine", "#222222")
    theme = ":root { --published: #333333; --mine: #333333; }"

    plan = await plan_of(desk, import_id := await import_of(desk, {"a.css": theme}))
    await apply(desk, import_id)
    kept = await colors_of(desk)
    await apply(desk, await import_of(desk, {"a.css": theme}), take=["conflict"])

    assert [(row["key"], row["before"], row["state"]) for row in plan["rows"]] == [
        ("published", "#111111", "changed"),
        ("mine", "#222222", "conflict"),
    ]
    assert kept == {"published": "#333333", "mine": "#222222"}
    assert (await colors_of(desk))["mine"] == "#333333"


async def test_to_a_program_every_value_of_a_person_is_a_conflict(desk: Desk) -> None:
    await paint(desk, "primary", "#111111")
    await desk.publish()
    body = {"name": "CI", "scopes": ["read", "write"]}
    token = (await desk.post("/projects/{id}/tokens", body)).json()["token"]
    program = desk.at(replace(desk.person, token=token))

    plan = await plan_of(program, await import_of(program, {"a.css": ":root { --primary: #333333; --other: #fff; }"}))

    assert [row["state"] for row in plan["rows"]] == ["conflict", "new"]


async def test_an_undo_takes_colours_back_but_not_what_changed_since(desk: Desk) -> None:
    await paint(desk, "old", "#111111")
    await desk.publish()
    import_id = await import_of(desk, {"a.css": ":root { --old: #222222; --fresh: #222222; --edited: #222222; }"})
    await apply(desk, import_id)
    await paint(desk, "edited", "#444444")

    undone = await undo(desk, import_id)

    assert undone == {
        "message": "Took 2 colours back. Apps change with the next publish. 1 colour stayed, since somebody changed them.",
        "kept": 1,
    }
    assert await colors_of(desk) == {"old": "#111111", "edited": "#444444"}
    assert (await desk.diff())["total"] == 1


async def test_names_that_become_one_key_are_reported(desk: Desk) -> None:
    tokens = {
        name: {"$type": "color", "$value": "#fff"}
        for name in ("brand/1", "brand.1", "100", "Über", "__proto__", "constructor")
    }

    plan = await plan_of(desk, await import_of(desk, {"a.tokens.json": tokens}))

    assert [(row["name"], row["key"], row["problem"]) for row in plan["rows"]] == [
        ("brand/1", "brand.1", None),
        ("brand.1", "brand.1", "collision"),
        ("100", "_100", None),
        ("Über", "_ber", None),
        ("__proto__", None, "name"),
        ("constructor", None, "name"),
    ]


async def test_texts_and_colours_come_in_one_import(desk: Desk) -> None:
    import_id = await import_of(desk, {"en.json": {"hello": "Hello"}, "a.css": ":root { --a: #fff; }"})

    applied = await apply(desk, import_id)
    files = (await desk.get(f"/projects/{{id}}/imports/{import_id}")).json()["files"]

    assert applied["message"] == "Imported 1 text and 1 colour."
    assert [(file["kind"], file["format"], file["texts"]) for file in files] == [
        ("texts", "json", 1),
        ("colors", "css", 1),
    ]
    assert (await undo(desk, import_id))["message"].startswith("Took 2 changes back.")
    assert await colors_of(desk) == {}
