"""The uses of texts in Python code: calls of ``t``, and the names by which code uses a module of typed keys."""

import ast
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator

from livery_client.cli.uses import Use, full_key, full_prefix

_CALL = re.compile(rb"\bt\s*\(")
_PATH = re.compile(rb"(?=\b([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*))")


def read_python(file: str, code: bytes) -> list[Use]:
    """Returns the uses of texts in a file. Raises ``SyntaxError`` for a file that is no Python code of this Python's version."""
    lines = code.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # as Python counts them
    called: list[int] = []
    line, at = 1, 0
    for found in _CALL.finditer(lines):
        line, at = line + lines.count(b"\n", at, found.start()), found.start()
        called.append(line)
    if not called:
        return []
    nodes = _walk(ast.parse(code, file), called)
    calls = [node for node in nodes if isinstance(node, ast.Call) and _is_t(node.func)]
    return [use for call in calls for use in _uses(file, call)]


def _walk(tree: ast.AST, lines: list[int]) -> Iterator[ast.AST]:
    """Yields the nodes of a tree, without statements that lack all of these lines: most statements call nothing."""
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                decorators: list[ast.expr] = getattr(child, "decorator_list", [])
                first = min([child.lineno, *(one.lineno for one in decorators)])
                place = bisect_left(lines, first)
                if place == len(lines) or lines[place] > (child.end_lineno or child.lineno):
                    continue
            waiting.append(child)


def paths_in(code: bytes) -> set[tuple[str, str]]:
    """Returns the pairs of names with a dot between them, also those in comments: (``home``, ``title``) for ``Keys(livery).home.title``."""
    return {(owner.decode(), name.decode()) for owner, name in _PATH.findall(code)}


def _is_t(function: ast.expr) -> bool:
    return (isinstance(function, ast.Attribute) and function.attr == "t") or (
        isinstance(function, ast.Name) and function.id == "t"
    )


def _uses(file: str, call: ast.Call) -> Iterator[Use]:
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    name = call.args[0] if call.args else named.get("key")
    if name is None or isinstance(name, ast.Starred):
        return
    default = named.get("default")
    fallback = default.value if isinstance(default, ast.Constant) and isinstance(default.value, str) else ""
    params = _params(call)
    for text, is_whole in _texts(name):
        if is_whole:
            yield Use(file, call.lineno, full_key(text), None, fallback, params)
        else:
            yield Use(file, call.lineno, None, full_prefix(text), fallback, params)


def _texts(node: ast.expr) -> Iterator[tuple[str, bool]]:
    """The texts that an expression can be, and whether each is whole. What is computed has its beginning."""
    match node:
        case ast.Constant(value=str(text)):
            yield text, True
        case ast.Constant():
            return  # no text: no call of Livery's ``t``
        case ast.IfExp():
            yield from _texts(node.body)
            yield from _texts(node.orelse)
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            yield text, len(node.values) == 1
        case ast.BinOp(op=ast.Add()):
            for text, is_whole in _texts(node.left):
                rest = list(_texts(node.right)) if is_whole else [("", False)]
                for more, is_end in rest:
                    yield text + more, is_end
        case _:
            yield "", False


def _params(call: ast.Call) -> tuple[str, ...] | None:
    """The names of the parameters; ``None`` if the code computes them."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg not in {"default", "key", "params"}]
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "params")]
    for value in given:
        if isinstance(value, ast.Dict):
            names += [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
        elif not (isinstance(value, ast.Constant) and value.value is None):
            names.append(None)
    whole = [name for name in names if isinstance(name, str)]
    return tuple(whole) if len(whole) == len(names) else None
