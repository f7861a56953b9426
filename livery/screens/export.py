"""What publishing takes out of the drafts: which parts changed, and each part's texts."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author


async def changed_parts(db: AsyncSession, project_id: str) -> list[tuple[str, str]]:
    """Every (screen, language) that a publish would change: of a removed key each language that apps have, else each changed text."""
    of_those = (TextKey.project_id == project_id) & TextKey.is_changed
    found: set[tuple[str, str]] = set()
    for is_among, condition in (
        (TextKey.removed_at.is_(None), TextValue.is_changed),
        (TextKey.removed_at.is_not(None), TextValue.is_changed | (TextValue.published_value != "")),
    ):
        for ids in portions((await db.scalars(select(TextKey.id).where(of_those, is_among))).all()):
            places = (
                select(TextValue.screen, TextValue.language)
                .where(TextValue.project_id == project_id, TextValue.key_id.in_(ids), condition)
                # Asked for distinct rows, SQLite would walk every text of the project in their order instead of the keys.
                .cte("places")
                .prefix_with("MATERIALIZED")
            )
            rows = await db.execute(select(places.c.screen, places.c.language).distinct())
            found.update((screen, language) for screen, language in rows)
    return sorted(found)


async def marks(db: AsyncSession, project_id: str) -> dict[str, tuple[object, ...]]:
    """A mark of each screen with keys that a publish would change; it is another whenever any of their texts is."""
    rows = await db.execute(
        select(TextKey.screen, func.count(), func.sum(TextKey.revision), func.max(TextKey.updated_at))
        .where(TextKey.project_id == project_id, TextKey.is_changed)
        .group_by(TextKey.screen)
        .order_by(TextKey.screen)
    )
    return {screen: (count, revisions, at) for screen, count, revisions, at in rows}


async def texts(db: AsyncSession, project_id: str, screen: str, language: str) -> dict[str, str]:
    """The draft texts of one screen in one language, by key; missing ones are not there."""
    rows = await db.execute(
        select(TextKey.name, TextValue.value)
        .join(TextKey, (TextKey.project_id == TextValue.project_id) & (TextKey.id == TextValue.key_id))
        .where(
            TextValue.project_id == project_id,
            TextValue.screen == screen,
            TextValue.language == language,
            TextValue.value != "",
            TextKey.removed_at.is_(None),
        )
    )
    return dict(rows.all())


async def changed_edits(
    db: AsyncSession, project_id: str
) -> dict[str, dict[str, dict[str, tuple[str | None, datetime]]]]:
    """Who edited what a publish would change, and when: by screen, key and language.

    Under ``""`` stands who took a key away, and who touched it last where that is another person than who wrote its last text.
    """
    found: dict[str, dict[str, dict[str, tuple[str | None, datetime]]]] = defaultdict(dict)
    mine = (TextKey.project_id == project_id) & TextKey.is_changed
    gone = func.coalesce(TextKey.removed_at, TextKey.updated_at)
    removed = select(TextKey.screen, TextKey.name, TextKey.updated_by, gone)
    for screen, name, by, at in await db.execute(removed.where(mine, TextKey.removed_at.is_not(None))):
        found[screen][name] = {"": (by, at)}
    keys: dict[str, tuple[str, str, str | None, datetime]] = {
        row[0]: (row[1], row[2], row[3], row[4])
        for row in await db.execute(
            select(TextKey.id, TextKey.screen, TextKey.name, TextKey.updated_by, TextKey.updated_at).where(
                mine, TextKey.removed_at.is_(None)
            )
        )
    }
    for ids in portions(list(keys)):
        texts = select(TextValue.key_id, TextValue.language, TextValue.updated_by, TextValue.updated_at).where(
            TextValue.project_id == project_id, TextValue.key_id.in_(ids), TextValue.is_changed
        )
        for key_id, language, by, at in await db.execute(texts):
            screen, name, _, _ = keys[key_id]
            found[screen].setdefault(name, {})[language] = (by, at)
    for screen, name, by, at in keys.values():
        edits = found[screen].get(name)
        if edits and max(edits.values(), key=lambda edit: edit[1])[0] != by:
            edits[""] = (by, at)
    return dict(found)


async def changed_places(
    db: AsyncSession, project_id: str, screen: str, languages: Collection[str], *, author: Author | None
) -> list[tuple[str, str, Author]]:
    """Returns language, key and author of each text of a screen in these languages, by this author or by any, that a publish would change.

    Texts of removed keys are left out.
    """
    query = (
        select(TextValue.language, TextKey.name, TextValue.author)
        .join(TextKey, (TextKey.project_id == TextValue.project_id) & (TextKey.id == TextValue.key_id))
        .where(TextValue.project_id == project_id, TextValue.screen == screen, TextValue.language.in_(languages))
        .where(TextValue.is_changed, TextKey.removed_at.is_(None))
    )
    if author is not None:
        query = query.where(TextValue.author == author)
    return [(row[0], row[1], "ai" if row[2] == "ai" else "person") for row in await db.execute(query)]
