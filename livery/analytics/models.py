"""The table of page views."""

from datetime import date

from sqlalchemy import BigInteger, CheckConstraint, Date, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class PageViewDay(Base):
    """How often pages of one route template were opened on one UTC day."""

    __tablename__ = "page_view_days"
    __table_args__ = (CheckConstraint("views >= 0", name="not_negative"),)

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    route: Mapped[str] = mapped_column(String(64), primary_key=True)
    views: Mapped[int] = mapped_column(BigInteger)
