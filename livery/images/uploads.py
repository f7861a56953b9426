"""Reads the form of an upload while it arrives. Every part is counted and bounded. The file is written to the disk, and is never wholly in memory."""

import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from livery.core import limits
from livery.core.errors import BadRequest, Invalid, Unavailable, UnsupportedMedia
from livery.core.http import int_or_zero
from livery.images.schemas import too_large, wrong_type

FILE_FIELD = "imageFile"
UPLOADS_FOLDER = "uploads"

_SIGNATURES: tuple[Callable[[bytes], bool], ...] = (
    lambda head: head.startswith(b"\xff\xd8\xff"),
    lambda head: head.startswith(b"\x89PNG\r\n\x1a\n"),
    lambda head: head.startswith(b"RIFF") and head[8:12] == b"WEBP",
)
"""How a JPEG, a PNG and a WebP begin. The name and the type that a client gives are not looked at."""


@dataclass
class Upload:
    """What a form held: its plain fields by name, and where its file is, if a file was chosen."""

    fields: dict[str, str] = field(default_factory=dict[str, str])
    source: Path | None = None
    target: Path | None = None
    """Where the fresh file may be written; gone with the upload."""


@asynccontextmanager
async def receive(request: Request, data_dir: Path, known: frozenset[str]) -> AsyncGenerator[Upload]:
    """Receives the form in ``request``; its file is deleted when the block ends.

    Raises ``UnsupportedMedia`` for a different kind of body or file, ``TooLarge``, and ``BadRequest`` for a broken form. Raises ``Invalid`` for a
    field that is not in ``known`` or comes twice.
    """
    boundary = _boundary(request)
    if int_or_zero(request.headers.get("content-length", "").encode("latin-1")) > limits.IMAGE_FORM_BYTES:
        raise too_large()
    folder = data_dir / UPLOADS_FOLDER
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as own_folder:
            form = _Form(Path(own_folder), known)
            try:
                await form.read(request, boundary)
            finally:
                form.close()
            yield Upload(form.values, form.file_path if form.has_file else None, Path(own_folder) / "fresh")
    except OSError as error:
        raise Unavailable("The upload could not be kept. Please try again.", code="storage_unavailable") from error


def _boundary(request: Request) -> bytes:
    if "content-encoding" in request.headers:
        raise UnsupportedMedia("Send the body without a content encoding.")
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
        raise UnsupportedMedia("Send the form as multipart/form-data.")
    return boundary


class _Form:
    """The parser's callbacks: what part is being read, and what has been read."""

    def __init__(self, folder: Path, known: frozenset[str]) -> None:
        self.values: dict[str, str] = {}
        self.file_path = folder / "upload"
        self._known = known
        self._file: IO[bytes] | None = None
        self._file_size = 0
        self._head = b""
        self._header = (b"", b"")
        self._headers: dict[bytes, bytes] = {}
        self._name = ""
        self._value = b""
        self._seen: set[str] = set()
        self._is_whole = False

    @property
    def has_file(self) -> bool:
        """Whether a file was chosen: browsers send an empty file for no choice."""
        return self._file_size > 0

    async def read(self, request: Request, boundary: bytes) -> None:
        """Read the whole form, or raise."""
        parser = MultipartParser(boundary, cast("Any", self._callbacks()))
        size = 0
        try:
            async for chunk in request.stream():
                size += len(chunk)
                if size > limits.IMAGE_FORM_BYTES:
                    raise too_large()
                parser.write(chunk)
            parser.finalize()
        except ClientDisconnect as error:
            raise BadRequest("The upload broke off.", code="invalid_form") from error
        except FormParserError as error:
            raise BadRequest("The form is not valid.", code="invalid_form") from error
        if not self._is_whole:
            raise BadRequest("The form has no end.", code="invalid_form")

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def _callbacks(self) -> dict[str, Callable[..., None]]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._add_header_name,
            "on_header_value": self._add_header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._add_data,
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    def _begin(self) -> None:
        self._headers, self._header = {}, (b"", b"")
        self._value = self._head = b""

    def _add_header_name(self, data: bytes, start: int, end: int) -> None:
        self._header = (self._header[0] + data[start:end], self._header[1])

    def _add_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header = (self._header[0], self._header[1] + data[start:end])

    def _end_header(self) -> None:
        self._headers[self._header[0].lower()] = self._header[1]
        self._header = (b"", b"")

    def _end_headers(self) -> None:
        disposition, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = options.get(b"name", b"").decode("ascii", "replace")
        if disposition != b"form-data" or not self._name:
            raise BadRequest("The form is not valid.", code="invalid_form")
        if self._name not in self._known:
            raise Invalid("This form has a field that is not known here.", code="unknown_field")
        if self._name in self._seen:
            raise Invalid.field(self._name, "Send this field once.")
        self._seen.add(self._name)

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._name == FILE_FIELD:
            self._add_to_file(data[start:end])
            return
        self._value += data[start:end]
        if len(self._value) > limits.IMAGE_FORM_VALUE_BYTES:
            raise Invalid.field(self._name, "This text is too long.")

    def _add_to_file(self, data: bytes) -> None:
        if self._file is None:
            self._file = self.file_path.open("wb")
        self._file_size += len(data)
        if self._file_size > limits.IMAGE_BYTES:
            raise too_large()
        if len(self._head) < 12:
            self._head += data[:12]
            if len(self._head) >= 12:
                self._check_signature()
        self._file.write(data)

    def _check_signature(self) -> None:
        if not any(fits(self._head) for fits in _SIGNATURES):
            raise wrong_type()

    def _end(self) -> None:
        if self._name == FILE_FIELD:
            if self._file_size:
                self._check_signature()
            self.close()
            return
        try:
            value = self._value.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Invalid.field(self._name, "This must be text.") from error
        if "\0" in value:
            raise Invalid.field(self._name, "This text holds a character that is not allowed.")
        self.values[self._name] = value

    def _finish(self) -> None:
        self._is_whole = True
