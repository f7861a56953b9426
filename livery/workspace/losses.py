"""Counts of what a deletion would take out of a project, for the question that is asked before it."""

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors.queries import count_colors
from livery.core.schemas import View
from livery.images.queries import count_images
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.projects.service import find_removable_language, find_removable_screen
from livery.screens.queries import count_texts
from livery.stores.queries import count_items, count_values_in, stores_of


class ScreenLosses(View):
    """What goes with a screen: its keys, and their texts in all languages."""

    keys: int
    texts: int


class LanguageLosses(View):
    """What goes with a language: texts of keys, and values in items (``values`` of them in ``items``)."""

    texts: int
    items: int
    values: int


class ProjectLosses(View):
    """What goes with a project. ``screens`` includes `general`, ``members`` does not include the owner."""

    screens: int
    languages: int
    keys: int
    texts: int
    colors: int
    images: int
    stores: int
    items: int
    releases: int
    members: int
    invitations: int


async def of_screen(db: AsyncSession, access: Access, name: str) -> ScreenLosses:
    """What deleting a screen would take. Raises what deleting it raises: ``NotFound``, and ``Conflict`` for the general screen."""
    await find_removable_screen(db, access, name=name)
    keys, texts = await count_texts(db, access.project.id, screen=name)
    return ScreenLosses(keys=keys, texts=texts)


async def of_language(db: AsyncSession, access: Access, code: str) -> LanguageLosses:
    """What deleting a language would take. Raises what deleting it raises: ``NotFound``, and ``Conflict`` for the default language."""
    language = await find_removable_language(db, access, code=code)
    _, texts = await count_texts(db, access.project.id, language=language.code)
    items, values = await count_values_in(db, access.project.id, language.code)
    return LanguageLosses(texts=texts, items=items, values=values)


async def of_project(db: AsyncSession, access: Access) -> ProjectLosses:
    """What deleting the project would take."""
    project_id = access.project.id
    keys, texts = await count_texts(db, project_id)
    store_ids = [store.id for store in await stores_of(db, project_id)]
    people = await projects.count_members(db, project_id)
    return ProjectLosses(
        screens=len(await projects.screens_of(db, project_id)),
        languages=len(await projects.languages_of(db, project_id)),
        keys=keys,
        texts=texts,
        colors=await count_colors(db, project_id),
        images=await count_images(db, project_id),
        stores=len(store_ids),
        items=sum((await count_items(db, project_id, store_ids)).values()),
        releases=access.project.release_number,
        members=people - 1,
        invitations=await projects.count_seats(db, project_id) - people,
    )
