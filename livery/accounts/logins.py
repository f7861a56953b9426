"""Logging in: with the password and any second factor of the person, or with a passkey alone.

A verb that works with a password keeps argon2 out of its transactions.
"""

import json
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import challenges, passkeys, passwords, profile, queries, second_factors, service
from livery.accounts.browser_passkeys import PasskeyAnswer
from livery.accounts.failed_logins import FailedLogins
from livery.accounts.models import User
from livery.accounts.schemas import Actor, PasskeyStep, SecondStep
from livery.accounts.second_factors import Answer
from livery.activity import audit
from livery.core import clock, limits
from livery.core.context import Context
from livery.core.db import locked
from livery.core.errors import Forbidden, Invalid, Unauthorized
from livery.core.security import Vault, from_base64url, to_base64url

_PURPOSE = "passkey login"


@dataclass(frozen=True)
class Login:
    """A new session's token and its person."""

    token: str = field(repr=False)
    actor: Actor


async def log_in(
    context: Context, failed_logins: FailedLogins, *, email: str, password: str, user_agent: str = ""
) -> Login | SecondStep:
    """Starts a session, or the second step of a person who has a second factor. ``email`` is canonical.

    ``failed_logins`` notes a wrong password of an account.

    Raises ``Unauthorized`` alike for an unknown email and a wrong password, and ``Forbidden`` when the password is right and the email
    must be verified first. A reset that happens at the same time wins.
    """
    async with context.database.read() as db:
        known = await queries.find_credentials(db, email)
    actor, password_hash = known or (None, None)
    is_right, fresh_hash = await passwords.verify_password(password, password_hash)
    if actor is None or not is_right:
        if actor is not None:
            failed_logins.note(actor.id)
        raise _wrong_login()
    _check_verified(context, actor)
    async with context.database.write() as db:
        user = (await db.scalars(locked(select(User).where(User.id == actor.id)))).one_or_none()
        if user is None or user.password_hash != password_hash:
            raise _wrong_login()
        if fresh_hash:
            user.password_hash = fresh_hash
        if await second_factors.is_on(db, user.id):
            audit.write(db, action="accounts.second_factor_asked", actor_id="", account_id=user.id)
            return await second_factors.begin_step(db, context, user.id, purpose="login")
        return await start(db, user, user_agent=user_agent)


async def start(db: AsyncSession, user: User, *, user_agent: str, second_factor_at: datetime | None = None) -> Login:
    """Starts a session of a person who has shown who they are, and writes it into the audit log."""
    token = await service.start_session(db, user.id, user_agent=user_agent, second_factor_at=second_factor_at)
    after = {"userAgent": user_agent} if user_agent else None
    audit.write(db, action="accounts.logged_in", actor_id=user.id, after=after)
    return Login(token, queries.actor_of(user))


async def find_person(context: Context, *, ticket: str) -> Actor:
    """Returns who has to pass this second step. Raises ``Unauthorized`` when it is over."""
    async with context.database.read() as db:
        user_id = await challenges.find_person(db, ticket=ticket, purpose="login")
        actor = await queries.find_user(db, user_id) if user_id else None
    if actor is None:
        raise _step_over()
    return actor


async def finish(context: Context, *, ticket: str, answer: Answer, user_agent: str = "") -> Login:
    """Starts a session for a person who passes the second step. The ticket is used up then.

    Raises ``Invalid`` for a wrong answer, and ``Unauthorized`` when the step is over. A ticket takes five answers; a mail informs the
    owner of the fifth wrong answer in an hour.
    """
    challenge = await challenges.attempt(context.database, ticket=ticket, purpose="login")
    if challenge is None:
        raise _step_over()
    try:
        async with context.database.write() as db:
            user = await profile.hold_person(db, challenge.user_id)
            if not await challenges.finish(db, challenge):
                raise _step_over()
            await second_factors.check(db, context, user, challenge, answer)
            return await start(db, user, user_agent=user_agent, second_factor_at=clock.now())
    except Invalid:
        await second_factors.note_refused(context, challenge.user_id)
        raise


def begin_passkey(context: Context) -> PasskeyStep:
    """Returns what a browser needs to log in with any passkey of this server.

    Nothing is stored: the sealed ticket has the challenge and its end.
    """
    challenge, ends_at = challenges.new_challenge(), clock.now() + limits.STEP_LIFE
    ticket = context.vault.seal(json.dumps([_PURPOSE, to_base64url(challenge), ends_at.isoformat()]))
    return PasskeyStep(ticket=ticket, options=passkeys.login_options(second_factors.party_of(context), challenge))


async def finish_passkey(
    context: Context, *, ticket: str, answer: PasskeyAnswer, user_agent: str = "", forced: frozenset[str] = frozenset()
) -> Login:
    """Starts a session for the person whose passkey signed the challenge of the ticket, which works once.

    Raises ``Invalid`` for a passkey that is unknown or proves nothing, and ``Unauthorized`` when the ticket has expired. Raises ``Forbidden`` when
    the email must be verified first, or when its domain must use single sign-on (``forced``).
    """
    challenge = _open(context.vault, ticket)
    async with context.database.read() as db:
        user_id = await passkeys.find_owner(db, answer)
    if user_id is None:
        raise passkeys.refused()
    async with context.database.write() as db:
        user = await profile.hold_person(db, user_id)
        await passkeys.prove(db, second_factors.party_of(context), user.id, challenge, answer=answer)
        if not await challenges.spend(db, user.id, challenge):
            raise _step_over()
        service.refuse_forced(user.email, forced)
        _check_verified(context, queries.actor_of(user))
        return await start(db, user, user_agent=user_agent, second_factor_at=clock.now())


def _open(vault: Vault, ticket: str) -> bytes:
    """Returns the challenge of a living ticket. Raises ``Unauthorized``."""
    opened = vault.open_or_none(ticket)
    match json.loads(opened) if opened and opened.startswith("[") else None:
        case [str(purpose), str(challenge), str(ends_at)] if purpose == _PURPOSE:
            if datetime.fromisoformat(ends_at) > clock.now():
                return from_base64url(challenge)
        case _:
            pass
    raise _step_over()


def _check_verified(context: Context, actor: Actor) -> None:
    if context.settings.require_verified_login and not actor.is_verified:
        raise Forbidden(
            "Please verify your email first. Follow the link in the mail we sent you, or have it sent again.",
            code="email_not_verified",
        )


def _wrong_login() -> Unauthorized:
    return Unauthorized("Invalid email or password.", code="wrong_login")


def _step_over() -> Unauthorized:
    return Unauthorized("This login took too long or was used. Please log in again.", code="login_over")
