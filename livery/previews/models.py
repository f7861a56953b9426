"""The table of preview links."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class PreviewLink(Base):
    """A token that shows the draft of one project until ``expires_at``, as long as the person who made it may publish there."""

    __tablename__ = "preview_links"
    __table_args__ = (Index("ix_preview_links_project_id_expires_at", "project_id", "expires_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
