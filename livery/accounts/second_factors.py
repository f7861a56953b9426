"""The second step: who has it, how it is passed, and how a person changes their second factors.

A second factor is a confirmed authenticator app or a passkey. Recovery codes are made with the first factor and deleted with the last.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import attempts, challenges, passkeys, profile, recovery_codes, totp
from livery.accounts.browser_passkeys import NewPasskey, PasskeyAnswer
from livery.accounts.challenges import Challenge
from livery.accounts.models import Passkey, Session, User
from livery.accounts.passkeys import RelyingParty
from livery.accounts.schemas import Method, PasskeyItem, PasskeyStep, SecondFactorsView, SecondStep, TotpSetup
from livery.activity import audit, audit_queries
from livery.activity.service import OPERATOR, record
from livery.core import clock, limits
from livery.core.context import Context
from livery.core.errors import BadRequest, Forbidden, Invalid, NotFound
from livery.core.security import digest
from livery.email import service as email
from livery.email.links import path_for

_CODE_LENGTH = 6
_WARNED_AT = 5


@dataclass(frozen=True)
class Answer:
    """What a person shows in the second step: a code of the app, a recovery code, or a passkey."""

    code: str | None = field(repr=False)
    passkey: PasskeyAnswer | None = field(repr=False)

    @property
    def is_app_code(self) -> bool:
        """Whether it may be a code of an app: anything that is not as long as a recovery code."""
        return self.code is not None and len(_typed(self.code)) <= _CODE_LENGTH

    def require_one(self) -> None:
        """Raises ``Invalid`` unless it is a code or a passkey."""
        if (self.code is None) == (self.passkey is None):
            raise Invalid.field("code", "Send a code or a passkey.")

    @property
    def is_given(self) -> bool:
        """Whether it shows anything."""
        return self.code is not None or self.passkey is not None


@dataclass(frozen=True)
class Proof:
    """How a logged-in person shows that they may change the second factors."""

    user_id: str
    session: str = field(repr=False)
    password: str = field(repr=False)
    ticket: str | None = field(repr=False)
    answer: Answer


async def is_on(db: AsyncSession, user_id: str) -> bool:
    """Whether the person has a second factor."""
    if await totp.is_on(db, user_id):
        return True
    return await db.scalar(select(Passkey.id).where(Passkey.user_id == user_id).limit(1)) is not None


async def describe(db: AsyncSession, user_id: str) -> SecondFactorsView:
    """Returns a person's second factors for their own eyes."""
    secret = await totp.find(db, user_id)
    return SecondFactorsView(
        totp_since=secret.confirmed_at if secret else None,
        passkeys=[_item(passkey) for passkey in await passkeys.passkeys_of(db, user_id)],
        recovery_codes_left=await recovery_codes.count_left(db, user_id),
    )


async def begin_step(db: AsyncSession, context: Context, user_id: str, *, purpose: str) -> SecondStep:
    """Returns a second step that a person must pass within five minutes, for ``login`` or ``change``."""
    ticket, challenge = await challenges.begin(db, user_id, purpose)
    known = await passkeys.passkeys_of(db, user_id)
    has_totp = await totp.is_on(db, user_id)
    methods: list[Method] = []
    if known:
        methods.append("passkey")
    if has_totp:
        methods.append("totp")
    if await recovery_codes.count_left(db, user_id):
        methods.append("recovery")
    return SecondStep(
        message="Enter the code of your authenticator app." if has_totp else "Use your passkey to continue.",
        ticket=ticket,
        methods=methods,
        passkey_options=passkeys.login_options(party_of(context), challenge, known) if known else None,
    )


async def check(db: AsyncSession, context: Context, user: User, challenge: Challenge, answer: Answer) -> None:
    """Accepts what a person shows in a step; each code and challenge is accepted once. Raises ``Invalid``.

    The caller holds the person, so that parallel answers are checked in sequence.
    """
    answer.require_one()
    if answer.code is not None:
        await _check_code(db, context, user, answer.code)
    elif answer.passkey is not None:
        await passkeys.prove(db, party_of(context), user.id, challenge.value, answer=answer.passkey)


async def _check_code(db: AsyncSession, context: Context, user: User, code: str) -> None:
    typed = _typed(code)
    secret = await totp.find(db, user.id)
    if len(typed) == _CODE_LENGTH and typed.isascii() and typed.isdecimal() and secret and secret.confirmed_at:
        await totp.accept(db, context.vault, secret, code=typed)
        return
    if not await recovery_codes.use(db, user.id, code=typed):
        raise totp.wrong_code()
    left = await recovery_codes.count_left(db, user.id)
    await record(db, project_id=None, actor_id=user.id, action="accounts.recovery_code_used")
    await _write(db, context, user, f"A recovery code was used. You have {left} left.")


def _typed(code: str) -> str:
    return code.lower().replace(" ", "").replace("-", "")


