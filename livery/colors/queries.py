"""Reads of colours."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors.contents import ColorContent, Draft
from livery.colors.models import Color
from livery.colors.schemas import ColorRecord


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
        renamed_from=color.renamed_from,
    )


async def list_colors(db: AsyncSession, project_id: str) -> list[ColorRecord]:
    """Returns the colours of the draft."""
    rows = await db.execute(
        select(Color)
        .where(Color.project_id == project_id, Color.removed_at.is_(None))
        .order_by(Color.created_at, Color.key)
    )
    return [record_of(color) for color in rows.scalars()]


async def count_colors(db: AsyncSession, project_id: str) -> int:
    """Returns the number of colours in the draft."""
    query = select(func.count()).select_from(Color).where(Color.project_id == project_id, Color.removed_at.is_(None))
    return (await db.execute(query)).scalar_one()


async def count_changed(db: AsyncSession, project_id: str) -> int:
    """How many colours a publish would change."""
    query = select(func.count()).select_from(Color).where(Color.project_id == project_id, Color.is_changed)
    return (await db.execute(query)).scalar_one()


async def last_edits(
    db: AsyncSession, project_id: str, keys: Collection[str]
) -> dict[str, tuple[str | None, datetime]]:
    """Returns who edited each of these colours last, and when. Leaves out colours that neither the draft nor apps have."""
    rows = await db.execute(
        select(Color.key, Color.updated_by, func.coalesce(Color.removed_at, Color.updated_at)).where(
            Color.project_id == project_id, Color.key.in_(keys)
        )
    )
    return {row[0]: (row[1], row[2]) for row in rows}


async def draft_part(db: AsyncSession, project_id: str) -> dict[str, dict[str, str]]:
    """Returns the colours of the draft as their part in a release holds them."""
    rows = await db.execute(
        select(Color.key, Color.value, Color.nickname).where(Color.project_id == project_id, Color.removed_at.is_(None))
    )
    return {key: {"value": value, "nickname": nickname} for key, value, nickname in rows}


async def read_draft(db: AsyncSession, project_id: str) -> Draft:
    """Returns the whole draft."""
    found = await db.scalars(select(Color).where(Color.project_id == project_id))
    rows = {color.key: color for color in found}
    content = {
        key: ColorContent(color.value, color.nickname, color.created_at)
        for key, color in rows.items()
        if color.removed_at is None
    }
    return Draft(content, rows)
