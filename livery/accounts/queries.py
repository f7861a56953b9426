"""Reads of people, sessions, tokens and keys."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import ColumnElement

from livery.accounts.models import ApiKey, MailToken, Session, User
from livery.accounts.schemas import Actor
from livery.core import clock

DELETED = "deleted:"
"""How the place of the email begins when a person is gone: no address has a colon, so nobody is ever found by it."""


def is_closed() -> ColumnElement[bool]:
    """Returns the condition for a person's row that the account was closed."""
    return User.email.startswith(DELETED)


def actor_of(user: User) -> Actor:
    """Returns the person behind a row."""
    return Actor(id=user.id, name=user.name, email=user.email, is_verified=user.verified_at is not None)


async def find_user(db: AsyncSession, user_id: str) -> Actor | None:
    """Returns the person with this id."""
    user = await db.get(User, user_id)
    return actor_of(user) if user else None


async def name_of(db: AsyncSession, user_id: str | None) -> str | None:
    """Returns the name of the person with this id; ``None`` for a deleted account, and if there is no id."""
    user = None if user_id is None else await find_user(db, user_id)
    return None if user is None else user.name


async def find_users(db: AsyncSession, user_ids: Collection[str]) -> dict[str, Actor]:
    """Returns the people with these ids, by id; unknown ids are left out."""
    if not user_ids:
        return {}
    users = (await db.scalars(select(User).where(User.id.in_(set(user_ids))))).all()
    return {user.id: actor_of(user) for user in users}


async def names_of(db: AsyncSession, user_ids: Iterable[str | None]) -> dict[str, str]:
    """Returns the names of the people with these ids, of those who are still there."""
    found = await find_users(db, {user_id for user_id in user_ids if user_id})
    return {user_id: user.name for user_id, user in found.items()}


async def find_user_by_email(db: AsyncSession, email: str) -> Actor | None:
    """Returns the person with this canonical email, pending or verified."""
    user = (await db.scalars(select(User).where(User.email == email))).one_or_none()
    return actor_of(user) if user else None


@dataclass(frozen=True)
class LiveKey:
    """A developer key that works, and whose it is."""

    id: str
    user_id: str
    last_used_at: datetime | None


async def find_api_key(db: AsyncSession, key_digest: str) -> LiveKey | None:
    """Returns the living API key with this SHA-256; ``None`` for an unknown or ended key."""
    query = select(ApiKey.id, ApiKey.user_id, ApiKey.last_used_at).where(
        ApiKey.key_digest == key_digest, ApiKey.ended_at.is_(None)
    )
    row = (await db.execute(query)).one_or_none()
    return LiveKey(*row) if row else None


async def api_keys_of(db: AsyncSession, user_id: str) -> Sequence[ApiKey]:
    """Returns the living API keys of a person, the newest first, which is the current key."""
    query = select(ApiKey).where(ApiKey.user_id == user_id, ApiKey.ended_at.is_(None))
    return (await db.scalars(query.order_by(ApiKey.created_at.desc(), ApiKey.id))).all()


async def last_key_uses(db: AsyncSession, user_ids: Collection[str]) -> dict[str, datetime]:
    """When each of these people last used one of their living API keys; those who never did are left out."""
    query = select(ApiKey.user_id, func.max(ApiKey.last_used_at, type_=ApiKey.last_used_at.type)).where(
        ApiKey.user_id.in_(set(user_ids)), ApiKey.ended_at.is_(None), ApiKey.last_used_at.is_not(None)
    )
    rows = await db.execute(query.group_by(ApiKey.user_id))
    return {user_id: used_at for user_id, used_at in rows if used_at is not None}


async def sessions_of(db: AsyncSession, user_id: str) -> Sequence[Session]:
    """Returns the living sessions of a person, the last used first."""
    query = select(Session).where(Session.user_id == user_id, Session.expires_at > clock.now())
    return (await db.scalars(query.order_by(Session.last_used_at.desc(), Session.created_at.desc(), Session.id))).all()


async def find_password_hash(db: AsyncSession, user_id: str) -> str | None:
    """Returns the hash of a person's password."""
    return await db.scalar(select(User.password_hash).where(User.id == user_id))


@dataclass(frozen=True)
class LiveSession:
    """A session that is not over, and whose it is."""

    id: str
    actor: Actor
    last_used_at: datetime
    created_at: datetime


_LIVE_SESSION = (
    select(Session.id, Session.last_used_at, Session.created_at, User.id, User.name, User.email, User.verified_at)
    .join(User, User.id == Session.user_id)
    .where(Session.token_digest == bindparam("token_digest"), Session.expires_at > bindparam("moment"))
)
"""Built once: every call of a person begins with it."""


async def find_session(db: AsyncSession, token_digest: str) -> LiveSession | None:
    """Returns the living session with this token: one look-up by index."""
    row = (await db.execute(_LIVE_SESSION, {"token_digest": token_digest, "moment": clock.now()})).one_or_none()
    if row is None:
        return None
    session_id, last_used_at, created_at, user_id, name, email, verified_at = row
    return LiveSession(session_id, Actor(user_id, name, email, verified_at is not None), last_used_at, created_at)


async def find_credentials(db: AsyncSession, email: str) -> tuple[Actor, str] | None:
    """Returns the person with this canonical email and their password hash."""
    user = (await db.scalars(select(User).where(User.email == email))).one_or_none()
    return (actor_of(user), user.password_hash) if user else None


async def is_live_token(db: AsyncSession, kind: str, token_digest: str) -> bool:
    """Whether such a mail token can be used: it is neither used nor expired."""
    query = select(MailToken.id).where(
        MailToken.token_digest == token_digest,
        MailToken.kind == kind,
        MailToken.used_at.is_(None),
        MailToken.expires_at > clock.now(),
    )
    return await db.scalar(query) is not None


async def find_sealed_api_key(db: AsyncSession, user_id: str) -> str | None:
    """Returns the ciphertext of the user's newest living API key."""
    query = (
        select(ApiKey.sealed_key)
        .where(ApiKey.user_id == user_id, ApiKey.ended_at.is_(None))
        .order_by(ApiKey.created_at.desc(), ApiKey.id)
    )
    return await db.scalar(query.limit(1))
