"""The history of items: what of a version fits into the draft or into what apps have, and the draft that it replaces."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.projects.queries import Access, languages_of
from livery.stores import service
from livery.stores.contents import differences, fitted, is_same, still_written
from livery.stores.field_types.known import check_value
from livery.stores.field_types.port import Unfit
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import Data, FieldChange, StoreField, fields_of


@dataclass(frozen=True)
class Form:
    """What an item must be to fit: into the draft, or into the last release."""

    project_id: str
    fields: Sequence[StoreField]
    languages: Sequence[str]
    default_language: str

    def fit(self, data: Data) -> Data:
        """Returns what of ``data`` fits. Checks each value again: a field may have a different type now, and plain text must not become markup."""
        kept = fitted(data, self.fields, self.fields, languages=self.languages, default_language=self.default_language)
        types = {field.id: field for field in self.fields}
        checked = {field_id: self._checked(types[field_id], value) for field_id, value in kept.items()}
        return {field_id: value for field_id, value in checked.items() if value not in (None, {})}

    def _checked(self, field: StoreField, value: object) -> object:
        if isinstance(value, dict):
            texts = {code: self._one(field, text) for code, text in cast("dict[str, object]", value).items()}
            return {code: text for code, text in texts.items() if text is not None}
        return self._one(field, value)

    def _one(self, field: StoreField, value: object) -> object:
        try:
            return check_value(field.type, value, self.project_id)
        except Unfit:
            return None


@dataclass(frozen=True)
class Side:
    """An item in the draft, or for apps: ``old`` as it is there and ``new`` as a version would make it. ``None``: it is not there."""

    fields: Sequence[StoreField]
    old: Data | None
    new: Data | None

    @property
    def is_new(self) -> bool:
        """Whether the version differs from what is there."""
        return not is_same(self.new, self.old)

    def changes(self) -> list[FieldChange]:
        """Returns the values that differ."""
        return differences(self.old or {}, self.new or {}, self.fields, self.fields)


async def draft_side(db: AsyncSession, access: Access, store: Store, item: StoreItem, data: Data) -> Side:
    """Returns the draft of an item beside a version, fitted to the present fields and languages."""
    languages = await languages_of(db, access.project.id)
    form = Form(access.project.id, fields_of(store.fields), languages, access.project.default_language)
    return Side(form.fields, item.data, form.fit(data))


async def put(db: AsyncSession, access: Access, item: StoreItem, draft: Side, *, published: Data | None) -> None:
    """Makes the draft of an item what the version is, and notes that apps have ``published``."""
    new = draft.new or {}
    ai_written = still_written(item.ai_written, item.data, new)
    await service.overwrite_item(db, access, item, data=new, published_data=published, ai_written=ai_written)
