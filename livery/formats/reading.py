"""What all formats do with what they read: the encoding, and the rules of every text."""

import re

from livery.core import limits
from livery.core.messages import Malformed, Node, parse
from livery.formats.model import FileText, Remark, TextFile, Unreadable
from livery.formats.nodes import has_same_meaning, source_of

LEVELS = 32
"""Objects and lists within each other that are read."""
RAW_CHARACTERS = 4 * limits.TEXT_CHARACTERS
"""The length of a text as the file writes it. A longer text is lost at once, before its placeholders are looked for."""
REMARKS = 5_000
"""Remarks of a file that are listed: more are counted."""
TOO_LONG = f"The text has over {limits.TEXT_CHARACTERS:,} characters."
BRACES = "In the file, its braces are plain text. Livery reads them as a placeholder."
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAY_CHOOSE = re.compile(r"\{[^{}]*,")
_NAME_CHARACTERS = 200


def decode(data: bytes) -> str:
    """Returns the text of a file in UTF-8, or in UTF-16 or UTF-32 with a mark at its begin. Raises ``Unreadable``."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8-sig")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding != "utf-8-sig":
            raise Unreadable("The file begins like UTF-16 but has other bytes. Please save it as UTF-8.") from None
        raise Unreadable(f"The file is not UTF-8: see line {line}. Please save it as UTF-8.") from None


def shown(name: str) -> str:
    """Returns a name as a remark may have it: of a bounded length, without lone surrogates and NUL."""
    name = _SURROGATE.sub("\ufffd", name).replace("\0", "\ufffd")
    return name if len(name) <= _NAME_CHARACTERS else f"{name[:_NAME_CHARACTERS]}…"


class Collector:
    """Gathers the texts and remarks of one file."""

    def __init__(self) -> None:
        self._file = TextFile()
        self._known: set[tuple[str | None, str]] = set()
        self._more = self._more_lost = 0

    def remark(self, place: str, name: str, sentence: str, *, is_lost: bool = False) -> None:
        """Adds a remark."""
        if len(self._file.remarks) >= REMARKS:
            self._more += 1
            self._more_lost += is_lost
            return
        self._file.remarks.append(Remark(place, shown(name), sentence, is_lost))

    def lose(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about a text that is not among the texts."""
        self.remark(place, name, sentence, is_lost=True)

    def speaks(self, language: str) -> None:
        """Adds a language that the file names."""
        if language not in self._file.languages:
            self._file.languages.append(language)

    def add_nodes(self, name: str, nodes: list[Node], place: str, language: str | None = None) -> None:
        """Adds the text that has these nodes in the file, with a remark if Livery reads it differently."""
        message = source_of(nodes)
        if "{" in message and not has_same_meaning(message, nodes):
            self.remark(place, name, BRACES)
        self.add(name, message, place, language)

    def add(
        self, name: str, message: str, place: str, language: str | None = None, *, is_well_formed: bool = False
    ) -> None:
        """Adds a text. A text that Livery can't keep becomes a remark. An empty text is left out.

        ``is_well_formed`` states that apps can read the choices of the message: they are not parsed again.
        """
        if not message:
            return
        if (problem := problem_of(message)) or (problem := name_problem(name)):
            self.lose(place, name, problem)
            return
        if (language, name) in self._known:
            self.lose(place, name, "The file has this name twice. The first text is kept.")
            return
        self._known.add((language, name))
        if not is_well_formed and _MAY_CHOOSE.search(message):
            self._check_choices(name, message, place)
        self._file.texts.append(FileText(name, message, language, place))

    def _check_choices(self, name: str, message: str, place: str) -> None:
        try:
            parse(message)
        except Malformed as error:
            self.remark(place, name, f"Apps show it as it is written. {error}")

    def finish(self) -> TextFile:
        """Returns the file. Remarks over the limit are counted in a last remark."""
        if self._more:
            self._file.remarks.append(
                Remark("", "", f"{self._more:,} more remarks are not listed.", is_lost=self._more_lost > 0)
            )
            self._more = 0
        return self._file


def problem_of(text: str) -> str | None:
    """Returns why Livery can't keep a text, in a sentence; ``None`` if it can."""
    if len(text) > limits.TEXT_CHARACTERS:
        return TOO_LONG
    if "\0" in text:
        return "The text has the character NUL."
    return "The text has half a character (a lone surrogate)." if _SURROGATE.search(text) else None


def name_problem(name: str) -> str | None:
    """Returns why a name can't be the name of a text, in a sentence; ``None`` if it can."""
    if not name:
        return "The text has no name."
    if len(name) > limits.GIVEN_NAME_CHARACTERS:
        return f"The name has over {limits.GIVEN_NAME_CHARACTERS} characters."
    has_wrong_sign = "\0" in name or _SURROGATE.search(name)
    return "The name has a character that no name can have." if has_wrong_sign else None
