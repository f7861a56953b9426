"""Finds every small change that a mutant of ``livery/`` or of the TypeScript sources can make, as an edit of one file.

The name of an edit is the text of its line, its operator and its number among equal edits. So it is found again in a later version of the file.
Code that no test is meant to see is left out: tables (``models.py``: the migrations make them), descriptions, annotations, log calls.
"""

import ast
import itertools
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

Change = tuple[int, int, str, str]
"""The first byte, the byte after the last, the new text, the operator."""

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
UNSEEN_FIELDS = {"annotation", "returns"}
UNSEEN_KEYWORDS = {"description", "examples", "help", "operation_id", "responses", "summary", "title"}
UNSEEN_RAISES = ("raise TypeError", "raise AssertionError")
"""What a mistake of ours raises: no request leads there."""
LARGE = 1_000
"""One more or less of a number like this (milliseconds, bytes) is nothing that a test should see."""
UNSEEN_CALLS = {"log", "logger", "typer"}


@dataclass(frozen=True)
class Edit:
    """One change of one file."""

    file: str
    line: str
    operator: str
    occurrence: int
    start: int
    end: int
    new: str

    def apply(self, source: bytes) -> bytes:
        """The file with this change."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def describe(self, source: bytes) -> str:
        """Returns the old text and the new text, shortened."""
        old = " ".join(source[self.start : self.end].decode().split())
        return f"{_short(old)} → {_short(self.new)}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _edits(file: str, source: bytes, changes: Iterable[Change]) -> list[Edit]:
    seen: Counter[tuple[str, str]] = Counter()
    edits: list[Edit] = []
    for start, end, new, operator in sorted(set(changes)):
        line_end = source.find(b"\n", start)
        line = source[source.rfind(b"\n", 0, start) + 1 : line_end if line_end >= 0 else len(source)].decode().strip()
        edits.append(Edit(file, line, operator, seen[line, operator], start, end, new))
        seen[line, operator] += 1
    return edits


def python_edits(root: Path, file: str) -> list[Edit]:
    """Every edit of a Python file, in the order of the text."""
    source = (root / file).read_bytes()
    return _edits(file, source, _Finder(source).changes())


def typescript_edits(root: Path, files: list[str]) -> dict[str, list[Edit]]:
    """Every edit of these TypeScript files; ``mutation-edits.mjs`` parses them. Fails when a file can't be parsed."""
    if not files:
        return {}
    script = Path(__file__).with_name("mutation-edits.mjs")
    run = subprocess.run(["node", script, *files], cwd=root, capture_output=True, text=True, check=True)
    found = cast("dict[str, list[Change]]", json.loads(run.stdout))
    edits: dict[str, list[Edit]] = {}
    for file, changes in found.items():
        source = (root / file).read_bytes()
        wide = source.decode().encode("utf-16-le")  # JavaScript counts code units
        at = [len(wide[: 2 * unit].decode("utf-16-le").encode()) for change in changes for unit in change[:2]]
        places = zip(at[::2], at[1::2], changes, strict=True)
        edits[file] = _edits(
            file, source, [(start, end, new, operator) for start, end, (_, _, new, operator) in places]
        )
    return edits


class _Finder:
    """Walks a Python module and yields its changes."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def changes(self) -> Iterator[Change]:
        """All changes of the module."""
        yield from self._walk(ast.parse(self._source))

    def _walk(self, node: ast.AST) -> Iterator[Change]:
        if _is_unseen(node):
            return
        yield from self._of_operator(node)
        yield from self._of_value(node)
        yield from self._of_statement(node)
        for name, value in ast.iter_fields(node):
            if name in UNSEEN_FIELDS:
                continue
            children = cast("list[object]", value) if isinstance(value, list) else [value]
            for child in children:
                if isinstance(child, ast.AST):
                    yield from self._walk(child)

    def _of_operator(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Compare():
                operands = [node.left, *node.comparators]
                for place, operator in enumerate(node.ops):
                    old, new = COMPARISONS[type(operator)]
                    yield from self._between(operands[place], operands[place + 1], old, new, "comparison")
            case ast.BoolOp(op=operator, values=values):
                old, new = ("and", "or") if isinstance(operator, ast.And) else ("or", "and")
                for left, right in itertools.pairwise(values):
                    yield from self._between(left, right, old, new, "logic")
            case ast.BinOp(op=ast.Add() | ast.Sub()) if not (_is_text(node.left) or _is_text(node.right)):
                old, new = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
                yield from self._between(node.left, node.right, old, new, "arithmetic")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._start(node), self._start(operand), "", "not"
            case _:
                pass

    def _of_value(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Constant(value=bool(value)):
                yield self._replaced(node, str(not value), "boolean")
            case ast.Constant(value=int(value)) if value < LARGE:
                yield self._replaced(node, str(value + 1), "one more")
                yield self._replaced(node, str(value - 1), "one less")
            case _:
                pass

    def _of_statement(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.If(test=test, body=body) if not ast.unparse(body[0]).startswith(UNSEEN_RAISES):
                yield self._replaced(test, "True", "if true")
                yield self._replaced(test, "False", "if false")
            case ast.IfExp(test=test):
                yield self._replaced(test, "True", "if true")
                yield self._replaced(test, "False", "if false")
            case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
                yield self._replaced(value, "None", "return")
            case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                yield self._replaced(node, "pass", "call")
            case ast.Raise() if not ast.unparse(node).startswith(UNSEEN_RAISES):
                yield self._replaced(node, "pass", "raise")
            case _:
                pass

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def _replaced(self, node: ast.expr | ast.stmt, new: str, operator: str) -> Change:
        return self._start(node), self._end(node), new, operator

    def _between(self, left: ast.expr, right: ast.expr, old: str, new: str, operator: str) -> Iterator[Change]:
        begin = self._end(left)
        found = re.search(rf"(?<![\w<>=!]){re.escape(old)}(?![\w=])".encode(), self._source[begin : self._start(right)])
        if found:
            yield begin + found.start(), begin + found.end(), new, operator


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_unseen(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr():  # Python 3.11 gives wrong places inside
            return True
        case ast.FunctionDef(name="__repr__") | ast.keyword(arg=str()):
            return isinstance(node, ast.FunctionDef) or node.arg in UNSEEN_KEYWORDS
        case ast.Expr(value=ast.Call() as call) | (ast.Call() as call):
            return ast.unparse(call.func).split(".", maxsplit=1)[0] in UNSEEN_CALLS
        case _:
            return False
