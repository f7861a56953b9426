"""Finds a store or an item by its id, with the caller's access. The error for a stranger does not show whether it exists."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.schemas import Actor
from livery.core.errors import NotFound
from livery.core.settings import Settings
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.stores import queries
from livery.stores.models import Store, StoreItem

STORE_NOT_FOUND = "Data Store not found."
ITEM_NOT_FOUND = "Item not found."


async def open_store(
    db: AsyncSession, settings: Settings, actor: Actor, store_id: str, permission: Permission
) -> tuple[Access, Store]:
    """Returns the store, as it is once its project's row is locked (reading locks nothing). Raises ``NotFound`` and ``Forbidden``."""
    project_id = await queries.project_of_store(db, store_id)
    if project_id is None:
        raise store_not_found()
    try:
        access = await open_project(db, settings, actor, project_id, permission)
    except NotFound as error:
        raise store_not_found() from error
    store = await queries.find_store(db, store_id)
    if store is None:
        raise store_not_found()
    return access, store


async def open_item(
    db: AsyncSession,
    settings: Settings,
    actor: Actor,
    item_id: str,
    permission: Permission,
    *,
    lock: bool | None = None,
) -> tuple[Access, Store, StoreItem]:
    """Returns the item with its store, as they are once the project's row is locked (``lock`` as in ``open_project``).

    Raises ``NotFound`` and ``Forbidden``.
    """
    project_id = await queries.project_of_item(db, item_id)
    if project_id is None:
        raise item_not_found()
    try:
        access = await open_project(db, settings, actor, project_id, permission, lock=lock)
    except NotFound as error:
        raise item_not_found() from error
    found = await queries.find_item(db, item_id)
    if found is None:
        raise item_not_found()
    return access, *found


def store_not_found() -> NotFound:
    """What a stranger hears, too."""
    return NotFound(STORE_NOT_FOUND, code="store_not_found")


def item_not_found() -> NotFound:
    """What a stranger hears, too."""
    return NotFound(ITEM_NOT_FOUND, code="item_not_found")
