"""Messages in which apostrophes quote, as in ICU: ``sdks/spec/messages.md``."""

import re
from collections.abc import Mapping
from datetime import tzinfo

from livery_client.messages import format_message

# What stands for a quoted character while the message is read. Unicode promises that no text has these characters.
_HIDDEN = {"{": "\ufdd2", "}": "\ufdd3", "#": "\ufdd4"}
_SHOWN = str.maketrans({hidden: shown for shown, hidden in _HIDDEN.items()})
_PLURAL = re.compile(r"\{\s*\w[\w.-]*\s*,\s*(?:plural|selectordinal)\s*,")


def format_icu_message(
    text: str, params: Mapping[str, object] | None, language: str, *, time_zone: tzinfo | None = None
) -> str:
    """Formats a message as ``format_message`` does, but apostrophes quote.

    ``''`` is an apostrophe. An apostrophe before a brace, or before ``#`` in a plural, begins a quotation that ends at the next apostrophe. It is an
    option of the client: ``Livery(…, formatter=format_icu_message)``.
    """
    if "'" not in text:
        return format_message(text, params, language, time_zone=time_zone)
    return format_message(_hide(text), params, language, time_zone=time_zone).translate(_SHOWN)


def _hide(text: str) -> str:
    hidden: list[str] = []
    is_quoted = False
    hashes: list[bool] = []  # whether "#" is a number inside of each open brace
    at = 0
    while at < len(text):
        character, after = text[at], text[at + 1 : at + 2]
        begins = after in ("{", "}") or (after == "#" and bool(hashes) and hashes[-1])
        if character == after == "'":
            hidden.append("'")
            at += 1
        elif character == "'" and (is_quoted or begins):
            is_quoted = not is_quoted
        elif is_quoted:
            hidden.append(_HIDDEN.get(character, character))
        else:
            if character == "{":
                hashes.append(_PLURAL.match(text, at) is not None or (bool(hashes) and hashes[-1]))
            elif character == "}" and hashes:
                hashes.pop()
            hidden.append(character)
        at += 1
    return "".join(hidden)
