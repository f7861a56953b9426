"""Texts and remarks of a file while it is read: what every format checks."""

from livery.core import limits
from livery.formats.model import FileText, Remark, TextFile


def count_of(number: int, noun: str, plural: str | None = None) -> str:
    """Returns ``1 text`` or ``3 texts``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def find_fault(message: str) -> str | None:
    """Returns a sentence about why Livery can't keep a text at all; ``None`` if it can."""
    if len(message) > limits.TEXT_CHARACTERS:
        return f"The text has {len(message):,} characters. A text has {limits.TEXT_CHARACTERS:,} at most."
    if "\0" in message:
        return "The text has a NUL character."
    if any("\ud800" <= character <= "\udfff" for character in message):
        return "The text has half of a character (a lone surrogate)."
    return None


def _shorten(text: str, characters: int) -> str:
    """Returns a part of a file as people can read it: bounded, and without what no text may have."""
    cut = text if len(text) <= characters else f"{text[: characters - 1]}…"
    return cut.replace("\0", "�").encode(errors="replace").decode()


class Collector:
    """Collects the texts of one file. The first text of a name and language counts; a later text that differs gets a remark."""

    def __init__(self) -> None:
        self._file = TextFile()
        self._seen: dict[tuple[str, str | None], FileText] = {}
        self._empty = 0
        self._counted: dict[tuple[str, str | None], int] = {}

    def add(self, name: str, message: str, *, language: str | None, place: str) -> None:
        """Adds a text, or a remark if Livery can't keep it. Empty texts are counted, and reported by ``finish``."""
        if not name:
            self.lose(place, "", "The text has no name.")
        elif not message:
            self._empty += 1
        elif fault := find_fault(name) or find_fault(message) or find_fault(language or ""):
            self.lose(place, name, fault)
        elif first := self._seen.get((name, language)):
            if first.message != message:
                self.lose(place, name, f"The name has a different text at {first.place}, which is kept.")
        else:
            self._seen[name, language] = text = FileText(name, message, language, place)
            self._file.texts.append(text)

    def add_language(self, language: str) -> None:
        """Adds a language that the file names."""
        if language not in self._file.languages and find_fault(language) is None:
            self._file.languages.append(language)

    def note(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about a text that is kept."""
        self._remark(place, name, sentence, is_lost=False)

    def lose(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about a text that is left out."""
        self._remark(place, name, sentence, is_lost=True)

    def _remark(self, place: str, name: str, sentence: str, *, is_lost: bool) -> None:
        remark = Remark(_shorten(place, 100), _shorten(name, 200), _shorten(sentence, 400), is_lost=is_lost)
        self._file.remarks.append(remark)

    def count(self, noun: str, plural: str | None = None) -> None:
        """Counts an entry that is left out. ``finish`` adds one remark for all entries of a noun: ``obsolete entry``."""
        self._counted[noun, plural] = self._counted.get((noun, plural), 0) + 1

    def finish(self) -> TextFile:
        """Returns what was collected."""
        if self._empty:
            self.lose("", "", f"The file has {count_of(self._empty, 'empty text')}, left out.")
        for (noun, plural), times in self._counted.items():
            self.lose("", "", f"The file has {count_of(times, noun, plural)}, left out.")
        self._empty = 0
        self._counted.clear()
        return self._file
