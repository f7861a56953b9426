"""Apostrophes of ICU and Java: in their messages they quote braces, in messages of Livery they are text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from livery.core.messages import Argument, Choice, Malformed, Node, Number, Text, parse, read
from livery.formats.nodes import argument, structure

TYPED = re.compile(r"\{\s*[\w.-]+\s*,\s*(?:number|date|time|spellout|ordinal|duration|choice)\b[^{}]*\}")
"""An argument with a type, for which apps may have code. Livery reads the types ``number``, ``date`` and ``time``."""
_MASKS = {"{": "\U0010fff0", "}": "\U0010fff1", "#": "\U0010fff2"}
"""Characters without a meaning, for quoted signs while a message is parsed."""
_RUN = re.compile("[{}']+")
_AFTER_QUOTE = frozenset("{}#|<")
_UNMASK = str.maketrans({mask: sign for sign, mask in _MASKS.items()})


def type_remark(message: str) -> str | None:
    """Returns a sentence about the first placeholder whose type or style apps of Livery don't know; ``None`` without any."""
    if not TYPED.search(message):
        return None
    return next(_type_remarks(read(message)), None)


def _type_remarks(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        match node:
            case Text() if found := TYPED.search(node.source):
                yield f"Livery doesn't know this type: apps show “{found[0][:100]}” as it is written."
            case Argument() if not node.has_known_style:
                shown = node.source[:100]
                yield f"Livery doesn't know the style of “{shown}”: apps write the {node.type} as the language does."
            case Choice():
                for _, inner in node.branches:
                    yield from _type_remarks(inner)
            case _:
                pass


def unquote(text: str, *, is_strict: bool = False) -> tuple[str, bool]:
    """Returns the message of an ICU text, and whether Livery reads it with the same meaning.

    In Java's MessageFormat (``is_strict``) each apostrophe begins a quote, in ICU only before a brace. If the meaning were different, the
    message is the text as it is written.
    """
    if "'" not in text:
        return text, True
    if any(mask in text for mask in _MASKS.values()):
        return text, False
    masked = "".join(_masked(text, is_strict=is_strict))
    message = masked.translate(_UNMASK)
    try:
        is_same = structure(parse(message)) == tuple(_unmasked(structure(parse(masked))))
    except Malformed:
        return text, _is_malformed(text)
    return (message, True) if is_same else (text, False)


def _is_malformed(text: str) -> bool:
    try:
        parse(text)
    except Malformed:
        return True
    return False


def _unmasked(part: Iterable[object]) -> list[object]:
    found: list[object] = []
    for item in part:
        match item:
            case str():
                found.append(item.translate(_UNMASK))
            case tuple():
                found.append(tuple(_unmasked(cast("tuple[object, ...]", item))))
            case _:
                found.append(item)
    return found


def _masked(text: str, *, is_strict: bool) -> Iterable[str]:
    """Yields the text without its quotes; quoted signs are masked."""
    at, depth, is_quoted = 0, 0, False
    while at < len(text):
        sign, after = text[at], text[at + 1 : at + 2]
        at += 1
        if sign == "'":
            if after == "'":
                yield "'"
                at += 1
            elif is_quoted:
                is_quoted = False
            elif is_strict or after in ("{", "}") or (after in ("#", "|") and depth > 0):
                is_quoted = True
            else:
                yield "'"
        elif is_quoted:
            yield _MASKS.get(sign, sign)
        else:
            depth += (sign == "{") - (sign == "}")
            yield sign


def quote(nodes: Sequence[Node], *, is_strict: bool = False) -> str:
    """Returns the ICU text of a message, or that for Java's MessageFormat. ``unquote`` gives the message back."""
    return "".join(_quoted(nodes, "", is_strict=is_strict))


def _quoted(nodes: Sequence[Node], end: str, *, is_strict: bool) -> Iterable[str]:
    for number, node in enumerate(nodes, 1):
        match node:
            case Text():
                yield _quoted_text(node.source, end if number == len(nodes) else "{", is_strict=is_strict)
            case Argument():
                yield argument(node.name, node.type, node.style).source
            case Number():
                yield "#"
            case Choice():
                offset = f" offset:{node.offset}" if node.offset else ""
                branches = " ".join(
                    f"{selector} {{{''.join(_quoted(inner, '}', is_strict=is_strict))}}}"
                    for selector, inner in node.branches
                )
                yield f"{{{node.name}, {node.kind},{offset} {branches}}}"


def _quoted_text(text: str, follows: str, *, is_strict: bool) -> str:
    """``follows`` is the sign behind the text: an apostrophe before a brace would quote it."""
    if not any(sign in text for sign in "'{}"):
        return text
    found: list[str] = []
    at = 0
    for typed in TYPED.finditer(text):
        found += [*_signs(text[at : typed.start()], "{", is_strict=is_strict), typed[0]]
        at = typed.end()
    return "".join([*found, *_signs(text[at:], follows, is_strict=is_strict)])


def _signs(text: str, follows: str, *, is_strict: bool) -> Iterable[str]:
    at = 0
    for run in _RUN.finditer(text):
        yield text[at : run.start()]
        at = run.end()
        doubled = run[0].replace("'", "''")
        after = text[at : at + 1] or follows
        if doubled.strip("'"):
            yield f"'{doubled}'"
        else:
            yield "'" if run[0] == "'" and not is_strict and after not in _AFTER_QUOTE else doubled
    yield text[at:]
