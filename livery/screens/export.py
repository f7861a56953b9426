"""What publishing takes out of the drafts: which parts changed, and each part's texts."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.portions import portions
from livery.screens.models import TextKey, TextValue


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
