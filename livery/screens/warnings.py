"""The warnings about unpublished texts."""

from collections.abc import Iterator

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Changes
from livery.content.kind import Frame
from livery.content.warnings import EntryWarnings, LimitOf, PlaceWarnings, TextChecker, ValueWarning, count, listed
from livery.screens import queries


async def warnings(db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf) -> list[PlaceWarnings]:
    """Returns the warnings of each screen of the draft. In a language that apps don't have, every missing text counts, changed or not."""
    outline, checker = frame.after, TextChecker(frame.after)
    missing = {
        code: await queries.missing_counts(db, frame.project_id, source=outline.default_language, target=code)
        for code in outline.languages
        if frame.release and code not in frame.before.languages
    }
    found: list[PlaceWarnings] = []
    for screen in outline.screens:
        place = f"screen/{screen}"
        entries = [
            EntryWarnings(id=change.name, label=change.name, values=list(_of_key(checker, change)))
            for change in changes.get(place, ())
            if change.after is not None
        ]
        counts = count(entries, {code: by_screen.get(screen, 0) for code, by_screen in missing.items()})
        shown = listed(entries, limit_of(place))
        found.append(PlaceWarnings(screen=screen, store=None, name=screen, counts=counts, entries=shown))
    return found


def _of_key(checker: TextChecker, change: Change) -> Iterator[ValueWarning]:
    texts, changed, default = change.after or {}, change.slots, checker.default
    found = list(checker.warnings(texts, changed))
    yield from found
    if default not in changed or default not in texts:
        return
    # The warning of a broken placeholder is enough.
    has_told = {warning.language for warning in found if warning.kind == "placeholder"}
    for code in checker.languages:
        if code in texts and code not in has_told and change.stamps[code].at < change.stamps[default].at:
            message = f"The {checker.names[default]} text was changed after this text."
            yield ValueWarning(kind="outdated", field=None, language=code, message=message)
