"""A message for translation: words, tokens that no translation may touch, and choices with their branches."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from livery.core import messages

_URL = r"https?://[^\s<>\"{}|\\^`\u27e6\u27e7]+"
_EMAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
_ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
_COMMENT = r"<!--[\s\S]*?-->"
_BRACES = r"\{[^{}]*\}|[{}]"
_PROTECTED = re.compile(rf"{_URL}|{_EMAIL}|{_ENTITY}|{_COMMENT}|{_BRACES}|%%|[\u27e6\u27e7]")
_AFTER_ADDRESS = ".,;:!?)]'…"


@dataclass(frozen=True)
class Plain:
    """Words."""

    text: str


@dataclass(frozen=True)
class Token:
    """Kept as it is written."""

    raw: str


Piece = Plain | Token | messages.Choice


def pieces_of(nodes: tuple[messages.Node, ...]) -> list[Piece]:
    """One level of a message in pieces. Tokens are its arguments, formats and tags, ``#``, addresses, entities, comments and lone braces."""
    pieces: list[Piece] = []
    for segment in messages.segments_of(nodes):
        match segment:
            case messages.Segment(kind="text"):
                pieces.extend(_pieces_of_text(segment.source))
            case messages.Segment(kind="choice", nodes=(messages.Choice() as choice,)):
                pieces.append(choice)
            case messages.Segment(kind="argument"):
                pieces.append(Token(_dollar_before(pieces) + segment.source))
            case _:
                pieces.append(Token(segment.source))
    return pieces


def _dollar_before(pieces: list[Piece]) -> str:
    """Takes a dollar sign from the end of the last piece: ``${name}`` is one token."""
    before = pieces[-1] if pieces else None
    if not isinstance(before, Plain) or not before.text.endswith("$"):
        return ""
    pieces[-1:] = [Plain(before.text[:-1])] if len(before.text) > 1 else []
    return "$"


def _pieces_of_text(text: str) -> Iterator[Piece]:
    at = 0
    for found in _PROTECTED.finditer(text):
        raw = found[0].rstrip(_AFTER_ADDRESS) if "://" in found[0] or "@" in found[0] else found[0]
        if found.start() > at:
            yield Plain(text[at : found.start()])
        yield Token(raw)
        at = found.start() + len(raw)
    if at < len(text):
        yield Plain(text[at:])
