"""What publishing takes out of the colours' draft."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors.models import Color


async def colors(db: AsyncSession, project_id: str) -> dict[str, dict[str, str]]:
    """Every colour of the draft by key: ``{"value": "#rrggbb", "nickname": …}``."""
    rows = await db.execute(
        select(Color.key, Color.value, Color.nickname).where(Color.project_id == project_id, Color.removed_at.is_(None))
    )
    return {key: {"value": value, "nickname": nickname} for key, value, nickname in rows}
