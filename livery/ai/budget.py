"""How many characters a project may send to AI in a day: taken before a call, corrected to what was sent after it."""

from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.ai.models import AiUsage
from livery.ai.translation import Spent
from livery.core import clock
from livery.core.db import insert_for
from livery.core.errors import TooMany

USED_UP = "Today's AI limit of {limit:,} characters is used up. It starts again at midnight UTC."
NO_LIMIT = 0


def today() -> date:
    """Returns the UTC day that counts now."""
    return clock.now().astimezone(UTC).date()


async def check(db: AsyncSession, subject_id: str, *, limit: int) -> None:
    """Raises ``TooMany`` when nothing is left for today."""
    used = select(func.coalesce(func.sum(AiUsage.characters), 0)).where(
        AiUsage.subject_id == subject_id, AiUsage.day == today()
    )
    if limit != NO_LIMIT and int((await db.execute(used)).scalar_one()) >= limit:
        raise _used_up(limit)


async def take(db: AsyncSession, subject_id: str, provider: str, characters: int, *, limit: int) -> date:
    """Counts characters before they are sent, and returns the day they count for. No parallel call gets past the limit.

    Raises ``TooMany`` when they would go over it; nothing is counted then.
    """
    day = today()
    nothing = dict.fromkeys(
        ("calls", "characters", "input_tokens", "output_tokens", "billed_characters", "cost_micros"), 0
    )
    row = {"subject_id": subject_id, "day": day, "provider": provider, **nothing}
    await db.execute(insert_for(db)(AiUsage).values(row).on_conflict_do_nothing())
    others = select(func.coalesce(func.sum(AiUsage.characters), 0)).where(
        AiUsage.subject_id == subject_id, AiUsage.day == day, AiUsage.provider != provider
    )
    taking = update(AiUsage).where(*_row(subject_id, day, provider))
    if limit != NO_LIMIT:
        room = limit - int((await db.execute(others)).scalar_one()) - characters
        taking = taking.where(AiUsage.characters <= room)
    done = await db.execute(
        taking.values(characters=AiUsage.characters + characters).returning(AiUsage.characters),
        execution_options={"synchronize_session": False},
    )
    if done.scalar_one_or_none() is None:
        raise _used_up(limit)
    return day


async def settle(db: AsyncSession, subject_id: str, provider: str, day: date, *, taken: int, spent: Spent) -> None:
    """Corrects what was taken to what was sent, and adds what the provider reported."""
    await db.execute(
        update(AiUsage)
        .where(*_row(subject_id, day, provider))
        .values(
            characters=AiUsage.characters + (spent.characters - taken),
            calls=AiUsage.calls + spent.calls,
            input_tokens=AiUsage.input_tokens + spent.input_tokens,
            output_tokens=AiUsage.output_tokens + spent.output_tokens,
            billed_characters=AiUsage.billed_characters + spent.billed_characters,
            cost_micros=AiUsage.cost_micros + spent.cost_micros,
        ),
        execution_options={"synchronize_session": False},
    )


def _row(subject_id: str, day: date, provider: str) -> tuple[ColumnElement[bool], ...]:
    return AiUsage.subject_id == subject_id, AiUsage.day == day, AiUsage.provider == provider


def _used_up(limit: int) -> TooMany:
    return TooMany(USED_UP.format(limit=limit), code="ai_limit", retry_after_seconds=_until_midnight())


def _until_midnight() -> int:
    now = clock.now().astimezone(UTC)
    tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
    return int((tomorrow - now).total_seconds()) + 1
