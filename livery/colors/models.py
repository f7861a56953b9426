"""The table of colours."""

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Color(Base):
    """A colour beside its published form (``published_value`` is empty while apps don't have it).

    ``renamed_from`` is the key under which apps have a renamed colour, as long as the removal of that key is unpublished.
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
