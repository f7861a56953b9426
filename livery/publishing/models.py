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
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Release(Base):
    """What apps got at once: a publish, what is live at once, an item that was rolled back, or ``restored_release`` brought back.

    ``author_name`` is the author of a release that an archive brought in: a person who has no account here.
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
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    author_name: Mapped[str | None] = mapped_column(String(100))


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
