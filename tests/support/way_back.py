"""A walk back through the histories of a project, and what people and apps have after each step."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from tests.factories.projects import Desk
from tests.support.clock import Clock

Json = dict[str, Any]

EVERY = 3
"""Restores one release out of this many."""


async def walk_back(desk: Desk, clock: Clock, restore_body: Mapping[str, object]) -> AsyncIterator[tuple[str, Json]]:
    """Publishes the draft, restores releases, and rolls back to each draft that a history keeps. Yields what was done and what there is then.

    ``restore_body`` asks for a restore of the draft too. The clock moves before each step.
    """
    numbers = [entry["number"] for entry in (await _get(desk, "/projects/{id}/releases?limit=100"))["releases"]]
    yield "publish", await _step(desk, clock, "/translations/{id}/publish")
    for number in numbers[::EVERY]:
        path = f"/projects/{{id}}/releases/{number}/restore"
        yield f"restore {number}", await _step(desk, clock, path, dict(restore_body))
    for place in [f"/translations/{{id}}/{screen}" for screen in (await desk.project())["tabs"]] + ["/colors/{id}"]:
        for version in (await _get(desk, f"{place}/versions?limit=100"))["versions"]:
            if version["kind"] == "draft":
                step = f"{place} to {version['versionNumber']}"
                yield step, await _step(desk, clock, f"{place}/rollback/{version['id']}")
    for store in await _get(desk, "/stores/{id}"):
        for number, item in enumerate(await _get(desk, f"/stores/items/{store['_id']}")):
            for version in item["publishedVersions"]:
                if version["kind"] == "draft":
                    step = f"{store['apiIdentifier']}[{number}] to {version['versionNumber']}"
                    yield step, await _step(desk, clock, f"/stores/items/{item['_id']}/rollback/{version['_id']}")


async def _get(desk: Desk, path: str) -> Any:
    answer = await desk.get(path)
    assert answer.is_success, (path, answer.text)
    return answer.json()


async def _step(desk: Desk, clock: Clock, path: str, body: object = None) -> Json:
    """Does one step. Returns the draft, and what apps have."""
    clock.advance(minutes=2)
    answer = await desk.post(path, body)
    assert answer.is_success, (path, answer.text)
    project = await desk.project()
    content = await desk.content(project["defaultLanguage"])
    return {
        "languages": project["languages"],
        "screens": {screen: await _screen(desk, screen) for screen in project["tabs"]},
        "colors": await _colors(desk),
        "stores": {store["apiIdentifier"]: await _store(desk, store) for store in await _get(desk, "/stores/{id}")},
        "released": {code: await _content(desk, code) for code in content["languages"]},
        "editors": await _editors(desk, project["release"]),
    }


async def _screen(desk: Desk, screen: str) -> Json:
    """Keys in their order, texts, and who wrote them: a person or AI. Ids and revisions are those of one try."""
    keys = (await _get(desk, f"/translations/{{id}}/{screen}"))["keys"]
    return {
        "order": [key["key"] for key in keys],
        "texts": {key["key"]: key["values"] for key in keys},
        "authors": {key["key"]: {code: meta["by"] for code, meta in key["meta"].items()} for key in keys},
    }


async def _colors(desk: Desk) -> Json:
    colors = (await _get(desk, "/colors/{id}"))["colors"]
    return {"order": [color["key"] for color in colors]} | {
        color["key"]: [color["value"], color["nickname"]] for color in colors
    }


async def _store(desk: Desk, store: Json) -> Json:
    items = await _get(desk, f"/stores/items/{store['_id']}")
    return {
        "name": store["name"],
        "fields": store["fields"],
        "order": [item["_id"] for item in items],
        "items": {item["_id"]: {name: item[name] for name in ("data", "aiWritten")} for item in items},
    }


async def _editors(desk: Desk, number: int) -> Json:
    """Who made each change of a release."""
    diff = await _get(desk, f"/projects/{{id}}/releases/{number}/diff")
    return {
        "texts": {
            f"{screen['screen']}.{key['key']}/{value['language']}": value["by"] or key["by"]
            for screen in diff["screens"]
            for key in screen["keys"]
            for value in key["values"]
        },
        "colors": {color["key"]: color["by"] for color in diff["colors"]},
        "stores": {store["store"]: store["by"] for store in diff["stores"]},
        "items": {item["_id"]: item["by"] for store in diff["stores"] for item in store["items"]},
    }


async def _content(desk: Desk, language: str) -> Json:
    content = await desk.content(language)
    return {name: content[name] for name in ("release", "texts", "colors", "languages", "stores")}
