"""The verbs of people who come and go: sign-up, verification, reset, sessions. ``logins`` has the ways to log in.

A verb that works with a password takes the ``Database`` and not a session: argon2 runs between its transactions, never inside them.
"""

from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import api_keys, attempts, challenges, passwords, profile, queries, sign_ups, totp
from livery.accounts.models import AccountLetter, LoginChallenge, MailToken, Session, SsoAttempt, User
from livery.accounts.schemas import Actor
from livery.accounts.sign_ups import SignUp
from livery.activity import audit
from livery.activity.service import OPERATOR
from livery.core import clock, limits
from livery.core.db import Database, insert_for, locked
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.jobs import prune_rows
from livery.core.schemas import canonical_email
from livery.core.security import Vault, digest, new_token
from livery.email import service as email
from livery.email.links import path_for

_TOKEN_LIFE = {"reset": limits.RESET_LINK_LIFE, "end_keys": limits.END_KEYS_LINK_LIFE}
_LETTERS_PER_TURN = 50


async def register(database: Database, sign_up: SignUp, *, sends_mail: bool) -> None:
    """Makes a pending account with this sign-up, or adds the sign-up to a pending account.

    A verified account is left alone. All three run the same statements, so that the time they take reveals nothing.
    """
    password_hash = await passwords.hash_password(sign_up.password)
    sign_up_id = new_id("sgn")
    async with database.write() as db:
        account = insert_for(db)(User).values(
            id=new_id("usr"),
            name=sign_up.name,
            email=sign_up.email,
            password_hash=password_hash,
            verified_at=None,
            created_at=clock.now(),
        )
        await db.execute(account.on_conflict_do_nothing(index_elements=[User.email]))
        await db.execute(locked(select(User.id).where(User.email == sign_up.email)))
        await sign_ups.add(db, sign_up, password_hash, sign_up_id=sign_up_id)
        if sends_mail:
            request_letter(db, email=sign_up.email, kind="register", sign_up_id=sign_up_id)


def request_letter(db: AsyncSession, *, email: str, kind: str, sign_up_id: str | None = None) -> None:
    """Wish for a mail (``register``, ``resend`` or ``forgot``) to an address, known or not; ``write_letters`` decides afterwards.

    Nothing is woken: work that begins with the answer would slow it down for known addresses only.
    """
    db.add(AccountLetter(id=new_id("let"), email=email, kind=kind, sign_up_id=sign_up_id, created_at=clock.now()))


async def write_letters(db: AsyncSession, bus: Bus, vault: Vault) -> int:
    """Turn waiting wishes into mails with fresh links, in one transaction; the number of wishes taken."""
    waiting = (
        select(AccountLetter.id)
        .order_by(AccountLetter.created_at)
        .limit(_LETTERS_PER_TURN)
        .with_for_update(skip_locked=True)
    )
    taken = delete(AccountLetter).where(AccountLetter.id.in_(waiting))
    columns = (AccountLetter.created_at, AccountLetter.email, AccountLetter.kind, AccountLetter.sign_up_id)
    rows = (await db.execute(taken.returning(*columns))).all()
    for _, address, kind, sign_up_id in sorted(rows, key=lambda row: row.created_at):
        user = (await db.scalars(locked(select(User).where(User.email == address)))).one_or_none()
        if user is not None:
            await _write_letter(db, bus, vault, user, kind, sign_up_id)
    return len(rows)


async def _write_letter(
    db: AsyncSession, bus: Bus, vault: Vault, user: User, kind: str, sign_up_id: str | None
) -> None:
    if kind == "forgot":
        token = await _issue_token(db, user.id, "reset")
        await email.enqueue(db, bus, vault, to=user.email, kind="reset", context={"path": f"/reset-password/{token}"})
    elif user.verified_at is not None:
        await email.enqueue(
            db,
            bus,
            vault,
            to=user.email,
            kind="already_registered",
            context={"path": path_for("/login", user.email)},
        )
    elif (sign_up := await sign_ups.find(db, user.id, sign_up_id)) is not None:
        token, withdrawal = await sign_ups.renew_links(db, sign_up)
        context = {
            "path": f"/verify-email/{token}",
            "not_me_path": f"/verify-email/{withdrawal}?not-me=1",
            "moment": f"{sign_up.created_at:%Y-%m-%d %H:%M} UTC",
        }
        await email.enqueue(db, bus, vault, to=user.email, kind="verify", context=context)


async def verify_email(db: AsyncSession, bus: Bus, *, token: str, forced: frozenset[str] = frozenset()) -> Actor:
    """Verify the email behind a link, with the name and password of the sign-up that the link was mailed for. Raises ``BadRequest``.

    ``forced`` are the domains whose people must use single sign-on: it raises ``Forbidden`` for them.
    """
    user_id = await sign_ups.follow(db, token=token)
    await mark_verified(db, bus, user_id, actor_id=user_id)
    user = await queries.find_user(db, user_id)
    if user is None:
        raise sign_ups.dead_link()
    refuse_forced(user.email, forced)
    return user


