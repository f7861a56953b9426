"""Logins that are under way at the provider: begun once, answered once, and exchanged once, all by one browser."""

import json
import re
from dataclasses import dataclass, field
from typing import cast

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import SsoAttempt
from livery.core import clock, limits
from livery.core.db import locked
from livery.core.ids import new_id
from livery.core.security import Vault, digest, new_token

_PATH = re.compile(r"/[\x21-\x7e]{0,499}")
_NO_PLACE = re.compile(r"/(?:login|logout|register|sso)\b")


@dataclass(frozen=True)
class Secrets:
    """What the provider is sent, and what its answer is held against."""

    state: str = field(default_factory=new_token, repr=False)
    nonce: str = field(default_factory=new_token, repr=False)
    verifier: str = field(default_factory=new_token, repr=False)


@dataclass(frozen=True)
class Answered:
    """An attempt to which the provider answered. Nobody else can answer it again."""

    id: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    next_path: str
    connects_to: str | None


def local_path(value: str) -> str:
    """``value`` if it is a path within the dashboard to go on at after a login; else nothing."""
    path = re.split(r"[?#]", value, maxsplit=1)[0]
    is_plain = _PATH.fullmatch(value) is not None and "\\" not in value and "//" not in path and "/." not in path
    return value if is_plain and not _NO_PLACE.match(path) else ""


async def keep(
    db: AsyncSession, vault: Vault, secrets: Secrets, *, browser: str, next_path: str, connects_to: str | None
) -> None:
    """Keep an attempt of this browser for ten minutes."""
    now = clock.now()
    kept = {"nonce": secrets.nonce, "verifier": secrets.verifier, "next": local_path(next_path)}
    db.add(
        SsoAttempt(
            id=new_id("sso"),
            browser_digest=digest(browser),
            state_digest=digest(secrets.state),
            code_digest=None,
            sealed=vault.seal(json.dumps(kept)),
            connects_to=connects_to,
            user_id=None,
            created_at=now,
            expires_at=now + limits.SSO_ATTEMPT_LIFE,
        )
    )
    await db.flush()


async def answer(db: AsyncSession, vault: Vault, *, state: str, browser: str) -> Answered | None:
    """Returns the attempt of this browser with this state, which works once; ``None`` if there is no such attempt (any more)."""
    living = select(SsoAttempt).where(
        SsoAttempt.state_digest == digest(state),
        SsoAttempt.browser_digest == digest(browser),
        SsoAttempt.expires_at > clock.now(),
    )
    attempt = (await db.scalars(locked(living))).one_or_none()
    opened = vault.open_or_none(attempt.sealed) if attempt else None
    if attempt is None or opened is None:
        return None
    attempt.state_digest, attempt.sealed = None, ""
    await db.flush()
    kept = cast("dict[str, str]", json.loads(opened))
    return Answered(attempt.id, kept["nonce"], kept["verifier"], kept["next"], attempt.connects_to)


async def issue_code(db: AsyncSession, attempt_id: str, *, user_id: str) -> str | None:
    """A code by which the browser of this attempt gets a session of the person within a minute. The caller holds the person.

    ``None`` when the attempt is gone.
    """
    attempt = (await db.scalars(locked(select(SsoAttempt).where(SsoAttempt.id == attempt_id)))).one_or_none()
    if attempt is None:
        return None
    code = new_token()
    attempt.user_id, attempt.code_digest, attempt.expires_at = user_id, digest(code), clock.now() + limits.SSO_CODE_LIFE
    await db.flush()
    return code


async def owner_of(db: AsyncSession, *, code: str) -> str | None:
    """Whose session a code gives, without using it."""
    return await db.scalar(select(SsoAttempt.user_id).where(SsoAttempt.code_digest == digest(code)))


async def use_code(db: AsyncSession, *, code: str, browser: str) -> bool:
    """Whether this browser may have the session of a code, which is used up. The caller holds the person."""
    used = delete(SsoAttempt).where(
        SsoAttempt.code_digest == digest(code),
        SsoAttempt.browser_digest == digest(browser),
        SsoAttempt.expires_at > clock.now(),
    )
    return (await db.execute(used.returning(SsoAttempt.id))).scalar_one_or_none() is not None


async def end_one(db: AsyncSession, attempt_id: str) -> None:
    """Remove an attempt that has done its work."""
    await db.execute(delete(SsoAttempt).where(SsoAttempt.id == attempt_id))


async def end(db: AsyncSession, user_id: str) -> None:
    """End all attempts that would log a person in, or connect something to their account."""
    await db.execute(delete(SsoAttempt).where(or_(SsoAttempt.user_id == user_id, SsoAttempt.connects_to == user_id)))
