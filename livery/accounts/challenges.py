"""Steps that a person must finish within five minutes: the second step of a login or of a change, and the enrolment of a passkey.

A ticket names the step. It takes five attempts, which are counted before they are evaluated, and it is finished once.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import LoginChallenge
from livery.core import clock, limits
from livery.core.db import Database, insert_for
from livery.core.ids import new_id
from livery.core.security import digest, from_base64url, new_token, to_base64url


@dataclass(frozen=True)
class Challenge:
    """A living step. ``value`` is what a passkey has to sign."""

    id: str
    user_id: str
    value: bytes


def new_challenge() -> bytes:
    """Returns 256 random bits."""
    return secrets.token_bytes(32)


async def begin(db: AsyncSession, user_id: str, purpose: str) -> tuple[str, bytes]:
    """Returns the ticket of a new step of a person, and the challenge for a passkey. Steps of the person that are over are deleted."""
    now, ticket, challenge = clock.now(), new_token(), new_challenge()
    await db.execute(delete(LoginChallenge).where(LoginChallenge.user_id == user_id, LoginChallenge.expires_at <= now))
    db.add(
        LoginChallenge(
            id=new_id("chl"),
            user_id=user_id,
            purpose=purpose,
            ticket_digest=digest(ticket),
            challenge=to_base64url(challenge),
            attempts=0,
            expires_at=now + limits.STEP_LIFE,
        )
    )
    await db.flush()
    return ticket, challenge


async def find_person(db: AsyncSession, *, ticket: str, purpose: str) -> str | None:
    """Returns the id of the person whose living step this is."""
    living = (LoginChallenge.expires_at > clock.now(), LoginChallenge.attempts < limits.STEP_ATTEMPTS)
    query = select(LoginChallenge.user_id).where(
        LoginChallenge.ticket_digest == digest(ticket), LoginChallenge.purpose == purpose, *living
    )
    return await db.scalar(query)


async def attempt(database: Database, *, ticket: str, purpose: str) -> Challenge | None:
    """Counts one attempt, in a transaction of its own: a wrong answer stays counted. Returns ``None`` when the step is over or unknown."""
    counted = (
        update(LoginChallenge)
        .where(
            LoginChallenge.ticket_digest == digest(ticket),
            LoginChallenge.purpose == purpose,
            LoginChallenge.expires_at > clock.now(),
            LoginChallenge.attempts < limits.STEP_ATTEMPTS,
        )
        .values(attempts=LoginChallenge.attempts + 1)
        .returning(LoginChallenge.id, LoginChallenge.user_id, LoginChallenge.challenge)
    )
    async with database.write() as db:
        row = (await db.execute(counted)).one_or_none()
    if row is None:
        return None
    challenge_id, user_id, value = row
    return Challenge(challenge_id, user_id, from_base64url(value))


async def finish(db: AsyncSession, challenge: Challenge) -> bool:
    """Whether the step was still open. Of parallel answers to one ticket, exactly one gets true."""
    done = delete(LoginChallenge).where(LoginChallenge.id == challenge.id).returning(LoginChallenge.id)
    return (await db.execute(done)).scalar_one_or_none() is not None


async def spend(db: AsyncSession, user_id: str, challenge: bytes) -> bool:
    """Whether this challenge of a login without a password is used for the first time. The caller checked that it lives."""
    insert = insert_for(db)(LoginChallenge).values(
        id=new_id("chl"),
        user_id=user_id,
        purpose="spent",
        ticket_digest=digest(to_base64url(challenge)),
        challenge="",
        attempts=0,
        expires_at=clock.now() + limits.STEP_LIFE,
    )
    once = insert.on_conflict_do_nothing(index_elements=[LoginChallenge.ticket_digest])
    return (await db.execute(once.returning(LoginChallenge.id))).scalar_one_or_none() is not None


async def end_all(db: AsyncSession, user_id: str) -> None:
    """Ends the open steps of a person: their password or factors are different now. Spent challenges stay spent."""
    open_steps = delete(LoginChallenge).where(LoginChallenge.user_id == user_id, LoginChallenge.purpose != "spent")
    await db.execute(open_steps)
