"""What imports take and give."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from livery.core import limits
from livery.core.schemas import Body, Moment, View

RowState = Literal["new", "same", "changed", "conflict", "invalid"]
Taken = Literal["new", "changed", "conflict"]
ImportState = Literal["open", "applied", "undone"]
Problem = Literal["name", "collision", "language", "unknown_language", "text", "store", "item"]
FileKind = Literal["texts", "colors", "items"]
"""What a file has."""


class CreateImportBody(Body):
    """A new import. ``screen`` takes the texts of all files; null for the screens of their names."""

    screen: Annotated[str, StringConstraints(max_length=limits.GIVEN_SCREEN_CHARACTERS)] | None = None


class ApplyBody(Body):
    """Which rows of the plan to write: those whose state is in ``take``, without ``leaveOut``, and ``also`` these numbers.

    ``token`` is that of the plan which was looked at. With it, an import into a draft that changed since is refused.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"take": ["new", "changed"], "leaveOut": [], "also": []}})

    take: Annotated[list[Taken], Field(max_length=limits.GIVEN_STATES)] = Field(
        default_factory=lambda: ["new", "changed"]
    )
    leave_out: Annotated[list[int], Field(max_length=limits.GIVEN_ROWS)] = Field(default_factory=list[int])
    also: Annotated[list[int], Field(max_length=limits.GIVEN_ROWS)] = Field(default_factory=list[int])
    token: Annotated[str, StringConstraints(max_length=limits.TOKEN_CHARACTERS)] | None = None


class FormatView(View):
    """A format that files can have. ``kind`` is what they have; ``extensions`` are how their names end."""

    id: str
    kind: FileKind
    label: str
    extensions: list[str]
    has_many_languages: bool


class Formats(View):
    """The formats of files, in the order to show. Those of texts are also formats of exports."""

    formats: list[FormatView]


class ImportFileView(View):
    """A file of an import. ``language`` is null if the file has several languages, or if its language is unknown.

    ``texts`` is the number of its texts, colours or items. Items belong to the Data Store with the id ``store``. The field ``match`` finds the
    item of a row; null: its ``_id`` does.
    """

    number: int
    name: str
    format: str
    language: str | None
    namespace: str | None
    kind: FileKind
    store: str | None
    match: str | None
    texts: int


class ImportView(View):
    """An import. ``texts`` is the number of texts, colours and items that it wrote."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    state: ImportState
    screen: str | None
    files: list[ImportFileView]
    texts: int
    created_by: str | None
    created_at: Moment
    applied_at: Moment | None


class Imports(View):
    """The imports of the last seven days, the newest first."""

    imports: list[ImportView]


class PlanRow(View):
    """A text, colour or item of a file, and what it would do to the draft.

    ``number`` names it in an apply. ``before`` is the draft's text, empty if it has no text. ``screen`` and ``key`` are null without a valid name.
    ``note`` is a sentence about what is invalid, or what changes on the way. The key of a colour has no screen. An item has the API identifier of its
    ``store``, and its label is the ``name``. Its ``before`` and ``text`` have the values that differ, a line for each.
    """

    number: int
    file: int
    kind: FileKind
    place: str
    name: str
    screen: str | None
    key: str | None
    language: str | None
    store: str | None
    text: str
    before: str
    state: RowState
    problem: Problem | None
    note: str | None


class Counts(View):
    """The number of rows in each state."""

    new: int
    same: int
    changed: int
    conflict: int
    invalid: int


class PlanRemark(View):
    """A remark about a place of a file that is no row: what an import leaves out, and why."""

    file: int
    place: str
    name: str
    sentence: str


class PlanView(View):
    """What an import would do to the draft at this moment. ``newScreens`` would be made, ``unknownLanguages`` are not the project's."""

    token: str
    counts: Counts
    new_screens: list[str]
    unknown_languages: list[str]
    rows: list[PlanRow]
    remarks: list[PlanRemark]


class Applied(View):
    """What an import wrote: the numbers of texts, colours and items, and the screens that it made."""

    message: str
    texts: int
    colors: int
    items: int
    new_screens: list[str]


class Undone(View):
    """What an undo did. ``kept`` texts, colours and items stay as they are, because they were changed since the import."""

    message: str
    kept: int
