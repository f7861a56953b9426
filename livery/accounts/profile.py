"""The verbs of a person's own account: name, password, sessions, and its end.

A verb that works with a password takes the ``Database``: argon2 runs between its transactions, never inside them.
"""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import attempts, challenges, passwords, queries
from livery.accounts.models import (
    AccountLetter,
    ApiKey,
    Identity,
    LoginChallenge,
    MailToken,
    Passkey,
    RecoveryCode,
    Session,
    TotpSecret,
    User,
)
from livery.accounts.schemas import Actor
from livery.activity import audit
from livery.activity.service import record
from livery.core import clock, limits
from livery.core.db import Database, locked
from livery.core.errors import Invalid, NotFound, Unauthorized
from livery.core.events import Bus, announce
from livery.core.security import Vault, digest
from livery.email import service as email
from livery.email.links import path_for

DELETED_NAME = "Deleted user"


def check_name(name: str, *, field: str = "name") -> str:
    """``name`` when a person may be called that. Raises ``Invalid`` when it is empty or longer than 100 characters."""
    if not name:
        raise Invalid.field(field, "Enter your name.")
    if len(name) > limits.PERSON_NAME_CHARACTERS:
        raise Invalid.field(field, f"Your name may be at most {limits.PERSON_NAME_CHARACTERS} characters long.")
    return name


async def hold_person(db: AsyncSession, user_id: str) -> User:
    """Locks and returns the person's row: the account can't be closed before this transaction ends. Raises ``Unauthorized`` when it is closed."""
    user = (await db.scalars(locked(select(User).where(User.id == user_id)))).one_or_none()
    if user is None or user.email.startswith(queries.DELETED):
        raise Unauthorized("Session expired. Please log in again.", code="session_expired")
    return user


async def change_name(db: AsyncSession, user_id: str, *, name: str) -> Actor:
    """Give a person another name. The name they have already changes nothing. Raises ``Invalid``."""
    name = check_name(name)
    user = await hold_person(db, user_id)
    if user.name != name:
        former, user.name = user.name, name
        await record(
            db,
            project_id=None,
            actor_id=user_id,
            action="accounts.name_changed",
            before={"name": former},
            after={"name": name},
        )
    return queries.actor_of(user)


async def prove_password(database: Database, user_id: str, *, password: str, field: str) -> str:
    """Returns the kept hash that ``password`` matches: what ``hold_proven`` takes. Raises ``Invalid`` about ``field`` when it is wrong."""
    async with database.read() as db:
        password_hash = await queries.find_password_hash(db, user_id)
    is_right, _ = await passwords.verify_password(password, password_hash)
    if password_hash is None or not is_right:
        async with database.write() as db:
            audit.write(db, action="accounts.password_refused", actor_id=user_id)
        raise (
            _wrong_password(field)
            if password_hash is None or passwords.is_password(password_hash)
            else no_password(field)
        )
    return password_hash


async def prove_person(database: Database, user_id: str, *, password: str, token: str, field: str) -> str:
    """As ``prove_password``. Who has no password proves by the session of ``token`` that they logged in within the last ten minutes."""
    async with database.read() as db:
        password_hash = await queries.find_password_hash(db, user_id)
        session = await queries.find_session(db, digest(token))
    if password_hash is None or session is None or passwords.is_password(password_hash):
        return await prove_password(database, user_id, password=password, field=field)
    if clock.now() - session.created_at > limits.PROOF_LIFE:
        raise Invalid.field(
            field,
            "Log out and log in again. For ten minutes after that, you can do this without a password.",
            code="login_too_old",
        )
    return password_hash


async def hold_proven(db: AsyncSession, user_id: str, *, proof: str, field: str) -> User:
    """``hold_person``, unless the password was changed since it was proven: then it raises ``Invalid`` about ``field``."""
    user = await hold_person(db, user_id)
    if user.password_hash != proof:
        raise _wrong_password(field)
    return user


async def change_password(
    database: Database, bus: Bus, vault: Vault, *, user_id: str, token: str, old: str, new: str
) -> None:
    """Sets a new password. Ends every session but that of ``token`` and all links to reset the password, and informs the owner by mail.

    Raises ``Invalid`` about ``oldPassword`` or ``newPassword``. The second of two changes at once finds its old password wrong.
    """
    new = passwords.check_password(new, field="newPassword")
    proof = await prove_password(database, user_id, password=old, field="oldPassword")
    password_hash = await passwords.hash_password(new)
    async with database.write() as db:
        user = await hold_proven(db, user_id, proof=proof, field="oldPassword")
        user.password_hash = password_hash
        await db.execute(delete(Session).where(Session.user_id == user_id, Session.token_digest != digest(token)))
        await db.execute(delete(MailToken).where(MailToken.user_id == user_id, MailToken.kind == "reset"))
        await challenges.end_all(db, user_id)
        await attempts.end(db, user_id)
        await record(db, project_id=None, actor_id=user_id, action="accounts.password_changed")
        await email.enqueue(
            db,
            bus,
            vault,
            to=user.email,
            kind="password_changed",
            context={"path": path_for("/forgot-password", user.email), **await describe_identities(db, user_id)},
        )


async def describe_identities(db: AsyncSession, user_id: str) -> dict[str, str]:
    """For the mail about a new password: where single sign-on is disconnected, which goes on working. Empty without it."""
    has_some = await db.scalar(select(Identity.id).where(Identity.user_id == user_id).limit(1)) is not None
    return {"settings_path": "/settings"} if has_some else {}


async def end_session(db: AsyncSession, user_id: str, *, session_id: str) -> None:
    """End one session of a person. Raises ``NotFound``, also for a session of somebody else."""
    ended = delete(Session).where(Session.id == session_id, Session.user_id == user_id).returning(Session.user_agent)
    user_agent = (await db.execute(ended)).scalar_one_or_none()
    if user_agent is None:
        raise NotFound("This session has ended already.", code="session_not_found")
    await attempts.end(db, user_id)
    audit.write(
        db, action="accounts.session_ended", actor_id=user_id, before={"userAgent": user_agent} if user_agent else None
    )


async def close_account(db: AsyncSession, bus: Bus, vault: Vault, user: User) -> None:
    """Deletes everything of this person: sessions, second factors, identities, keys, links, letters, name, email and password. Deletes the
    account's addresses and values in the audit log, too.

    A last mail informs them. The row stays, so that history and deleted projects still name one and the same (nobody's) id; the email is
    free for a new account. What the person has in other domains is the caller's to settle first.
    """
    await email.enqueue(
        db, bus, vault, to=user.email, kind="account_closed", context={"path": path_for("/register", user.email)}
    )
    await db.execute(delete(AccountLetter).where(AccountLetter.email == user.email))
    for table in (Session, ApiKey, MailToken, TotpSecret, Passkey, RecoveryCode, LoginChallenge, Identity):
        await db.execute(delete(table).where(table.user_id == user.id))
    await attempts.end(db, user.id)
    user.name = DELETED_NAME
    user.email = f"{queries.DELETED}{user.id}"
    user.password_hash = passwords.DUMMY_HASH
    user.verified_at = None
    audit.write(db, action="accounts.closed", actor_id=user.id)
    await audit.forget_account(db, user.id)
    announce(db, bus, "keys", user.id)


def no_password(field: str) -> Invalid:
    """Returns the refusal of a guess where there is no password to guess."""
    return Invalid.field(
        field,
        "Your account has no password. Log out and choose \u201cForgot Password?\u201d to set a password.",
        code="no_password",
    )


def _wrong_password(field: str) -> Invalid:
    return Invalid.field(field, "This is not your password.", code="wrong_password")
