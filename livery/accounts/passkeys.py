"""Passkeys (WebAuthn): what browsers are asked for, and the proof of what they answer.

The authenticator must verify its user each time, so that a passkey is two factors by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import structlog
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import ceremonies
from livery.accounts.browser_passkeys import NewPasskey, PasskeyAnswer
from livery.accounts.models import Passkey, User
from livery.core import clock, limits
from livery.core.db import insert_for
from livery.core.errors import Conflict, Invalid
from livery.core.ids import new_id
from livery.core.security import from_base64url, to_base64url

_DEFAULT_PORTS = {"http": 80, "https": 443}

log = structlog.get_logger()

Options = dict[str, Any]
"""Options of ``navigator.credentials``, as JSON."""


@dataclass(frozen=True)
class RelyingParty:
    """Who asks for passkeys: the host name and the origin of the public address."""

    id: str
    origin: str

    @classmethod
    def of(cls, base_url: str) -> "RelyingParty":
        """Returns the party of a public address, spelled as browsers spell it."""
        parts = urlsplit(base_url)
        host = (parts.hostname or "localhost").encode("idna").decode()
        port = "" if parts.port in {None, _DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
        return cls(id=host, origin=f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}")


async def passkeys_of(db: AsyncSession, user_id: str) -> Sequence[Passkey]:
    """Returns the person's passkeys, the oldest first."""
    query = select(Passkey).where(Passkey.user_id == user_id)
    return (await db.scalars(query.order_by(Passkey.created_at, Passkey.id))).all()


def login_options(party: RelyingParty, challenge: bytes, known: Sequence[Passkey] = ()) -> Options:
    """Returns what the browser needs to ask for one of the ``known`` passkeys, or, without known passkeys, for any passkey of this server."""
    return ceremonies.login_options(party.id, challenge, [_known(passkey) for passkey in known])


def enrol_options(party: RelyingParty, challenge: bytes, user: User, known: Sequence[Passkey]) -> Options:
    """Returns what the browser needs to make a passkey of this person. An authenticator with a ``known`` passkey makes no second passkey."""
    return ceremonies.enrol_options(
        party.id,
        challenge,
        user_id=user.id,
        user_email=user.email,
        user_name=user.name,
        known=[_known(passkey) for passkey in known],
    )


async def add(
    db: AsyncSession, party: RelyingParty, user_id: str, challenge: bytes, *, name: str, answer: NewPasskey
) -> Passkey:
    """Keeps the passkey that a browser made for this challenge.

    Raises ``Invalid`` when the answer proves nothing, and ``Conflict`` for a passkey that is known or the 21st of a person.
    """
    try:
        made = ceremonies.verify_new(answer.model_dump(by_alias=True), challenge, rp_id=party.id, origin=party.origin)
    except Exception as error:  # parsers of hostile bytes raise anything: the answer proves nothing
        raise _refusal(error) from error
    if len(await passkeys_of(db, user_id)) >= limits.PASSKEYS:
        raise Conflict(f"You have {limits.PASSKEYS} passkeys. Remove one of them first.", code="too_many_passkeys")
    passkey_id = new_id("psk")
    insert = insert_for(db)(Passkey).values(
        id=passkey_id,
        user_id=user_id,
        credential_id=to_base64url(made.credential_id),
        public_key=to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
        name=name,
        transports=",".join(ceremonies.known_transports(answer.response.transports)),
        created_at=clock.now(),
        last_used_at=None,
    )
    await db.execute(insert.on_conflict_do_nothing(index_elements=[Passkey.credential_id]))
    passkey = await db.get(Passkey, passkey_id)
    if passkey is None:
        raise Conflict("This passkey is known already.", code="passkey_known")
    return passkey


async def find_owner(db: AsyncSession, answer: PasskeyAnswer) -> str | None:
    """Returns the id of the person whose passkey answered, which is not proven yet.

    ``None`` for an unknown passkey or a different user handle.
    """
    owner = await db.scalar(select(Passkey.user_id).where(Passkey.credential_id == answer.id))
    handle = answer.response.user_handle
    return owner if owner is not None and handle == to_base64url(owner.encode()) else None


async def prove(
    db: AsyncSession, party: RelyingParty, user_id: str, challenge: bytes, *, answer: PasskeyAnswer
) -> None:
    """Proves that a passkey of this person signed this challenge, at the public address, and notes its use. Raises ``Invalid``.

    A counter that does not go forward is refused: somebody may have copied the passkey.
    """
    mine = select(Passkey).where(Passkey.credential_id == answer.id, Passkey.user_id == user_id)
    passkey = (await db.scalars(mine)).one_or_none()
    if passkey is None:
        raise refused()
    try:
        sign_count = ceremonies.verify_signature(
            answer.model_dump(by_alias=True, exclude_none=True),
            challenge,
            rp_id=party.id,
            origin=party.origin,
            public_key=from_base64url(passkey.public_key),
            sign_count=passkey.sign_count,
        )
    except Exception as error:  # as above
        raise _refusal(error) from error
    passkey.sign_count, passkey.last_used_at = sign_count, clock.now()
    await db.flush()


async def rename(db: AsyncSession, user_id: str, passkey_id: str, *, name: str) -> Passkey | None:
    """Gives a passkey of this person a different name. Returns ``None`` if they have no such passkey."""
    mine = Passkey.id == passkey_id, Passkey.user_id == user_id
    await db.execute(update(Passkey).where(*mine).values(name=name))
    return (await db.scalars(select(Passkey).where(*mine))).one_or_none()


async def remove(db: AsyncSession, user_id: str, passkey_id: str) -> str | None:
    """Deletes a passkey of this person. Returns its name; ``None`` if they have no such passkey."""
    gone = delete(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user_id).returning(Passkey.name)
    return (await db.execute(gone)).scalar_one_or_none()


async def remove_all(db: AsyncSession, user_id: str) -> None:
    """Deletes all passkeys of a person."""
    await db.execute(delete(Passkey).where(Passkey.user_id == user_id))


def refused() -> Invalid:
    """Returns the refusal of a passkey, whatever is wrong with it."""
    return Invalid.field(
        "passkey", "This passkey was not accepted. Try again, or use another way.", code="wrong_passkey"
    )


def _refusal(error: Exception) -> Invalid:
    log.info("passkey_refused", error=type(error).__name__)
    return refused()


def _known(passkey: Passkey) -> tuple[bytes, list[str]]:
    return from_base64url(passkey.credential_id), passkey.transports.split(",")
