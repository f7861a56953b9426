"""A message as apps read it: text, arguments, and ICU choices (plural, selectordinal, select) with their branches.

The grammar is written in ``sdks/spec/messages.md``; ``sdks/spec/messages.json`` holds this parser, the SDKs and the dashboard to it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from livery.core import limits

SPACES_OF_JAVASCRIPT = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space as JavaScript's ``\\s`` has it."""
_SPACE = f"[{SPACES_OF_JAVASCRIPT}]"
_NAME = r"\w[\w.-]*"
_WORD = rf"[^{{}}{SPACES_OF_JAVASCRIPT}]++"
_STYLE = rf"{_WORD}(?:{_SPACE}++{_WORD})*"
_TYPE = rf"(?:,{_SPACE}*+(number|date|time){_SPACE}*+(?:,{_SPACE}*+({_STYLE}){_SPACE}*+)?)?"
_SINGLE = re.compile(rf"\{{{_SPACE}*+({_NAME}){_SPACE}*+{_TYPE}\}}")
_DOUBLE = re.compile(rf"\{{{_SINGLE.pattern}\}}")
_CHOICE = re.compile(rf"\{{{_SPACE}*+({_NAME}){_SPACE}*+,{_SPACE}*+(plural|selectordinal|select){_SPACE}*+,")
_OFFSET = re.compile(rf"{_SPACE}*+offset{_SPACE}*+:{_SPACE}*+([0-9]+)")
_SELECTOR = re.compile(rf"{_SPACE}*+(=[0-9]+|[^{{}}=,#{SPACES_OF_JAVASCRIPT}]+){_SPACE}*+\{{")
_END = re.compile(rf"{_SPACE}*+\}}")
_SPACES = re.compile(rf"{_SPACE}*+")
_SIGN = re.compile("[{}#]")

_PRINTF = re.compile(
    # A width begins with another digit than 0, which is a flag: so there is one way to read "%000", and no search for others.
    r"%%|(?<![0-9])%(?:[0-9]+\$)?[-+0#]*(?:[1-9][0-9]*)?(?:\.[0-9]+)?(?:hh?|ll?|[Lqjzt])?[@sdiufFeEgGxXoc]",
    re.ASCII,
)
_TAG = re.compile(rf"</?[A-Za-z][A-Za-z0-9_-]*+(?:{_SPACE}[^<>]*)?/?>")
_TOKEN = re.compile("[%<]")


class Malformed(Exception):
    """A plural, selectordinal or select that apps can't read: they show the whole message as it is written. The message is for people."""


@dataclass(frozen=True)
class Text:
    """Literal text."""

    source: str


@dataclass(frozen=True)
class Number:
    """The ``#`` in a branch of a plural or selectordinal."""

    source: str = "#"


ArgumentType = Literal["number", "date", "time"]


@dataclass(frozen=True)
class Argument:
    """``{name}`` or ``{name, type, style}``, also in two braces.

    Without a ``type`` apps write the value as it is. ``style`` is empty without a style.
    """

    name: str
    source: str
    type: ArgumentType | None = None
    style: str = ""

    @property
    def has_known_style(self) -> bool:
        """Whether apps know the style. They write a value with another style as if the argument had no style."""
        return not self.style or (self.type is not None and bool(_STYLES[self.type].fullmatch(self.style)))


_DATE_STYLES = re.compile("short|medium|long|full")
_STYLES: dict[ArgumentType, re.Pattern[str]] = {
    "number": re.compile(r"integer|(?:::)?percent|::currency/[A-Z]{3}|::\.0{1,20}"),
    "date": _DATE_STYLES,
    "time": _DATE_STYLES,
}

ChoiceKind = Literal["plural", "selectordinal", "select"]


@dataclass(frozen=True)
class Choice:
    """``{name, kind, offset:n branches}``. A branch is its selector and the nodes that are shown for it.

    ``offset`` has its digits, and is empty without an offset: a number of thousands of digits is no ``int``.
    """

    name: str
    kind: ChoiceKind
    offset: str
    branches: tuple[tuple[str, tuple["Node", ...]], ...]
    source: str


Node = Text | Number | Argument | Choice


def parse(text: str) -> tuple[Node, ...]:
    """Returns the nodes of a message; their sources joined are ``text``. Raises ``Malformed``."""
    if "{" not in text:
        return (Text(text),) if text else ()
    return _Parser(text).nodes(0, in_plural=False)


def read(text: str) -> tuple[Node, ...]:
    """Returns the nodes of a message as apps read it: a malformed message is literal text."""
    try:
        return parse(text)
    except Malformed:
        return (Text(text),)


def arguments_of(nodes: Iterable[Node]) -> Iterator[Argument]:
    """Yields the arguments of a message, also those in branches."""
    for node in nodes:
        if isinstance(node, Argument):
            yield node
        elif isinstance(node, Choice):
            for _, branch in node.branches:
                yield from arguments_of(branch)


