"""Holds docs/spec-coverage.md to the code: every row names tests that exist, and every text it quotes is in one of their files.

`--prove` takes longer and goes further: it changes each quoted text where the dashboard says it (in a copy) and runs the row's tests.
A row whose tests still pass claims what they do not check. `--prove login-3 shell-1` does so for these rows only. Run it when the tests pass.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "spec-coverage.md"
CACHE = ROOT / ".cache"
NODE_BIN = ROOT / "node_modules" / ".bin"
COPIED = ("index.html", "package.json", "public", "src", "tsconfig.json", "vite.config.ts")
SHORTEST_QUOTE = 4
LONGEST_RUN_SECONDS = 300
ANOTHER_TEXT = "Zzyzx"
ARROW = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"

CELLS = re.compile(r"(?<!\\)\|")
QUOTE = re.compile(r"(?<![\w`])'([^'\s](?:[^']|(?<=\w)'(?=\w))*)'(?![\w`])")
CODE = re.compile(r"`[^`]*`")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
TEST_CALL = re.compile(r"^\s*(?:test|it)(\.each|\.for)?\(", re.MULTILINE)
EACH_TITLE = re.compile(r"\)\(\s*(?=[\"'`])")
BLANK = re.compile(r"\s*")
STRING = re.compile(r"([\"'`])((?:\\.|(?!\1)[^\\])*)\1", re.DOTALL)
PYTHON_TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
TITLE_VARIABLE = re.compile(r"%[sdifjoO]|\$[\w.]+|\{\}")


@dataclass(frozen=True)
class NamedTest:
    """A test as a row names it: its file, from the project's root, and its title."""

    path: str
    title: str


@dataclass(frozen=True)
class Row:
    """A requirement: where it stands in the table, its name, what the specification says, and what checks it."""

    line: int
    id: str
    text: str
    tests: tuple[NamedTest, ...]

    @property
    def quotes(self) -> list[str]:
        """The texts that people see, as the specification has them: what stands between single quotes."""
        found = [match[1] for match in QUOTE.finditer(CODE.sub("", self.text))]
        return [quote for quote in found if len(quote) >= SHORTEST_QUOTE]


def rows_of(table: str) -> list[Row]:
    """The rows of every table of the page. A row that has not three cells has no test."""
    rows: list[Row] = []
    for number, line in enumerate(table.splitlines(), start=1):
        if not line.startswith("|"):
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in CELLS.split(line.strip())[1:-1]]
        if not cells or cells[0] == "id" or not cells[0].strip("-: "):
            continue
        named = cells[2].split("<br>") if len(cells) == 3 else []
        tests = [
            NamedTest(*(part.strip() for part in name.partition(f" {ARROW} ")[::2])) for name in named if name.strip()
        ]
        rows.append(Row(number, cells[0], cells[1] if len(cells) > 1 else "", tuple(tests)))
    return rows


def _string_at(source: str, start: int) -> str | None:
    """The string literal that starts here, unescaped; None where there is none."""
    literal = STRING.match(source, start)
    return re.sub(r"\\(.)", r"\1", literal[2]) if literal else None


def _plain(title: str) -> str:
    return PLACEHOLDER.sub("{}", title.replace("${", "{"))


def titles_of(path: str, source: str) -> set[str]:
    """The titles of the tests of a file; those of `test.each` with their %s."""
    if path.endswith(".py"):
        return set(PYTHON_TEST.findall(source))
    titles: set[str] = set()
    for call in TEST_CALL.finditer(source):
        opening = EACH_TITLE.search(source, call.end()) if call[1] else BLANK.match(source, call.end())
        title = _string_at(source, opening.end()) if opening else None
        if title is not None:
            titles.add(_plain(title))
    return titles


def pattern_of(quote: str) -> re.Pattern[str]:
    """Finds the text in a source: a placeholder stands for any short text, a blank for any white space."""
    parts = PLACEHOLDER.split(quote)
    literal = [r"\s+".join(re.escape(word) for word in part.split(" ")) for part in parts]
    joined = r"(?:\$?\{[^{}]*\}|[^\n{}]{1,60}?)".join(f"({part})" for part in literal)
    return re.compile(rf"(?<![\w<./]){joined}(?![\w(=])")


def _source(path: Path) -> str:
    """A file as people read its texts: without the backslashes before quotes."""
    return re.sub(r"\\([\"'`])", r"\1", path.read_text())


def problems_of(table: str, root: Path) -> list[str]:
    """What is wrong with the table, a line for each; the tests' paths start at ``root``."""
    problems: list[str] = []
    seen: set[str] = set()
    rows = rows_of(table)
    if not rows:
        problems.append("the table has no rows")
    for row in rows:
        if row.id in seen:
            problems.append(f"line {row.line}: the id {row.id} is there twice")
        seen.add(row.id)
        problems.extend(f"line {row.line}: {row.id} {problem}" for problem in _problems_of_row(row, root))
    return problems


def _problems_of_row(row: Row, root: Path) -> Iterator[str]:
    if not row.tests:
        yield f"names no test (a row is: id, what the specification says, tests as 'path {ARROW} title')"
        return
    sources: list[str] = []
    for test in row.tests:
        path = root / test.path
        if not path.is_file():
            yield f"names a file that is not there: {test.path}"
            continue
        source = path.read_text()
        sources.append(_source(path))
        if _plain(test.title) not in titles_of(test.path, source):
            yield f"names a test that is not in {test.path}: {test.title}"
    if sources:
        for quote in row.quotes:
            if not any(pattern_of(quote).search(source) for source in sources):
                yield f"quotes what none of its tests' files has: '{quote}'"