async def withdraw_registration(db: AsyncSession, *, token: str) -> None:
    """'This was not me': remove the sign-up behind either link of its mail. Raises ``BadRequest``; a verified account stays."""
    user_id = await sign_ups.withdraw(db, token=token)
    audit.write(db, action="accounts.sign_up_withdrawn", actor_id="", account_id=user_id)


async def reset_password(
    database: Database, bus: Bus, vault: Vault, *, token: str, password: str, forced: frozenset[str] = frozenset()
) -> str:
    """Sets a new password by a link, verifies the email, ends all sessions and links, and informs the owner by mail. Returns the email.

    The second factor stays: who reads the mails of a person does not have it.

    Raises ``Invalid`` for the password, ``BadRequest`` for the link, and ``Forbidden`` for people who must use single sign-on (``forced``). The
    link stays valid after a wrong password.
    """
    password = passwords.check_password(password)
    async with database.read() as db:
        if not await queries.is_live_token(db, "reset", digest(token)):
            raise sign_ups.dead_link()
    password_hash = await passwords.hash_password(password)
    async with database.write() as db:
        user_id, _ = await _consume_token(db, token, "reset")
        user = (await db.scalars(locked(select(User).where(User.id == user_id)))).one()
        refuse_forced(user.email, forced)
        if user.verified_at is None:
            await sign_ups.end_access(db, user_id)  # whoever signed up with this address before need not be its owner
        user.password_hash = password_hash
        await db.flush()
        await mark_verified(db, bus, user_id, actor_id=user_id)
        await db.execute(delete(Session).where(Session.user_id == user_id))
        audit.write(db, action="accounts.password_reset", actor_id=user_id)
        await challenges.end_all(db, user_id)
        await attempts.end(db, user_id)
        await email.enqueue(
            db,
            bus,
            vault,
            to=user.email,
            kind="password_changed",
            context={
                "path": path_for("/forgot-password", user.email),
                **await _describe_keys(db, vault, user_id),
                **await profile.describe_identities(db, user_id),
            },
        )
        return user.email


def refuse_uninvited(registration: str, *, is_invited: bool) -> None:
    """Raises ``Forbidden`` where the setting ``registration`` does not let this person create an account."""
    if registration == "closed":
        raise Forbidden(
            "Nobody can create an account on this server. Ask its operator for an account.", code="registration_closed"
        )
    if registration == "invitation" and not is_invited:
        raise Forbidden(
            "Only invited people can create an account on this server. Open the link in your invitation.",
            code="registration_closed",
        )


def refuse_forced(address: str, forced: frozenset[str]) -> None:
    """Raises ``Forbidden`` when this canonical email is of a domain whose people must use single sign-on."""
    if address.rpartition("@")[2] in forced:
        raise Forbidden(
            "People with this email address log in with single sign-on, not with a password.", code="sso_required"
        )


async def _describe_keys(db: AsyncSession, vault: Vault, user_id: str) -> dict[str, str]:
    """For the mail after a reset: the API keys that go on working, and a link that ends them. Empty without keys."""
    living = await api_keys.list_keys(db, vault, user_id)
    if not living:
        return {}
    lines = [
        f"{f'…{key.hint}' if key.hint else 'a key'}, made {key.created_at:%Y-%m-%d}, "
        + (f"last used {key.last_used_at:%Y-%m-%d}" if key.last_used_at else "never used")
        for key in living
    ]
    return {"keys": "\n".join(lines), "end_keys_path": f"/end-keys/{await _issue_token(db, user_id, 'end_keys')}"}


async def end_keys(db: AsyncSession, bus: Bus, vault: Vault, *, token: str) -> int:
    """End the API keys that are older than the reset behind a mailed link. Returns how many. Raises ``BadRequest`` for the link."""
    user_id, reset_at = await _consume_token(db, token, "end_keys")
    return await api_keys.end_older(db, bus, vault, user_id, than=reset_at)


async def start_session(
    db: AsyncSession, user_id: str, *, user_agent: str = "", second_factor_at: datetime | None = None
) -> str:
    """Starts a session and returns its token. Removes the sessions of the same person that are over.

    ``second_factor_at``: when the person showed a second factor for it.
    """
    now, token = clock.now(), new_token()
    await db.execute(delete(Session).where(Session.user_id == user_id, Session.expires_at <= now))
    db.add(
        Session(
            id=new_id("ses"),
            user_id=user_id,
            token_digest=digest(token),
            user_agent=user_agent[:300],
            created_at=now,
            last_used_at=now,
            expires_at=now + limits.SESSION_LIFE,
            second_factor_at=second_factor_at,
        )
    )
    await db.flush()
    return token


async def touch_session(db: AsyncSession, session_id: str) -> None:
    """Slide a living session: 30 days from now."""
    now = clock.now()
    living = update(Session).where(Session.id == session_id, Session.expires_at > now)
    await db.execute(living.values(last_used_at=now, expires_at=now + limits.SESSION_LIFE))


