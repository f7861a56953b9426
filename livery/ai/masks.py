"""Makes what a provider sees of a text. A numbered mark like ⟦3⟧ replaces everything that must come back unchanged.

Marks are numbered over a whole order, and each text starts with a mark of its own: an answer under another text's id is noticed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from livery.ai.protection import Plain, Token, pieces_of
from livery.core import limits
from livery.core.messages import Choice, Malformed, Node, parse
from livery.core.spoken import locale_of

MARK = re.compile("\u27e6([0-9]{1,6})\u27e7", re.ASCII)
_ORDER = ("zero", "one", "two", "few", "many", "other")
_SAMPLES = (*range(201), 1000, 1_000_000)
_FRACTIONS = (0.5, 1.5, 2.5, 10.5)
_SHOWN = 200


def mark(number: int) -> str:
    """Returns the mark of that number."""
    return f"\u27e6{number}\u27e7"


@dataclass(frozen=True)
class Unit:
    """One run of words to translate. ``text`` is masked, and starts with the mark ``own``; ``raws`` has what the other marks stand for.

    ``is_plural``: apps read ``#`` in it as a number.
    """

    id: str
    text: str
    own: int
    raws: Mapping[int, str]
    note: str = ""
    is_plural: bool = False

    def shown(self, sentence: str) -> str:
        """A sentence about an answer for people: what the marks stand for in place of the marks."""
        return MARK.sub(lambda found: self.raws.get(int(found[1]), "at its start"), sentence)


@dataclass(frozen=True)
class Piece:
    """A level of a text: ``pattern`` has a mark for each token and choice; its words come from ``unit`` where there are any.

    White space at both ends stays as it is in the pattern.
    """

    pattern: str
    unit: Unit | None
    raws: Mapping[int, str]
    choices: Mapping[int, "ChoicePlan"]

    def assemble(self, answers: Mapping[str, str]) -> str:
        """Returns the text with each unit's answer (checked, without its own mark) in its place."""
        words = answers[self.unit.id] if self.unit else self.pattern.strip()
        before = self.pattern[: len(self.pattern) - len(self.pattern.lstrip())]
        text = before + words + self.pattern[len(self.pattern.rstrip()) :] if self.pattern.strip() else self.pattern

        def put_back(found: re.Match[str]) -> str:
            number = int(found[1])
            return self.choices[number].assemble(answers) if number in self.choices else self.raws[number]

        return MARK.sub(put_back, text)


@dataclass(frozen=True)
class ChoicePlan:
    """A plural or select in the target language: a piece for each of its branches."""

    head: str
    branches: Sequence[tuple[str, Piece]]

    def assemble(self, answers: Mapping[str, str]) -> str:
        """Returns the choice as apps read it."""
        return f"{self.head} {' '.join(f'{name} {{{piece.assemble(answers)}}}' for name, piece in self.branches)}}}"


@dataclass(frozen=True)
class Plan:
    """How a text is translated: its units, and the piece that puts their answers together."""

    piece: Piece
    units: Sequence[Unit]


@dataclass
class Masking:
    """Plans the texts of one order. ``target`` is the language whose plural forms are needed; ``None`` (rephrasing) keeps those there are.

    ``can_inflect``: whether the provider reads notes. Only then may it be asked for plural forms that the source does not have.
    """

    target: str | None
    can_inflect: bool = True
    _last: int = 0
    _units: list[Unit] = field(default_factory=list[Unit])

    def plan(self, text: str) -> Plan:
        """Returns the plan of one text. Raises ``Malformed`` for a text that can't be translated safely."""
        self._units = []
        piece = self._piece(parse(text), text)
        return Plan(piece, self._units)

    def _piece(self, nodes: tuple[Node, ...], whole: str, *, note: str = "", is_plural: bool = False) -> Piece:
        own = self._number()
        raws: dict[int, str] = {}
        choices: dict[int, ChoicePlan] = {}
        pattern = ""
        pieces = pieces_of(nodes)
        for piece in pieces:
            if isinstance(piece, Plain):
                pattern += piece.text
                continue
            number = self._number()
            pattern += mark(number)
            if isinstance(piece, Token):
                raws[number] = piece.raw
            else:
                choices[number] = self._choice(piece, whole, is_plural=is_plural)
        if not any(isinstance(piece, Plain) and any(map(str.isalpha, piece.text)) for piece in pieces):
            return Piece(pattern, None, raws, choices)
        if len(self._units) >= limits.MESSAGE_FORMS:
            raise Malformed("Its plurals and selects have too many branches.")
        shown = {number: f"{{{choice.head.partition(',')[0].strip('{')}}}" for number, choice in choices.items()}
        unit = Unit(str(own), mark(own) + pattern.strip(), own, {**raws, **shown}, note, is_plural)
        self._units.append(unit)
        return Piece(pattern, unit, raws, choices)

    def _choice(self, choice: Choice, whole: str, *, is_plural: bool) -> ChoicePlan:
        branches = dict(choice.branches)
        head = f"{{{choice.name}, {choice.kind},{f' offset:{choice.offset}' if choice.offset else ''}"
        part_of = f'part of the text "{whole if len(whole) <= _SHOWN else whole[:_SHOWN] + "…"}"'
        is_plural = is_plural or choice.kind != "select"
        if choice.kind == "select" or self.target is None:
            notes = {name: f'shown when {choice.name} is "{name}"; {part_of}' for name in branches}
        else:
            forms = plural_forms(self.target, choice.kind)
            lacking = [name for name in forms if name not in branches]
            if lacking and not self.can_inflect:
                raise Malformed(f"Its plural needs the forms {', '.join(lacking)}, which this AI service can't write.")
            exact = {name: [name[1:]] for name in branches if name.startswith("=")}
            notes = {
                name: f'shown when {choice.name} is {", ".join(numbers)} (plural form "{name}"); {part_of}'
                for name, numbers in {**exact, **forms}.items()
            }
        made = [
            (name, self._piece(branches.get(name, branches["other"]), whole, note=note, is_plural=is_plural))
            for name, note in notes.items()
        ]
        return ChoicePlan(head, made)

    def _number(self) -> int:
        self._last += 1
        return self._last


def plural_forms(language: str, kind: str) -> dict[str, list[str]]:
    """Returns the plural categories of a language in CLDR's order, each with some numbers that it is for."""
    locale = locale_of(language)
    rule = locale.ordinal_form if kind == "selectordinal" else locale.plural_form
    forms: dict[str, list[str]] = {name: [] for name in _ORDER if name in {*rule.tags, "other"}}
    for number in _SAMPLES if kind == "selectordinal" else (*_SAMPLES, *_FRACTIONS):
        samples = forms[rule(number)]
        if len(samples) < 4:
            samples.append(f"{number:g}" if isinstance(number, float) else str(number))
    return forms
