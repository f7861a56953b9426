"""The calls of data stores and their items. An address has one name for each of its places, whatever id a call takes there."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from livery.accounts.auth import CurrentUser
from livery.core.context import CurrentContext
from livery.core.paths import ApiIdentifier, ItemId, ProjectId, StoreIdHere, StoreOfItems
from livery.core.reference.statuses import errors
from livery.core.schemas import Message
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.stores import listing, queries, service
from livery.stores.access import open_item, open_store, store_not_found
from livery.stores.schemas import (
    CreateItemBody,
    CreateStoreBody,
    ItemRecord,
    StoreRecord,
    UpdateItemBody,
    UpdateStoreBody,
)

router = APIRouter(prefix="/api/stores", tags=["stores"])


@router.get("/items/{itemId}", response_model=list[ItemRecord])
async def list_items(
    store_id: StoreOfItems,
    user: CurrentUser,
    context: CurrentContext,
    limit: Annotated[int | None, Query(ge=1, le=10_000, examples=[100])] = None,
) -> Response:
    """List the items of a store, in their order: all of them, or the first ``limit``."""
    async with context.database.read() as db:
        access, store = await open_store(db, context.settings, user, store_id, Permission.READ)
        found = await listing.read_items(db, access, store, limit=limit)
    return Response(await asyncio.to_thread(found.render), media_type="application/json")


@router.post("/items/{itemId}", status_code=status.HTTP_201_CREATED)
async def create_item(
    store_id: StoreOfItems, body: CreateItemBody, user: CurrentUser, context: CurrentContext
) -> ItemRecord:
    """Add an item to a store."""
    async with context.database.write() as db:
        access, store = await open_store(db, context.settings, user, store_id, Permission.EDIT)
        item = await service.create_item(db, access, store, body.data)
        return await listing.record_of(db, access, store, item)


@router.put("/items/{itemId}", responses=errors(409))
async def update_item(item_id: ItemId, body: UpdateItemBody, user: CurrentUser, context: CurrentContext) -> ItemRecord:
    """Change values of an item; fields and languages that are left out stay, null clears."""
    async with context.database.write() as db:
        access, store, item = await open_item(db, context.settings, user, item_id, Permission.EDIT)
        item = await service.update_item(db, access, store, item, body.data, revision=body.revision)
        return await listing.record_of(db, access, store, item)


@router.delete("/items/{itemId}")
async def remove_item(item_id: ItemId, user: CurrentUser, context: CurrentContext) -> Message:
    """Delete an item from the draft; apps keep it until the next publish."""
    async with context.database.write() as db:
        access, store, item = await open_item(db, context.settings, user, item_id, Permission.EDIT)
        await service.remove_item(db, access, store, item)
        return Message(message="Item deleted successfully.")


@router.get("/{projectId}")
async def list_stores(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> list[StoreRecord]:
    """List the stores of a project, in their order."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        stores = await queries.stores_of(db, access.project.id)
        return await queries.records_of(db, access.project.id, stores)


@router.post("/{projectId}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_store(
    project_id: ProjectId, body: CreateStoreBody, user: CurrentUser, context: CurrentContext
) -> StoreRecord:
    """Add a store with its fields."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        store = await service.create_store(db, access, body)
        return (await queries.records_of(db, access.project.id, [store]))[0]


@router.put("/{projectId}", responses=errors(409))
async def update_store(
    store_id: StoreIdHere, body: UpdateStoreBody, user: CurrentUser, context: CurrentContext
) -> StoreRecord:
    """Change a store's name and fields; one that would lose values says so first."""
    async with context.database.write() as db:
        access, store = await open_store(db, context.settings, user, store_id, Permission.EDIT)
        store = await service.update_store(db, access, store, body)
        return (await queries.records_of(db, access.project.id, [store]))[0]


@router.delete("/{projectId}")
async def remove_store(store_id: StoreIdHere, user: CurrentUser, context: CurrentContext) -> Message:
    """Delete a store with its items from the draft; apps keep it until the next publish."""
    async with context.database.write() as db:
        access, store = await open_store(db, context.settings, user, store_id, Permission.EDIT)
        name = store.name
        await service.remove_store(db, access, store)
        return Message(message=f'Data Store "{name}" deleted successfully.')


@router.get("/{projectId}/{apiIdentifier}")
async def read_store(
    project_id: ProjectId, api_identifier: ApiIdentifier, user: CurrentUser, context: CurrentContext
) -> StoreRecord:
    """Read one store by its API identifier."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        store = await queries.find_by_identifier(db, access.project.id, api_identifier)
        if store is None:
            raise store_not_found()
        return (await queries.records_of(db, access.project.id, [store]))[0]
