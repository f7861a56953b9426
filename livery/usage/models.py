"""The table of usage."""

from datetime import date

from sqlalchemy import BigInteger, CheckConstraint, Date, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class UsageDay(Base):
    """What the apps of a project took on one UTC day."""

    __tablename__ = "usage_days"
    __table_args__ = (CheckConstraint("api_calls >= 0 AND bytes >= 0", name="not_negative"),)

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    api_calls: Mapped[int] = mapped_column(BigInteger)
    bytes: Mapped[int] = mapped_column(BigInteger)
