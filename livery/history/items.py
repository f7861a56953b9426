"""Rolls an item back to a version: in its draft, and for apps at once if they had that version. Publishes no other draft."""

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import names_of
from livery.content.changes import Stamp
from livery.content.entries import WHOLE, Entry
from livery.content.models import Version
from livery.content.parts import encode_part, store_part
from livery.core import clock
from livery.core.errors import NotFound
from livery.core.events import Bus
from livery.core.schemas import View
from livery.history import service as history
from livery.projects.acts import record_act
from livery.projects.queries import Access
from livery.publishing import queries, releases
from livery.publishing.releases import Composition
from livery.stores import changes_queries, listing, service, versions
from livery.stores.chunks import check_chunk
from livery.stores.contents import KIND, data_of, differences, named
from livery.stores.history import Form, Side, draft_side, put
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE, Data, FieldChange, ItemRecord, ItemVersion, fields_of

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
    """What rolling back to a version would change in an item's draft: the first 200 values. ``old`` is the present value, ``new`` the value
    afterwards.

    ``revision`` is the item's: ``expected`` of a roll back takes it. ``apps`` has the values that would change for apps. It is empty for a version
    of kind ``draft``, which changes the draft alone. ``publishes`` is whether a release would be made. ``overwritten`` has the changes that
    overwrite a value which apps don't have.
    """

    version: ItemVersion
    revision: int
    publishes: bool
    apps: ItemChanges
    overwritten: ItemChanges


@dataclass(frozen=True)
class Outcome:
    """What a roll back did: a message for people, and whether it made a release."""

    message: str
    is_published: bool


async def read_diff(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, version_id: str
) -> ItemVersionDiff:
    """Compares a version with the draft and with what apps have. Raises what ``roll_back`` raises."""
    version = await history.find(db, access, _place(item), version_id)
    draft, apps = await _sides(db, access, store, item, version, draft_only=version.entry == "draft")
    unpublished = differences(item.published_data or {}, item.data, draft.fields, draft.fields)
    places = {(change.field, change.language) for change in unpublished}
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
    """Puts a version in the place of an item's draft, and makes the next release: the last release with this item's value replaced.

    No release is made of a version that apps never had (kind ``draft``), with ``draft_only``, and where apps have the version already. A draft that
    apps did not have is kept as an entry of its own. Values of fields and languages that are no more are left out. Raises ``NotFound`` for a
    version of a different item and ``Forbidden`` where the plan has no history. Raises ``Conflict`` when the revision of the item is not
    ``expected``.
    """
    version = await history.find(db, access, _place(item), version_id)
    if expected is not None:
        history.check_seen(expected, item.revision)
    draft_only = draft_only or version.entry == "draft"
    draft, apps = await _sides(db, access, store, item, version, draft_only=draft_only)
    if draft.is_new or apps.is_new:
        await _overwrite(db, access, store, item, version, draft, apps, draft_only=draft_only)
    if apps.new is not None and apps.is_new:
        await _release(db, bus, access, store, item, apps.new)
    return Outcome(_message(item, draft, apps, draft_only=draft_only), apps.is_new)


async def _sides(
    db: AsyncSession, access: Access, store: Store, item: StoreItem, version: Version, *, draft_only: bool
) -> tuple[Side, Side]:
    """Returns the draft and what apps have, each fitted to its own fields and languages, which may have changed since."""
    project = access.project
    data = await history.read_kept(db, version, data_of)
    draft = await draft_side(db, access, store, item, data)
    if draft_only:
        return draft, Side(draft.fields, item.published_data, item.published_data)
    if store.published is None:
        raise NotFound(history.INVALID_VERSION, code="invalid_version")
    meta = await queries.read_meta(db, project.id)
    released = Form(project.id, fields_of(store.published["fields"]), meta.languages, meta.default_language)
    return draft, Side(released.fields, item.published_data, released.fit(data))


async def _overwrite(
    db: AsyncSession,
    access: Access,
    store: Store,
    item: StoreItem,
    version: Version,
    draft: Side,
    apps: Side,
    *,
    draft_only: bool,
) -> None:
    """Keep the draft that goes, and note what the draft and apps have then."""
    if draft.is_new and item.is_changed:
        release = access.project.release_number
        await versions.record_versions(db, access, {item.id: item.data}, kind="draft", release=release)
    action = "stores.item_brought_back" if draft_only else "stores.item_rolled_back"
    await record_act(
        db,
        access,
        action,
        {**service.item_subject(access, store, item), "version": version.number},
        before=named(item.data, draft.fields),
        after=named(draft.new, draft.fields),
    )
    await put(db, access, item, draft, published=apps.new)


def _place(item: StoreItem) -> str:
    return f"{KIND}/{item.id}"


def _message(item: StoreItem, draft: Side, apps: Side, *, draft_only: bool) -> str:
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
    """Makes the next release: the last release, but with ``data`` as the value of this item in its chunk."""
    project = access.project
    chunk = item.position // CHUNK_SIZE
    name = store_part(store.id, chunk)
    current = await queries.find_current(db, project.id, name)
    items: list[dict[str, Any]] = []
    if current:
        bodies = await queries.read_parts(db, project.id, [current[0]])
        items = cast("list[dict[str, Any]]", bodies[current[0]].value)
    values = {entry["_id"]: entry["data"] for entry in items} | {item.id: data}
    order = await changes_queries.order_of(db, project.id, store.id, chunk)
    part = encode_part([{"_id": item_id, "data": values[item_id]} for item_id in order if item_id in values])
    check_chunk(store.name, chunk, part)
    entry = Entry(item.id, item.created_at, {WHOLE: Stamp(access.actor.id, clock.now())})
    entries = {store_part(store.id): {item.id: entry}}
    composition = Composition("item_rollback", {name: part}, {name: current} if current else {}, 1, entries)
    number = await releases.make(db, bus, access, composition)
    await versions.record_versions(db, access, {item.id: data}, kind="release", release=number)
    await releases.note_published(db, access, number, {"items": 1})
