"""Texts in languages that neither release has: a renamed key takes them along to its old name. Those of all other keys stay where they are."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from livery.publishing.restore_plan import Plan
from livery.screens import contents
from livery.screens.contents import Change, KeyContent, texts_of


async def carry(
    db: AsyncSession, project_id: str, plan: Plan, changes: Sequence[Change]
) -> tuple[list[Change], frozenset[str]]:
    """The changes, in which a key that was renamed takes its texts in new languages to its old name; and the ids of the rows that gave theirs.

    A release knows keys by name alone, so the texts tell which key it was: the only one that leaves with those with which the name comes back.
    A key that comes back with texts in new languages of its own keeps those.
    """
    pairs = _renamed(changes, plan.meta.languages) if plan.new_languages else []
    ids = [row_id for going, coming in pairs for row_id in (going, coming.row.id if coming.row else "") if row_id]
    texts = await contents.texts_in_languages(db, project_id, ids, plan.new_languages)
    given = {
        coming.key: going for going, coming in pairs if going in texts and not (coming.row and coming.row.id in texts)
    }
    carried = [
        replace(change, after=KeyContent({**change.after.values, **texts[given[change.key]]}, change.after.created_at))
        if change.after and change.key in given
        else change
        for change in changes
    ]
    return carried, frozenset(given.values())


def _renamed(changes: Iterable[Change], languages: Sequence[str]) -> list[tuple[str, Change]]:
    """The id of each key that leaves with the texts of exactly one that comes, and what comes; of several with the same texts nobody can tell."""
    going: dict[frozenset[tuple[str, str]], list[str]] = defaultdict(list)
    coming: dict[frozenset[tuple[str, str]], list[Change]] = defaultdict(list)
    for change in changes:
        texts = texts_of(change.before or change.after)
        known = frozenset((code, text) for code, text in texts.items() if code in languages)
        if change.before is None:
            coming[known].append(change)
        elif change.after is None and change.row:
            going[known].append(change.row.id)
    return [
        (going[known][0], found[0])
        for known, found in coming.items()
        if known and len(found) == len(going.get(known, ())) == 1
    ]
