"""Makes data stores and items for tests, over HTTP; many at once through the service."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.context import Context
from livery.core.ids import new_id
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.stores import service
from livery.stores.access import open_store
from livery.stores.models import Store, StoreItem
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
    """Items with these plain values, in one transaction."""
    async with context.database.write() as db:
        actor = desk.person.actor
        access, row = await open_store(db, context.settings, actor, store["_id"], Permission.EDIT)
        await add_items(db, access, row, list(data))


async def add_items(db: AsyncSession, access: Access, store: Store, data: Sequence[Mapping[str, object]]) -> list[str]:
    """Adds items and returns their ids. If the service takes the values of the first item as they are, the remaining items are copies of its
    row. They have their own values, but no activities: a twentieth of the time."""
    first = await service.create_item(db, access, store, data[0])
    ids = {str(field["name"]): str(field["_id"]) for field in store.fields}
    if first.data != _by_id(ids, data[0]):
        return [first.id, *[(await service.create_item(db, access, store, values)).id for values in data[1:]]]
    columns = [column.name for column in StoreItem.__table__.columns if column.name not in {"id", "position", "data"}]
    same = {name: getattr(first, name) for name in columns}
    items = [
        StoreItem(**same, id=new_id("itm"), position=first.position + number, data=_by_id(ids, values))
        for number, values in enumerate(data[1:], 1)
    ]
    db.add_all(items)
    store.next_position += len(items)
    await db.flush()
    return [first.id, *(item.id for item in items)]


def _by_id(ids: Mapping[str, str], values: Mapping[str, object]) -> dict[str, object]:
    return {ids.get(name, name): value for name, value in values.items()}
