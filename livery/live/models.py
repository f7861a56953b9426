"""The table of the people who have a project open, as each process sees them."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Presence(Base):
    """A person who has a project open at a process. The process renews it; after ``until`` it is not valid."""

    __tablename__ = "presences"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    process: Mapped[str] = mapped_column(String(32), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    until: Mapped[datetime]
