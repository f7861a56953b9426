"""Reads of the outbox."""

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import ColumnElement

from livery.core import clock
from livery.email.models import OutboxMail


def is_due() -> ColumnElement[bool]:
    """A mail that waits, whose time has come, and that no living process is sending."""
    now = clock.now()
    is_free = or_(OutboxMail.leased_until.is_(None), OutboxMail.leased_until <= now)
    return (OutboxMail.state == "pending") & (OutboxMail.due_at <= now) & is_free


async def has_due(db: AsyncSession) -> bool:
    """Whether there is anything to send: a look that takes no write lock."""
    return await db.scalar(select(OutboxMail.id).where(is_due()).limit(1)) is not None
