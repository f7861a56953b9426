"""Reads an archive that somebody sends: bounded, checked by its own list of files, and nothing of it trusted."""

import hashlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from livery.archives.writing import FORMAT
from livery.core import clock, limits
from livery.core.errors import BadRequest
from livery.core.http import parse_json
from livery.core.schemas import Line
from livery.publishing.kinds import ReleaseKind
from livery.stores.schemas import FieldType

Value = TypeVar("Value")

SUMMARY = "livery.json"
NO_ARCHIVE = "This is no archive of a Livery project, or it broke off. Choose the ZIP file that Livery's export made."
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, KeyError, OSError)
"""What ``zipfile`` raises for a file that is damaged, encrypted (``RuntimeError``) or packed in a way it does not know (a subclass)."""
_END, _ZIP64 = b"PK\x05\x06", b"PK\x06\x07"
_RELEASES, _CONTENTS = "history/releases.jsonl", "history/contents.jsonl"
_LONGEST_END = 22 + 65_535
"""The end of the directory, and its longest comment."""

Name = Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS)]
_Code = Annotated[str, StringConstraints(max_length=limits.LANGUAGE_CODE_CHARACTERS)]
Text = Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]
Texts = dict[Name, dict[Name, Text]]
"""The texts of a language, by screen and key."""


def _moment(value: object) -> object:
    """Returns the moment that a text stands for; anything else as it is, to be refused."""
    if not isinstance(value, str):
        return value
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(value)
        return min(moment.astimezone(UTC), clock.now()) if moment.tzinfo else moment
    return value


class ArchivedPart(BaseModel):
    """A part of an archive. Fields that a newer Livery may add are left out."""

    model_config = ConfigDict(extra="ignore", strict=True, alias_generator=to_camel, frozen=True)


class ArchivedFile(ArchivedPart):
    """A file of the archive's list."""

    path: str
    sha256: str


class ArchivedProject(ArchivedPart):
    """The project that the archive is of."""

    project_id: Name
    default_language: _Code
    languages: list[_Code]
    screens: list[Name]


class ArchivedColor(ArchivedPart):
    """A colour."""

    key: Name
    value: Name
    nickname: Name = ""


class ArchivedImage(ArchivedPart):
    """An image, and its file in the archive."""

    key: Name
    file: str
    aliases: list[Name] = []


class ArchivedField(ArchivedPart):
    """A field of a store."""

    id: Annotated[Name | None, Field(alias="_id")] = None
    name: Name
    type: FieldType
    required: bool = False
    is_translatable: bool = False


class ArchivedStore(ArchivedPart):
    """A store with its items: values by the names of fields."""

    id: Annotated[Name | None, Field(alias="_id")] = None
    name: Name
    api_identifier: Name
    fields: list[ArchivedField]
    items: Annotated[list[dict[str, Any]], Field(max_length=limits.STORE_ITEMS)]


class ArchivedRelease(ArchivedPart):
    """A release. ``by`` is the name of who made it."""

    release: Annotated[int, Field(ge=1, le=limits.LARGEST_NUMBER)]
    kind: ReleaseKind
    restored_release: int | None = None
    changes: Annotated[int, Field(ge=0, le=limits.LARGEST_NUMBER)]
    at: Annotated[AwareDatetime, BeforeValidator(_moment)]
    by: Annotated[Line, Field(max_length=limits.PERSON_NAME_CHARACTERS)] | None = None


class ArchivedSpan(ArchivedPart):
    """What apps had as a part from one release until before a later release."""

    part: Name
    since_release: int
    until_release: int | None
    content: Any


class _Summary(ArchivedPart):
    format: int
    project: ArchivedProject
    files: list[ArchivedFile]
    missing: list[str] = []
    has_history: bool = False


_COLORS, _IMAGES, _TEXTS = TypeAdapter(list[ArchivedColor]), TypeAdapter(list[ArchivedImage]), TypeAdapter(Texts)


@dataclass(frozen=True)
class Archive:
    """What an archive has of a draft. ``pictures`` has the hash of each image's file by its path."""

    project: ArchivedProject
    texts: Mapping[str, Texts]
    colors: Sequence[ArchivedColor]
    images: Sequence[ArchivedImage]
    stores: Sequence[ArchivedStore]
    pictures: Mapping[str, str]
    missing: Sequence[str]
    has_history: bool


