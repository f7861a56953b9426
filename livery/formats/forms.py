"""Plurals of files, as messages: ``{count, plural, one {# file} other {# files}}``."""

from collections.abc import Mapping

from livery.core import messages
from livery.formats import named_formats
from livery.formats.collector import Collector
from livery.formats.printf import Dialect, Nodes, Shape, read_forms, read_text

FORMS = ("zero", "one", "two", "few", "many", "other")
COUNTED = "count"
"""The name of the number of a plural in a file, which has no name there."""


def write_plural(forms: Mapping[str, str], counted: str = COUNTED) -> str:
    """Returns the message with these branches, which have ``other``."""
    branches = " ".join(f"{form} {{{forms[form]}}}" for form in FORMS if form in forms)
    return f"{{{counted}, plural, {branches}}}"


def shape_of(message: str) -> Shape | None:
    """Returns the forms of a message; ``None`` if it has anything but arguments and one plural with the usual forms.

    The text around the plural is in each form.
    """
    nodes = messages.read(message)
    choices = [at for at, node in enumerate(nodes) if isinstance(node, messages.Choice)]
    if not choices:
        return Shape(None, {"other": nodes})
    choice = nodes[choices[0]]
    assert isinstance(choice, messages.Choice)
    if len(choices) > 1 or choice.kind != "plural" or choice.offset:
        return None
    before, after = nodes[: choices[0]], nodes[choices[0] + 1 :]
    forms: dict[str, Nodes] = {}
    for form, inner in choice.branches:
        if form not in FORMS or any(isinstance(node, messages.Choice) for node in inner):
            return None
        forms[form] = tuple(_as_number(node, choice.name) for node in (*before, *inner, *after))
    return Shape(choice.name, forms)


def _as_number(node: messages.Node, counted: str) -> messages.Node:
    """Returns the number of the plural for an argument of its name."""
    is_counted = isinstance(node, messages.Argument) and not node.type and node.name == counted
    return messages.Number() if is_counted else node


class FormsReader:
    """Adds the texts and plurals of a file with formats of printf to a collector."""

    def __init__(self, collector: Collector, dialect: Dialect, *, braces_are_plain: bool) -> None:
        self._collector = collector
        self._dialect = dialect
        self._braces_are_plain = braces_are_plain

    def add_text(self, name: str, text: str, *, language: str | None, place: str) -> None:
        """Adds a text. Where braces are plain in the file, an argument gets a remark."""
        if self._braces_are_plain:
            self._check_braces(name, [text], place)
        has_names = self._dialect.has_names and named_formats.has_names(text)
        message = named_formats.read(text) if has_names else read_text(text, self._dialect)
        self._collector.add(name, message, place, language)

    def add_forms(self, name: str, forms: Mapping[str, str], *, language: str | None, place: str) -> None:
        """Adds a plural. A form that is missing or empty counts as ``other``; without ``other``, the last form is used for it."""
        given = {form: text for form, text in forms.items() if text}
        if not given:
            self._collector.add(name, "", place, language)
            return
        if self._braces_are_plain:
            self._check_braces(name, list(given.values()), place)
        if any("#" in text for text in given.values()):
            self._collector.remark(place, name, "A “#” in a plural shows the number in Livery.")
        if "other" not in given:
            last = next(form for form in reversed(FORMS) if form in given)
            given["other"] = given[last]
            self._collector.remark(
                place, name, f"The plural lacks the form “other”. The text of “{last}” is used for it."
            )
        message = self._message_of(given)
        try:
            nodes = messages.parse(message)
        except messages.Malformed:
            nodes = ()
        if len(nodes) == 1 and isinstance(nodes[0], messages.Choice) and len(nodes[0].branches) == len(given):
            self._collector.add(name, message, place, language, is_well_formed=True)
        else:
            self._collector.lose(
                place, name, "A form of the plural has a brace that opens no argument. Livery can't keep it."
            )

    def _message_of(self, forms: Mapping[str, str]) -> str:
        if not self._dialect.has_names or not any(map(named_formats.has_names, forms.values())):
            return write_plural(read_forms(forms, self._dialect))
        counted = named_formats.counted_in(forms)
        return write_plural(
            {form: named_formats.read(text, counted) for form, text in forms.items()}, counted or COUNTED
        )

    def _check_braces(self, name: str, texts: list[str], place: str) -> None:
        for text in texts:
            found = next((node for node in messages.read(text) if not isinstance(node, messages.Text)), None)
            if found is not None:
                shown = found.name if isinstance(found, messages.Argument | messages.Choice) else ""
                self._collector.remark(
                    place, name, f"“{{{shown}}}” is plain text in the file. In Livery it is an argument."
                )
                return
