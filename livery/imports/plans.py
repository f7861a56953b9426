"""The plan of an import: each entry of its files under its place in the project, and what it would do to the draft."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import limits
from livery.core.text_names import map_name
from livery.formats.codes import normal
from livery.formats.model import FileText, Remark
from livery.imports.schemas import FileKind, Problem, RowState
from livery.projects.queries import Access, languages_of, screens_of
from livery.screens import importing
from livery.screens.importing import GivenText
from livery.stores.importing import PlannedItem


@dataclass(frozen=True)
class ReadFile:
    """A file as it was read, with what is known of it as a whole.

    Items belong to the store ``store_id``, and ``match`` names the field that finds them.
    """

    number: int
    kind: FileKind
    language: str | None
    namespace: str | None
    store_id: str | None
    match: str | None
    entries: Sequence[FileText]
    remarks: Sequence[Remark]


@dataclass(slots=True)
class Row:
    """See ``schemas.PlanRow``. ``item`` is what a row of an item would write."""

    number: int
    file: int
    kind: FileKind
    place: str
    name: str
    text: str = ""
    screen: str | None = None
    key: str | None = None
    language: str | None = None
    store: str | None = None
    before: str = ""
    state: RowState = "new"
    problem: Problem | None = None
    note: str | None = None
    store_id: str | None = None
    item: PlannedItem | None = None

    @property
    def given(self) -> GivenText:
        """The text that a row with a place would put into the draft."""
        return GivenText(self.screen or "", self.key or "", self.language or "", self.text)

    def refuse(self, problem: Problem, sentence: str) -> None:
        """Marks the row as invalid."""
        self.state, self.problem, self.note = "invalid", problem, sentence


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
class Making:
    """A plan while it is made: ``taken`` has the places of texts, and the name of each."""

    screen: str | None
    languages: dict[str, str]
    rows: list[Row] = field(default_factory=list[Row])
    remarks: list[tuple[int, Remark]] = field(default_factory=list[tuple[int, Remark]])
    taken: dict[tuple[str, str, str], str] = field(default_factory=dict[tuple[str, str, str], str])
    unknown: dict[str, None] = field(default_factory=dict[str, None])

    def add_rows(self, file: ReadFile) -> list[Row]:
        """Adds a row for each entry of a file, and for each remark about an entry that can't be read. Returns those of the entries."""
        notes = {(remark.place, remark.name): remark for remark in file.remarks if not remark.is_lost}
        found: list[Row] = []
        for entry in file.entries:
            row = self._add(file, entry.place, entry.name)
            note = notes.pop((entry.place, entry.name), None)
            row.note = note.sentence if note else None
            found.append(row)
        for remark in file.remarks:
            if remark.is_lost:
                self._add(file, remark.place, remark.name).refuse("text", remark.sentence)
        self.remarks.extend((file.number, remark) for remark in notes.values())
        return found

    def _add(self, file: ReadFile, place: str, name: str) -> Row:
        self.rows.append(Row(len(self.rows), file.number, file.kind, place, name))
        return self.rows[-1]


async def begin_plan(db: AsyncSession, access: Access, screen: str | None) -> Making:
    """Returns a plan without files. ``screen`` takes all texts, if it is set."""
    codes = await languages_of(db, access.project.id)
    return Making(screen, {normal(code): code for code in codes})


async def plan_texts(db: AsyncSession, access: Access, making: Making, files: Sequence[ReadFile]) -> list[str]:
    """Adds the texts of files to a plan. Returns the screens that they would make."""
    screens = await screens_of(db, access.project.id)
    added: list[Row] = []
    for file in files:
        for row, text in zip(making.add_rows(file), file.entries, strict=True):
            row.text = text.message
            if fault := _place(making, row, text.language or file.language, file.namespace):
                row.refuse(*fault)
            else:
                added.append(row)
    present = [row for row in added if row.screen in screens]
    by_program = access.actor.grant is not None
    standings = await importing.compare(db, access.project.id, [row.given for row in present], by_program=by_program)
    for row, (state, before) in zip(present, standings, strict=True):
        row.state, row.before = state, before
    return list(dict.fromkeys(row.screen for row in added if row.screen and row.screen not in screens))


def _place(making: Making, row: Row, language: str | None, namespace: str | None) -> tuple[Problem, str] | None:
    """Gives a row its place. Returns the problem and a sentence about it if it has no place of its own."""
    found = map_name(row.name, namespace=namespace, screen=making.screen)
    if found is None:
        return "name", "This name can't become a key: it is empty, or the part before its first dot is too long."
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
