"""Puts many colours into the draft at once, and takes them out again. The project's row is locked by every caller that writes.

Records no activity.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries, service
from livery.colors.contents import ColorContent, Draft, packed, unpacked
from livery.colors.schemas import check_key
from livery.content.kind import keep_draft
from livery.content.parts import COLORS
from livery.content.states import Standing
from livery.core import clock
from livery.core.errors import Invalid
from livery.core.names import check_new_name
from livery.projects.queries import Access

_PREFIX = re.compile(r"--(?:livery-|color-)?(?=.)")
_SEPARATOR = re.compile(r"[/\\:]+")
_OTHER = re.compile(r"[^A-Za-z0-9_.-]+")


def key_of(name: str) -> str | None:
    """Returns the key for a name of a file, ``None`` if it can't become a key.

    ``--livery-`` and ``--color-`` of style sheets are left out, a slash becomes a full stop, and what a key can't have an underscore.
    """
    key = _OTHER.sub("_", _SEPARATOR.sub(".", _PREFIX.sub("", name.strip(), count=1))).strip(".-")
    if key[:1].isdecimal():
        key = f"_{key}"
    try:
        key = check_key(key)
        check_new_name(key)
    except Invalid:
        return None
    return key


async def compare(
    db: AsyncSession, project_id: str, values: Sequence[tuple[str, str]], *, by_program: bool
) -> list[tuple[Standing, str]]:
    """Returns for each key and value what it would do to the draft, and the value that the draft has there (empty without a value).

    ``conflict`` replaces a value that is not published yet; to a program, any value of a person.
    """
    draft = await queries.read_draft(db, project_id)
    return [_standing(draft, key, value, by_program=by_program) for key, value in values]


def _standing(draft: Draft, key: str, value: str, *, by_program: bool) -> tuple[Standing, str]:
    present = draft.content.get(key)
    if present is None:
        return "new", ""
    if present.value == value:
        return "same", present.value
    return ("conflict" if by_program or draft.rows[key].is_changed else "changed"), present.value


async def put_colors(db: AsyncSession, access: Access, values: Mapping[str, str]) -> object:
    """Writes colours, and makes the colours that the draft lacks, in their order. Returns what was there, for ``take_back``.

    The colours' history keeps a draft with unpublished changes that this overwrites. Raises ``Forbidden`` when there is no room.
    """
    draft = await queries.read_draft(db, access.project.id)
    await service.check_room(db, access, len(values.keys() - draft.content.keys()))
    moment = clock.now()
    wanted: dict[str, ColorContent | None] = {}
    for number, (key, value) in enumerate(values.items()):
        present = draft.content.get(key) or ColorContent("", "", moment + timedelta(microseconds=number))
        wanted[key] = replace(present, value=value)
    before = packed({key: draft.content.get(key) for key in wanted})
    await _overwrite(db, access, draft, wanted)
    return before


async def take_back(db: AsyncSession, access: Access, before: object, wrote: Mapping[str, str]) -> int:
    """Gives the colours that still have the value that was put there the value of before. Returns how many stay, because they were changed since."""
    draft = await queries.read_draft(db, access.project.id)
    former = unpacked(before)
    wanted: dict[str, ColorContent | None] = {}
    for key, value in wrote.items():
        present = draft.content.get(key)
        if present is not None and present.value == value:
            wanted[key] = replace(present, value=former[key].value) if key in former else None
    if wanted:
        await _overwrite(db, access, draft, wanted)
    return len(wrote) - len(wanted)


async def _overwrite(db: AsyncSession, access: Access, draft: Draft, wanted: Mapping[str, ColorContent | None]) -> None:
    if draft.is_changed:
        await keep_draft(db, access, COLORS, draft, len(wanted))
    await service.overwrite_draft(db, access, draft, wanted, release=access.project.release_number)
