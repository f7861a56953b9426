"""Tables of colours and their versions."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Color(Base):
    """A colour beside its published form (``published_value`` is empty while apps don't have it).

    ``renamed_from`` is the key under which apps have a renamed colour, as long as that one waits to be removed beside it.
    """

    __tablename__ = "colors"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    value: Mapped[str] = mapped_column(String(7))
    nickname: Mapped[str] = mapped_column(String(100), default="")
    published_value: Mapped[str] = mapped_column(String(7), default="")
    published_nickname: Mapped[str] = mapped_column(String(100), default="")
    is_changed: Mapped[bool] = mapped_column(default=True)
    revision: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    removed_at: Mapped[datetime | None]
    renamed_from: Mapped[str | None] = mapped_column(String(128))


class ColorVersion(Base):
    """An entry of the history of a project's colours: what a release changed, or the draft that a roll back overwrote,
    or the restore of ``restored_release``.

    What a release gave is in the release; ``content`` is the overwritten draft, and ``top_revision`` the highest revision that anybody can have
    seen of its colours.
    """

    __tablename__ = "color_versions"
    __table_args__ = (CheckConstraint("kind IN ('release', 'draft')", name="kind"),)

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    kind: Mapped[str] = mapped_column(String(8))
    release_number: Mapped[int] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    content: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    top_revision: Mapped[int | None] = mapped_column(Integer)
    restored_release: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
