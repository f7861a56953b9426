"""The tables of usage."""

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, Date, Integer, String
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


class EdgeBatch(Base):
    """The last batch of counts that the database has of one source: one run of one edge, which numbers its batches."""

    __tablename__ = "edge_batches"

    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    taken_at: Mapped[datetime]


class QuotaMark(Base):
    """A project's owner got a notice of a threshold (percent) of a quota in the UTC month that starts with ``month``.

    ``amount`` is the limit at that time: a raised limit has thresholds of its own.
    """

    __tablename__ = "quota_marks"
    __table_args__ = (CheckConstraint("quota IN ('api_calls', 'bandwidth')", name="quota"),)

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    quota: Mapped[str] = mapped_column(String(16), primary_key=True)
    threshold: Mapped[int] = mapped_column(Integer, primary_key=True)
    month: Mapped[date] = mapped_column(Date, primary_key=True)
    amount: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    created_at: Mapped[datetime]
