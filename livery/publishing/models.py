"""Tables of releases, their parts and the parts' bodies."""

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Release(Base):
    """What apps got at once: a publish, images, an item that was rolled back, or ``restored_release`` brought back.

    ``top_revision`` is the highest revision of the rows that this release took out of the draft (null: of none): what comes back later gets a
    higher one.
    """

    __tablename__ = "releases"
    __table_args__ = (
        CheckConstraint("kind IN ('publish', 'scheduled', 'images', 'item_rollback', 'restore')", name="kind"),
    )

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), server_default="publish")
    restored_release: Mapped[int | None] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    top_revision: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))


class PartBody(Base):
    """The canonical JSON of a part, compressed, under the SHA-256 of its uncompressed form."""

    __tablename__ = "part_bodies"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class ReleasePart(Base):
    """From ``since_release`` until before ``until_release`` (null: still) the part has this body, of ``size_bytes`` uncompressed."""

    __tablename__ = "release_parts"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "hash"], ["part_bodies.project_id", "part_bodies.hash"]),
        ForeignKeyConstraint(
            ["project_id", "since_release"], ["releases.project_id", "releases.number"], ondelete="CASCADE"
        ),
        Index("ix_release_parts_since", "project_id", "since_release"),
        Index("ix_release_parts_until", "project_id", "until_release"),
    )

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    part: Mapped[str] = mapped_column(String(160), primary_key=True)
    since_release: Mapped[int] = mapped_column(Integer, primary_key=True)
    until_release: Mapped[int | None] = mapped_column(Integer)
    hash: Mapped[str] = mapped_column(String(64))
    size_bytes: Mapped[int] = mapped_column(Integer)


class PushedPart(Base):
    """What a project's pushed part is now, before release 1 and after: the body under ``hash`` (null: there is nothing in it)."""

    __tablename__ = "pushed_parts"
    __table_args__ = (ForeignKeyConstraint(["project_id", "hash"], ["part_bodies.project_id", "part_bodies.hash"]),)

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    part: Mapped[str] = mapped_column(String(160), primary_key=True)
    hash: Mapped[str | None] = mapped_column(String(64))
    size_bytes: Mapped[int] = mapped_column(Integer)


class ReleaseEditors(Base):
    """Who edited what a release changed of one ``section`` (``screen/<name>``, ``colors``, ``images``, ``store/<id>``), as ``editors`` encodes it."""

    __tablename__ = "release_editors"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    section: Mapped[str] = mapped_column(String(80), primary_key=True)
    release_number: Mapped[int] = mapped_column(Integer, primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class Schedule(Base):
    """A publish at a moment to come (``pending``), or what became of it (``published``, ``failed`` with its reason, ``cancelled``).

    It is looked at when ``due_at`` has come: at ``publish_at``, later when a try broke off. A published one has the number of the release it made,
    or none when there was nothing new; it is late when it went out long after its time.
    """

    __tablename__ = "schedules"
    __table_args__ = (
        CheckConstraint("status IN ('pending', 'published', 'failed', 'cancelled')", name="status"),
        CheckConstraint("(ended_at IS NULL) = (status = 'pending')", name="ended"),
        CheckConstraint("(reason IS NOT NULL) = (status = 'failed')", name="reason"),
        CheckConstraint("release_number IS NULL OR status = 'published'", name="release"),
        Index(
            "uq_schedules_pending",
            "project_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(
            "ix_schedules_due",
            "due_at",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index("ix_schedules_project_id_ended_at", "project_id", "ended_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    publish_at: Mapped[datetime]
    status: Mapped[str] = mapped_column(String(16))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    ended_at: Mapped[datetime | None]
    reason: Mapped[str | None] = mapped_column(Text)
    is_late: Mapped[bool] = mapped_column(default=False)
    release_number: Mapped[int | None] = mapped_column(Integer)


class PreviewLink(Base):
    """A token that opens the draft of one project to whoever has it, until ``expires_at`` and as long as its maker may publish there."""

    __tablename__ = "preview_links"
    __table_args__ = (Index("ix_preview_links_project_id_expires_at", "project_id", "expires_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
