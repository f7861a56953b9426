"""Reads what the specification asks for (docs/spec-requirements.md) and which tests cover it, from the markers of the tests.

A marker precedes its test: `@pytest.mark.spec("login-4", "login-5")` in Python, and in Vitest and Playwright a line
`// spec: login-4, login-5` directly above the call of `test`.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

REQUIREMENTS = "docs/spec-requirements.md"
TEST_FILES = (
    "web/src/**/*.test.ts",
    "web/src/**/*.test.tsx",
    "sdks/typescript/*/tests/**/*.test.ts",
    "sdks/typescript/*/tests/**/*.test.tsx",
    "tests/**/test_*.py",
    "tests/**/*.spec.ts",
)
SHORTEST_QUOTE = 4

SECTION = re.compile(r"## (.+)")
REQUIREMENT = re.compile(r"- ([a-z]+-\d+): (.+)")
QUOTE = re.compile(r"(?<![\w`])'([^'\s](?:[^']|(?<=\w)'(?=\w))*)'(?![\w`])")
CODE = re.compile(r"`[^`]*`")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
COMMENT_MARKER = re.compile(r"^[ \t]*//[ \t]*spec:(.*)\n", re.MULTILINE | re.IGNORECASE)
TEST_CALL = re.compile(r"^[ \t]*(?:test|it)(\.each|\.for)?(?:<[^()]*>)?\(", re.MULTILINE)
EACH_TITLE = re.compile(r"\)\(\s*(?=[\"'`])")
BLANK = re.compile(r"\s*")
STRING = re.compile(r"([\"'`])((?:\\.|(?!\1)[^\\])*)\1", re.DOTALL)


@dataclass(frozen=True)
class NamedTest:
    """A test: its file, from the project's root, and its title in the source."""

    path: str
    title: str


@dataclass(frozen=True)
class Marker:
    """What a marker names, its line, and the title of its test; ``None`` if it is not at a test."""

    line: int
    ids: tuple[str, ...]
    title: str | None


@dataclass(frozen=True)
class Requirement:
    """A sentence of the specification, its line in the list, and its section."""

    line: int
    section: str
    id: str
    text: str

    @property
    def quotes(self) -> list[str]:
        """The texts that people see, as the specification has them: the texts between single quotes."""
        found = [match[1] for match in QUOTE.finditer(CODE.sub("", self.text))]
        return [quote for quote in found if len(quote) >= SHORTEST_QUOTE]


@dataclass(frozen=True)
class Row:
    """A requirement, and the tests that cover it: in the order of `TEST_FILES`, then of paths and lines."""

    requirement: Requirement
    tests: tuple[NamedTest, ...]


def requirements_of(listed: str) -> tuple[list[Requirement], list[str]]:
    """Returns the requirements of the list's text, and what is wrong with the list. The text before the first section is for people."""
    requirements: list[Requirement] = []
    problems: list[str] = []
    ids: set[str] = set()
    section = ""
    for number, line in enumerate(listed.splitlines(), start=1):
        place = f"{REQUIREMENTS}:{number}"
        if found := SECTION.fullmatch(line):
            section = found[1]
        elif section and line.strip():
            if not (found := REQUIREMENT.fullmatch(line)):
                problems.append(f"{place}: a requirement is a line '- id-1: what the specification says'")
                continue
            if found[1] in ids:
                problems.append(f"{place}: the id {found[1]} is there twice")
            ids.add(found[1])
            requirements.append(Requirement(number, section, found[1], found[2]))
    if not requirements:
        problems.append(f"{REQUIREMENTS}: the list has no requirement")
    return requirements, problems


def markers_of(path: str, source: str) -> list[Marker]:
    """Returns the markers of a test file, in the order of their lines."""
    if not path.endswith(".py"):
        return list(_comment_markers(source))
    return sorted(_python_markers(source), key=lambda marker: marker.line) if "mark.spec" in source else []


