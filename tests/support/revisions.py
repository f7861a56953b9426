"""Whether each project knows the highest revision that its entries have: only then is the next one new to everybody."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors.models import Color
from livery.images.models import Image
from livery.projects.models import Project
from livery.screens.models import TextKey
from livery.stores.models import Store, StoreItem


async def uncounted(db: AsyncSession) -> list[str]:
    """Returns a sentence for each project and table with a higher revision than the project counted."""
    found: list[str] = []
    for table in (TextKey, Color, Image, Store, StoreItem):
        highest = func.max(table.revision)
        rows = await db.execute(
            select(Project.id, highest, Project.entry_revision)
            .join(table, table.project_id == Project.id)
            .group_by(Project.id, Project.entry_revision)
            .having(highest > Project.entry_revision)
        )
        found += [f"{name}: {table.__tablename__} has revision {top}, counted is {known}" for name, top, known in rows]
    return found
