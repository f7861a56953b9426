"""Tables of text keys and their values."""

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class TextKey(Base):
    """A key of a screen. ``is_changed`` holds when a publish would change anything of it.

    ``renamed_from`` is the name under which apps have a renamed key, as long as there is a tombstone of that name.
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

    A person confirmed the present text if ``confirmed_at`` equals ``updated_at``. An import wrote it if ``imported_at`` equals ``updated_at``;
    ``is_pushed`` holds if a program did that with a project token. So the code that writes a different text need not know of these columns.
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
    imported_at: Mapped[datetime | None]
    is_pushed: Mapped[bool | None]