@dataclass(frozen=True)
class Change:
    """A quoted text to replace with a different text, and the tests that should notice the change."""

    row: str
    quote: str
    tests: tuple[NamedTest, ...]

    @property
    def files(self) -> set[str]:
        """The tests' files, from the dashboard's folder."""
        return {test.path.removeprefix("web/") for test in self.tests}

    @property
    def titles(self) -> str:
        """A pattern of the tests' titles, for Vitest."""
        parts = ([re.escape(part) for part in TITLE_VARIABLE.split(_plain(test.title))] for test in self.tests)
        return "|".join(f"^{'.*'.join(literal)}$" for literal in parts)

    def __str__(self) -> str:
        return f"{self.row}: '{self.quote}'"


def with_another_text(source: str, quote: str) -> str:
    """The source with the longest part of the quoted text replaced wherever it occurs; unchanged where it does not."""

    def change(match: re.Match[str]) -> str:
        longest = max(range(1, (match.lastindex or 0) + 1), key=lambda group: len(match[group]))
        start, end = (place - match.start() for place in match.span(longest))
        return match[0][:start] + ANOTHER_TEXT + match[0][end:]

    return pattern_of(quote).sub(change, source)


def sources_of(web: Path) -> list[Path]:
    """What the dashboard is made of, without its tests."""
    files = [*web.glob("src/**/*.ts"), *web.glob("src/**/*.tsx")]
    return [
        path
        for path in files
        if ".test." not in path.name and "testing" not in path.parts and path.name != "api.gen.ts"
    ]


def changes_of(rows: list[Row], web: Path) -> list[Change]:
    """One for each quoted text that the dashboard itself says and that page tests claim to check."""
    sources = [path.read_text() for path in sources_of(web)]
    changes: dict[tuple[str, tuple[NamedTest, ...]], Change] = {}
    for row in rows:
        tests = tuple(test for test in row.tests if test.path.startswith("web/src/"))
        for quote in row.quotes if tests else []:
            if any(pattern_of(quote).search(source) for source in sources):
                changes.setdefault((quote, tests), Change(row.id, quote, tests))
    return list(changes.values())


class Workshop:
    """A copy of the dashboard in which texts can be changed without a trace. It stands inside the project, so that packages are found."""

    def __init__(self, folder: Path) -> None:
        self.web = folder / "web"
        self.web.mkdir(parents=True)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / "web" / name).is_dir() else shutil.copy2
            copy(ROOT / "web" / name, self.web / name)

    def passes(self, files: set[str], titles: str, stop: Callable[[], bool]) -> bool:
        """Whether the tests of these files whose titles match pass here. A run that hangs has noticed nothing: it counts as passed."""
        command = [NODE_BIN / "vitest", "run", "--bail=1", "--testTimeout=30000", "-t", titles, *sorted(files)]
        null = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=self.web, stdin=null, stdout=null, stderr=null, start_new_session=True)
        try:
            for _ in range(LONGEST_RUN_SECONDS):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(1) == 0
                if stop():
                    break
            return True
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    @contextlib.contextmanager
    def changed(self, quote: str) -> Generator[None]:
        """Says another text in place of this one, for as long as it lasts."""
        before: dict[Path, str] = {}
        try:
            for path in sources_of(self.web):
                source = path.read_text()
                after = with_another_text(source, quote)
                if after != source:
                    before[path] = source
                    path.write_text(after)
            yield
        finally:
            for path, source in before.items():
                path.write_text(source)


def prove(rows: list[Row]) -> int:
    """Changes every text in turn and says which changes no test noticed; the number of those."""
    changes = changes_of(rows, ROOT / "web")
    print(f"{len(changes)} texts to change", flush=True)
    CACHE.mkdir(exist_ok=True)
    count = max(1, (os.cpu_count() or 2) // 2)
    stopped = False
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="spec-coverage-") as folder:
        workshops = [Workshop(Path(folder) / str(number)) for number in range(count)]
        free: SimpleQueue[Workshop] = SimpleQueue()
        for workshop in workshops:
            free.put(workshop)

        def is_noticed(change: Change) -> bool:
            workshop = free.get()
            try:
                if stopped:
                    return False
                with workshop.changed(change.quote):
                    noticed = not workshop.passes(change.files, change.titles, lambda: stopped)
                if not stopped:
                    print(f"{'noticed' if noticed else 'NOT NOTICED':<12} {change}", flush=True)
                return noticed
            finally:
                free.put(workshop)

        with ThreadPoolExecutor(count) as pool:
            try:
                missed = list(pool.map(is_noticed, changes)).count(False)
            except KeyboardInterrupt:
                stopped = True
                raise
    print(f"{missed} of {len(changes)} changes were not noticed")
    return missed


def main() -> int:
    """Reads the command line, checks, and gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--prove", action="store_true", help="change each quoted text and see whether the row's tests notice"
    )
    parser.add_argument("ids", nargs="*", help="with --prove: only these rows")
    options = parser.parse_args()
    table = TABLE.read_text()
    problems = problems_of(table, ROOT)
    for problem in problems:
        print(f"{TABLE.relative_to(ROOT)}: {problem}")
    if problems:
        return 1
    rows = rows_of(table)
    print(f"{len(rows)} requirements, {len({test for row in rows for test in row.tests})} tests")
    if not options.prove:
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the copy goes, however this ends
    wanted: list[str] = options.ids
    return 1 if prove([row for row in rows if not wanted or row.id in wanted]) else 0


if __name__ == "__main__":
    sys.exit(main())
