"""The colours as a whole: what their draft holds, and what a version keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from livery.colors.models import Color


@dataclass(frozen=True)
class ColorContent:
    """What a colour is. ``created_at`` is its place in the list; a release does not know it."""

    value: str
    nickname: str
    created_at: datetime | None = None

    @property
    def visible(self) -> tuple[str, str]:
        """What two colours of one key can differ in."""
        return self.value, self.nickname


Content = Mapping[str, ColorContent]
"""Colours by key."""
KIND = "colors"
"""The kind of the versions of the colours."""


@dataclass(frozen=True)
class Draft:
    """The draft of a project's colours. ``rows`` are of tombstones too, ``content`` of what is not removed."""

    content: Content
    rows: Mapping[str, Color]

    @property
    def is_changed(self) -> bool:
        """Whether a publish would change any of these colours."""
        return any(row.is_changed for row in self.rows.values())

    def packed(self) -> dict[str, Any]:
        """Returns the content as a version keeps it."""
        return packed(self.content)


def packed(colors: Mapping[str, ColorContent | None]) -> dict[str, Any]:
    """Returns colours as JSON; ``None`` for a key without a colour."""
    return {
        key: color
        and {
            "value": color.value,
            "nickname": color.nickname,
            "createdAt": color.created_at.astimezone(UTC).isoformat() if color.created_at else None,
        }
        for key, color in colors.items()
    }


def unpacked(value: object) -> Content:
    """Returns the content of a version, or of the colours' part of a release. Raises ``ValueError`` for anything else."""
    try:
        colors = cast("dict[str, dict[str, Any] | None]", value)
        return {
            str(key): ColorContent(str(color["value"]), str(color["nickname"]), _moment(color.get("createdAt")))
            for key, color in colors.items()
            if color is not None
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("the colours are damaged") from error


def _moment(text: object) -> datetime | None:
    return None if text is None else datetime.fromisoformat(str(text))
