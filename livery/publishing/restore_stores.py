"""Puts the draft of stores and their items as a release had them. What waited in items is kept in their histories first."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import KeptPart, encode_part, store_part
from livery.projects.queries import Access
from livery.publishing import queries
from livery.publishing.restore_plan import Plan, staying_sentence
from livery.stores import queries as stores
from livery.stores import restoring, versions
from livery.stores.contents import without_language
from livery.stores.models import Store
from livery.stores.restoring import Chunk, Fitting
from livery.stores.schemas import CHUNK_SIZE, ITEMS_LIMIT, Data, StoreField, fields_of
from livery.stores.unreleased import Unreleased, with_new_fields


@dataclass
class Outcome:
    """What became of the stores: items of which apps get something else, stores that are others, and what is not as the release had it.

    ``edited`` are those items by store, with those that go, and ``""`` for a store itself. ``kept`` counts the items whose edits went into their
    histories. ``parts`` are those whose bodies had to be made anew, ``top_revision`` is the highest one of what was taken out. ``release`` is the
    one that is brought back, ``at`` the moment of the restore.
    """

    release: int
    at: datetime
    items: dict[str, Data] = field(default_factory=dict[str, Data])
    edited: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    changed_drafts: int = 0
    kept: int = 0
    parts: dict[str, KeptPart | None] = field(default_factory=dict[str, KeptPart | None])
    left_out: list[str] = field(default_factory=list[str])
    top_revision: int = 0


async def overwrite_stores(db: AsyncSession, access: Access, plan: Plan, *, floor: int) -> Outcome:
    """Make the stores that apps have, or get, what the release has of them, with their items. Raises ``ValueError`` for a damaged part.

    What apps never had stays: stores, fields, values in new languages, and items, also of a store that goes (it becomes a new one).
    """
    outcome = Outcome(plan.release, plan.at)
    rows = await stores.all_stores(db, access.project.id)
    wanted = dict(plan.meta.stores)
    fields_before: dict[str, tuple[StoreField, ...]] = {}
    for store in rows.values():
        fields_before[store.id] = fields_of(store.fields)
        if store.published is not None and store.id not in wanted:
            await _take_out(db, access, plan, store, outcome)
    new = wanted.keys() - rows.keys()
    for store_id in wanted:
        if store_part(store_id) in plan.parts or plan.chunks_of(store_id):
            await _overwrite(db, access, plan, store_id, rows.get(store_id), outcome, floor=floor)
    if wanted:
        await restoring.arrange_stores(db, access, list(wanted), new)
    fitting = Fitting(plan.languages, plan.meta.default_language, fields_before)
    lost = await restoring.fit_new_items(db, access, fitting)
    await _keep(db, access, lost, outcome)
    outcome.changed_drafts += len(lost)
    return outcome


async def _keep(db: AsyncSession, access: Access, items: Mapping[str, Data], outcome: Outcome) -> None:
    current = access.project.release_number
    await versions.record_versions(
        db, access, items, kind="draft", release=current, restored=outcome.release, at=outcome.at
    )
    outcome.kept += len(items)


async def _take_out(db: AsyncSession, access: Access, plan: Plan, store: Store, outcome: Outcome) -> None:
    project_id = access.project.id
    top = max(store.revision, await stores.top_item_revision(db, project_id, store.id))
    outcome.top_revision = max(outcome.top_revision, top)
    outcome.edited[store.id] = {""}
    if store.removed_at is None:
        outcome.changed_drafts += 1
        waiting = await stores.waiting_items(db, project_id, store.id)
        await _keep(db, access, waiting, outcome)
    if store.id in plan.staying:
        count = len((await stores.new_items(db, project_id))[store.id])
        outcome.left_out.append(staying_sentence(store, count))
        await restoring.make_new(db, access, store)
    else:
        await restoring.drop_store(db, store)


async def _overwrite(
    db: AsyncSession, access: Access, plan: Plan, store_id: str, row: Store | None, outcome: Outcome, *, floor: int
) -> None:
    project_id = access.project.id
    form = await _form(db, project_id, plan, store_id)
    unreleased = _unreleased(project_id, plan, form, row)
    fields = unreleased.after
    is_other = row is None or row.removed_at is not None or row.name != form["name"] or unreleased.before != fields
    outcome.changed_drafts += is_other
    edited = {""} if row is None or row.published != form else set[str]()
    chunks = [await _chunk(db, plan, store_id, number, unreleased) for number in plan.chunks_of(store_id)]
    chunks = await _within_limit(db, access, store_id, form["name"], chunks, outcome)
    first_position = (await queries.last_chunk(db, project_id, store_id) + 1) * CHUNK_SIZE if row is None else 0
    store = await restoring.put_store(
        db, access, store_id, form, row, fields=fields, first_position=first_position, floor=floor
    )
    for chunk in chunks:
        going = chunk.going
        outcome.top_revision = max([outcome.top_revision, *(item.revision for item in going)])
        outcome.items |= chunk.released
        edited |= {*chunk.released, *(item.id for item in going if item.published_data is not None)}
        outcome.changed_drafts += len(chunk.coming) + sum(item.removed_at is None for item in going)
        outcome.changed_drafts += len(chunk.edited)
        await _keep(db, access, chunk.overwritten, outcome)
        await restoring.put_chunk(db, access, store, chunk, floor=floor)
        _note_part(plan, store_id, chunk, outcome)
    if edited:
        outcome.edited[store_id] = edited


def _note_part(plan: Plan, store_id: str, chunk: Chunk, outcome: Outcome) -> None:
    """A body is made anew where something of the release's was left out."""
    name = store_part(store_id, chunk.number)
    part = encode_part([{"_id": item_id, "data": data} for item_id, data in chunk.entries.items()])
    known = plan.wanted.get(name)
    if (known.hash if known else None) != (part.hash if chunk.entries else None):
        outcome.parts[name] = part if chunk.entries else None


