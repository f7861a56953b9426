"""The plan of an import: each text of its files under its place in the project, and what it would do to the draft."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import limits
from livery.core.text_names import map_name
from livery.formats.codes import normal
from livery.formats.model import FileText, Remark
from livery.imports.schemas import Problem, RowState
from livery.projects.queries import languages_of, screens_of
from livery.screens import importing
from livery.screens.importing import GivenText


@dataclass(frozen=True)
class ReadFile:
    """A file as it was read, with what is known of it as a whole."""

    number: int
    language: str | None
    namespace: str | None
    texts: Sequence[FileText]
    remarks: Sequence[Remark]


@dataclass(slots=True)
class Row:
    """See ``schemas.PlanRow``."""

    number: int
    file: int
    place: str
    name: str
    text: str = ""
    screen: str | None = None
    key: str | None = None
    language: str | None = None
    before: str = ""
    state: RowState = "new"
    problem: Problem | None = None
    note: str | None = None

    @property
    def given(self) -> GivenText:
        """The text that a row with a place would put into the draft."""
        return GivenText(self.screen or "", self.key or "", self.language or "", self.text)


@dataclass(frozen=True)
class Plan:
    """See ``schemas.PlanView``."""

    rows: Sequence[Row]
    remarks: Sequence[tuple[int, Remark]]
    new_screens: Sequence[str]
    unknown_languages: Sequence[str]

    @property
    def token(self) -> str:
        """A digest of what the rows would do: it differs if the draft has changed there."""
        facts = "\0".join(f"{row.state}\0{row.before}" for row in self.rows)
        return hashlib.sha256(facts.encode()).hexdigest()[:32]


@dataclass
class _Making:
    """A plan while it is made: ``taken`` has the places of rows, and the name of each."""

    languages: dict[str, str]
    screen: str | None
    rows: list[Row] = field(default_factory=list[Row])
    remarks: list[tuple[int, Remark]] = field(default_factory=list[tuple[int, Remark]])
    taken: dict[tuple[str, str, str], str] = field(default_factory=dict[tuple[str, str, str], str])
    unknown: dict[str, None] = field(default_factory=dict[str, None])

    def add(self, file: ReadFile, place: str, name: str) -> Row:
        self.rows.append(Row(len(self.rows), file.number, place, name))
        return self.rows[-1]


async def make_plan(
    db: AsyncSession, project_id: str, files: Sequence[ReadFile], screen: str | None, *, by_program: bool
) -> Plan:
    """Returns the plan of an import into ``screen``, or into the screens of the names. Locks nothing."""
    screens = await screens_of(db, project_id)
    codes = await languages_of(db, project_id)
    making = _Making({normal(code): code for code in codes}, screen)
    for file in files:
        _add_file(making, file)
    valid = [row for row in making.rows if row.state == "new"]
    present = [row for row in valid if row.screen in screens]
    standings = await importing.compare(db, project_id, [row.given for row in present], by_program=by_program)
    for row, (state, before) in zip(present, standings, strict=True):
        row.state, row.before = state, before
    new_screens = dict.fromkeys(row.screen for row in valid if row.screen and row.screen not in screens)
    return Plan(making.rows, making.remarks, list(new_screens), list(making.unknown))


def _add_file(making: _Making, file: ReadFile) -> None:
    notes = {(remark.place, remark.name): remark for remark in file.remarks if not remark.is_lost}
    for text in file.texts:
        row = making.add(file, text.place, text.name)
        row.text = text.message
        note = notes.pop((text.place, text.name), None)
        row.note = note.sentence if note else None
        if fault := _place(making, row, text.language or file.language, file.namespace):
            row.state, (row.problem, row.note) = "invalid", fault
    for remark in file.remarks:
        if remark.is_lost:
            row = making.add(file, remark.place, remark.name)
            row.state, row.problem, row.note = "invalid", "text", remark.sentence
    making.remarks.extend((file.number, remark) for remark in notes.values())


def _place(making: _Making, row: Row, language: str | None, namespace: str | None) -> tuple[Problem, str] | None:
    """Gives a row its place. Returns the problem and a sentence about it if it has no place of its own."""
    found = map_name(row.name, namespace=namespace, screen=making.screen)
    if found is None:
        return "name", "This name can't become a key: it is empty or too long."
    row.screen, row.key = found
    if language is None:
        return "language", "The language of this file is unknown. Choose it."
    row.language = making.languages.get(normal(language))
    if row.language is None:
        row.language = normal(language)
        making.unknown[row.language] = None
        return "unknown_language", f'This project has no language "{row.language}". Add the language first.'
    if len(row.text) > limits.TEXT_CHARACTERS:
        return "text", f"A text has at most {limits.TEXT_CHARACTERS:,} characters."
    place = (row.screen, row.key, row.language)
    first = making.taken.get(place)
    if first is None:
        making.taken[place] = row.name
        return None
    if first == row.name:
        return "collision", "This name comes twice in this language. The first text counts."
    return "collision", f'"{first}" of this import becomes the same key, {row.screen}.{row.key}.'
