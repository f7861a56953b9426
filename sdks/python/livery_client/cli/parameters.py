"""The parameters of a text, in the message grammar of the SDK."""

from collections.abc import Iterable

from livery_client.messages import Argument, Choice, Part, parse_message

USES = ("any", "moment", "count", "number")
"""What texts do with a parameter, from the most general to the strictest type: ``count`` is the number of a plural."""


def parameters_of(texts: Iterable[str]) -> dict[str, str]:
    """Returns the use of each parameter of a text in all given languages: where texts differ, the last of them in ``USES``.

    A malformed text has no parameters: apps show it as it is.
    """
    found: dict[str, str] = {}
    for text in texts:
        if "{" in text:
            _collect(parse_message(text), found)
    return found


def _use(part: Argument | Choice) -> str:
    if isinstance(part, Choice):
        return "any" if part.kind == "select" else "count"
    return "number" if part.type == "number" else "moment" if part.type else "any"


def _collect(parts: Iterable[Part], found: dict[str, str]) -> None:
    for part in parts:
        if not isinstance(part, Argument | Choice):
            continue
        found[part.name] = max(found.get(part.name, "any"), _use(part), key=USES.index)
        if isinstance(part, Choice):
            for branch in part.branches.values():
                _collect(branch, found)
