"""The way back to a version of an item: into its draft, and to apps at once where it is one that they had. Nobody's other drafts go out with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.service import record
from livery.content.parts import encode_part, store_part
from livery.core import clock
from livery.core.errors import NotFound
from livery.core.events import Bus
from livery.core.schemas import View
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.publishing import editors, queries, releases
from livery.publishing.history import INVALID_VERSION, check_has_history, check_seen, names_of
from livery.publishing.releases import Composition
from livery.stores import export, listing, service, versions
from livery.stores.chunks import check_chunk
from livery.stores.contents import differences, fitted, is_same, named, still_written
from livery.stores.models import ItemVersion, Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data, FieldChange, ItemRecord, StoreField, VersionView, fields_of
from livery.stores.values import Unfit, check_value

ROLLED_BACK = "Item rolled back and project published successfully!"
_VALUES_SHOWN = 200


class ItemRolledBack(View):
    """The item as it is now. ``published`` is false where apps got nothing new."""

    message: str
    published: bool
    item: ItemRecord


class ItemChanges(View):
    """How many values change, and the first 200 of them."""

    total: int
    values: list[FieldChange]


class ItemVersionDiff(ItemChanges):
    """What rolling back to a version would change in an item's draft: the first 200 values, ``old`` as they are and ``new`` as they would be.

    ``revision`` is the item's: ``expected`` of a roll back takes it. ``apps`` is what apps would get otherwise, and nothing for a version of kind
    ``draft``: that goes to the draft alone. ``publishes`` says whether a release would be made. ``overwritten`` are those of the changes that
    overwrite a value which apps don't have.
    """

    version: VersionView
    revision: int
    publishes: bool
    apps: ItemChanges
    overwritten: ItemChanges


@dataclass(frozen=True)
class Outcome:
    """What a roll back did: said for people, and whether it made a release."""

    message: str
    is_published: bool


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


@dataclass(frozen=True)
class _Side:
    """An item in the draft, or for apps: ``old`` as it is there and ``new`` as a version would make it. ``None``: it is not there."""

    fields: Sequence[StoreField]
    old: Data | None
    new: Data | None

    @property
    def is_new(self) -> bool:
        return not is_same(self.new, self.old)

    def changes(self) -> list[FieldChange]:
        return differences(self.old or {}, self.new or {}, self.fields, self.fields)


async def read_diff(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, version_id: str
) -> ItemVersionDiff:
    """A version beside the draft and beside what apps have. Raises what ``roll_back`` does."""
    version = await _find(db, access, item, version_id)
    draft, apps = await _sides(db, access, store, item, version, draft_only=version.kind == "draft")
    waiting = differences(item.published_data or {}, item.data, draft.fields, draft.fields)
    places = {(change.field, change.language) for change in waiting}
    changes = draft.changes()
    names = await names_of(db, [version.created_by])
    return ItemVersionDiff(
        version=listing.version_view(version, names),
        revision=item.revision,
        total=len(changes),
        values=changes[:_VALUES_SHOWN],
        publishes=apps.is_new,
        apps=_shown(apps.changes()),
        overwritten=_shown([change for change in changes if (change.field, change.language) in places]),
    )


def _shown(changes: list[FieldChange]) -> ItemChanges:
    return ItemChanges(total=len(changes), values=changes[:_VALUES_SHOWN])


async def _find(db: AsyncSession, access: Access, item: StoreItem, version_id: str) -> ItemVersion:
    check_has_history(access)
    version = await versions.find_version(db, access.project.id, item.id, version_id)
    if version is None:
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
    draft_only: bool = False,
) -> Outcome:
    """Put a version in the place of an item's draft, and make the next release: the last one with this item's value replaced.

    No release is made of a version that apps never had (kind ``draft``), with ``draft_only``, and where apps have the version already. A draft that
    apps did not have is kept as an entry of its own. Values of fields and languages that are no more are left out. Raises ``NotFound`` for a
    version that is not of this item, ``Forbidden`` where the plan has no history, and ``Conflict`` when the item has another revision than
    ``expected``.
    """
    version = await _find(db, access, item, version_id)
    if expected is not None:
        check_seen(expected, item.revision)
    draft_only = draft_only or version.kind == "draft"
    draft, apps = await _sides(db, access, store, item, version, draft_only=draft_only)
    if draft.is_new or apps.is_new:
        await _overwrite(db, access, store, item, version, draft, apps, draft_only=draft_only)
    if apps.new is not None and apps.is_new:
        await _release(db, bus, access, store, item, apps.new)
    return Outcome(_message(item, draft, apps, draft_only=draft_only), apps.is_new)


async def _sides(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, version: ItemVersion, *, draft_only: bool
) -> tuple[_Side, _Side]:
    """The draft and what apps have, each fitted to what it takes: fields and languages may have been changed in between."""
    project = access.project
    languages = await projects.languages_of(db, project.id)
    form = _Form(project.id, fields_of(store.fields), languages, project.default_language)
    draft = _Side(form.fields, item.data, form.fit(version.data))
    if draft_only:
        return draft, _Side(form.fields, item.published_data, item.published_data)
    if store.published is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    meta = await queries.read_meta(db, project.id)
    released = _Form(project.id, fields_of(store.published["fields"]), meta.languages, meta.default_language)
    return draft, _Side(released.fields, item.published_data, released.fit(version.data))


async def _overwrite(
    db: AsyncSession,
    access: Access,
    store: Store,
    item: StoreItem,
    version: ItemVersion,
    draft: _Side,
    apps: _Side,
    *,
    draft_only: bool,
) -> None:
    """Keep the draft that goes, and note what the draft and apps have then."""
    if draft.is_new:
        await _keep_draft(db, access, item)
    action = "stores.item_brought_back" if draft_only else "stores.item_rolled_back"
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action=action,
        subject={**service.item_subject(access, store, item), "version": version.number},
        before=named(item.data, draft.fields),
        after=named(draft.new, draft.fields),
    )
    await _put(db, access, item, draft, apps)


async def bring_back(db: AsyncSession, access: Access, store: Store, item: StoreItem, version: ItemVersion) -> None:
    """Put a version in the place of an item's draft, which gets an entry of its own if apps don't have it. Records no activity."""
    draft, apps = await _sides(db, access, store, item, version, draft_only=True)
    if not draft.is_new:
        return
    await _keep_draft(db, access, item)
    await _put(db, access, item, draft, apps)


async def _keep_draft(db: AsyncSession, access: Access, item: StoreItem) -> None:
    if item.is_changed:
        await versions.record_versions(
            db, access, {item.id: item.data}, kind="draft", release=access.project.release_number
        )


async def _put(db: AsyncSession, access: Access, item: StoreItem, draft: _Side, apps: _Side) -> None:
    new = draft.new or {}
    ai_written = still_written(item.ai_written, item.data, new)
    await service.overwrite_item(db, access, item, data=new, published_data=apps.new, ai_written=ai_written)


def _message(item: StoreItem, draft: _Side, apps: _Side, *, draft_only: bool) -> str:
    if apps.is_new:
        return ROLLED_BACK
    if not draft.is_new:
        return f"The draft is as this version already{'' if draft_only else ', and so is what apps have'}. Nothing was changed."
    if not draft_only:
        return "Apps have this version already, so nothing was published. The draft is as this version again."
    if item.is_changed:
        return "The draft has this version back. Apps are unchanged."
    return "The draft is what apps have again. Nothing was published."


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
    check_chunk(store.name, chunk, part)
    edits = {editors.store_section(store.id): {item.id: {editors.WHOLE: (access.actor.id, clock.now())}}}
    composition = Composition("item_rollback", {name: part}, {name: current} if current else {}, edits)
    number = await releases.make(db, bus, access, composition)
    await versions.record_versions(db, access, {item.id: data}, kind="release", release=number)
    await record(
        db,
        project_id=project.id,
        actor_id=access.actor.id,
        action="publishing.published",
        subject={"release": number},
        before={"release": number - 1},
        after={"release": number, "items": 1},
    )
