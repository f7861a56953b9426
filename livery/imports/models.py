"""Tables of imports and their files."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core import limits
from livery.core.db import Base


class Import(Base):
    """An import: ``open`` until it is applied. ``screen`` takes all texts, if it is set.

    ``undo`` has what an undo needs, as compressed JSON. ``texts`` counts the texts, colours and items that were written.
    """

    __tablename__ = "imports"
    __table_args__ = (
        CheckConstraint("state IN ('open', 'applied', 'undone')", name="state"),
        Index("ix_imports_project_id_created_at", "project_id", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(8))
    screen: Mapped[str | None] = mapped_column(String(64))
    texts: Mapped[int] = mapped_column(Integer)
    undo: Mapped[bytes | None] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    applied_at: Mapped[datetime | None]


class ImportFile(Base):
    """A file of an import, as it was read: ``body`` is compressed JSON of its texts, colours or items and its remarks.

    Items belong to the store ``store_id``; ``match_field`` is the name of the field that finds an item, null for its id.
    """

    __tablename__ = "import_files"

    import_id: Mapped[str] = mapped_column(ForeignKey("imports.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(limits.FILE_NAME_CHARACTERS))
    format: Mapped[str] = mapped_column(String(20))
    language: Mapped[str | None] = mapped_column(String(limits.LANGUAGE_CODE_CHARACTERS))
    namespace: Mapped[str | None] = mapped_column(String(limits.NAMESPACE_CHARACTERS))
    store_id: Mapped[str | None] = mapped_column(String(32))
    match_field: Mapped[str | None] = mapped_column(String(limits.FIELD_NAME_CHARACTERS))
    texts: Mapped[int] = mapped_column(Integer)
    body: Mapped[bytes] = mapped_column(LargeBinary)
