"""Reads of colours."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors.models import Color
from livery.colors.schemas import ColorChange, ColorRecord


def record_of(color: Color) -> ColorRecord:
    """A colour as the dashboard sees it."""
    state = "published" if not color.is_changed else "changed" if color.published_value else "new"
    return ColorRecord(
        key=color.key,
        value=color.value,
        nickname=color.nickname,
        revision=color.revision,
        updated_at=color.updated_at,
        state=state,
    )


async def list_colors(db: AsyncSession, project_id: str) -> list[ColorRecord]:
    """The colours of the draft."""
    rows = await db.execute(
        select(Color)
        .where(Color.project_id == project_id, Color.removed_at.is_(None))
        .order_by(Color.created_at, Color.key)
    )
    return [record_of(color) for color in rows.scalars()]


async def count_changed(db: AsyncSession, project_id: str) -> int:
    """How many colours a publish would change."""
    query = select(func.count()).select_from(Color).where(Color.project_id == project_id, Color.is_changed)
    return (await db.execute(query)).scalar_one()


async def changes(db: AsyncSession, project_id: str) -> list[ColorChange]:
    """What a publish would change, by key."""
    rows = await db.execute(select(Color).where(Color.project_id == project_id, Color.is_changed).order_by(Color.key))
    return [
        ColorChange(
            key=color.key,
            change="removed" if color.removed_at else "changed" if color.published_value else "added",
            by=color.updated_by,
            at=color.removed_at or color.updated_at,
            old=color.published_value,
            new="" if color.removed_at else color.value,
        )
        for color in rows.scalars()
    ]
