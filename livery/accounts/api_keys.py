"""The verbs of developer keys (``lvk_``): add, rotate, end, and when each was last used."""

from datetime import datetime, timedelta

from sqlalchemy import or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries
from livery.accounts.models import ApiKey
from livery.accounts.profile import hold_person
from livery.accounts.queries import LiveKey
from livery.accounts.schemas import ApiKeyItem
from livery.activity.service import record
from livery.core import clock, limits
from livery.core.db import Database
from livery.core.errors import Conflict, NotFound
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.security import Vault, digest, new_key

USE_WRITTEN_EVERY = timedelta(hours=1)
_BATCH = 500
_HINT_LENGTH = 4


async def add_key(db: AsyncSession, vault: Vault, user_id: str) -> str:
    """Adds a key of a person whose row the caller holds, and returns it. It is later than their other keys, and so the current key."""
    newest = next(iter(await queries.api_keys_of(db, user_id)), None)
    moment = clock.now()
    if newest is not None and newest.created_at >= moment:
        moment = newest.created_at + timedelta(microseconds=1)
    key = new_key("lvk")
    db.add(
        ApiKey(
            id=new_id("key"),
            user_id=user_id,
            key_digest=digest(key),
            sealed_key=vault.seal(key),
            created_at=moment,
            last_used_at=None,
            ended_at=None,
        )
    )
    await record(
        db, project_id=None, actor_id=user_id, action="accounts.api_key_rotated", after={"key": key[-_HINT_LENGTH:]}
    )
    return key


async def rotate(db: AsyncSession, vault: Vault, user_id: str) -> str:
    """Makes a new current key; the former keys work until they are ended. Raises ``Conflict`` when ten keys work already."""
    await hold_person(db, user_id)
    if len(await queries.api_keys_of(db, user_id)) >= limits.API_KEYS:
        raise Conflict(f"You have {limits.API_KEYS} keys that work. End one of them first.", code="too_many_keys")
    return await add_key(db, vault, user_id)


async def end(db: AsyncSession, bus: Bus, vault: Vault, user_id: str, *, key_id: str) -> None:
    """End a former key: apps that use it are refused at once. Raises ``NotFound``, and ``Conflict`` for the current key."""
    await hold_person(db, user_id)
    living = await queries.api_keys_of(db, user_id)
    key = next((key for key in living if key.id == key_id), None)
    if key is None:
        raise NotFound("This key has ended already.", code="key_not_found")
    if key is living[0]:
        raise Conflict("This is your current key. Make a new one first.", code="current_key")
    await _end(db, vault, key)
    announce(db, bus, "keys", user_id)


async def _end(db: AsyncSession, vault: Vault, key: ApiKey) -> None:
    key.ended_at = clock.now()
    hint = _hint(vault, key.sealed_key)
    before = {"key": hint} if hint else None
    await record(db, project_id=None, actor_id=key.user_id, action="accounts.api_key_ended", before=before)


async def end_older(db: AsyncSession, bus: Bus, vault: Vault, user_id: str, *, than: datetime) -> int:
    """Ends all living keys made up to a moment, even the current key: apps that use them are refused at once. Returns their number."""
    await hold_person(db, user_id)
    older = [key for key in await queries.api_keys_of(db, user_id) if key.created_at <= than]
    for key in older:
        await _end(db, vault, key)
    if older:
        announce(db, bus, "keys", user_id)
    return len(older)


async def list_keys(db: AsyncSession, vault: Vault, user_id: str) -> list[ApiKeyItem]:
    """Returns the living keys of a person for their own eyes, the current key first."""
    return [
        ApiKeyItem(
            id=key.id,
            created_at=key.created_at,
            last_used_at=key.last_used_at,
            hint=_hint(vault, key.sealed_key),
            current=number == 0,
        )
        for number, key in enumerate(await queries.api_keys_of(db, user_id))
    ]


def _hint(vault: Vault, sealed: str) -> str | None:
    try:
        return vault.open(sealed)[-_HINT_LENGTH:]
    except ValueError:  # sealed under another secret key of the server: it still works, but can't be shown
        return None


class KeyUses:
    """Which keys were used since the last flush, in this process. To be used from the event loop only."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def note(self, key: LiveKey) -> None:
        """Notes that the key was used now. Costs a look at what the caller read anyway; nothing when its last use was written within the hour."""
        if key.last_used_at is None or clock.now() - key.last_used_at >= USE_WRITTEN_EVERY:
            self._used.add(key.id)

    async def flush(self, database: Database) -> None:
        """Write what was noted; without a note no lock is taken. When that fails, it is kept for the next flush."""
        if not self._used:
            return
        used, self._used = self._used, set()
        try:
            async with database.write() as db:
                await _write_uses(db, sorted(used))
        except BaseException:
            self._used |= used
            raise


async def _write_uses(db: AsyncSession, key_ids: list[str]) -> None:
    now = clock.now()
    is_due = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= now - USE_WRITTEN_EVERY)
    for start in range(0, len(key_ids), _BATCH):
        used = update(ApiKey).where(ApiKey.id.in_(key_ids[start : start + _BATCH]), is_due)
        await db.execute(used.values(last_used_at=now), execution_options={"synchronize_session": False})
