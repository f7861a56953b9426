"""What every format implements, and what it gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

FormatId = str

LEVELS = 32
"""Objects and lists within each other that are read."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A text of a file. ``name`` is the file's, with dots between nested names. ``message`` is the text as Livery keeps it.

    ``language`` is ``None`` where the file holds one language and doesn't name it. ``place`` is for people: ``line 12``, ``row 3``.
    """

    name: str
    message: str
    language: str | None
    place: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for people about one place of a file. ``is_lost`` holds if the text is not among the texts."""

    place: str
    name: str
    sentence: str
    is_lost: bool


@dataclass(slots=True)
class TextFile:
    """A file that was read. ``languages`` has the languages that the file names, as it writes them."""

    texts: list[FileText] = field(default_factory=list[FileText])
    remarks: list[Remark] = field(default_factory=list[Remark])
    languages: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file to write, with its path in the archive or folder: ``locales/de/translation.json``."""

    path: str
    data: bytes


@dataclass(slots=True)
class Written:
    """The files of an export, and the remarks about what they can't keep."""

    files: list[WrittenFile] = field(default_factory=list[WrittenFile])
    remarks: list[Remark] = field(default_factory=list[Remark])


@dataclass(frozen=True, slots=True)
class ProjectTexts:
    """The texts to write: by language, then by name (``name_of`` in ``names.py``), in the order of the dashboard. Empty texts are absent."""

    default_language: str
    texts: Mapping[str, Mapping[str, str]]


class Unreadable(Exception):
    """The whole file can't be read. The message is a sentence for people, with the line where the format knows it."""


class Format(Protocol):
    """A format of files. ``extensions`` are in lower case, with the dot. Exports have the first extension."""

    @property
    def id(self) -> FormatId:
        """The format's name in the API."""
        ...

    @property
    def label(self) -> str:
        """The format's name for people."""
        ...

    @property
    def extensions(self) -> Sequence[str]:
        """How names of its files end."""
        ...

    @property
    def has_many_languages(self) -> bool:
        """Whether a file has all languages."""
        ...

    def read(self, data: bytes, *, language: str | None) -> TextFile:
        """Reads a file. ``language`` is what the caller knows of a file that names no language. Raises ``Unreadable``."""
        ...

    def write(self, project: ProjectTexts) -> Written:
        """Writes the texts of a project: one file for each language, or one file if ``has_many_languages``."""
        ...
