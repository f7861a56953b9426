"""Measures files and functions, and checks each excess against the exceptions of scripts/sizes.toml.

    python scripts/sizes.py    fail for a size over its limit without an exception, and for an exception that does not hold

An exception has the size at which it was made and a reason. It fails when the file or the function is longer than that, and when it is no
longer needed. Tests, generated files and migrations are not measured: a migration is as long as its tables are many.
"""

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXCEPTIONS = "scripts/sizes.toml"
FILE_LIMITS = {".py": 400, ".tsx": 250}
FUNCTION_LIMIT = 50
SOURCES = (
    "livery/**/*.py",
    "scripts/*.py",
    "web/src/**/*.ts",
    "web/src/**/*.tsx",
    "sdks/typescript/*/src/**/*.ts",
    "sdks/typescript/*/src/**/*.tsx",
)
LEFT_OUT = ("livery/migrations/versions/", "web/src/testing/", ".test.", ".gen.")


@dataclass(frozen=True)
class Size:
    """The lines of a file (`path`) or of a function (`path::name`), and how many are allowed without an exception."""

    name: str
    lines: int
    limit: int


def sizes_of(root: Path) -> list[Size]:
    """Returns the size of each file that has a limit, and of each function. Functions of one name in one file count as the longest."""
    paths = [path for path in _sources(root) if not any(part in path for part in LEFT_OUT)]
    files = [
        Size(path, len((root / path).read_text().splitlines()), limit)
        for path in paths
        if (limit := FILE_LIMITS.get(Path(path).suffix))
    ]
    functions: dict[str, int] = {}
    for name, lines in [*_python_functions(root, paths), *_script_functions(root, paths)]:
        functions[name] = max(lines, functions.get(name, 0))
    return [*files, *(Size(name, lines, FUNCTION_LIMIT) for name, lines in functions.items())]


def _sources(root: Path) -> Iterator[str]:
    for pattern in SOURCES:
        yield from sorted(path.relative_to(root).as_posix() for path in root.glob(pattern))


def _python_functions(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, int]]:
    for path in paths:
        if path.endswith(".py"):
            for name, lines in functions_in(ast.parse((root / path).read_text())):
                yield f"{path}::{name}", lines


def functions_in(node: ast.AST, around: str = "") -> Iterator[tuple[str, int]]:
    """Returns the functions of a tree with their lines, without decorators and docstrings. A name starts with what is around it."""
    for child in ast.iter_child_nodes(node):
        name = around
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}.{child.name}" if around else child.name
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            documentation = child.body[0] if ast.get_docstring(child, clean=False) is not None else None
            yield name, _lines(child) - (_lines(documentation) if documentation else 0)
        yield from functions_in(child, name)


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _script_functions(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, int]]:
    scripts = [path for path in paths if not path.endswith(".py")]
    if not scripts:
        return
    command = ["node", Path(__file__).with_name("function-sizes.mjs"), *scripts]
    found: dict[str, list[tuple[str, int]]] = json.loads(
        subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True).stdout
    )
    for path, functions in found.items():
        for name, lines in functions:
            yield f"{path}::{name}", lines


def problems_of(sizes: Sequence[Size], exceptions: Mapping[str, tuple[int, str]]) -> list[str]:
    """Returns what is wrong, a line for each: a size over its limit, or an exception that does not hold."""
    problems: list[str] = []
    long = {size.name: size for size in sizes if size.lines > size.limit}
    for size in long.values():
        allowed, reason = exceptions.get(size.name, (size.limit, ""))
        if size.lines > allowed:
            why = "its exception" if reason else "the limit"
            problems.append(f"{size.name}: {size.lines} lines, {why} is {allowed}. Split it, or see {EXCEPTIONS}")
    for name, (_, reason) in exceptions.items():
        if name not in long:
            problems.append(f"{EXCEPTIONS}: {name} is no longer over its limit, or no longer there. Remove its line")
        elif not reason.strip():
            problems.append(f"{EXCEPTIONS}: {name} has no reason")
    return problems


def exceptions_of(listed: str) -> dict[str, tuple[int, str]]:
    """Returns the exceptions of the list's text: the size and the reason of each name."""
    return {
        name: (lines, reason) for table in tomllib.loads(listed).values() for name, (lines, reason) in table.items()
    }


def main() -> int:
    """Returns 1 if something is wrong."""
    sizes = sizes_of(ROOT)
    problems = problems_of(sizes, exceptions_of((ROOT / EXCEPTIONS).read_text()))
    print("\n".join(problems) or f"{len(sizes)} files and functions")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
