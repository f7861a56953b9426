"""What publishing takes out of the drafts: which parts changed, and each part's texts."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.screens.models import TextKey, TextValue


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
    """Returns the draft texts of one screen in one language, by key, without the missing texts."""
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
