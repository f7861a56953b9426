"""Recovery codes: ten codes of 80 random bits, each of which replaces the second factor once. The database knows their digests."""

import secrets

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import RecoveryCode
from livery.core import clock, limits
from livery.core.security import digest

LENGTH = 16
_GROUP = 4
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


async def renew(db: AsyncSession, user_id: str) -> list[str]:
    """Returns ten new codes, written in groups of four characters. The former codes no longer work."""
    await remove(db, user_id)
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(LENGTH)) for _ in range(limits.RECOVERY_CODES)]
    db.add_all(RecoveryCode(digest=digest(code), user_id=user_id, used_at=None) for code in codes)
    await db.flush()
    return ["-".join(code[at : at + _GROUP] for at in range(0, LENGTH, _GROUP)) for code in codes]


async def has_any(db: AsyncSession, user_id: str) -> bool:
    """Whether codes were made for the person, used or not."""
    return await db.scalar(select(RecoveryCode.digest).where(RecoveryCode.user_id == user_id).limit(1)) is not None


async def count_left(db: AsyncSession, user_id: str) -> int:
    """Returns how many codes of the person were not used."""
    left = select(func.count()).where(RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
    return await db.scalar(left) or 0


async def use(db: AsyncSession, user_id: str, *, code: str) -> bool:
    """Whether this was an unused code of the person. It is used now; of parallel uses exactly one gets true."""
    used = (
        update(RecoveryCode)
        .where(RecoveryCode.digest == digest(code), RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
        .values(used_at=clock.now())
        .returning(RecoveryCode.digest)
    )
    return (await db.execute(used)).scalar_one_or_none() is not None


async def remove(db: AsyncSession, user_id: str) -> None:
    """Deletes the person's codes."""
    await db.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
