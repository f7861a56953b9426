"""Tables of data stores and their items."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, ForeignKeyConstraint, Index, Integer, String, text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Store(Base):
    """A data store beside its published form (``published`` is null while apps don't have it).

    ``fields`` is a list of ``{"_id", "name", "type", "required", "isTranslatable"}``; ``published`` is ``{"apiIdentifier", "name", "fields"}``.
    ``next_position`` is the place of the next item, never given twice.
    """

    __tablename__ = "stores"
    __table_args__ = (
        Index(
            "uq_stores_api_identifier",
            "project_id",
            "api_identifier",
            unique=True,
            sqlite_where=text("removed_at IS NULL"),
            postgresql_where=text("removed_at IS NULL"),
        ),
    )

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True, unique=True)
    api_identifier: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(100))
    fields: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    published: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    is_changed: Mapped[bool] = mapped_column(default=True)
    next_position: Mapped[int] = mapped_column(Integer, default=0)
    revision: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    removed_at: Mapped[datetime | None]


class StoreItem(Base):
    """An item beside its published form (null while apps don't have it).

    ``data`` is by the ``_id`` of a field, so that renaming one changes no item; a translatable field's value is an object by language code.
    ``ai_written`` lists ``"<field id>/<language>"`` of the values that AI wrote and no person has changed since.
    """

    __tablename__ = "store_items"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "store_id"], ["stores.project_id", "stores.id"], ondelete="CASCADE"),
        Index("ix_store_items_position", "project_id", "store_id", "position", unique=True),
        Index(
            "ix_store_items_changed",
            "project_id",
            "is_changed",  # with it SQLite takes this index and not the one of positions, which would lead through all items
            "store_id",
            sqlite_where=text("is_changed = 1"),  # as SQLAlchemy writes the condition: SQLite compares the words
            postgresql_where=text("is_changed"),
        ),
    )

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True, unique=True)
    store_id: Mapped[str] = mapped_column(String(32))
    position: Mapped[int] = mapped_column(Integer)
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    published_data: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    is_changed: Mapped[bool] = mapped_column(default=True)
    ai_written: Mapped[list[str]] = mapped_column(JSON, default=list)
    revision: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    removed_at: Mapped[datetime | None]
