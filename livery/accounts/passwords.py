"""Passwords: their rules, and argon2id in a bounded pool of threads.

Nothing in here touches the database, and nothing in here may run inside a transaction: one hash takes longer than many writes.
"""

import base64
import secrets
import unicodedata

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from livery.core import limits
from livery.core.errors import Invalid

_POOL_SIZE = 2  # a hash takes 64 MiB: more at a time would cost memory and gain nothing on a small server

# The hash of a value nobody knows, with today's parameters: an unknown email costs what a known one costs.
DUMMY_HASH = "$argon2id$v=19$m=65536,t=3,p=4$C3h/IgjUoXYmtWVDHaf8Dw$/eQ1D4vzuvdHoPt6cBj7n0Or9gnTQfGB2LKWxn+joIk"

# The salt of a hash that no password has: it marks the accounts of people who only ever used single sign-on.
_NO_PASSWORD_SALT = base64.b64encode(b"livery, no login").decode().rstrip("=")

_hasher = PasswordHash((Argon2Hasher(),))
_dummy_hash = DUMMY_HASH
_pool: RunVar[CapacityLimiter] = RunVar("livery_password_pool")


def check_password(password: str, *, field: str = "password") -> str:
    """``password`` as it will be hashed. Raises ``Invalid`` about ``field`` when it is shorter than 8 or longer than 128 characters."""
    if len(password) < limits.PASSWORD_LEAST_CHARACTERS:
        raise Invalid.field(
            field,
            f"Password must be at least {limits.PASSWORD_LEAST_CHARACTERS} characters long.",
            code="password_too_short",
        )
    if len(password) > limits.PASSWORD_CHARACTERS:
        raise Invalid.field(
            field, f"Password must be at most {limits.PASSWORD_CHARACTERS} characters long.", code="password_too_long"
        )
    return _normal(password)


async def hash_password(password: str) -> str:
    """Returns the argon2id hash of a checked password."""
    return await to_thread.run_sync(_hasher.hash, _normal(password), limiter=_limiter())


async def verify_password(password: str, password_hash: str | None) -> tuple[bool, str | None]:
    """Whether the password matches, and a fresh hash when the kept hash has older parameters.

    ``None`` (no such account) and a password that can't be anyone's never match, after the same work.
    """
    if password_hash is None or len(password) > limits.PASSWORD_CHARACTERS:
        await to_thread.run_sync(
            _hasher.verify, password[: limits.PASSWORD_CHARACTERS], _dummy_hash, limiter=_limiter()
        )
        return False, None
    return await to_thread.run_sync(_hasher.verify_and_update, _normal(password), password_hash, limiter=_limiter())


def no_password() -> str:
    """Returns a hash that matches no password, for an account without a password. To check a guess takes as long as for any other account."""
    parameters = _dummy_hash.rsplit("$", 2)[0]
    return f"{parameters}${_NO_PASSWORD_SALT}${base64.b64encode(secrets.token_bytes(32)).decode().rstrip('=')}"


def is_password(password_hash: str) -> bool:
    """Whether a password made this hash; false for ``no_password``."""
    return f"${_NO_PASSWORD_SALT}$" not in password_hash


def needs_rehash(password_hash: str) -> bool:
    """Whether ``password_hash`` was made with other parameters than today's."""
    return _hasher.current_hasher.check_needs_rehash(password_hash)


def use(hasher: Argon2Hasher | None) -> None:
    """Sets the hasher of passwords. Tests pass a cheap hasher; ``None`` restores the product's parameters."""
    global _hasher, _dummy_hash
    _hasher = PasswordHash((hasher or Argon2Hasher(),))
    _dummy_hash = hasher.hash("") if hasher else DUMMY_HASH


def _normal(password: str) -> str:
    """Keyboards disagree on how they compose an é."""
    return unicodedata.normalize("NFC", password)


def _limiter() -> CapacityLimiter:
    try:
        return _pool.get()
    except LookupError:
        limiter = CapacityLimiter(_POOL_SIZE)
        _pool.set(limiter)
        return limiter