@dataclass(frozen=True)
class History:
    """The releases of an archive, the oldest first, and what they had."""

    releases: Sequence[ArchivedRelease]
    spans: Sequence[ArchivedSpan]


NO_HISTORY = History((), ())


def refuse(reason: str) -> NoReturn:
    """Raises ``BadRequest`` for an archive that can't be imported."""
    raise BadRequest(reason, code="unreadable_archive")


def first_fault(error: ValidationError) -> str:
    """Returns the first fault that pydantic found, with its place."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{first['msg']} ({', '.join(str(step)[:100] for step in first['loc'])})"


class ArchiveReader:
    """An archive in a file. Methods raise ``BadRequest`` where it is broken, changed or too large."""

    def __init__(self, path: Path) -> None:
        _check_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN:
            refuse(NO_ARCHIVE)
        self._room = limits.ARCHIVE_JSON_BYTES
        self._listed: dict[str, str] = {}

    def close(self) -> None:
        """Closes the file."""
        self._zip.close()

    def read(self) -> Archive:
        """Returns everything but the files of images."""
        summary = self._part(SUMMARY, TypeAdapter(_Summary))
        if summary.format != FORMAT:
            refuse(f"This archive has the format {summary.format}. This Livery reads the format {FORMAT}.")
        self._listed = {file.path: file.sha256 for file in summary.files}
        texts = {code: self._part(f"texts/{code}.json", _TEXTS) for code in summary.project.languages}
        stores = [path for path in self._listed if path.startswith("stores/")]
        return Archive(
            summary.project,
            texts,
            self._part("colors.json", _COLORS),
            self._part("images.json", _IMAGES),
            [self._part(path, TypeAdapter(ArchivedStore)) for path in stores],
            {path: digest for path, digest in self._listed.items() if path.startswith("images/")},
            summary.missing,
            summary.has_history,
        )

    def read_history(self) -> History | None:
        """Returns the releases; ``None`` if they are too large to be imported."""
        room = limits.ARCHIVE_HISTORY_BYTES
        if sum(self._zip.getinfo(path).file_size for path in (_RELEASES, _CONTENTS) if path in self._listed) > room:
            return None
        releases = self._lines(_RELEASES, TypeAdapter(ArchivedRelease))
        return History(releases[::-1], self._lines(_CONTENTS, TypeAdapter(ArchivedSpan)))

    def extract(self, path: str, target: Path) -> None:
        """Writes the file of an image to ``target``."""
        target.write_bytes(self._bytes(path, limits.IMAGE_BYTES))

    def _part(self, path: str, kind: TypeAdapter[Value]) -> Value:
        data = self._bytes(path, self._room)
        self._room -= len(data)
        try:
            return kind.validate_python(parse_json(data))
        except BadRequest as error:
            refuse(f"The file {path[:100]} of the archive: {error.message}")
        except ValidationError as error:
            refuse(f"The file {path[:100]} of the archive is not valid: {first_fault(error)}.")

    def _lines(self, path: str, kind: TypeAdapter[Value]) -> list[Value]:
        found: list[Value] = []
        for number, line in enumerate(self._bytes(path, limits.ARCHIVE_HISTORY_BYTES).splitlines(), 1):
            try:
                found.append(kind.validate_python(parse_json(line)))
            except BadRequest as error:
                refuse(f"Line {number} of the file {path} of the archive: {error.message}")
            except ValidationError as error:
                refuse(f"Line {number} of the file {path} of the archive is not valid: {first_fault(error)}.")
        return found

    def _bytes(self, path: str, most: int) -> bytes:
        try:
            with self._zip.open(path) as file:
                data = file.read(most + 1)
        except _BROKEN:
            refuse(NO_ARCHIVE if path == SUMMARY else f"The file {path[:100]} of the archive is absent or damaged.")
        if len(data) > most:
            refuse(f"The file {path[:100]} of the archive is too large.")
        if path != SUMMARY and hashlib.sha256(data).hexdigest() != self._listed.get(path):
            refuse(f"The file {path[:100]} of the archive was changed, or is damaged.")
        return data


def _check_directory(path: Path) -> None:
    """A directory with many entries takes long to read: its size is looked at first."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LONGEST_END))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22 or _ZIP64 in tail[max(0, at - 20) : at]:
        refuse(NO_ARCHIVE)
    if int.from_bytes(tail[at + 12 : at + 16], "little") > limits.ARCHIVE_DIRECTORY_BYTES:
        refuse("This archive has too many files.")