async def note_refused(context: Context, user_id: str) -> None:
    """Writes a wrong answer into the audit log of the account. A mail reports the fifth within an hour: somebody knows the password."""
    action, hour_ago = "accounts.second_factor_refused", clock.now() - timedelta(hours=1)
    async with context.database.write() as db:
        user = await profile.hold_person(db, user_id)
        audit.write(db, action=action, actor_id="", account_id=user.id)
        await db.flush()
        if await audit_queries.count_of_account(db, user.id, action, since=hour_ago) == _WARNED_AT:
            await _write(db, context, user, "Somebody entered your password, and five wrong codes after it.")


async def set_up_totp(context: Context, proof: Proof) -> TotpSetup:
    """Returns the secret for an authenticator app, which counts from its first code on. Raises ``Conflict`` when an app is on."""
    async with _proven(context, proof) as (db, user):
        return await totp.set_up(db, context.vault, user)


async def confirm_totp(context: Context, user_id: str, *, session: str, code: str) -> list[str] | None:
    """Turns on the app whose first code this is. Returns recovery codes if the person had no codes. Raises ``Invalid`` and ``Conflict``."""
    async with context.database.write() as db:
        user = await profile.hold_person(db, user_id)
        was_on = await is_on(db, user.id)
        await totp.confirm(db, context.vault, user.id, code="".join(code.split()))
        await record(db, project_id=None, actor_id=user.id, action="accounts.totp_added")
        await _write(db, context, user, "An authenticator app was set up as your second factor.")
        return await _added(db, user, session, was_on=was_on)


async def remove_totp(context: Context, proof: Proof) -> None:
    """Removes the person's authenticator app. Raises ``NotFound``."""
    async with _proven(context, proof) as (db, user):
        if not await totp.is_on(db, user.id):
            raise NotFound("No authenticator app is set up.", code="no_totp")
        await totp.remove(db, user.id)
        await record(db, project_id=None, actor_id=user.id, action="accounts.totp_removed")
        await _write(db, context, user, "Your authenticator app was removed.")
        await _removed(db, user)


async def begin_passkey(context: Context, proof: Proof) -> PasskeyStep:
    """Returns what a browser needs to make a passkey. The ticket shows that the password was right."""
    async with _proven(context, proof) as (db, user):
        ticket, challenge = await challenges.begin(db, user.id, "enrol")
        known = await passkeys.passkeys_of(db, user.id)
        return PasskeyStep(ticket=ticket, options=passkeys.enrol_options(party_of(context), challenge, user, known))


async def add_passkey(
    context: Context, user_id: str, *, session: str, ticket: str, name: str, answer: NewPasskey
) -> list[str] | None:
    """Keeps a passkey that a browser made. Returns recovery codes if the person had no codes.

    Raises ``BadRequest`` when the ticket is over or somebody else's, and what ``passkeys.add`` raises.
    """
    challenge = await challenges.attempt(context.database, ticket=ticket, purpose="enrol")
    async with context.database.write() as db:
        user = await profile.hold_person(db, user_id)
        if challenge is None or challenge.user_id != user.id or not await challenges.finish(db, challenge):
            raise BadRequest("Adding the passkey took too long. Begin again.", code="step_over")
        was_on = await is_on(db, user.id)
        await passkeys.add(db, party_of(context), user.id, challenge.value, name=name, answer=answer)
        await record(db, project_id=None, actor_id=user.id, action="accounts.passkey_added", subject={"passkey": name})
        await _write(db, context, user, f"The passkey “{name}” was added.")
        return await _added(db, user, session, was_on=was_on)


async def rename_passkey(db: AsyncSession, user_id: str, passkey_id: str, *, name: str) -> PasskeyItem:
    """Gives a passkey another name. Raises ``NotFound``, also for a passkey of somebody else."""
    await profile.hold_person(db, user_id)
    passkey = await passkeys.rename(db, user_id, passkey_id, name=name)
    if passkey is None:
        raise _no_passkey()
    await record(db, project_id=None, actor_id=user_id, action="accounts.passkey_renamed", subject={"passkey": name})
    return _item(passkey)


async def remove_passkey(context: Context, proof: Proof, passkey_id: str) -> None:
    """Removes a passkey. Raises ``NotFound``, also for a passkey of somebody else."""
    async with _proven(context, proof) as (db, user):
        name = await passkeys.remove(db, user.id, passkey_id)
        if name is None:
            raise _no_passkey()
        await record(
            db, project_id=None, actor_id=user.id, action="accounts.passkey_removed", subject={"passkey": name}
        )
        await _write(db, context, user, f"The passkey “{name}” was removed.")
        await _removed(db, user)


async def renew_recovery_codes(context: Context, proof: Proof) -> list[str]:
    """Returns ten new recovery codes; the former codes no longer work. Raises ``NotFound`` without a second factor."""
    async with _proven(context, proof) as (db, user):
        if not await is_on(db, user.id):
            raise NotFound("Two-factor sign-in is off.", code="no_second_factor")
        await record(db, project_id=None, actor_id=user.id, action="accounts.recovery_codes_made")
        await _write(db, context, user, "New recovery codes were made. The former codes no longer work.")
        return await recovery_codes.renew(db, user.id)


