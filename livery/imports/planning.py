"""Makes the plan of an import from all of its files: texts, colours and items."""

import json
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import importing as colors
from livery.formats.codes import is_language, normal
from livery.formats.collector import shown
from livery.formats.model import Remark
from livery.imports.plans import Making, Plan, ReadFile, Row, begin_plan, plan_texts
from livery.projects.queries import Access
from livery.stores import importing as items
from livery.stores import queries as stores

_LISTED = 50
_NO_STORE = "The Data Store of this file is not there any more."


async def make_plan(db: AsyncSession, access: Access, files: Sequence[ReadFile], screen: str | None) -> Plan:
    """Returns the plan of an import. Texts go into ``screen``, or into the screens of their names. Locks nothing."""
    making = await begin_plan(db, access, screen)
    new_screens = await plan_texts(db, access, making, [file for file in files if file.kind == "texts"])
    await _plan_colors(db, access, making, [file for file in files if file.kind == "colors"])
    taken: dict[str, set[str]] = defaultdict(set)
    for file in files:
        if file.kind == "items":
            await _plan_items(db, access, making, file, taken[file.store_id or ""])
    return Plan(making.rows, making.remarks, new_screens, list(making.unknown))


async def _plan_colors(db: AsyncSession, access: Access, making: Making, files: Sequence[ReadFile]) -> None:
    taken: dict[str, str] = {}
    valid: list[tuple[str, str]] = []
    placed: list[Row] = []
    for file in files:
        for row, color in zip(making.add_rows(file), file.entries, strict=True):
            row.text = color.message
            key = colors.key_of(color.name)
            if key is None:
                row.refuse("name", "This name can't become the key of a colour: it is empty or too long.")
                continue
            row.key = key
            if key in taken:
                row.refuse("collision", f'"{taken[key]}" of this import becomes the same key, {key}.')
                continue
            taken[key] = color.name
            valid.append((key, color.message))
            placed.append(row)
    if not valid:
        return
    by_program = access.actor.grant is not None
    standings = await colors.compare(db, access.project.id, valid, by_program=by_program)
    for row, (state, before) in zip(placed, standings, strict=True):
        row.state, row.before = state, before


async def _plan_items(db: AsyncSession, access: Access, making: Making, file: ReadFile, taken: set[str]) -> None:
    store = await stores.find_store(db, file.store_id or "")
    rows = making.add_rows(file)
    if store is None or store.project_id != access.project.id:
        for row in rows:
            row.refuse("store", _NO_STORE)
        return
    given = [json.loads(entry.message) for entry in file.entries]
    plan = await items.plan_items(db, access, store, given, match=file.match, taken=taken)
    for row, planned in zip(rows, plan.rows, strict=True):
        row.store, row.store_id, row.item = store.api_identifier, store.id, planned
        row.name = planned.label or row.name
        row.text, row.before = planned.after, planned.before
        if planned.standing is None:
            row.refuse("item", planned.note or "")
        else:
            row.state, row.note = planned.standing, planned.note or row.note
    unread = [
        f'The Data Store has no field "{shown(name)}": its values are left out.'
        for name in plan.unknown_columns[:_LISTED]
    ]
    for code in plan.unknown_languages[:_LISTED]:
        if is_language(code):
            making.unknown[normal(code)] = None
        else:
            unread.append(f'"{shown(code)}" is no language: its values are left out.')
    more = sum(max(len(names) - _LISTED, 0) for names in (plan.unknown_columns, plan.unknown_languages))
    if more:
        unread.append(f"{more:,} more columns and languages are left out.")
    making.remarks.extend((file.number, Remark("", "", sentence, is_lost=True)) for sentence in unread)
