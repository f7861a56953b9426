"""Reads an archive that somebody sends: bounded, checked by its own list of files, and nothing of it trusted."""

import hashlib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from livery.archives.writing import FORMAT
from livery.core import limits
from livery.core.errors import BadRequest
from livery.core.http import parse_json
from livery.stores.schemas import FieldType

Value = TypeVar("Value")

SUMMARY = "livery.json"
NO_ARCHIVE = "This is no archive of a Livery project, or it broke off. Choose the ZIP file that Livery's export made."
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError, KeyError, OSError)
_END, _ZIP64 = b"PK\x05\x06", b"PK\x06\x07"
_LONGEST_END = 22 + 65_535
"""The end of the directory, and its longest comment."""

_Name = Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS)]
_Code = Annotated[str, StringConstraints(max_length=limits.LANGUAGE_CODE_CHARACTERS)]
_Text = Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]
Texts = dict[_Name, dict[_Name, _Text]]
"""The texts of a language, by screen and key."""


class _Part(BaseModel):
    """A part of an archive. Fields that a newer Livery may add are left out."""

    model_config = ConfigDict(extra="ignore", strict=True, alias_generator=to_camel, frozen=True)


class ArchivedFile(_Part):
    """A file of the archive's list."""

    path: str
    sha256: str


class ArchivedProject(_Part):
    """The project that the archive is of."""

    project_id: _Name
    default_language: _Code
    languages: list[_Code]
    screens: list[_Name]


class ArchivedColor(_Part):
    """A colour."""

    key: _Name
    value: _Name
    nickname: _Name = ""


class ArchivedImage(_Part):
    """An image, and its file in the archive."""

    key: _Name
    file: str


class ArchivedField(_Part):
    """A field of a store."""

    name: _Name
    type: FieldType
    required: bool = False
    is_translatable: bool = False


class ArchivedStore(_Part):
    """A store with its items: values by the names of fields."""

    name: _Name
    api_identifier: _Name
    fields: list[ArchivedField]
    items: Annotated[list[dict[str, Any]], Field(max_length=limits.STORE_ITEMS)]


class _Summary(_Part):
    format: int
    project: ArchivedProject
    files: list[ArchivedFile]
    missing: list[str] = []


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
        )

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
