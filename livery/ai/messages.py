"""A text as a tree: plain words, tokens that no translation may touch, and ICU choices (plural, selectordinal, select) with their branches."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from livery.screens.placeholders import closing_braces, segments_of

DEPTH_LIMIT = 16
"""As deep as the SDKs read."""

_HEAD = re.compile(r"\{\s*([\w.$\[\]-]+)\s*,\s*(plural|selectordinal|select)\s*(,|\})", re.ASCII)
_OFFSET = re.compile(r"\s*(offset:\s*[0-9]+)", re.ASCII)
_SELECTOR = re.compile(r"\s*(=[0-9]+|[\w-]+)\s*\{", re.ASCII)
_URL = r"https?://[^\s<>\"{}|\\^`\u27e6\u27e7]+"
_EMAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
_ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
_COMMENT = r"<!--[\s\S]*?-->"
_BRACES = r"\{[^{}]*\}|[{}]"
_PROTECTED = re.compile(rf"{_URL}|{_EMAIL}|{_ENTITY}|{_COMMENT}|{_BRACES}|%%|[\u27e6\u27e7]")
_PROTECTED_IN_PLURAL = re.compile(rf"{_PROTECTED.pattern}|#")
_AFTER_ADDRESS = ".,;:!?)]'…"


class Malformed(Exception):
    """A plural or select that apps could not read either. The message is for people."""


@dataclass(frozen=True)
class Plain:
    """Words."""

    text: str


@dataclass(frozen=True)
class Token:
    """Kept as it is written."""

    raw: str


@dataclass(frozen=True)
class Choice:
    """``{name, kind, offset branches}``; a branch is its selector and what is shown for it."""

    name: str
    kind: str
    offset: str
    branches: tuple[tuple[str, tuple["Node", ...]], ...]


Node = Plain | Token | Choice


def parse(text: str, *, in_plural: bool = False, depth: int = 0) -> tuple[Node, ...]:
    """The nodes of a text. Raises ``Malformed``."""
    if depth > DEPTH_LIMIT:
        raise Malformed("Its plurals and selects are nested too deeply.")
    nodes: list[Node] = []
    for segment in segments_of(text):
        if not segment.is_placeholder:
            nodes.extend(_plain_nodes(segment.text, in_plural=in_plural))
        elif head := _HEAD.match(segment.text):
            nodes.append(_choice(segment.text, head, in_plural=in_plural, depth=depth))
        else:
            nodes.append(Token(_with_dollar(nodes) + segment.text if segment.text[0] == "{" else segment.text))
    return tuple(nodes)


def _with_dollar(nodes: list[Node]) -> str:
    """Take a dollar sign from the end of what stands before: ``${name}`` is one token."""
    before = nodes[-1] if nodes else None
    if not isinstance(before, Plain) or not before.text.endswith("$"):
        return ""
    nodes[-1:] = [Plain(before.text[:-1])] if len(before.text) > 1 else []
    return "$"


def _plain_nodes(text: str, *, in_plural: bool) -> Iterator[Node]:
    if broken := _HEAD.search(text):  # its braces don't close, or it would be a placeholder
        raise Malformed(f"Its {broken[2]} is broken.")
    at = 0
    for found in (_PROTECTED_IN_PLURAL if in_plural else _PROTECTED).finditer(text):
        raw = found[0].rstrip(_AFTER_ADDRESS) if "://" in found[0] or "@" in found[0] else found[0]
        if found.start() > at:
            yield Plain(text[at : found.start()])
        yield Token(raw)
        at = found.start() + len(raw)
    if at < len(text):
        yield Plain(text[at:])


def _choice(text: str, head: re.Match[str], *, in_plural: bool, depth: int) -> Choice:
    if head[3] == "}":
        raise Malformed(f"Its {head[2]} has no branches.")
    closes = closing_braces(text)
    at, end = head.end(), len(text) - 1
    offset = ""
    if head[2] != "select" and (found := _OFFSET.match(text, at)):
        offset, at = found[1], found.end()
    branches: dict[str, tuple[Node, ...]] = {}
    while found := _SELECTOR.match(text, at, end):
        opening = found.end() - 1
        at = closes.get(opening, end + 1)
        if found[1] in branches or at > end:
            raise Malformed(f"Its {head[2]} is broken.")
        is_plural = in_plural or head[2] != "select"
        branches[found[1]] = parse(text[opening + 1 : at - 1], in_plural=is_plural, depth=depth + 1)
    if text[at:end].strip() or "other" not in branches:
        raise Malformed(f"Its {head[2]} is broken." if text[at:end].strip() else f"Its {head[2]} has no branch other.")
    return Choice(head[1], head[2], offset, tuple(branches.items()))
