"""The calls of data stores and their items. An address has one name for each of its places, whatever id a call takes there."""

import asyncio
from typing import Annotated

from fastapi import Query, Response, status

from livery.core import limits
from livery.core.context import Read, Write
from livery.core.paths import ApiIdentifier
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.projects.dependencies import EditorOf, ViewerOf
from livery.stores import listing, queries, service
from livery.stores.access import store_not_found
from livery.stores.dependencies import EditorOfItem, EditorOfItems, EditorOfStore, ViewerOfItems
from livery.stores.schemas import (
    CreateItemBody,
    CreateStoreBody,
    ItemRecord,
    StoreRecord,
    UpdateItemBody,
    UpdateStoreBody,
)

router = Router(prefix="/api/stores", tags=["stores"])


@router.get("/items/{itemId}", response_model=list[ItemRecord])
async def list_items(
    opened: ViewerOfItems,
    db: Read,
    limit: Annotated[int | None, Query(ge=1, le=limits.STORE_ITEMS, examples=[100])] = None,
) -> Response:
    """List the items of a store, in their order: all of them, or the first ``limit``."""
    found = await listing.read_items(db, opened.access, opened.store, limit=limit)
    return Response(await asyncio.to_thread(found.render), media_type="application/json")


@router.post("/items/{itemId}", status_code=status.HTTP_201_CREATED)
async def create_item(opened: EditorOfItems, db: Write, body: CreateItemBody) -> ItemRecord:
    """Add an item to a store."""
    item = await service.create_item(db, opened.access, opened.store, body.data)
    return await listing.record_of(db, opened.access, opened.store, item)


@router.put("/items/{itemId}", responses=errors(409))
async def update_item(opened: EditorOfItem, db: Write, body: UpdateItemBody) -> ItemRecord:
    """Change values of an item; fields and languages that are left out stay, null clears."""
    access, store = opened.access, opened.store
    item = await service.update_item(db, access, store, opened.item, body.data, revision=body.revision)
    return await listing.record_of(db, access, store, item)


@router.delete("/items/{itemId}")
async def remove_item(opened: EditorOfItem, db: Write) -> Message:
    """Delete an item from the draft; apps keep it until the next publish."""
    await service.remove_item(db, opened.access, opened.store, opened.item)
    return Message(message="Item deleted successfully.")


@router.get("/{projectId}")
async def list_stores(access: ViewerOf, db: Read) -> list[StoreRecord]:
    """List the stores of a project, in their order."""
    stores = await queries.stores_of(db, access.project.id)
    return await queries.records_of(db, access.project.id, stores)


@router.post("/{projectId}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_store(access: EditorOf, db: Write, body: CreateStoreBody) -> StoreRecord:
    """Add a store with its fields."""
    store = await service.create_store(db, access, body)
    return (await queries.records_of(db, access.project.id, [store]))[0]


@router.put("/{projectId}", responses=errors(409))
async def update_store(opened: EditorOfStore, db: Write, body: UpdateStoreBody) -> StoreRecord:
    """Change a store's name and fields. A change that would lose values is refused until it is confirmed."""
    store = await service.update_store(db, opened.access, opened.store, body)
    return (await queries.records_of(db, opened.access.project.id, [store]))[0]


@router.delete("/{projectId}")
async def remove_store(opened: EditorOfStore, db: Write) -> Message:
    """Delete a store with its items from the draft; apps keep it until the next publish."""
    name = opened.store.name
    await service.remove_store(db, opened.access, opened.store)
    return Message(message=f'Data Store "{name}" deleted successfully.')


@router.get("/{projectId}/{apiIdentifier}")
async def read_store(access: ViewerOf, db: Read, api_identifier: ApiIdentifier) -> StoreRecord:
    """Read one store by its API identifier."""
    store = await queries.find_by_identifier(db, access.project.id, api_identifier)
    if store is None:
        raise store_not_found()
    return (await queries.records_of(db, access.project.id, [store]))[0]
