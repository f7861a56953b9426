"""What may be wrong with a text: a plural that apps can't read, plural forms that its language needs, placeholders of a translation.

The dashboard checks the same while a text is written (``web/src/lib/message-checks.ts``). ``sdks/spec/messages.json`` holds both to it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from livery.core import limits
from livery.core.messages import Argument, Choice, Malformed, Node, Segment, arguments_of, parse, read, segments_of

_PLURAL_FORMS = frozenset({"zero", "one", "two", "few", "many", "other"})
_TAG_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9_-]*)")
_MAY_HAVE_PLACEHOLDERS = re.compile("[{%<]")
_TAG = re.compile(r"</?[A-Za-z0-9_-]+>")

_Form = dict[tuple[str, str], str]
"""The branch that is chosen, by the name and kind of each choice on the way to it."""


def placeholders_of(text: str) -> list[str]:
    """Returns the placeholders on the top level of a text as they are written, in order. A plural or select is one placeholder."""
    return [segment.source for segment in segments_of(read(text)) if segment.is_placeholder]


def essence_of(segment: Segment) -> str:
    """What must be the same of a tag or a format in every language: of a tag its name."""
    tag = _TAG_NAME.match(segment.source)
    return f"<{tag[1]}>" if tag else segment.source


def _essence_of_argument(node: Argument) -> str:
    """Without its style: in each language people may write a date in a different way."""
    if not node.type:
        return "".join(node.source.split())
    essence = f"{{{node.name}, {node.type}}}"
    return f"{{{essence}}}" if node.source.startswith("{{") else essence


def malformed_warning(text: str) -> str | None:
    """Why apps can't read the plurals and selects of a text, in a sentence."""
    try:
        choices = [*_choices_of(parse(text))]
    except Malformed as error:
        return str(error)
    selectors = (selector for choice in choices if choice.kind != "select" for selector, _ in choice.branches)
    unknown = next((name for name in selectors if not name.startswith("=") and name not in _PLURAL_FORMS), None)
    return unknown and f"“{unknown}” is no plural form."


def style_warning(text: str) -> str | None:
    """Which style of a number, date or time no app knows, in a sentence. ``None`` for a malformed text, too."""
    unknown = next((node for node in arguments_of(read(text)) if not node.has_known_style), None)
    if unknown is None:
        return None
    known = (
        "“integer”, “percent”, “::currency/EUR” or “::.00”"
        if unknown.type == "number"
        else "“short”, “medium”, “long” or “full”"
    )
    return f"“{unknown.style}” is no style of a {unknown.type}. Use {known}."


def plural_warning(text: str, forms: Sequence[str], language: str) -> str | None:
    """Which plural forms of its language a text lacks, in a sentence. ``None`` for a malformed text, too."""
    missing = {
        form: None
        for choice in _choices_of(read(text))
        if choice.kind == "plural"
        for form in forms
        if form not in dict(choice.branches)
    }
    return f"{language} plurals also need {_listed([f'“{form}”' for form in missing])}." if missing else None


def _choices_of(nodes: Iterable[Node]) -> Iterator[Choice]:
    for node in nodes:
        if isinstance(node, Choice):
            for _, branch in node.branches:
                yield from _choices_of(branch)
            yield node


def placeholder_warning(source: str, target: str, source_language: str) -> str | None:
    """What is wrong with a translation's placeholders, in a sentence. ``None`` when each of its forms has those of the source.

    Each form of the translation is compared with the same form of the source, or with its form ``other``. ``#`` may be missing.
    A malformed text has no placeholders, so nothing is compared with it; ``malformed_warning`` reports it.
    """
    if not source or not target or not _MAY_HAVE_PLACEHOLDERS.search(source + target):
        return None
    try:
        wanted, given = _level_of(parse(source)), _level_of(parse(target))
    except Malformed:
        return None
    known: Counter[str] = Counter()
    for form in _forms_of(wanted):
        known |= _placeholders_in(wanted, form)
    selectors, forms = _selectors_of(wanted), _forms_of(given)
    problems = _Problems(len(forms), has_names=len({name for form in forms for name, _ in form}) > 1)
    for form in forms:
        expected, found = _placeholders_in(wanted, form), _placeholders_in(given, form)
        # A plural form that the source lacks is its `other`; an exact number that the source lacks (`=0`) may leave placeholders out.
        has_form = all(one in selectors for one in form.items() if one[1].startswith("="))
        problems.add(
            form,
            missing=[name for name in expected if expected[name] > found[name]] if has_form else [],
            extra=[name for name in found if found[name] > known[name]],
        )
    return problems.sentence(source_language)


