"""Which items show an image of the library."""

from collections.abc import Collection

from sqlalchemy import Text, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.models import Project
from livery.stores.contents import label_of
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import StoreUse, fields_of

_NAMED = 3


async def uses_of(db: AsyncSession, project: Project, image_keys: Collection[str]) -> list[StoreUse]:
    """Returns the stores whose items show the image under any of its keys, in the draft or in what apps have; in the stores' order."""
    shows_it = or_(
        *(
            cast(data, Text).contains(f'/media/{project.id}/{key}"', autoescape=True)
            for key in image_keys
            for data in (StoreItem.data, StoreItem.published_data)
        )
    )
    of_project = (StoreItem.project_id == project.id) & StoreItem.removed_at.is_(None) & shows_it
    counts = dict(
        (
            await db.execute(select(StoreItem.store_id, func.count()).where(of_project).group_by(StoreItem.store_id))
        ).all()
    )
    query = select(Store).where(Store.project_id == project.id, Store.id.in_(counts), Store.removed_at.is_(None))
    uses: list[StoreUse] = []
    for store in await db.scalars(query.order_by(Store.created_at, Store.id)):
        first = select(StoreItem).where(of_project, StoreItem.store_id == store.id)
        fields = fields_of(store.fields)
        items = await db.scalars(first.order_by(StoreItem.position).limit(_NAMED))
        uses.append(
            StoreUse(
                store=store.api_identifier,
                name=store.name,
                items=counts[store.id],
                labels=[label_of(item.data, fields, project.default_language) or item.id for item in items],
            )
        )
    return uses
