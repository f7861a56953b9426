"""The characters of a text file: from its bytes, by the mark at its begin or by the name that the file has for them."""

import codecs

from livery.formats.model import Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARACTER_SETS = frozenset(
    ["ascii", "utf-8", "utf-16", "koi8-r", "koi8-u", "cp874", "tis-620"]
    + [f"iso8859-{part}" for part in range(1, 17)]
    + [f"cp{page}" for page in range(1250, 1259)]
    + ["euc_jp", "shift_jis", "iso2022_jp", "euc_kr", "cp949", "gb2312", "gbk", "gb18030", "big5", "big5hkscs"]
)
"""Codecs of Python that are character sets. Others unpack archives, or take quadratic time."""


def decode(data: bytes, character_set: str | None = None) -> str:
    """Returns the text of a file without its mark. Raises ``Unreadable``.

    ``character_set`` counts if the file has no mark. It is UTF-8 if it is ``None``.
    """
    mark, marked = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", None))
    name = marked or character_set or "utf-8"
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if codec not in _CHARACTER_SETS and not codec.startswith(("utf-16-", "utf-32-")):
        raise Unreadable(f"The file has characters of “{name[:40]}”, which Livery can't read.")
    try:
        return data[len(mark) :].decode(codec)
    except UnicodeDecodeError as error:
        if name.startswith(("utf-16", "utf-32")):
            raise Unreadable(
                f"The file begins like {name[:6].upper()} but has other bytes. Please save it as UTF-8."
            ) from error
        line = data.count(b"\n", 0, error.start + len(mark)) + 1
        raise Unreadable(f"The file is not {name[:40].upper()}: see line {line}. Please save it as UTF-8.") from error


def decode_lines(data: bytes, character_set: str | None = None) -> str:
    """Returns what ``decode`` returns, with ``\\n`` between the lines of each system. Raises ``Unreadable``."""
    return decode(data, character_set).replace("\r\n", "\n").replace("\r", "\n")
