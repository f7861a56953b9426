"""Tables of the search index. Triggers on ``text_keys`` and ``text_values`` write the marks (see the migration that makes them)."""

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class SearchBlock(Base):
    """The folded texts of one screen in one language, tombstones' too; the language is empty for the names of its keys.

    ``stamp`` is random and differs after each change.
    """

    __tablename__ = "search_blocks"
    __table_args__ = (
        UniqueConstraint("project_id", "screen", "language"),
        Index("ix_search_blocks_stamp", "project_id", "stamp"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    screen: Mapped[str] = mapped_column(String(64))
    language: Mapped[str] = mapped_column(String(35))
    form: Mapped[str] = mapped_column(String(32))
    digest: Mapped[str] = mapped_column(String(32))
    stamp: Mapped[int] = mapped_column(Integer, server_default="0")
    # What most searches read comes before what few read: SQLite follows a long row page by page.
    signature: Mapped[bytes] = mapped_column(LargeBinary)
    text: Mapped[str] = mapped_column(Text)
    key_ids: Mapped[str] = mapped_column(Text)


class SearchMark(Base):
    """These texts changed since their block was made. ``stamp`` differs after each transaction that changed them."""

    __tablename__ = "search_marks"
    __table_args__ = ({"sqlite_with_rowid": False},)

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    screen: Mapped[str] = mapped_column(String(64), primary_key=True)
    language: Mapped[str] = mapped_column(String(35), primary_key=True)
    stamp: Mapped[int] = mapped_column(BigInteger)
