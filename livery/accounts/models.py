"""The tables of people, their sign-ups, sessions, second factors, identities elsewhere, mail tokens, API keys, and letters to write."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class User(Base):
    """A person; pending until the email is verified."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str] = mapped_column(String(255))
    verified_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class Session(Base):
    """One login; it lives 30 days after its last use. ``second_factor_at``: when a second factor was last shown in it."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    user_agent: Mapped[str] = mapped_column(String(300))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    second_factor_at: Mapped[datetime | None]


class PendingSignUp(Base):
    """A sign-up whose email is not verified. Its two links are known by digest until they are over; null before the mail is written.

    The person's row has the name and password of the first sign-up.
    """

    __tablename__ = "sign_ups"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    password_hash: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]
    verify_digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    verify_until: Mapped[datetime | None]
    withdraw_digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    withdraw_until: Mapped[datetime | None]


class MailToken(Base):
    """A link in a mail, of kind ``reset`` or ``end_keys``; a newer one of its kind takes its place."""

    __tablename__ = "mail_tokens"
    __table_args__ = (UniqueConstraint("user_id", "kind"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ApiKey(Base):
    """A developer's key (``lvk_``): it works until it is ended by hand."""

    __tablename__ = "api_keys"
    __table_args__ = (Index("ix_api_keys_user_id_created_at", "user_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    key_digest: Mapped[str] = mapped_column(String(64), unique=True)
    sealed_key: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class TotpSecret(Base):
    """The secret that a person's authenticator app shares with the server. It is a second factor from ``confirmed_at`` on.

    ``last_step`` is the 30-second step of the last accepted code: no step is accepted twice.
    """

    __tablename__ = "totp_secrets"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    sealed_secret: Mapped[str] = mapped_column(String(255))
    last_step: Mapped[int]
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]


class Passkey(Base):
    """A WebAuthn credential. ``credential_id`` and ``public_key`` (COSE) are base64url, ``transports`` are parted by commas."""

    __tablename__ = "passkeys"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[str] = mapped_column(Text)
    sign_count: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(50))
    transports: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]


class RecoveryCode(Base):
    """A code that replaces the second factor once, known by its digest."""

    __tablename__ = "recovery_codes"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    used_at: Mapped[datetime | None]


class LoginChallenge(Base):
    """A step that a person must finish before ``expires_at``, known by the digest of its ticket.

    ``purpose`` is ``login``, ``change`` (of the second factors), ``enrol`` (a passkey), or ``spent``: the challenge of a login without a password,
    which was used. ``challenge`` (base64url) is what a passkey has to sign.
    """

    __tablename__ = "login_challenges"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[str] = mapped_column(String(16))
    ticket_digest: Mapped[str] = mapped_column(String(64), unique=True)
    challenge: Mapped[str] = mapped_column(String(64))
    attempts: Mapped[int]
    expires_at: Mapped[datetime]


class AccountLetter(Base):
    """A request for a mail to an address, with or without an account. The request only writes this row, so it takes the same time for both."""

    __tablename__ = "account_letters"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    email: Mapped[str] = mapped_column(String(254))
    kind: Mapped[str] = mapped_column(String(16))
    sign_up_id: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(index=True)


class Identity(Base):
    """A person as a provider of single sign-on knows them. A person has at most one identity per issuer."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), UniqueConstraint("user_id", "issuer"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]


class SsoAttempt(Base):
    """A login that is under way at the provider, or whose one-time code was not exchanged yet. It belongs to one browser.

    ``state_digest`` becomes null at the provider's answer, ``code_digest`` is set when a person is known. ``connects_to`` is who started it in
    the settings.
    """

    __tablename__ = "sso_attempts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    browser_digest: Mapped[str] = mapped_column(String(64))
    state_digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    code_digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    sealed: Mapped[str] = mapped_column(String(2000))
    connects_to: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
