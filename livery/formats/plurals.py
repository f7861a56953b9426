"""Plurals of files: texts by category, joined to a message with a plural, and such a message taken apart."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from livery.core.messages import Argument, Choice, ChoiceKind, Node, Number, Text, read
from livery.formats.codes import has_zero
from livery.formats.collector import Collector
from livery.formats.nodes import Structure, choice, for_branch, structure

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
WIDE = "In a plural, Livery can't have “{”, “}” and “#” as text. They became “｛”, “｝” and “＃”."  # noqa: RUF001 - the signs
COUNT = "count"


def add_plural(
    collector: Collector,
    name: str,
    forms: Mapping[str, Sequence[Node]],
    place: str,
    *,
    kind: ChoiceKind = "plural",
    language: str | None,
    own: str | None = None,
) -> None:
    """Adds the plural with these forms. Empty forms are left out; without ``other`` the text is lost. A plural of empty forms is an empty text.

    ``language`` is that of the text, and ``own`` is that of the text if the file names it.
    """
    filled = {category: nodes for category, nodes in forms.items() if nodes}
    if not filled:
        collector.add(name, "", place, own)
        return
    if "other" not in filled:
        collector.lose(place, name, "Its plural lacks a text for “other”.")
        return
    plural, is_wide = join(filled, language, kind=kind)
    if is_wide:
        collector.remark(place, name, WIDE)
    collector.add(name, plural.source, place, own, is_well_formed=True)


class Forms(NamedTuple):
    """A message that is one plural: its forms by category, each with the text around the plural. ``#`` is a ``Number``."""

    name: str
    kind: ChoiceKind
    by_category: Mapping[str, Sequence[Node]]


def join(
    forms: Mapping[str, Sequence[Node]], language: str | None, *, kind: ChoiceKind = "plural", name: str = COUNT
) -> tuple[Choice, bool]:
    """Returns the plural over ``name`` with these forms, and whether signs became wide (``WIDE``). ``name`` itself becomes ``#``.

    The form ``zero`` is for exactly 0 where the language has no such category, as in i18next and Rails.
    """
    branches: list[tuple[str, Sequence[Node]]] = []
    is_wide = False
    for category in CATEGORIES:
        if category in forms:
            selector = "=0" if category == "zero" and not has_zero(language) else category
            nodes, is_changed = for_branch([_numbered(node, name) for node in forms[category]])
            branches.append((selector, nodes))
            is_wide = is_wide or is_changed
    return choice(name, kind, branches), is_wide


def _numbered(node: Node, name: str) -> Node:
    return Number() if isinstance(node, Argument) and not node.type and node.name == name else node


def take_apart(nodes: Sequence[Node]) -> Forms | None:
    """Returns the forms of a message with exactly one plural on its top level; ``None`` for every other message.

    A plural with an offset, with exact numbers other than 0, or with choices in its branches has no such forms.
    """
    choices = [number for number, node in enumerate(nodes) if isinstance(node, Choice)]
    if len(choices) != 1:
        return None
    at = choices[0]
    plural = nodes[at]
    if not isinstance(plural, Choice) or plural.kind == "select" or plural.offset:
        return None
    found: dict[str, Sequence[Node]] = {}
    for selector, inner in plural.branches:
        category = "zero" if selector == "=0" else selector
        if category not in CATEGORIES or category in found or any(isinstance(node, Choice) for node in inner):
            return None
        form = [_numbered(node, plural.name) for node in (*nodes[:at], *inner, *nodes[at + 1 :])]
        found[category] = _merged(form)
    return Forms(plural.name, plural.kind, found)


def _merged(nodes: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Text) and found and isinstance(last := found[-1], Text):
            found[-1] = Text(last.source + node.source)
        else:
            found.append(node)
    return found


def forms_to_write(
    nodes: Sequence[Node], tool: str, remark: Callable[[str], None], *, kinds: Collection[ChoiceKind]
) -> Forms | None:
    """Returns the forms of a message with choices, for a tool that has forms over ``count``; ``None`` if the tool can't have them."""
    forms = take_apart(nodes)
    if forms is None or forms.kind not in kinds or (forms.name != COUNT and _uses_count(forms)):
        remark(f"It has choices that {tool} can't have. It is written as an ICU message.")
        return None
    if forms.name != COUNT:
        remark(f"The number of a plural is “count” in {tool}, not “{forms.name}”.")
    return forms


def _uses_count(forms: Forms) -> bool:
    return any(
        isinstance(node, Argument) and node.name == COUNT for form in forms.by_category.values() for node in form
    )


def meaning(message: str) -> Structure:
    """Returns what a message means. Text around a plural means the same as that text in each of its branches, and ``{n}`` the same as ``#``."""
    if "{" not in message:
        return (message,)
    nodes = read(message)
    forms = take_apart(nodes)
    if forms is None:
        return structure(nodes)
    has_exact_zero = "=0" in message
    by_category = sorted((category, structure(inner)) for category, inner in forms.by_category.items())
    return (forms.kind, forms.name, has_exact_zero, *by_category)