async def log_out(db: AsyncSession, user_id: str, *, token: str) -> None:
    """End the session of this token, which is of this person. Idempotent."""
    ended = delete(Session).where(Session.token_digest == digest(token)).returning(Session.id)
    if (await db.execute(ended)).scalar_one_or_none() is not None:
        audit.write(db, action="accounts.logged_out", actor_id=user_id)


async def ensure_api_key(db: AsyncSession, vault: Vault, user_id: str) -> str:
    """Returns the user's API key, made on first ask. When the server's secret key was changed, the old key can't be shown and a new key is made."""
    await profile.hold_person(db, user_id)
    return await read_api_key(db, vault, user_id) or await api_keys.add_key(db, vault, user_id)


async def read_api_key(db: AsyncSession, vault: Vault, user_id: str) -> str | None:
    """Returns the user's API key, or ``None`` when there is no key that can be shown."""
    sealed = await queries.find_sealed_api_key(db, user_id)
    return vault.open_or_none(sealed) if sealed else None


async def create_verified_user(db: AsyncSession, *, name: str, email: str, password_hash: str) -> Actor:
    """Makes an account for the operator. Raises ``Conflict`` when the email has an account, ``Invalid`` when it is not an email."""
    address = canonical_email(email)
    if await queries.find_user_by_email(db, address):
        raise Conflict("There is an account with this email already.", code="email_taken")
    now = clock.now()
    user = User(
        id=new_id("usr"), name=name, email=address, password_hash=password_hash, verified_at=now, created_at=now
    )
    db.add(user)
    await db.flush()
    audit.write(db, action="accounts.registered", actor_id=OPERATOR, account_id=user.id, after={"name": name})
    return queries.actor_of(user)


async def create_user_by_hand(db: AsyncSession, *, name: str, email: str) -> str:
    """Makes an account without a password, for the operator. Returns the path that sets the password, which works once.

    Raises ``Conflict`` when the email has an account, ``Invalid`` when it is not an email.
    """
    user = await create_verified_user(db, name=name, email=email, password_hash=passwords.no_password())
    return f"/reset-password/{await _issue_token(db, user.id, 'reset')}"


async def verify_user_by_email(db: AsyncSession, bus: Bus, *, email: str) -> Actor:
    """Verify an account by hand. Idempotent. Raises ``NotFound``."""
    user = await queries.find_user_by_email(db, canonical_email(email))
    if user is None:
        raise NotFound("There is no account with this email.")
    await mark_verified(db, bus, user.id, actor_id=OPERATOR)
    return Actor(user.id, user.name, user.email, is_verified=True)


async def prune(database: Database) -> None:
    """Deletes sessions, links of mails and steps of logins that are over."""
    now = clock.now()
    for table in (Session, MailToken, LoginChallenge, SsoAttempt):
        await prune_rows(database, table, table.expires_at <= now)
    await totp.prune(database)


async def mark_verified(db: AsyncSession, bus: Bus, user_id: str, *, actor_id: str) -> None:
    """Records that the address of a person is theirs: ends their sign-ups and announces ``user_verified``. Idempotent."""
    pending = update(User).where(User.id == user_id, User.verified_at.is_(None)).values(verified_at=clock.now())
    if (await db.execute(pending.returning(User.id))).scalar_one_or_none():
        await sign_ups.end(db, user_id)
        audit.write(db, action="accounts.verified", actor_id=actor_id, account_id=user_id)
        announce(db, bus, "user_verified", user_id)


async def _issue_token(db: AsyncSession, user_id: str, kind: str) -> str:
    """A fresh token of a mailed link; the former one of its kind is dead."""
    now, token = clock.now(), new_token()
    fresh: dict[str, str | datetime | None] = {
        "token_digest": digest(token),
        "created_at": now,
        "expires_at": now + _TOKEN_LIFE[kind],
        "used_at": None,
    }
    insert = insert_for(db)(MailToken).values(id=new_id("mtk"), user_id=user_id, kind=kind, **fresh)
    await db.execute(insert.on_conflict_do_update(index_elements=[MailToken.user_id, MailToken.kind], set_=fresh))
    return token


async def _consume_token(db: AsyncSession, token: str, kind: str) -> tuple[str, datetime]:
    """Whose token it was, and when it was issued. Of any number of parallel uses exactly one gets here; the others raise ``BadRequest``.

    The person's row is locked first, as in every verb. Two links of one person that are used at once must not deadlock.
    """
    now = clock.now()
    owner = select(MailToken.user_id).where(MailToken.token_digest == digest(token)).scalar_subquery()
    await db.execute(locked(select(User.id).where(User.id == owner)))
    living = update(MailToken).where(
        MailToken.token_digest == digest(token),
        MailToken.kind == kind,
        MailToken.used_at.is_(None),
        MailToken.expires_at > now,
    )
    columns = (MailToken.user_id, MailToken.created_at)
    row = (await db.execute(living.values(used_at=now).returning(*columns))).one_or_none()
    if row is None:
        raise sign_ups.dead_link()
    return row[0], row[1]
