"""Takes changes out of the draft of a screen, and brings them back. The project's row is locked by every caller.

Records no activity.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change
from livery.content.kind import Deed, keep_draft
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.screens import contents, versions
from livery.screens.contents import KeyContent, Written, screen_of, texts_of


async def discard(db: AsyncSession, access: Access, place: str, changes: Sequence[Change], deed: Deed) -> object:
    """See ``Kind.discard``."""
    project, screen = access.project, screen_of(place)
    draft = await contents.read_draft(db, project.id, screen)
    new_languages = set(deed.languages) - set(deed.outline.languages)
    carried = await _carried(db, project.id, changes, new_languages)
    by_ai = await versions.by_ai(db, project.id, screen, deed.origin)
    wanted = {change.name: _discarded(draft, change, by_ai, carried.get(change.name, {})) for change in changes}
    if any(map(deed.keeps, changes)):
        await keep_draft(db, access, place, draft, len(wanted), deed)
    await versions.overwrite_draft(db, access, screen, draft, wanted, release=deed.origin)
    return contents.packed({name: draft.content.get(name) for name in wanted})


async def bring_back(db: AsyncSession, access: Access, place: str, kept: object, deed: Deed) -> None:
    """See ``Kind.bring_back``."""
    screen = screen_of(place)
    if screen not in await projects.screens_of(db, access.project.id):
        return
    languages = await projects.languages_of(db, access.project.id)
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
    if draft.is_changed or deed.keeps_all:
        await keep_draft(db, access, place, draft, len(wanted))
    await versions.overwrite_draft(db, access, screen, draft, wanted, release=deed.source or deed.release)


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
    db: AsyncSession, project_id: str, changes: Sequence[Change], languages: Collection[str]
) -> Mapping[str, Mapping[str, Written]]:
    """Returns texts in languages that apps don't have, which come back with removed keys, by the names of these keys.

    A key comes back with its own; without any, with those of the key that has its new name. Where apps know both names, that is the only key
    that leaves with the texts with which the other comes back.
    """
    coming = [change for change in changes if change.after is None] if languages else []
    if not coming:
        return {}
    givers = _givers(changes, languages)
    ids = [change.id for change in [*coming, *givers.values()]]
    texts = await contents.texts_in_languages(db, project_id, ids, languages)
    return {
        change.name: texts.get(change.id) or texts.get(giver.id if (giver := givers.get(change.name)) else "", {})
        for change in coming
    }


def _givers(changes: Sequence[Change], languages: Collection[str]) -> Mapping[str, Change]:
    """Returns the changes of keys that leave, by the name under which each comes back."""
    leaving = {change.name: change for change in changes if change.before is None}
    coming = [change for change in changes if change.after is None]
    known = {change.name: leaving[change.new_name] for change in coming if change.new_name in leaving}
    by_texts: dict[frozenset[tuple[str, str]], list[Change]] = defaultdict(list)
    for change in [*leaving.values(), *coming]:
        texts = change.after or change.before or {}
        by_texts[frozenset((code, text) for code, text in texts.items() if code not in languages)].append(change)
    for texts, pair in by_texts.items():
        if texts and len(pair) == 2 and pair[0].before is None and pair[1].after is None:
            known.setdefault(pair[1].name, pair[0])
    return known