class _Parser:
    """Reads one message from its begin to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def nodes(self, depth: int, *, in_plural: bool) -> tuple[Node, ...]:
        """Returns the nodes up to the end of the text, or of the branch when ``depth`` is above 0."""
        if depth > limits.MESSAGE_LEVELS:
            raise Malformed("Its plurals and selects are nested too deeply.")
        nodes: list[Node] = []
        text_from = self._at
        while found := _SIGN.search(self._text, self._at):
            begin = self._at = found.start()
            if found[0] == "}" and depth > 0:
                break
            node = None
            if found[0] == "{":
                node = self._braced(depth, in_plural=in_plural)
            elif found[0] == "#" and in_plural:
                node = Number()
                self._at += 1
            if node is None:
                self._at = found.end()
                continue
            if begin > text_from:
                nodes.append(Text(self._text[text_from:begin]))
            nodes.append(node)
            text_from = self._at
        else:
            self._at = len(self._text)
        if self._at > text_from:
            nodes.append(Text(self._text[text_from : self._at]))
        return tuple(nodes)

    def _braced(self, depth: int, *, in_plural: bool) -> Argument | Choice | None:
        """Returns what the brace opens; ``None`` for a brace that is text. In a branch such a brace is an error."""
        begin = self._at
        if simple := self._match(_DOUBLE) or self._match(_SINGLE):
            return Argument(simple[1], simple[0], _TYPES.get(simple[2]), simple[3] or "")
        if head := self._match(_CHOICE):
            return self._choice(begin, head, depth, in_plural=in_plural)
        if depth > 0:
            raise Malformed("A “{” inside a plural or select opens no placeholder.")
        return None

    def _choice(self, begin: int, head: re.Match[str], depth: int, *, in_plural: bool) -> Choice:
        name, kind = head[1], _KINDS[head[2]]
        called = f"{kind} of {name}"
        offset = self._match(_OFFSET) if kind != "select" else None
        branches: dict[str, tuple[Node, ...]] = {}
        while not self._match(_END):
            found = self._match(_SELECTOR)
            if not found:
                raise Malformed(_UNCLOSED if self._is_at_end() else f"The {called} has a branch without braces.")
            if found[1] in branches:
                raise Malformed(f"The {called} has “{found[1]}” twice.")
            branches[found[1]] = self.nodes(depth + 1, in_plural=in_plural or kind != "select")
            if self._at >= len(self._text):
                raise Malformed(_UNCLOSED)
            self._at += 1
        if "other" not in branches:
            raise Malformed(f"The {called} lacks “other”.")
        source = self._text[begin : self._at]
        return Choice(name, kind, offset[1] if offset else "", tuple(branches.items()), source)

    def _is_at_end(self) -> bool:
        spaces = _SPACES.match(self._text, self._at)
        return spaces is not None and spaces.end() == len(self._text)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match:
            self._at = match.end()
        return match


_TYPES: dict[str, ArgumentType] = {"number": "number", "date": "date", "time": "time"}
_KINDS: dict[str, ChoiceKind] = {"plural": "plural", "selectordinal": "selectordinal", "select": "select"}
_UNCLOSED = "A “{” is never closed."


@dataclass(frozen=True)
class Segment:
    """A part of one level of a message. A tag may have arguments and choices between its words: they are its ``nodes``."""

    kind: Literal["text", "number", "argument", "choice", "format", "tag"]
    source: str
    nodes: tuple[Node, ...]

    @property
    def is_placeholder(self) -> bool:
        """Whether code fills this in or interprets it."""
        return self.kind not in ("text", "number")


def segments_of(nodes: tuple[Node, ...]) -> list[Segment]:
    """Returns the nodes of one level, with the tags (``<b>``) and formats (``%s``) of their text apart. Joined, the sources stay the same."""
    return list(_Cutter(nodes).segments())


class _Cutter:
    """Cuts one level of a message into segments."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self._nodes = nodes
        self._source = "".join(node.source for node in nodes)
        self._begins: list[int] = []
        at = 0
        for node in nodes:
            self._begins.append(at)
            at += len(node.source)

    def segments(self) -> Iterator[Segment]:
        """Yields the segments in order."""
        passed = 0
        for index, (begin, node) in enumerate(zip(self._begins, self._nodes, strict=True)):
            if begin < passed and not isinstance(node, Text):
                continue
            if not isinstance(node, Text):
                yield Segment(_SEGMENT_KINDS[type(node)], node.source, (node,))
                continue
            text_from = at = max(begin, passed)
            end = begin + len(node.source)
            while at < end and (found := _TOKEN.search(self._source, at, end)):
                at = found.start()
                stop = self._end_of_token(at, end)
                if stop is None or self._source[at:stop] == "%%":
                    at = stop or at + 1
                    continue
                if at > text_from:
                    yield Segment("text", self._source[text_from:at], ())
                kind = "tag" if self._source[at] == "<" else "format"
                yield Segment(kind, self._source[at:stop], self._nodes_before(stop, index + 1))
                text_from = at = passed = stop
            if end > text_from:
                yield Segment("text", self._source[text_from:end], ())

    def _end_of_token(self, at: int, end: int) -> int | None:
        """Returns where the tag or format that begins at ``at`` ends; ``None`` when nothing begins there. ``end`` is that of its node."""
        if self._source[at] == "%":
            found = _PRINTF.match(self._source, at, end)
            return found.end() if found else None
        found = _TAG.match(self._source, at)
        return found.end() if found and self._is_in_text(found.end() - 1) else None

    def _nodes_before(self, stop: int, first: int) -> tuple[Node, ...]:
        """Returns the nodes from the number ``first`` on that begin before ``stop``, without text."""
        last = bisect_left(self._begins, stop)
        return tuple(node for node in self._nodes[first:last] if not isinstance(node, Text))

    def _is_in_text(self, at: int) -> bool:
        return isinstance(self._nodes[bisect_right(self._begins, at) - 1], Text)


_SEGMENT_KINDS: dict[type[Node], Literal["number", "argument", "choice"]] = {
    Number: "number",
    Argument: "argument",
    Choice: "choice",
}