@dataclass(frozen=True)
class _Level:
    """The placeholders on one level of a message by their essence, and the levels of each branch of its choices."""

    counts: Counter[str]
    choices: list[tuple[tuple[str, str], dict[str, "_Level"]]]


def _level_of(nodes: tuple[Node, ...], plurals: frozenset[str] = frozenset()) -> _Level:
    """In the branches of a plural its own argument is left out, because ``#`` shows the same number."""
    level = _Level(Counter(), [])
    for segment in segments_of(nodes):
        if segment.kind in ("format", "tag"):
            level.counts[essence_of(segment)] += 1
        for node in segment.nodes:
            match node:
                case Choice():
                    level.counts[f"{{{node.name}, {node.kind}}}"] += 1
                    inner = plurals | {node.name} if node.kind != "select" else plurals
                    branches = {selector: _level_of(branch, inner) for selector, branch in node.branches}
                    level.choices.append(((node.name, node.kind), branches))
                case Argument() if node.name not in plurals:
                    level.counts[_essence_of_argument(node)] += 1
                case _:
                    pass
    return level


def _forms_of(level: _Level) -> list[_Form]:
    """Each form of a message, once: one branch of a choice, with ``other`` of the choices beside it. A text without choices has one form."""
    forms: list[_Form] = []
    for choice, branches in level.choices:
        for selector, branch in branches.items():
            forms += [{choice: selector, **inner} for inner in _forms_of(branch)]
    unique = {tuple(form.items()): form for form in forms[: limits.MESSAGE_FORMS]}
    return list(unique.values()) or [{}]


def _selectors_of(level: _Level) -> set[tuple[tuple[str, str], str]]:
    """Each choice of a message with each of its selectors."""
    found: set[tuple[tuple[str, str], str]] = set()
    for choice, branches in level.choices:
        for selector, branch in branches.items():
            found |= {(choice, selector)} | _selectors_of(branch)
    return found


def _placeholders_in(level: _Level, form: _Form) -> Counter[str]:
    """Returns the placeholders of one form."""
    found = Counter(level.counts)
    for choice, branches in level.choices:
        found.update(_placeholders_in(branches.get(form.get(choice, "other"), branches["other"]), form))
    return found


@dataclass
class _Problems:
    """Collects the problems of all forms, and describes the problems of the same forms in one sentence."""

    count: int
    has_names: bool

    def __post_init__(self) -> None:
        self._missing: dict[str, list[str]] = {}
        self._extra: dict[str, list[str]] = {}

    def add(self, form: _Form, *, missing: Iterable[str], extra: Iterable[str]) -> None:
        """Notes what is missing in a form, and what it has too many."""
        label = ", ".join(f"{name}: {selector}" if self.has_names else selector for (name, _), selector in form.items())
        for names, problems in ((missing, self._missing), (extra, self._extra)):
            for name in names:
                problems.setdefault(name, []).append(f"“{label}”")

    def sentence(self, source_language: str) -> str | None:
        """Returns one sentence for each group of problems, or ``None`` without problems."""
        sentences = [
            *(f"{noun} {are} missing {where or 'here'}." for noun, are, where in self._groups(self._missing)),
            *(
                f"{noun}{where and f' {where}'} {are} not in the {source_language} text."
                for noun, are, where in self._groups(self._extra)
            ),
        ]
        return " ".join(sentences) or None

    def _groups(self, problems: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
        """Names with the same forms: 'Placeholders {a} and {b}', 'are', 'in the form “few”'."""
        groups: dict[str, list[str]] = {}
        for name, labels in problems.items():
            groups.setdefault(self._place(labels), []).append(name)
        for where, names in groups.items():
            noun = "Tag" if all(map(_TAG.fullmatch, names)) else "Placeholder"
            is_one = len(names) == 1
            yield f"{noun}{'' if is_one else 's'} {_listed(names)}", "is" if is_one else "are", where

    def _place(self, labels: Sequence[str]) -> str:
        if self.count == 1:
            return ""
        if len(labels) == self.count:
            return "in every form"
        return f"in the form {labels[0]}" if len(labels) == 1 else f"in the forms {_listed(labels)}"


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return last if not first else f"{first[0]} and {last}" if len(first) == 1 else f"{', '.join(first)}, and {last}"
