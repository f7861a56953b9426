"""Sign-ups whose email is not verified. An email may have several, each with links of its own; the first link that is followed wins."""

from dataclasses import dataclass, field

from sqlalchemy import and_, delete, insert, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import ColumnElement

from livery.accounts import passwords, profile
from livery.accounts.models import ApiKey, PendingSignUp, Session, User
from livery.accounts.schemas import RegisterBody, Registered, SubmittedUser
from livery.core import clock, limits
from livery.core.db import locked
from livery.core.errors import BadRequest
from livery.core.schemas import canonical_email
from livery.core.security import digest, new_token


@dataclass(frozen=True)
class SignUp:
    """A checked wish for an account."""

    name: str
    email: str
    password: str = field(repr=False)


def check_sign_up(*, name: str, email: str, password: str) -> SignUp:
    """Checks a sign-up, and returns it with its name, canonical email and password in order. Raises ``Invalid``."""
    return SignUp(
        name=profile.check_name(name), email=canonical_email(email), password=passwords.check_password(password)
    )


def answer_to(body: RegisterBody) -> Registered:
    """Returns the answer to a sign-up. It is the same whether or not the email has an account."""
    return Registered(
        message="Account created successfully! Please check your email to verify.",
        user=SubmittedUser(name=body.name, email=body.email),
    )


async def add(db: AsyncSession, sign_up: SignUp, password_hash: str, *, sign_up_id: str) -> None:
    """Keep a sign-up for the pending account with its email. For a verified account the same statement does nothing."""
    columns = PendingSignUp.__table__.c
    values = {
        columns.id: literal(sign_up_id),
        columns.user_id: User.id,
        columns.name: literal(sign_up.name),
        columns.password_hash: literal(password_hash),
        columns.created_at: literal(clock.now(), columns.created_at.type),
    }
    pending = select(*values.values()).where(User.email == sign_up.email, User.verified_at.is_(None))
    await db.execute(insert(PendingSignUp).from_select([*values], pending, include_defaults=False))


async def find(db: AsyncSession, user_id: str, sign_up_id: str | None) -> PendingSignUp | None:
    """Returns a sign-up of a person: the sign-up with this id, or the newest."""
    query = select(PendingSignUp).where(PendingSignUp.user_id == user_id)
    if sign_up_id is not None:
        query = query.where(PendingSignUp.id == sign_up_id)
    newest = query.order_by(PendingSignUp.created_at.desc(), PendingSignUp.id).limit(1)
    return (await db.scalars(newest)).one_or_none()


async def renew_links(db: AsyncSession, sign_up: PendingSignUp) -> tuple[str, str]:
    """Makes new links that verify and withdraw a sign-up, and returns their tokens. Its former links become invalid."""
    now, token, withdrawal = clock.now(), new_token(), new_token()
    sign_up.verify_digest, sign_up.verify_until = digest(token), now + limits.VERIFY_LINK_LIFE
    sign_up.withdraw_digest, sign_up.withdraw_until = digest(withdrawal), now + limits.WITHDRAW_LINK_LIFE
    await db.flush()
    return token, withdrawal


async def follow(db: AsyncSession, *, token: str) -> str:
    """Give the account the name and password of the sign-up behind a link. Returns the person's id.

    Sessions and keys of another sign-up end. Raises ``BadRequest`` when the link is used, replaced, expired or unknown.
    """
    sign_up = await _hold(db, _verifies(token))
    user = (await db.scalars(select(User).where(User.id == sign_up.user_id))).one()
    if user.password_hash != sign_up.password_hash:
        await end_access(db, user.id)
    user.name, user.password_hash = sign_up.name, sign_up.password_hash
    await db.flush()
    return user.id


async def withdraw(db: AsyncSession, *, token: str) -> str:
    """Removes the sign-up behind either link of its mail, and the account with its last sign-up. Returns the user's id. Raises ``BadRequest``."""
    sign_up = await _hold(db, or_(_withdraws(token), _verifies(token)))
    user = (await db.scalars(select(User).where(User.id == sign_up.user_id))).one()
    await db.delete(sign_up)
    await db.flush()
    others = select(PendingSignUp).where(PendingSignUp.user_id == user.id)
    oldest = (await db.scalars(others.order_by(PendingSignUp.created_at, PendingSignUp.id).limit(1))).one_or_none()
    if oldest is None:
        await db.delete(user)
    elif user.password_hash == sign_up.password_hash:
        await end_access(db, user.id)
        user.name, user.password_hash = oldest.name, oldest.password_hash
    await db.flush()
    return sign_up.user_id


async def end(db: AsyncSession, user_id: str) -> None:
    """Remove all sign-ups of a person, whose email is verified now."""
    await db.execute(delete(PendingSignUp).where(PendingSignUp.user_id == user_id))


async def end_access(db: AsyncSession, user_id: str) -> None:
    """End all sessions and API keys of a person."""
    await db.execute(delete(Session).where(Session.user_id == user_id))
    await db.execute(delete(ApiKey).where(ApiKey.user_id == user_id))


def dead_link() -> BadRequest:
    """Returns the refusal of a link that is used, replaced, expired or unknown."""
    return BadRequest("The link may be invalid or expired.", code="invalid_link")


def _verifies(token: str) -> ColumnElement[bool]:
    return and_(PendingSignUp.verify_digest == digest(token), PendingSignUp.verify_until > clock.now())


def _withdraws(token: str) -> ColumnElement[bool]:
    return and_(PendingSignUp.withdraw_digest == digest(token), PendingSignUp.withdraw_until > clock.now())


async def _hold(db: AsyncSession, has_link: ColumnElement[bool]) -> PendingSignUp:
    """Locks and returns the sign-up with a living link. Locks the person's row first, so only one parallel use gets here. Raises ``BadRequest``."""
    owner = select(PendingSignUp.user_id).where(has_link).scalar_subquery()
    await db.execute(locked(select(User.id).where(User.id == owner)))
    sign_up = (await db.scalars(select(PendingSignUp).where(has_link))).one_or_none()
    if sign_up is None:
        raise dead_link()
    return sign_up
