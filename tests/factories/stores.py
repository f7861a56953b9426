"""Makes data stores and items for tests, over HTTP, and does to them what a release does."""

from collections.abc import Iterable, Mapping
from typing import Any

from livery.core.context import Context
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.stores import service, versions
from livery.stores.access import open_store
from tests.factories.projects import Desk

TYPES = ("String", "Number", "Boolean", "Date", "RichText", "Media")


def field(name: str, type: str = "String", **more: object) -> dict[str, Any]:  # noqa: A002  # the name on the wire
    """A field as a request has it."""
    return {"name": name, "type": type, **more}


TITLE = field("title", required=True, isTranslatable=True)
PRICE = field("price", "Number")


async def create_store(desk: Desk, name: str = "Destinations", *fields: Mapping[str, Any]) -> dict[str, Any]:
    """A store called ``name``, with a title and a price unless other fields are named."""
    body = {
        "name": name,
        "apiIdentifier": name.lower().replace(" ", "_"),
        "fields": [dict(one) for one in fields or (TITLE, PRICE)],
    }
    response = await desk.post("/stores/{id}", body)
    assert response.status_code == 201, response.text
    return response.json()


async def create_item(desk: Desk, store: Mapping[str, Any], **data: object) -> dict[str, Any]:
    """An item with these values."""
    response = await desk.post(f"/stores/items/{store['_id']}", {"data": data})
    assert response.status_code == 201, response.text
    return response.json()


async def items_of(desk: Desk, store: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The items of the draft."""
    response = await desk.get(f"/stores/items/{store['_id']}")
    assert response.status_code == 200, response.text
    return response.json()


async def store_of(desk: Desk, api_identifier: str) -> dict[str, Any]:
    """The store as it is now."""
    response = await desk.get(f"/stores/{{id}}/{api_identifier}")
    assert response.status_code == 200, response.text
    return response.json()


async def create_items(
    context: Context, desk: Desk, store: Mapping[str, Any], data: Iterable[Mapping[str, object]]
) -> None:
    """Items with these values, in one transaction."""
    async with context.database.write() as db:
        actor = desk.person.actor
        access, row = await open_store(db, context.settings, actor, store["_id"], Permission.EDIT)
        for values in data:
            await service.create_item(db, access, row, values)


async def release(context: Context, desk: Desk) -> None:
    """Do to stores what the next release does: their versions, and what apps have."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, desk.person.actor, desk.project_id, Permission.PUBLISH)
        await versions.record_changed(db, access, release=access.project.release_number)
        await service.mark_published(db, access.project.id)
