"""Authenticator apps (TOTP, RFC 6238): six digits from a shared secret, a new code each 30 seconds."""

import hmac

import pyotp
from pyotp.totp import TOTP
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import TotpSecret, User
from livery.accounts.schemas import TotpSetup
from livery.core import clock, limits
from livery.core.db import Database, insert_for
from livery.core.errors import Conflict, Invalid
from livery.core.jobs import prune_rows
from livery.core.security import Vault

STEP_SECONDS = 30
SKEW_STEPS = 1
_ISSUER = "Livery"


async def find(db: AsyncSession, user_id: str) -> TotpSecret | None:
    """Returns the person's secret, confirmed or not."""
    return await db.get(TotpSecret, user_id)


async def is_on(db: AsyncSession, user_id: str) -> bool:
    """Whether the person's app is a second factor: its first code was confirmed."""
    confirmed = select(TotpSecret.user_id).where(TotpSecret.user_id == user_id, TotpSecret.confirmed_at.is_not(None))
    return await db.scalar(confirmed) is not None


async def set_up(db: AsyncSession, vault: Vault, user: User) -> TotpSetup:
    """Returns a new secret for the app of a person whose row the caller holds. It replaces a secret that was not confirmed.

    Raises ``Conflict`` when an app is on.
    """
    if await is_on(db, user.id):
        raise Conflict("An authenticator app is set up already. Remove it first.", code="totp_on")
    secret = pyotp.random_base32()
    fresh = {
        "sealed_secret": vault.seal(secret),
        "last_step": 0,
        "created_at": clock.now(),
        "confirmed_at": None,
    }
    insert = insert_for(db)(TotpSecret).values(user_id=user.id, **fresh)
    await db.execute(insert.on_conflict_do_update(index_elements=[TotpSecret.user_id], set_=fresh))
    uri = TOTP(secret).provisioning_uri(name=user.email, issuer_name=_ISSUER)
    return TotpSetup(secret=secret, uri=uri)


async def confirm(db: AsyncSession, vault: Vault, user_id: str, *, code: str) -> None:
    """Turns on the app whose first code this is.

    Raises ``Invalid`` for a wrong code, and ``Conflict`` when no setup was begun in the last 30 minutes or the app is on.
    """
    row = await find(db, user_id)
    if row is None or row.confirmed_at is not None or row.created_at <= clock.now() - limits.TOTP_SETUP_LIFE:
        raise Conflict("This setup is over. Begin again.", code="no_totp_setup")
    await accept(db, vault, row, code=code)
    row.confirmed_at = clock.now()
    await db.flush()


async def accept(db: AsyncSession, vault: Vault, row: TotpSecret, *, code: str) -> None:
    """Accepts the code of the present step, the step before or the step after, each once. Raises ``Invalid``.

    The step is compared and set by the database: of two parallel uses of a code, one raises.
    """
    step = _matching_step(vault.open_or_none(row.sealed_secret), code)
    if step is None:
        raise wrong_code()
    used = (
        update(TotpSecret)
        .where(TotpSecret.user_id == row.user_id, TotpSecret.last_step < step)
        .values(last_step=step)
        .returning(TotpSecret.user_id)
        .execution_options(synchronize_session=False)
    )
    if (await db.execute(used)).scalar_one_or_none() is None:
        raise Invalid.field("code", "This code was used already. Wait for the next code.", code="code_used")


async def remove(db: AsyncSession, user_id: str) -> None:
    """Deletes the person's secret."""
    await db.execute(delete(TotpSecret).where(TotpSecret.user_id == user_id))


async def prune(database: Database) -> None:
    """Deletes setups that nobody confirmed in time."""
    is_late = TotpSecret.created_at <= clock.now() - limits.TOTP_SETUP_LIFE
    await prune_rows(database, TotpSecret, TotpSecret.confirmed_at.is_(None) & is_late)


def wrong_code() -> Invalid:
    """Returns the refusal of a code, whatever is wrong with it."""
    return Invalid.field("code", "This code is not right. Check it and try again.", code="wrong_code")


def _matching_step(secret: str | None, code: str) -> int | None:
    """Returns the step of which ``code`` is the code. Compares all steps, each in constant time. A secret that can't be opened matches nothing."""
    if secret is None:
        return None
    app, present = TOTP(secret), int(clock.now().timestamp()) // STEP_SECONDS
    steps = range(present - SKEW_STEPS, present + SKEW_STEPS + 1)
    matching = [step for step in steps if hmac.compare_digest(app.generate_otp(step), code)]
    return matching[-1] if matching else None
