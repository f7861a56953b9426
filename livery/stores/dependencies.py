"""FastAPI dependencies that open the store or the item of an address: see ``livery.projects.dependencies``."""

from dataclasses import dataclass
from typing import Annotated

from fastapi.security import SecurityScopes

from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import ItemId, StoreIdHere, StoreOfItems
from livery.projects.dependencies import CurrentCaller, permission_of, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.stores.access import open_item, open_store
from livery.stores.models import Store, StoreItem


@dataclass(frozen=True)
class OpenStore:
    """A store, and what the caller may do in its project."""

    access: Access
    store: Store


@dataclass(frozen=True)
class OpenItem:
    """An item with its store, and what the caller may do in their project."""

    access: Access
    store: Store
    item: StoreItem


async def open_store_for_writing(
    scopes: SecurityScopes, store_id: StoreIdHere, caller: CurrentCaller, context: CurrentContext, db: Write
) -> OpenStore:
    """Returns the store in the ``Write`` of the call, with its project's row locked."""
    return OpenStore(*await open_store(db, context.settings, caller, store_id, permission_of(scopes)))


async def open_items_for_reading(
    scopes: SecurityScopes, store_id: StoreOfItems, caller: CurrentCaller, context: CurrentContext, db: Read
) -> OpenStore:
    """Returns the store of the items in the ``Read`` of the call."""
    return OpenStore(*await open_store(db, context.settings, caller, store_id, permission_of(scopes)))


async def open_items_for_writing(
    scopes: SecurityScopes, store_id: StoreOfItems, caller: CurrentCaller, context: CurrentContext, db: Write
) -> OpenStore:
    """Returns the store of the items in the ``Write`` of the call, with its project's row locked."""
    return OpenStore(*await open_store(db, context.settings, caller, store_id, permission_of(scopes)))


async def open_item_for_reading(
    scopes: SecurityScopes, item_id: ItemId, caller: CurrentCaller, context: CurrentContext, db: Read
) -> OpenItem:
    """Returns the item in the ``Read`` of the call."""
    return OpenItem(*await open_item(db, context.settings, caller, item_id, permission_of(scopes)))


async def open_item_for_writing(
    scopes: SecurityScopes, item_id: ItemId, caller: CurrentCaller, context: CurrentContext, db: Write
) -> OpenItem:
    """Returns the item in the ``Write`` of the call, with its project's row locked."""
    return OpenItem(*await open_item(db, context.settings, caller, item_id, permission_of(scopes)))


async def check_item(
    scopes: SecurityScopes, item_id: ItemId, caller: CurrentCaller, context: CurrentContext
) -> OpenItem:
    """Returns the item as it was a moment ago; no transaction stays open. For calls that last long."""
    async with context.database.read() as db:
        return OpenItem(*await open_item(db, context.settings, caller, item_id, permission_of(scopes), lock=False))


EditorOfStore = Annotated[OpenStore, requires(Permission.EDIT, open_store_for_writing)]
ViewerOfItems = Annotated[OpenStore, requires(Permission.READ, open_items_for_reading)]
EditorOfItems = Annotated[OpenStore, requires(Permission.EDIT, open_items_for_writing)]
ViewerOfItem = Annotated[OpenItem, requires(Permission.READ, open_item_for_reading)]
EditorOfItem = Annotated[OpenItem, requires(Permission.EDIT, open_item_for_writing)]
PublisherOfItem = Annotated[OpenItem, requires(Permission.PUBLISH, open_item_for_writing)]
