"""The section of colours in an answer about changes."""

from livery.colors.schemas import ColorChange
from livery.content.changes import Change
from livery.content.parts import COLORS
from livery.content.showing import Comparison, Section


def section_of(comparison: Comparison) -> Section:
    """Returns the section."""
    changes = comparison.changes.get(COLORS, ())
    views = [_color(comparison, change) for change in comparison.shown.get(COLORS, ())]
    removed = sum(change.after is None for change in changes)
    return Section({"colors": views, "colors_total": len(changes)}, {"colors": removed})


def _color(comparison: Comparison, change: Change) -> ColorChange:
    old, new = change.before or {}, change.after or {}
    return ColorChange(
        key=change.name,
        change=change.way,
        renamed_from=change.former_name,
        renamed_to=change.new_name,
        by=comparison.name_of(change),
        at=change.stamp.at,
        old=old.get("value", ""),
        new=new.get("value", ""),
        old_nickname=old.get("nickname", ""),
        new_nickname=new.get("nickname", ""),
        **comparison.choice(change),
    )
