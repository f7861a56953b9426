"""Who a person is at the provider of single sign-on: found, made or connected, and taken away again."""

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import passwords, profile, service, sign_ups
from livery.accounts.models import Identity, User
from livery.accounts.oidc.configuration import Oidc
from livery.accounts.oidc.failures import SsoFailed
from livery.accounts.oidc.provider import Claims
from livery.activity.service import record
from livery.core import clock, limits
from livery.core.db import insert_for, locked
from livery.core.errors import Conflict, Invalid, NotFound, Unauthorized
from livery.core.events import Bus
from livery.core.ids import new_id
from livery.core.schemas import canonical_email, tidy_line
from livery.core.security import Vault
from livery.email import service as email


async def person_of(db: AsyncSession, bus: Bus, vault: Vault, oidc: Oidc, claims: Claims) -> User:
    """Returns the person whom the provider names, their row locked: a known identity, a new account, or an account that is connected now.

    An account is found by its email only if the provider verified the address. A verified account that exists is connected only where the
    provider speaks for the domain. A pending account begins again: whoever signed up need not be its owner. Raises ``SsoFailed``.
    """
    user = await _known_person(db, claims)
    if user is not None:
        return user
    address = _verified_address(claims)
    await _add_pending(db, address, _name_of(claims, address))
    user = (await db.scalars(locked(select(User).where(User.email == address)))).one()
    if user.verified_at is None:
        await sign_ups.end_access(db, user.id)
        user.name, user.password_hash = _name_of(claims, address), passwords.no_password()
        await db.flush()
        await service.mark_verified(db, bus, user.id, actor_id=user.id)
        await db.refresh(user)
        await _connect(db, user, claims)
        return user
    if (known := await _known_person(db, claims)) is not None:  # a parallel login of the same person was first
        return known
    if not oidc.speaks_for(address):
        raise SsoFailed("has_password")
    await _connect(db, user, claims)
    await _tell(db, bus, vault, user, oidc)
    return user


async def connect(db: AsyncSession, bus: Bus, vault: Vault, oidc: Oidc, claims: Claims, *, user_id: str) -> None:
    """Connect an identity to the account of who asked for that, with any email. Idempotent. Raises ``SsoFailed``."""
    try:
        user = await profile.hold_person(db, user_id)
    except Unauthorized as error:
        raise SsoFailed("expired") from error
    owner_id = await db.scalar(_find(claims))
    if owner_id == user_id:
        return
    if owner_id is not None:
        raise SsoFailed("taken")
    await _connect(db, user, claims)
    await _tell(db, bus, vault, user, oidc)


async def disconnect(db: AsyncSession, user_id: str, *, identity_id: str, forced: frozenset[str]) -> None:
    """Take an identity from a person. Raises ``NotFound``, and ``Conflict`` where they could not log in without it.

    ``forced`` are the domains whose people must use single sign-on.
    """
    user = await profile.hold_person(db, user_id)
    query = select(Identity).where(Identity.id == identity_id, Identity.user_id == user_id)
    identity = (await db.scalars(query)).one_or_none()
    if identity is None:
        raise NotFound("This connection has ended already.", code="identity_not_found")
    if user.email.rpartition("@")[2] in forced:
        raise Conflict("People with your email address must use single sign-on.", code="sso_required")
    if not passwords.is_password(user.password_hash):
        raise Conflict(
            "Your account has no password. Log out and choose \u201cForgot Password?\u201d to set a password first.",
            code="no_password",
        )
    await db.delete(identity)
    await record(
        db,
        project_id=None,
        actor_id=user_id,
        action="accounts.identity_disconnected",
        subject={"issuer": identity.issuer},
    )


async def identities_of(db: AsyncSession, user_id: str) -> Sequence[Identity]:
    """Returns the identities of a person, the oldest first."""
    query = select(Identity).where(Identity.user_id == user_id)
    return (await db.scalars(query.order_by(Identity.created_at, Identity.id))).all()


async def _known_person(db: AsyncSession, claims: Claims) -> User | None:
    user_id = await db.scalar(_find(claims))
    if user_id is None:
        return None
    user = await profile.hold_person(db, user_id)
    return user if await db.scalar(_find(claims)) == user_id else None  # it may have been removed since


def _find(claims: Claims) -> Select[str]:
    return select(Identity.user_id).where(Identity.issuer == claims.issuer, Identity.subject == claims.subject)


async def _add_pending(db: AsyncSession, address: str, name: str) -> None:
    account = insert_for(db)(User).values(
        id=new_id("usr"),
        name=name,
        email=address,
        password_hash=passwords.no_password(),
        verified_at=None,
        created_at=clock.now(),
    )
    await db.execute(account.on_conflict_do_nothing(index_elements=[User.email]))


async def _connect(db: AsyncSession, user: User, claims: Claims) -> None:
    """Raises ``SsoFailed`` when the account or the identity is connected to something else.

    An address that was given to a new colleague must not open the former colleague's account.
    """
    identity = insert_for(db)(Identity).values(
        id=new_id("idt"),
        user_id=user.id,
        issuer=claims.issuer,
        subject=claims.subject,
        created_at=clock.now(),
    )
    made = await db.execute(identity.on_conflict_do_nothing().returning(Identity.id))
    if made.scalar_one_or_none() is None:
        raise SsoFailed("other_identity")
    await record(
        db, project_id=None, actor_id=user.id, action="accounts.identity_connected", subject={"issuer": claims.issuer}
    )


async def _tell(db: AsyncSession, bus: Bus, vault: Vault, user: User, oidc: Oidc) -> None:
    context = {"name": oidc.name, "path": "/settings"}
    await email.enqueue(db, bus, vault, to=user.email, kind="identity_connected", context=context)


def _verified_address(claims: Claims) -> str:
    if not claims.email:
        raise SsoFailed("no_email")
    if not claims.is_verified:
        raise SsoFailed("unverified")
    try:
        return canonical_email(claims.email)
    except Invalid as error:
        raise SsoFailed("no_email") from error


def _name_of(claims: Claims, address: str) -> str:
    name = tidy_line(claims.name)[: limits.PERSON_NAME_CHARACTERS].strip()
    return name or address.partition("@")[0]
