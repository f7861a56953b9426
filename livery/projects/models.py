"""Tables of projects, their screens, languages, members, invitations, transfers, keys, and their copies at a CDN."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core import limits
from livery.core.db import Base


class Project(Base):
    """One app's content. ``release_number`` is 0 until the first publish and rises by one with each.

    An operator granted the tier's time until ``granted_until``; the rest was bought. At ``notice_due_at`` the owner is to
    get a notice about the tier's end. ``revision`` is that of the settings, ``entry_revision`` the highest that any entry of the project ever had.
    ``stamp`` is renewed by every transaction that opens the project for a change. It never comes back, not even after a restored backup.
    ``last_stamps`` are those since which only entries with raised revisions changed, the present stamp last (``projects.stamps``).
    """

    __tablename__ = "projects"
    __table_args__ = (Index("ix_projects_notice_due_at", "notice_due_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(Text, default="")
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="RESTRICT"), index=True)
    default_language: Mapped[str] = mapped_column(String(35))
    active_tier: Mapped[str] = mapped_column(String(32), default="none")
    tier_expires_at: Mapped[datetime | None]
    granted_until: Mapped[datetime | None]
    notice_due_at: Mapped[datetime | None]
    release_number: Mapped[int] = mapped_column(Integer, default=0)
    revision: Mapped[int] = mapped_column(Integer, default=1)
    entry_revision: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    stamp: Mapped[str] = mapped_column(String(16), server_default="")
    last_stamps: Mapped[str] = mapped_column(String(512), server_default="")
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]


class ProjectScreen(Base):
    """A named group of keys. A removed one stays until the next publish takes it out of the apps."""

    __tablename__ = "project_screens"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    position: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class ProjectLanguage(Base):
    """A language of a project (BCP 47)."""

    __tablename__ = "project_languages"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    code: Mapped[str] = mapped_column(String(35), primary_key=True)
    position: Mapped[int] = mapped_column(Integer)


class Member(Base):
    """A person who works in somebody else's project."""

    __tablename__ = "project_members"
    __table_args__ = (CheckConstraint("role IN ('admin', 'editor', 'viewer')", name="role"),)

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime]


class Invitation(Base):
    """The link of one mail that asks a person to join; over when ``ended_at`` is set. A link that a newer mail replaced has a row of its own.

    A declined invitation ends as ``withdrawn``. Admins can copy the link, which only works for the invited email. ``sealed_token`` is ``None``
    once the link is dead, and in rows from before it was kept.
    """

    __tablename__ = "project_invitations"
    __table_args__ = (
        CheckConstraint("role IN ('admin', 'editor', 'viewer')", name="role"),
        CheckConstraint("ending IN ('accepted', 'withdrawn', 'replaced', 'expired')", name="ending"),
        CheckConstraint("(ended_at IS NULL) = (ending IS NULL)", name="ended"),
        Index("ix_project_invitations_project_id_sent_at", "project_id", "sent_at"),
        Index(
            "uq_project_invitations_waiting",
            "project_id",
            "email",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(
            "ix_project_invitations_email",
            "email",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(String(254))
    role: Mapped[str] = mapped_column(String(16))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    sealed_token: Mapped[str | None] = mapped_column(Text)
    invited_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    ending: Mapped[str | None] = mapped_column(String(16))


class Transfer(Base):
    """The owner's offer to hand a project over; there while it waits for the answer of an admin."""

    __tablename__ = "project_transfers"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    to_user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]


class ProjectKey(Base):
    """A publishable key or a secret: found by its SHA-256, shown again from its sealed form, over when ``ended_at`` is set."""

    __tablename__ = "project_keys"
    __table_args__ = (
        CheckConstraint("kind IN ('publishable', 'secret')", name="kind"),
        Index("ix_project_keys_project_id_kind", "project_id", "kind"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    sealed: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class ProjectToken(Base):
    """A token with which a program uses the dashboard's API for the person who made it, found by its SHA-256. ``scopes`` are in their order.

    It works until ``ended_at`` or ``expires_at``, and only while the person is a member.
    """

    __tablename__ = "project_tokens"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(limits.TOKEN_NAME_CHARACTERS))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    hint: Mapped[str] = mapped_column(String(8))
    scopes: Mapped[str] = mapped_column(String(40))
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class ContentCopy(Base):
    """What the bucket of the CDN has of a project, and when it is to be looked at again: never where ``due_at`` is null.

    ``asked`` rises with each change that the bucket should get. ``leased_until`` is the end of the lease of the process that is at work.
    ``place`` is the digest of the bucket's address. ``release`` is null where the bucket has nothing. Without a CDN the row is due, and
    nobody looks.
    """

    __tablename__ = "content_copies"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    due_at: Mapped[datetime | None] = mapped_column(index=True)
    leased_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(Integer)
    asked: Mapped[int] = mapped_column(Integer)
    place: Mapped[str | None] = mapped_column(String(64))
    epoch: Mapped[str | None] = mapped_column(String(64))
    release: Mapped[int | None] = mapped_column(Integer)
