"""Restoring a release over HTTP, and what there is to see of it."""

from typing import Any

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk


def plain(change: dict[str, Any]) -> dict[str, Any]:
    """A change without what a reader needs to choose it."""
    return {name: value for name, value in change.items() if name not in {"ref", "byId", "needs", "tie"}}


async def restore(context: Context, desk: Desk, number: int) -> dict[str, Any]:
    """Returns the answer. Whatever was restored, the outcome is what its preview showed, and the data is sound then."""
    told = await desk.get(f"/projects/{{id}}/releases/{number}/restore?draft=true")
    assert told.status_code == 200, told.text
    waiting = await count_waiting(desk)
    response = await desk.post(f"/projects/{{id}}/releases/{number}/restore", {"draft": True})
    assert response.status_code == 200, response.text
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
    came = {name: response.json()[name] for name in ("release", "leftOut", "keptEdits")}
    assert told.json() == {**came, "waiting": waiting, "staying": await count_waiting(desk)}
    return response.json()


async def count_waiting(desk: Desk) -> int:
    return (await desk.project())["unpublished"]["total"]


async def set_text(desk: Desk, key: str, screen: str = "general", **values: str) -> None:
    response = await desk.put(f"/translations/{{id}}/{screen}/{key}", {"key": key, "values": values})
    assert response.status_code == 200, response.text


async def released(desk: Desk, language: str = "en") -> dict[str, Any]:
    """Returns what apps get in a language, without what differs in each release."""
    content = await desk.content(language)
    return {name: content[name] for name in ("texts", "colors", "languages", "stores")}


async def kinds(desk: Desk, screen: str = "general") -> list[tuple[str, int, int]]:
    """Kind, release and count of each entry of a screen's history, newest first."""
    found = (await desk.get(f"/translations/{{id}}/{screen}/versions")).json()["versions"]
    return [(one["kind"], one["release"], one["changes"]) for one in found]


async def row_of(desk: Desk, key: str, screen: str = "general") -> dict[str, Any]:
    keys = (await desk.get(f"/translations/{{id}}/{screen}")).json()["keys"]
    return next(one for one in keys if one["key"] == key)


async def refs(desk: Desk) -> dict[str, str]:
    """The references of the changes of keys, by name."""
    return {key["key"]: key["ref"] for screen in (await desk.diff())["screens"] for key in screen["keys"]}
