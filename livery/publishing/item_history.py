"""The way back to a version of an item: it replaces the item's draft and is published at once, and nobody's other drafts go out with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.service import record
from livery.core import clock
from livery.core.errors import NotFound
from livery.core.events import Bus, announce
from livery.core.schemas import View
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.projects.service import advance_release
from livery.publishing import editors, queries, releases
from livery.publishing.history import INVALID_VERSION, check_has_history, check_seen, names_of
from livery.publishing.releases import RELEASE_TOPIC
from livery.publishing.schemas import encode_part, store_part
from livery.stores import export, listing, service, versions
from livery.stores.contents import differences, fitted, is_same, label_of, still_written
from livery.stores.models import ItemVersion, Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data, FieldChange, ItemRecord, StoreField, VersionView, fields_of
from livery.stores.values import Unfit, check_value

ROLLED_BACK = "Item rolled back and project published successfully!"
_VALUES_SHOWN = 200


class ItemRolledBack(View):
    """The item as it is now."""

    message: str
    item: ItemRecord


class ItemVersionDiff(View):
    """What rolling back to a version would change in an item's draft: the first 200 values, ``old`` as they are and ``new`` as they would be.

    ``revision`` is the item's: ``expected`` of a roll back takes it.
    """

    version: VersionView
    revision: int
    total: int
    values: list[FieldChange]


@dataclass(frozen=True)
class _Form:
    """What an item must be to fit: into the draft, or into the last release."""

    project_id: str
    fields: Sequence[StoreField]
    languages: Sequence[str]
    default_language: str

    def fit(self, data: Data) -> Data:
        """What of ``data`` fits. Values are checked anew: a field may have another type now, and what was a plain text must not become markup."""
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


async def read_diff(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, version_id: str
) -> ItemVersionDiff:
    """A version beside the draft. Raises what ``roll_back`` does."""
    version = await _find(db, access, store, item, version_id)
    draft, _ = await _forms(db, access, store)
    changes = differences(item.data, draft.fit(version.data), draft.fields, draft.fields)
    names = await names_of(db, [version.created_by])
    return ItemVersionDiff(
        version=listing.version_view(version, names),
        revision=item.revision,
        total=len(changes),
        values=changes[:_VALUES_SHOWN],
    )


async def _find(db: AsyncSession, access: Access, store: Store, item: StoreItem, version_id: str) -> ItemVersion:
    check_has_history(access)
    version = await versions.find_version(db, access.project.id, item.id, version_id)
    if version is None or store.published is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    return version


async def roll_back(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    store: Store,
    item: StoreItem,
    version_id: str,
    *,
    expected: int | None = None,
) -> StoreItem:
    """Put a version in the place of an item's draft, and make the next release: the last one with this item's value replaced.

    A draft that apps did not have is kept as an entry of its own. Where apps have the version already no release is made. Values of fields and
    languages that are no more are left out. Raises ``NotFound`` for a version that is not of this item, ``Forbidden`` where the plan has no history,
    and ``Conflict`` when the item has another revision than ``expected``.
    """
    version = await _find(db, access, store, item, version_id)
    if expected is not None:
        check_seen(expected, item.revision)
    draft, released = await _forms(db, access, store)
    new_draft, new_released = draft.fit(version.data), released.fit(version.data)
    is_draft_new = not is_same(new_draft, item.data)
    is_release_new = not is_same(new_released, item.published_data)
    if is_draft_new and item.is_changed:
        await versions.record_versions(
            db, access, {item.id: item.data}, kind="draft", release=access.project.release_number
        )
    if is_draft_new or is_release_new:
        await record(
            db,
            project_id=access.project.id,
            actor_id=access.actor.id,
            action="stores.item_rolled_back",
            target=f"{_title(access, store, item)} to version {version.number}",
        )
        await service.overwrite_item(
            db,
            access,
            item,
            data=new_draft,
            published_data=new_released,
            ai_written=still_written(item.ai_written, item.data, new_draft),
        )
    if is_release_new:
        await _release(db, bus, access, store, item, new_released)
    return item


async def _forms(db: AsyncSession, access: Access, store: Store) -> tuple[_Form, _Form]:
    """What the draft takes and what the last release takes: fields and languages may have been changed in between."""
    project = access.project
    if store.published is None:
        raise ValueError("the store was never released")
    meta = await queries.read_meta(db, project.id)
    languages = await projects.languages_of(db, project.id)
    return (
        _Form(project.id, fields_of(store.fields), languages, project.default_language),
        _Form(project.id, fields_of(store.published["fields"]), meta.languages, meta.default_language),
    )


async def _release(db: AsyncSession, bus: Bus, access: Access, store: Store, item: StoreItem, data: Data) -> None:
    """The next release: the last one, but with ``data`` as the value of this item in its chunk."""
    project = access.project
    chunk = item.position // CHUNK_SIZE
    name = store_part(store.id, chunk)
    current = await queries.find_current(db, project.id, name)
    items: list[dict[str, Any]] = []
    if current:
        bodies = await queries.read_parts(db, project.id, [current[0]])
        items = cast("list[dict[str, Any]]", bodies[current[0]].value)
    values = {entry["_id"]: entry["data"] for entry in items} | {item.id: data}
    order = await export.order(db, project.id, store.id, chunk)
    part = encode_part([{"_id": item_id, "data": values[item_id]} for item_id in order if item_id in values])
    releases.check_chunk(store.name, chunk, part)
    number = await advance_release(db, project)
    known = {name: current} if current else {}
    await releases.write(db, access, number, known, {name: part}, kind="item_rollback", changes=1)
    edit = (access.actor.id, clock.now())
    await editors.keep(db, project.id, number, {editors.store_section(store.id): {item.id: {editors.WHOLE: edit}}})
    await versions.record_versions(db, access, {item.id: data}, kind="release", release=number)
    await record(db, project_id=project.id, actor_id=access.actor.id, action="publishing.published", target=str(number))
    announce(db, bus, RELEASE_TOPIC, project.id)


def _title(access: Access, store: Store, item: StoreItem) -> str:
    label = label_of(item.data, fields_of(store.fields), access.project.default_language)
    return f"{store.name}: {label}" if label else store.name