async def _form(db: AsyncSession, project_id: str, plan: Plan, store_id: str) -> Mapping[str, Any]:
    """What the release says of a store."""
    part = plan.wanted.get(store_part(store_id))
    part_hash = part.hash if part else await queries.part_at(db, project_id, plan.release, store_part(store_id))
    if part_hash is None:
        raise ValueError(f"store {store_id} is missing")
    return cast("Mapping[str, Any]", (await queries.read_parts(db, project_id, [part_hash]))[part_hash].value)


def _unreleased(project_id: str, plan: Plan, form: Mapping[str, Any], row: Store | None) -> Unreleased:
    """What neither the last release nor the one that is restored has of a store that the latter has."""
    restored, before = fields_of(form["fields"]), fields_of(row.fields if row else ())
    live = fields_of(row.published["fields"] if row and row.published else ())
    released = {field.id for field in (*restored, *live)}
    after = with_new_fields(restored, before, released)
    return Unreleased(
        project_id=project_id,
        before=before,
        after=after,
        new_fields=frozenset(field.id for field in after) - released,
        languages=plan.languages,
        new_languages=plan.new_languages,
        default_language=plan.meta.default_language,
    )


async def _chunk(db: AsyncSession, plan: Plan, store_id: str, number: int, unreleased: Unreleased) -> Chunk:
    part = plan.wanted.get(store_part(store_id, number))
    entries: dict[str, Data] = {}
    if part:
        body = (await queries.read_parts(db, unreleased.project_id, [part.hash]))[part.hash].value
        entries = {str(entry["_id"]): entry["data"] for entry in cast("list[dict[str, Any]]", body)}
    for language in sorted(plan.left_languages):
        entries = {item_id: without_language(data, language) for item_id, data in entries.items()}
    first = number * CHUNK_SIZE
    rows = await stores.items_between(db, unreleased.project_id, store_id, first, first + CHUNK_SIZE)
    drafts = {
        row.id: unreleased.added_to(entries[row.id], row.data, is_checked=row.removed_at is None)
        for row in rows
        if row.is_changed and row.id in entries
    }
    return Chunk(number, rows, entries, drafts)


async def _within_limit(
    db: AsyncSession, access: Access, store_id: str, name: str, chunks: list[Chunk], outcome: Outcome
) -> list[Chunk]:
    """The chunks without what would make the store too long: the last of the items that come back."""
    count = (await stores.count_items(db, access.project.id, [store_id])).get(store_id, 0)
    coming = [item_id for chunk in chunks for item_id in chunk.coming]
    going = sum(item.removed_at is None for chunk in chunks for item in chunk.going)
    too_many = count - going + len(coming) - ITEMS_LIMIT
    if too_many <= 0:
        return chunks
    left_out = set(coming[-too_many:])
    noun = "item" if too_many == 1 else "items"
    outcome.left_out.append(
        f'{too_many:,} {noun} of "{name}" can\'t come back: a Data Store can hold at most {ITEMS_LIMIT:,}.'
    )
    return [
        replace(chunk, entries={item_id: data for item_id, data in chunk.entries.items() if item_id not in left_out})
        for chunk in chunks
    ]
