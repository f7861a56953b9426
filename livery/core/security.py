"""Secrets at rest: look-up digests, and values kept encrypted under the server's secret key."""

import base64
import hashlib
import secrets
import string
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

_KEY_ALPHABET = string.ascii_letters + string.digits


def new_token() -> str:
    """Returns a single-use token for a mail or a session: 256 random bits, safe in an address."""
    return secrets.token_urlsafe(32)


def new_key(prefix: str) -> str:
    """Returns an API key: ``prefix_`` and 40 letters and digits (238 bits)."""
    return f"{prefix}_" + "".join(secrets.choice(_KEY_ALPHABET) for _ in range(40))


def to_base64url(value: bytes) -> str:
    """Returns the bytes as base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Returns the bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def digest(value: str) -> str:
    """Returns the SHA-256 by which a token or key is looked up. Their entropy makes a salt needless."""
    return hashlib.sha256(value.encode()).hexdigest()


class Vault:
    """Encrypts values that must be shown again (API keys, waiting mails)."""

    def __init__(self, secret_key: str) -> None:
        self._key = base64.urlsafe_b64encode(hashlib.sha256(b"livery vault " + secret_key.encode()).digest())

    @cached_property
    def _fernet(self) -> "Fernet":
        from cryptography.fernet import Fernet

        return Fernet(self._key)

    def seal(self, value: str) -> str:
        """Returns the ciphertext of ``value``."""
        return self._fernet.encrypt(value.encode()).decode()

    def open(self, sealed: str, *, life: timedelta | None = None) -> str:
        """Returns the sealed value. Raises ``ValueError`` if it was sealed under a different secret key of the server or longer ago than ``life``."""
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(sealed.encode(), ttl=int(life.total_seconds()) if life else None).decode()
        except InvalidToken as error:
            raise ValueError("sealed under another LIVERY_SECRET_KEY, or too long ago") from error

    def open_or_none(self, sealed: str, *, life: timedelta | None = None) -> str | None:
        """Returns the sealed value; ``None`` where ``open`` raises."""
        try:
            return self.open(sealed, life=life)
        except ValueError:
            return None
