"""Tables of text keys, their values and the versions of screens."""

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
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class TextKey(Base):
    """A key of a screen. ``is_changed`` holds when a publish would change anything of it.

    ``renamed_from`` is the name under which apps have a renamed key, as long as a tombstone of that name waits beside it.
    """

    __tablename__ = "text_keys"
    __table_args__ = (
        ForeignKeyConstraint(
            ["project_id", "screen"], ["project_screens.project_id", "project_screens.name"], ondelete="CASCADE"
        ),
        UniqueConstraint("project_id", "screen", "name"),
        Index(
            "ix_text_keys_changed",
            "project_id",
            "screen",
            sqlite_where=text("is_changed = 1"),  # as SQLAlchemy writes the condition: SQLite compares the words
            postgresql_where=text("is_changed"),
        ),
        Index(
            "ix_text_keys_removed",
            "project_id",
            sqlite_where=text("removed_at IS NOT NULL"),
            postgresql_where=text("removed_at IS NOT NULL"),
        ),
        Index(
            "ix_text_keys_renamed",
            "project_id",
            sqlite_where=text("renamed_from IS NOT NULL"),
            postgresql_where=text("renamed_from IS NOT NULL"),
        ),
    )

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    screen: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(128))
    is_published: Mapped[bool] = mapped_column(default=False)
    is_changed: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    removed_at: Mapped[datetime | None]
    renamed_from: Mapped[str | None] = mapped_column(String(128))


class TextValue(Base):
    """The text of a key in one language: clustered by screen and language, as an export reads it.

    A person confirmed the present text if ``confirmed_at`` equals ``updated_at``: whatever writes another text need not know of that.
    """

    __tablename__ = "text_values"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "key_id"], ["text_keys.project_id", "text_keys.id"], ondelete="CASCADE"),
        CheckConstraint("author IN ('person', 'ai')", name="author"),
        Index("ix_text_values_key", "project_id", "key_id"),
    )

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    screen: Mapped[str] = mapped_column(String(64), primary_key=True)
    language: Mapped[str] = mapped_column(String(35), primary_key=True)
    key_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[str] = mapped_column(Text, default="")
    published_value: Mapped[str] = mapped_column(Text, default="")
    is_changed: Mapped[bool] = mapped_column(default=False)
    author: Mapped[str] = mapped_column(String(8), default="person")
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    confirmed_at: Mapped[datetime | None]


class ScreenVersion(Base):
    """An entry of a screen's history, by name, so that it outlives the screen: a release that changed it, or a draft that a roll back overwrote,
    or the restore of ``restored_release``.

    A draft's ``body_hash`` is its content, a release's who wrote what it changed (null: people all of it). ``release_number`` of a draft is the
    release that apps had then, ``top_revision`` the highest revision that any of its keys had.
    """

    __tablename__ = "screen_versions"
    __table_args__ = (CheckConstraint("kind IN ('release', 'draft')", name="kind"),)

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    screen: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    kind: Mapped[str] = mapped_column(String(8))
    release_number: Mapped[int] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    body_hash: Mapped[str | None] = mapped_column(String(64))
    top_revision: Mapped[int | None] = mapped_column(Integer)
    restored_release: Mapped[int | None] = mapped_column(Integer)


class ScreenVersionBody(Base):
    """What versions keep, compressed, under the SHA-256 of its uncompressed form: a roll back and its undoing, in turns, store nothing twice."""

    __tablename__ = "screen_version_bodies"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)
