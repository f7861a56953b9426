"""The colours as a whole: what their draft holds, what a version held, and what would change if the one became the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, cast

from livery.colors.models import Color
from livery.colors.schemas import ColorChange


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
    def top_revision(self) -> int:
        """The highest revision that anybody can have seen of these colours."""
        return max((row.revision for row in self.rows.values()), default=0)

    @property
    def is_changed(self) -> bool:
        """Whether a publish would change any of these colours."""
        return any(row.is_changed for row in self.rows.values())

    def packed(self) -> dict[str, Any]:
        """Returns the content as a version keeps it."""
        return packed(self.content)


@dataclass(frozen=True)
class Change:
    """What becomes of one colour, between two drafts or versions; ``row`` is what the database has of it."""

    key: str
    before: ColorContent | None
    after: ColorContent | None
    row: Color | None = None

    @property
    def kind(self) -> Literal["added", "changed", "removed"]:
        """What happens to the key."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    @property
    def slots(self) -> list[str]:
        """A colour is one value."""
        return [""]

    @property
    def edited(self) -> tuple[str | None, datetime] | None:
        """Who edited the colour of the draft last, and when."""
        return (self.row.updated_by, self.row.updated_at) if self.row else None

    def view(self, *, by: str | None, at: datetime, parts: Mapping[str, str | None] | None = None) -> ColorChange:
        """Returns the change for people to see."""
        old, old_nickname = self.before.visible if self.before else ("", "")
        new, new_nickname = self.after.visible if self.after else ("", "")
        return ColorChange(
            key=self.key,
            change=self.kind,
            by=by,
            at=at,
            old=old,
            new=new,
            old_nickname=old_nickname,
            new_nickname=new_nickname,
        )


def differences(before: Content, after: Content, rows: Mapping[str, Color] | None = None) -> list[Change]:
    """What changes when ``after`` takes the place of ``before``, by key."""
    changes = [
        Change(key, before.get(key), after.get(key), (rows or {}).get(key))
        for key in sorted(before.keys() | after.keys())
    ]
    return [
        change
        for change in changes
        if change.before is None or change.after is None or change.before.visible != change.after.visible
    ]


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
    """The content of a version, or of the colours' part of a release. Raises ``ValueError`` for anything else."""
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
