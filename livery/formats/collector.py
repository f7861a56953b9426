"""Gathers the texts and remarks of one file while a format reads it, and has the rules that every text and name must meet."""

import re

from livery.core import limits
from livery.core.messages import Malformed, Node, parse
from livery.formats.model import FileText, Remark, TextFile
from livery.formats.nodes import has_same_meaning, source_of

RAW_CHARACTERS = 4 * limits.TEXT_CHARACTERS
"""The length of a text as the file writes it. A longer text is lost at once, before its placeholders are looked for."""
REMARKS = 5_000
"""Remarks of a file that are listed: more are counted."""
TOO_LONG = f"The text has over {limits.TEXT_CHARACTERS:,} characters."
BRACES = "In the file, its braces are plain text. Livery reads them as a placeholder."
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAY_CHOOSE = re.compile(r"\{[^{}]*,")
_PLACE_CHARACTERS, _NAME_CHARACTERS, _SENTENCE_CHARACTERS = 100, 200, 400


def problem_of(text: str) -> str | None:
    """Returns why Livery can't keep a text, in a sentence; ``None`` if it can."""
    if len(text) > limits.TEXT_CHARACTERS:
        return TOO_LONG
    if "\0" in text:
        return "The text has the character NUL."
    return "The text has half a character (a lone surrogate)." if _SURROGATE.search(text) else None


def name_problem(name: str) -> str | None:
    """Returns why a name can't be the name of a text, in a sentence; ``None`` if it can.

    In some files the text of the source language is the name. An import makes a key of it, whatever its length (``map_name``).
    """
    if not name:
        return "The text has no name."
    if len(name) > limits.TEXT_CHARACTERS:
        return f"The name has over {limits.TEXT_CHARACTERS:,} characters."
    has_wrong_sign = "\0" in name or _SURROGATE.search(name)
    return "The name has a character that no name can have." if has_wrong_sign else None


def shown(text: str, *, characters: int = _NAME_CHARACTERS) -> str:
    """Returns a part of a file as a remark may have it: of a bounded length, without lone surrogates and NUL."""
    cut = text if len(text) <= characters else f"{text[: characters - 1]}…"
    return _SURROGATE.sub("\ufffd", cut).replace("\0", "\ufffd")


class Collector:
    """Gathers the texts and remarks of one file. The first text of a name and language counts; a different text later gets a remark."""

    def __init__(self) -> None:
        self._file = TextFile()
        self._known: dict[tuple[str | None, str], FileText] = {}
        self._empty = 0
        self._counted: dict[tuple[str, str | None], int] = {}
        self._more = self._more_lost = 0

    def remark(self, place: str, name: str, sentence: str, *, is_lost: bool = False) -> None:
        """Adds a remark."""
        if len(self._file.remarks) >= REMARKS:
            self._more += 1
            self._more_lost += is_lost
            return
        place, sentence = shown(place, characters=_PLACE_CHARACTERS), shown(sentence, characters=_SENTENCE_CHARACTERS)
        self._file.remarks.append(Remark(place, shown(name), sentence, is_lost))

    def lose(self, place: str, name: str, sentence: str) -> None:
        """Adds a remark about a text that is not among the texts."""
        self.remark(place, name, sentence, is_lost=True)

    def count(self, noun: str, plural: str | None = None) -> None:
        """Counts an entry that is left out. ``finish`` adds one remark for all entries of a noun: ``obsolete entry``."""
        self._counted[noun, plural] = self._counted.get((noun, plural), 0) + 1

    def add_language(self, language: str) -> None:
        """Adds a language that the file names."""
        if language not in self._file.languages and problem_of(language) is None:
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
        """Adds a text. A text that Livery can't keep becomes a remark. Empty texts are counted, and reported by ``finish``.

        ``is_well_formed`` states that apps can read the choices of the message: they are not parsed again.
        """
        if problem := name_problem(name) or problem_of(message) or problem_of(language or ""):
            self.lose(place, name, problem)
        elif not message:
            self._empty += 1
        elif first := self._known.get((language, name)):
            if first.message != message:
                self.lose(place, name, f"The name has a different text at {first.place}, which is kept.")
        else:
            if not is_well_formed and _MAY_CHOOSE.search(message):
                self._check_choices(name, message, place)
            self._known[language, name] = text = FileText(name, message, language, place)
            self._file.texts.append(text)

    def _check_choices(self, name: str, message: str, place: str) -> None:
        try:
            parse(message)
        except Malformed as error:
            self.remark(place, name, f"Apps show it as it is written. {error}")

    def finish(self) -> TextFile:
        """Returns the file. Empty texts, counted entries and remarks over the limit get a remark each."""
        left_out = {("empty text", None): self._empty} if self._empty else {}
        for (noun, plural), number in (left_out | self._counted).items():
            nouns = noun if number == 1 else plural or f"{noun}s"
            self.lose("", "", f"The file has {number:,} {nouns}, left out.")
        if self._more:
            sentence = f"{self._more:,} more remarks are not listed."
            self._file.remarks.append(Remark("", "", sentence, is_lost=self._more_lost > 0))
        return self._file
