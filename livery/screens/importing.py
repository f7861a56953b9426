"""Puts many texts into the draft at once, and takes them out again. The project's row is locked by every caller that writes.

Records no activity.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.kind import keep_draft
from livery.content.states import Standing
from livery.core import clock
from livery.projects.queries import Access
from livery.screens import contents, versions
from livery.screens.contents import PLACE, Content, Draft, KeyContent, Written

KeyTexts = Mapping[str, Mapping[str, str]]
"""Texts of one screen by key and language."""


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text to put into the draft, with names that are valid."""

    screen: str
    key: str
    language: str
    text: str


@dataclass(frozen=True)
class Put:
    """What a screen had in the places that were written, as ``contents.packed`` writes it, and what they got."""

    before: object
    wrote: KeyTexts


def by_screen(texts: Sequence[GivenText]) -> dict[str, dict[str, dict[str, str]]]:
    """Returns the texts by screen, key and language."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for text in texts:
        found[text.screen][text.key][text.language] = text.text
    return found


async def compare(
    db: AsyncSession, project_id: str, texts: Sequence[GivenText], *, by_program: bool
) -> list[tuple[Standing, str]]:
    """Returns for each text what it would do to the draft, and the text that the draft has there (empty without a text).

    ``changed`` replaces a text of AI or of an import, ``conflict`` the text of a person. To a program, what a person imported is the text of a
    person: a push of older files must not revert it.
    """
    drafts = {screen: await contents.read_draft(db, project_id, screen) for screen in {text.screen for text in texts}}
    return [_standing(drafts[text.screen].content.get(text.key), text, by_program=by_program) for text in texts]


def _standing(key: KeyContent | None, text: GivenText, *, by_program: bool) -> tuple[Standing, str]:
    present = key.values.get(text.language) if key else None
    if present is None:
        return "new", ""
    if present.text == text.text:
        return "same", present.text
    is_untouched = present.author == "ai" or (present.is_pushed if by_program else present.is_imported)
    return ("changed" if is_untouched else "conflict"), present.text


async def put_texts(db: AsyncSession, access: Access, screen: str, texts: KeyTexts) -> Put:
    """Writes texts of a screen, marked as imported. Makes the keys that the screen lacks, in the order of ``texts``.

    The screen's history keeps a draft with unpublished changes that this overwrites.
    """
    draft = await contents.read_draft(db, access.project.id, screen)
    moment = clock.now()
    places = {name: moment + timedelta(microseconds=number) for number, name in enumerate(texts)}
    wanted = _wanted(access, draft, texts, places)
    before = contents.packed({name: draft.content.get(name) for name in wanted})
    await _overwrite(db, access, screen, draft, wanted)
    return Put(before, texts)


async def replay_texts(
    db: AsyncSession, access: Access, screen: str, texts: KeyTexts, places: Mapping[str, datetime]
) -> None:
    """Writes texts of an archive, marked as imported, over a draft that is published. New keys are as if created at ``places``.

    An empty text takes the text away, and a key without any text goes.
    """
    draft = await contents.read_keys(db, access.project.id, screen, list(texts))
    await _overwrite(db, access, screen, draft, _wanted(access, draft, texts, places))


def _wanted(
    access: Access, draft: Draft, texts: KeyTexts, places: Mapping[str, datetime]
) -> dict[str, KeyContent | None]:
    """Returns the keys with their texts and with ``texts``; ``None`` for a key without any."""
    wanted: dict[str, KeyContent | None] = {}
    for name, by_language in texts.items():
        key = draft.content.get(name) or KeyContent({}, places[name])
        mark = Written("", "person", is_imported=True, is_pushed=access.actor.grant is not None)
        given = {language: replace(mark, text=text) for language, text in by_language.items()}
        values = {language: written for language, written in {**key.values, **given}.items() if written.text}
        wanted[name] = replace(key, values=values) if values else None
    return wanted


async def take_back(db: AsyncSession, access: Access, screen: str, put: Put) -> int:
    """Gives the places that still have what was put there the texts of before. Returns how many texts stay, because they were changed since.

    A key that was made, and has no text after that, goes.
    """
    draft = await contents.read_draft(db, access.project.id, screen)
    before: Content = contents.unpacked(put.before)
    wanted: dict[str, KeyContent | None] = {}
    kept = 0
    for name, by_language in put.wrote.items():
        key = draft.content.get(name)
        if key is None:
            kept += len(by_language)
            continue
        values = dict(key.values)
        for language, text in by_language.items():
            if language not in values or values[language].text != text:
                kept += 1
                continue
            del values[language]
            if name in before and language in before[name].values:
                values[language] = before[name].values[language]
        if values != dict(key.values):
            wanted[name] = replace(key, values=values) if values or name in before else None
    if wanted:
        await _overwrite(db, access, screen, draft, wanted)
    return kept


async def _overwrite(
    db: AsyncSession, access: Access, screen: str, draft: Draft, wanted: Mapping[str, KeyContent | None]
) -> None:
    if draft.is_changed:
        await keep_draft(db, access, PLACE + screen, draft, len(wanted))
    await versions.overwrite_draft(db, access, screen, draft, wanted, release=access.project.release_number)
