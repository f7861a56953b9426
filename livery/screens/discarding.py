"""Takes changes out of the draft of a screen, and brings them back. The project's row is locked by every caller.

Records no activity.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries
from livery.content.changes import Change
from livery.content.entries import Entry
from livery.content.kind import Operation, keep_draft
from livery.projects.queries import Access, languages_of, screens_of
from livery.screens import contents, versions
from livery.screens.contents import PLACE, KeyContent, Written, screen_of, texts_of


async def discard(
    db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
) -> object:
    """See ``Kind.discard``."""
    project, screen = access.project, screen_of(place)
    draft = await contents.read_draft(db, project.id, screen)
    new_languages = set(operation.languages) - set(operation.outline.languages)
    carried = await _carried(db, project.id, screen, changes, new_languages, operation.origin)
    names = [change.name for change in changes]
    by_ai = await versions.by_ai(db, project.id, screen, names, operation.origin)
    wanted = {change.name: _discarded(draft, change, by_ai, carried.get(change.name, {})) for change in changes}
    if any(map(operation.keeps, changes)):
        await keep_draft(db, access, place, draft, len(wanted), operation)
    await versions.overwrite_draft(db, access, screen, draft, wanted, release=operation.origin)
    return contents.packed({name: draft.content.get(name) for name in wanted})


async def bring_back(db: AsyncSession, access: Access, place: str, kept: object, operation: Operation) -> None:
    """See ``Kind.bring_back``."""
    screen = screen_of(place)
    if screen not in await screens_of(db, access.project.id):
        return
    languages = await languages_of(db, access.project.id)
    before = contents.in_languages(contents.unpacked(kept), languages)
    draft = await contents.read_draft(db, access.project.id, screen)
    wanted = {
        name: before.get(name)
        for name in cast("dict[str, object]", kept)
        if texts_of(draft.content.get(name)) != texts_of(before.get(name))
        or (name in draft.content) is not (name in before)
    }
    if not wanted:
        return
    if draft.is_changed or operation.keeps_all:
        await keep_draft(db, access, place, draft, len(wanted))
    await versions.overwrite_draft(db, access, screen, draft, wanted, release=operation.source or operation.release)


def _discarded(
    draft: contents.Draft, change: Change, by_ai: Collection[tuple[str, str]], carried: Mapping[str, Written]
) -> KeyContent | None:
    """Returns what becomes of a key of the draft when the change is discarded."""
    now = draft.content.get(change.name)
    if change.before is None and change.is_draft:
        return None
    values = {**carried, **(now.values if now else {})}
    for language in change.slots:
        text = (change.before or {}).get(language)
        if text:
            values[language] = Written(text, "ai" if (language, change.name) in by_ai else "person")
        else:
            values.pop(language, None)
    return KeyContent(values, now.created_at if now else None)


async def _carried(
    db: AsyncSession, project_id: str, screen: str, changes: Sequence[Change], languages: Collection[str], origin: int
) -> Mapping[str, Mapping[str, Written]]:
    """Returns texts in languages that apps don't have, which come back with removed keys, by the names of these keys.

    A key comes back with its own texts. If it has no texts, it gets those of the key that leaves and had its name: in the draft, or in the
    release ``origin``.
    """
    coming = [change for change in changes if change.after is None] if languages else []
    if not coming:
        return {}
    known = await entries.find(db, project_id, PLACE + screen, [change.name for change in coming], until=origin)
    leaving = [change for change in changes if change.before is None]
    by_name, by_id = {one.name: one for one in leaving}, {one.id: one for one in leaving}
    givers = {
        change.name: giver
        for change in coming
        if (giver := by_name.get(change.new_name or "") or by_id.get(_id_of(known, change.name)))
    }
    ids = [change.id for change in [*coming, *givers.values()]]
    texts = await contents.texts_in_languages(db, project_id, ids, languages)
    return {
        change.name: texts.get(change.id) or texts.get(giver.id if (giver := givers.get(change.name)) else "", {})
        for change in coming
    }


def _id_of(known: Mapping[str, Entry], name: str) -> str:
    return (known[name].id or "") if name in known else ""