def _comment_markers(source: str) -> Iterator[Marker]:
    """Lines of comments that follow each other are one marker."""
    ids: list[str] = []
    line = 0
    for found in COMMENT_MARKER.finditer(source):
        line = line if ids else source.count("\n", 0, found.start()) + 1
        ids.extend(name.strip() for name in found[1].split(","))
        if COMMENT_MARKER.match(source, found.end()):
            continue
        call = TEST_CALL.match(source, found.end())
        yield Marker(line, tuple(ids), _title_of(source, call) if call else None)
        ids = []


def _title_of(source: str, call: re.Match[str]) -> str | None:
    """Returns the title of a test, unescaped; ``None`` if it is not a literal."""
    opening = EACH_TITLE.search(source, call.end()) if call[1] else BLANK.match(source, call.end())
    literal = STRING.match(source, opening.end()) if opening else None
    return re.sub(r"\\(.)", r"\1", literal[2]) if literal else None


def _python_markers(source: str) -> Iterator[Marker]:
    tree = ast.parse(source)
    read: set[ast.AST] = set()
    for title, decorators in _python_tests(tree):
        for decorator in decorators:
            if isinstance(decorator, ast.Call) and _is_spec(decorator.func):
                read.add(decorator.func)
                ids = (name.value if isinstance(name, ast.Constant) else "" for name in decorator.args)
                yield Marker(decorator.lineno, tuple(map(str, ids)), title)
    for node in ast.walk(tree):
        if _is_spec(node) and node not in read:
            yield Marker(node.lineno, (), None)


def _python_tests(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, list[ast.expr]]]:
    """Returns the title and the decorators of each test. A class is part of the title."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}::{title}", decorators) for title, decorators in _python_tests(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, node.decorator_list


def _is_spec(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr == "spec" and ast.unparse(node.value) == "pytest.mark"


def rows_of(root: Path) -> tuple[list[Row], list[str]]:
    """Returns a row for each requirement, and what is wrong with the list and the markers, a line for each."""
    requirements, problems = requirements_of((root / REQUIREMENTS).read_text())
    known = {requirement.id for requirement in requirements}
    tests: dict[str, list[NamedTest]] = defaultdict(list)
    for path in _test_files(root):
        for marker in markers_of(path, (root / path).read_text()):
            place = f"{path}:{marker.line}"
            if marker.title is None:
                problems.append(f"{place}: the marker stands at no test")
                continue
            for name in marker.ids:
                test = NamedTest(path, marker.title)
                if name not in known:
                    problems.append(f"{place}: the marker names '{name}', which {REQUIREMENTS} does not have")
                elif test in tests[name]:
                    problems.append(f"{place}: the test names {name} twice")
                else:
                    tests[name].append(test)
    rows = [Row(requirement, tuple(tests[requirement.id])) for requirement in requirements]
    return rows, [*problems, *(problem for row in rows for problem in _problems_of(row, root))]


def _test_files(root: Path) -> Iterator[str]:
    for pattern in TEST_FILES:
        yield from sorted(path.relative_to(root).as_posix() for path in root.glob(pattern))


def _problems_of(row: Row, root: Path) -> Iterator[str]:
    place = f"{REQUIREMENTS}:{row.requirement.line}: {row.requirement.id}"
    if not row.tests:
        yield f"{place} has no test: no marker names it"
        return
    sources = [_texts_of(root / path) for path in {test.path: None for test in row.tests}]
    for quote in row.requirement.quotes:
        if not any(pattern_of(quote).search(source) for source in sources):
            yield f"{place} quotes what no file of its tests has: '{quote}'"


def _texts_of(path: Path) -> str:
    """Returns a file as people read its texts: without the backslashes before quotes."""
    return re.sub(r"\\([\"'`])", r"\1", path.read_text())


def pattern_of(quote: str) -> re.Pattern[str]:
    """Finds the text in a source: a placeholder stands for any short text, a blank for any white space."""
    parts = PLACEHOLDER.split(quote)
    literal = [r"\s+".join(re.escape(word) for word in part.split(" ")) for part in parts]
    joined = r"(?:\$?\{[^{}]*\}|[^\n{}]{1,60}?)".join(f"({part})" for part in literal)
    return re.compile(rf"(?<![\w<./]){joined}(?![\w(=])")
