"""The table of mails that are queued, are sent, or could not be sent."""

from datetime import datetime

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class OutboxMail(Base):
    """One mail: ``pending`` (due at ``due_at``, which is the end of the lease while a process sends it), ``sent`` or ``failed``."""

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_state_due_at", "state", "due_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    recipient: Mapped[str] = mapped_column(String(254))
    kind: Mapped[str] = mapped_column(String(64))
    sealed_context: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int]
    due_at: Mapped[datetime]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(String(300))
