"""Reads which fields a change gives a store, and what the change does to the store's items. Writes nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.errors import Invalid
from livery.core.ids import new_id
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.stores.contents import fitted, is_lost
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import UNKNOWN_FIELD, Data, FieldBody, Loss, StoreField, check_fields


def new_field(body: FieldBody) -> StoreField:
    """Returns the field that a body describes, with a new id."""
    return StoreField(
        id=new_id("fld"),
        name=body.name,
        type=body.type,
        required=body.required,
        is_translatable=body.is_translatable,
    )


def fields_after(bodies: Sequence[FieldBody], before: Sequence[StoreField]) -> tuple[StoreField, ...]:
    """Returns the fields to have. Raises ``Invalid`` for an ``_id`` that the store does not have, or that is named twice."""
    check_fields(bodies)
    left = {field.id for field in before}
    found: list[StoreField] = []
    for number, body in enumerate(bodies):
        field = new_field(body)
        if body.id is not None:
            if body.id not in left:
                raise Invalid.field(f"fields.{number}", UNKNOWN_FIELD)
            left.remove(body.id)
            field = field.model_copy(update={"id": body.id})
        found.append(field)
    return tuple(found)


@dataclass(frozen=True)
class Reshaping:
    """Which items a change of fields touches, and what they would lose."""

    fit: Callable[[Data], Data]
    item_ids: Sequence[str]
    losses: Sequence[Loss]


async def plan_reshaping(
    db: AsyncSession, access: Access, store: Store, before: Sequence[StoreField], after: Sequence[StoreField]
) -> Reshaping:
    """Reads the items only where a field goes or holds its values in a different way.

    Raises ``Invalid`` for a new type of a field that has values.
    """
    fit = partial(
        fitted,
        old_fields=before,
        new_fields=after,
        languages=await projects.languages_of(db, access.project.id),
        default_language=access.project.default_language,
    )
    kept = {field.id: field for field in after}
    touched = [field for field in before if field.id not in kept or not field.holds_as(kept[field.id])]
    found: list[str] = []
    lost = dict.fromkeys((field.id for field in touched), 0)
    if touched:
        rows = await db.stream(
            select(StoreItem.id, StoreItem.data)
            .where(
                StoreItem.project_id == access.project.id,
                StoreItem.store_id == store.id,
                StoreItem.removed_at.is_(None),
            )
            .order_by(StoreItem.position)
        )
        async for item_id, data in rows:
            for field in (field for field in touched if field.id in data):
                _check_type(field, after)
                found.append(item_id)
                lost[field.id] += is_lost(field.id, data, fit(data))
    losses = [Loss(field_id=field.id, name=field.name, items=lost[field.id]) for field in touched if lost[field.id]]
    return Reshaping(fit, list(dict.fromkeys(found)), losses)


def _check_type(field: StoreField, after: Sequence[StoreField]) -> None:
    for number, other in enumerate(after):
        if other.id == field.id and other.type != field.type:
            raise Invalid.field(f"fields.{number}.type", "Remove the field and add a new field.")
