"""XML in a ZIP file, read within bounds: sizes before anything is unpacked, no DOCTYPE, and a number of elements."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from xml.parsers import expat

from livery.formats.model import Unreadable

UNPACKED_BYTES = 40 * 1024**2
RATIO = 200
"""Bytes of a part for each byte that is stored."""
FREE_BYTES = 1024**2
"""A part up to this size may have any ratio."""
PARTS = 500
ELEMENTS = 1_500_000
_ENTRY = b"PK\x01\x02"
_CHUNK = 64 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
"""What ``zipfile`` raises for a file that is damaged, encrypted (``RuntimeError``) or packed in a way it does not know (a subclass)."""

Attributes = Mapping[str, str]


class Handler:
    """Gets the elements of a part, without the prefixes of their names."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Gets the begin of an element."""

    def end(self, name: str) -> None:
        """Gets the end of an element."""

    def text(self, text: str) -> None:
        """Gets a piece of text."""


class Archive:
    """A ZIP file. Methods raise ``Unreadable``, with the sentence ``reason`` where the file is broken."""

    def __init__(self, data: bytes, reason: str) -> None:
        self._reason = reason
        # A directory with many entries takes long before its length is known.
        if data.count(_ENTRY) > PARTS:
            raise Unreadable(f"The file has over {PARTS} parts.")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            parts = self._zip.infolist()
        except _BROKEN:
            raise Unreadable(reason) from None
        is_packed_much = any(
            part.file_size > max(part.compress_size * RATIO, FREE_BYTES) or part.compress_type not in _METHODS
            for part in parts
        )
        if is_packed_much or sum(part.file_size for part in parts) > UNPACKED_BYTES:
            raise Unreadable(f"Without its compression, the file has over {UNPACKED_BYTES // 1024**2} MB.")

    def parse(self, path: str, handler: Handler) -> None:
        """Gives a part to ``handler``."""
        parser = _parser(handler)
        try:
            with self._zip.open(path) as part:
                # The sizes in the directory are limits, too: zipfile reads no byte more.
                while chunk := part.read(_CHUNK):
                    parser.Parse(chunk)
            parser.Parse(b"", True)  # noqa: FBT003 - its argument has no name
        except KeyError:
            raise Unreadable(self._reason) from None
        except expat.ExpatError as error:
            raise Unreadable(f"Its part {path[:100]} is not valid XML. Line {error.lineno}.") from None
        except _BROKEN:
            raise Unreadable(self._reason) from None


def _parser(handler: Handler) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > ELEMENTS:
            raise Unreadable(f"The file has over {ELEMENTS:,} elements.")
        handler.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        handler.end(name.rpartition(":")[2])

    def refuse(*_: object) -> None:
        raise Unreadable("The file has a DOCTYPE, which is not allowed.")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = refuse
    return parser
