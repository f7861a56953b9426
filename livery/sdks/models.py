"""The table of package files."""

from datetime import datetime

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class SdkPackage(Base):
    """A package file that a server of this installation handed out."""

    __tablename__ = "sdk_packages"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    body: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