async def remove_all(db: AsyncSession, context: Context, user_id: str) -> bool:
    """Removes all second factors of a person who lost them, for the operator. Returns whether there were any."""
    user = await profile.hold_person(db, user_id)
    if not await is_on(db, user.id):
        return False
    await totp.remove(db, user.id)
    await passkeys.remove_all(db, user.id)
    await record(
        db,
        project_id=None,
        actor_id=OPERATOR,
        account_id=user.id,
        action="accounts.second_factors_removed",
        subject={"email": user.email},
    )
    await _write(db, context, user, "The operator of this server removed two-factor sign-in.")
    await _removed(db, user)
    return True


def party_of(context: Context) -> RelyingParty:
    """Returns who asks for passkeys on this server."""
    return RelyingParty.of(context.settings.base_url)


@asynccontextmanager
async def _proven(context: Context, proof: Proof) -> AsyncGenerator[tuple[AsyncSession, User]]:
    """Opens a transaction that holds a person who proved the password and any second factor of theirs.

    A session that showed the second factor less than ten minutes ago need not show it again. Raises ``Invalid``, and ``Forbidden``
    (``second_factor_needed``) with a fresh step.
    """
    password_hash = await profile.prove_password(
        context.database, proof.user_id, password=proof.password, field="password"
    )
    challenge, is_refused = None, False
    if proof.ticket is not None and proof.answer.is_given:
        challenge = await challenges.attempt(context.database, ticket=proof.ticket, purpose="change")
    try:
        async with context.database.write() as db:
            user = await profile.hold_proven(db, proof.user_id, proof=password_hash, field="password")
            needs = await is_on(db, user.id) and not await _has_shown(db, proof.session)
            is_open = challenge is not None and challenge.user_id == user.id and await challenges.finish(db, challenge)
            if not needs or is_open:
                if needs and challenge is not None:
                    is_refused = True
                    await check(db, context, user, challenge, proof.answer)
                    is_refused = False
                    await _refresh(db, proof.session)
                yield db, user
                return
            step = await begin_step(db, context, user.id, purpose="change")
    except Invalid:
        if is_refused:
            await note_refused(context, proof.user_id)
        raise
    message = "That took too long. Try again." if proof.ticket is not None else step.message
    raise Forbidden(
        message,
        code="second_factor_needed",
        extra={**step.model_dump(mode="json", by_alias=True), "message": message},
    )


async def require_fresh(db: AsyncSession, user_id: str, *, session: str) -> None:
    """Raises ``Forbidden`` if the person has a second factor and this session did not show it within ten minutes."""
    if await is_on(db, user_id) and not await _has_shown(db, session):
        raise Forbidden(
            "Log out and log in again with your second factor. For ten minutes after that, you can do this.",
            code="login_too_old",
        )


async def _has_shown(db: AsyncSession, session: str) -> bool:
    shown_at = await db.scalar(select(Session.second_factor_at).where(Session.token_digest == digest(session)))
    return shown_at is not None and shown_at > clock.now() - limits.PROOF_LIFE


async def _refresh(db: AsyncSession, session: str) -> None:
    own = update(Session).where(Session.token_digest == digest(session))
    await db.execute(own.values(second_factor_at=clock.now()))


async def _added(db: AsyncSession, user: User, session: str, *, was_on: bool) -> list[str] | None:
    """What follows a new factor: the first ends all other sessions, which never showed it."""
    await _refresh(db, session)
    if not was_on:
        others = delete(Session).where(Session.user_id == user.id, Session.token_digest != digest(session))
        await db.execute(others)
        await attempts.end(db, user.id)  # who began to connect an identity before did not show the factor
    return None if await recovery_codes.has_any(db, user.id) else await recovery_codes.renew(db, user.id)


async def _removed(db: AsyncSession, user: User) -> None:
    """What follows a removal: open steps end, and recovery codes go with the last factor."""
    await challenges.end_all(db, user.id)
    if not await is_on(db, user.id):
        await recovery_codes.remove(db, user.id)


async def _write(db: AsyncSession, context: Context, user: User, event: str) -> None:
    """Informs the owner by mail. ``event`` is a line of at most 78 characters."""
    letter = {"event": event, "path": path_for("/forgot-password", user.email)}
    await email.enqueue(db, context.bus, context.vault, to=user.email, kind="second_factor_changed", context=letter)


def _item(passkey: Passkey) -> PasskeyItem:
    return PasskeyItem(
        id=passkey.id, name=passkey.name, created_at=passkey.created_at, last_used_at=passkey.last_used_at
    )


def _no_passkey() -> NotFound:
    return NotFound("There is no such passkey.", code="passkey_not_found")
