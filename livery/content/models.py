"""Tables of the versions of all kinds, and of what releases know of entries."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Version(Base):
    """One entry of the history of a place (a screen by name, the colours, an item), which outlives the place.

    ``entry`` is ``release`` for what a release gave apps, and ``draft`` for a draft that was overwritten: ``release_number`` is then the release
    that apps had. ``restored_release`` is the release that a restore brought back when it made the version. ``changes`` counts the entries of the
    place that differ. What the body holds depends on the kind. ``author_name`` is the author in an archive that brought the version in.
    """

    __tablename__ = "content_versions"
    __table_args__ = (
        CheckConstraint("entry IN ('release', 'draft')", name="entry"),
        Index(
            "ix_content_versions_drafts",
            "project_id",
            "created_at",
            sqlite_where=text("entry = 'draft'"),
            postgresql_where=text("entry = 'draft'"),
        ),
    )

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    place: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    entry: Mapped[str] = mapped_column(String(8))
    release_number: Mapped[int] = mapped_column(Integer)
    restored_release: Mapped[int | None] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    body_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    author_name: Mapped[str | None] = mapped_column(String(100))


class VersionBody(Base):
    """Compressed canonical JSON under its SHA-256. Versions of a project with equal content have one body."""

    __tablename__ = "content_version_bodies"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class ReleasedEntry(Base):
    """What the releases from ``since_release`` on know of the entry ``name`` of a place, until the next row of it, beside its values.

    ``created_at`` is its place in a list in the order of creation. ``edits`` names who edited it (``content.entries.encode``). An entry that a
    release takes from apps has a row, too, which names who removed it.
    """

    __tablename__ = "released_entries"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[str] = mapped_column(String(80), primary_key=True)
    name: Mapped[str] = mapped_column(String(128), primary_key=True)
    since_release: Mapped[int] = mapped_column(Integer, primary_key=True)
    entry_id: Mapped[str | None] = mapped_column(String(128))
    created_at: Mapped[datetime | None]
    edits: Mapped[str] = mapped_column(Text)
