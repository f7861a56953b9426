"""The section of texts in an answer about changes: screen by screen, key by key, language by language."""

from collections.abc import Collection, Sequence
from typing import Any, cast

from livery.content.changes import Change, Way
from livery.content.parts import text_part
from livery.content.showing import Comparison, Section
from livery.screens.outline import PLACE
from livery.screens.schemas import KeyChange, ScreenDiff, ValueChange


async def section_of(comparison: Comparison) -> Section:
    """Returns the section. A screen that is added or removed is in it even without texts, but not in the first release."""
    before, after = comparison.frame.before, comparison.frame.after
    changes = comparison.in_kind("screen")
    moved = set(before.screens) ^ set(after.screens) if before.languages else set[str]()
    own = {change.ref: change for change in comparison.changes.get(PLACE, ())}
    screens = [
        await _screen(comparison, screen, changes.get(screen, ()), own.get(f"screen:{screen}"))
        for screen in dict.fromkeys([*after.screens, *before.screens])
        if screen in changes or screen in moved
    ]
    removed = [screen.screen for screen in screens if screen.change == "removed"]
    texts = sum(change.after is None for group in changes.values() for change in group)
    return Section({"screens": screens}, {"screens": removed, "texts": texts})


async def _screen(comparison: Comparison, screen: str, changes: Sequence[Change], own: Change | None) -> ScreenDiff:
    before, after = comparison.frame.before.screens, comparison.frame.after.screens
    place = f"screen/{screen}"
    shown = comparison.shown.get(place, ())
    if comparison.is_open:  # a reader looks at removals first
        shown = sorted(shown, key=lambda one: one.after is not None)
    elsewhere = await _names_elsewhere(comparison, screen, changes, shown)
    return ScreenDiff(
        screen=screen,
        change="removed" if screen not in after else "added" if screen not in before else "changed",
        total=len(changes),
        keys=[_key(comparison, change, "changed" if change.name in elsewhere else change.way) for change in shown],
        place=place,
        **comparison.choice(own),
    )


async def _names_elsewhere(
    comparison: Comparison, screen: str, changes: Sequence[Change], shown: Sequence[Change]
) -> Collection[str]:
    """Returns the keys that have a text in a language in which nothing of the screen differs: both states have those keys."""
    if comparison.is_open or all(change.way == "changed" for change in shown):
        return ()
    differing = {slot for change in changes for slot in change.slots}
    languages = set(comparison.frame.before.languages) & set(comparison.frame.after.languages) - differing
    values = await comparison.read([text_part(screen, language) for language in sorted(languages)])
    return {key for texts in values.values() for key in cast("dict[str, str]", texts)}


def _key(comparison: Comparison, change: Change, way: Way) -> KeyChange:
    before, after = change.before or {}, change.after or {}
    last = change.stamp
    values: list[ValueChange] = []
    for language in change.slots:
        stamp = change.stamps.get(language, last)
        need = change.slot_needs.get(language)
        chosen: dict[str, Any] = {
            "ref": f"{change.ref}/{language}",
            "by_id": stamp.by,
            "needs": [need] if need else [],
            "tie": change.slot_ties.get(language),
        }
        values.append(
            ValueChange(
                language=language,
                old=before.get(language, ""),
                new=after.get(language, ""),
                by=comparison.names.get(stamp.by or "") if stamp.by != last.by else None,
                **(chosen if comparison.is_open else {}),
            )
        )
    return KeyChange(
        key=change.name,
        change=way,
        renamed_from=change.former_name,
        renamed_to=change.new_name,
        by=comparison.name_of(change),
        at=last.at,
        values=values,
        **comparison.choice(change),
    )
