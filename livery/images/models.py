"""Tables of images, of their files, and of lately replaced images."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from livery.core.db import Base


class Image(Base):
    """An image as apps have it now. ``size_bytes`` is what its file takes of the project's storage."""

    __tablename__ = "images"
    __table_args__ = (Index("uq_images_key", "project_id", "key", unique=True), Index("ix_images_hash", "hash"))

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(128))
    hash: Mapped[str] = mapped_column(String(64))
    content_type: Mapped[str] = mapped_column(String(32))
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    thumbhash: Mapped[str] = mapped_column(String(64))
    revision: Mapped[int] = mapped_column(Integer, default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    updated_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))


class ImageAlias(Base):
    """A key that an image had before it was renamed. Apps that ask for it get the image, until the key gets an image of its own."""

    __tablename__ = "image_aliases"
    __table_args__ = (
        ForeignKeyConstraint(["project_id", "image_id"], ["images.project_id", "images.id"], ondelete="CASCADE"),
        Index("ix_image_aliases_image", "project_id", "image_id"),
    )

    project_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    image_id: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime]


class FormerImage(Base):
    """What a key showed before it was replaced, renamed or deleted: apps that have not heard of it yet still ask for it."""

    __tablename__ = "former_images"
    __table_args__ = (Index("ix_former_images_hash", "hash"), Index("ix_former_images_ended_at", "ended_at"))

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(128), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content_type: Mapped[str] = mapped_column(String(32))
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    ended_at: Mapped[datetime]


class ImageFile(Base):
    """A blob that images are in, or were, or are about to be: the row is there before the blob and goes after it."""

    __tablename__ = "image_files"
    __table_args__ = (Index("ix_image_files_wanted_at", "wanted_at"),)

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    wanted_at: Mapped[datetime]
