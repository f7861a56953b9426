"""Changes each quoted text of the specification where the dashboard has it, in a copy, and runs the tests that should notice."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from scripts.spec_rows import NamedTest, Row, pattern_of

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
NODE_BIN = ROOT / "node_modules" / ".bin"
COPIED = ("index.html", "package.json", "public", "src", "tsconfig.json", "vite.config.ts")
LONGEST_RUN_SECONDS = 300
ANOTHER_TEXT = "Zzyzx"
TITLE_VARIABLE = re.compile(r"%[sdifjoO]|\$\{[^{}]*\}|\$[\w.]+")


@dataclass(frozen=True)
class Change:
    """A quoted text to replace with a different text, and the tests that should notice the change."""

    id: str
    quote: str
    tests: tuple[NamedTest, ...]

    @property
    def files(self) -> set[str]:
        """The tests' files, from the dashboard's folder."""
        return {test.path.removeprefix("web/") for test in self.tests}

    @property
    def titles(self) -> str:
        """A pattern of the tests' titles, for Vitest."""
        parts = ([re.escape(part) for part in TITLE_VARIABLE.split(test.title)] for test in self.tests)
        return "|".join(f"^{'.*'.join(literal)}$" for literal in parts)

    def __str__(self) -> str:
        return f"{self.id}: '{self.quote}'"


def with_another_text(source: str, quote: str) -> str:
    """Returns the source with the longest part of the quoted text replaced wherever it occurs; unchanged where it does not."""

    def change(match: re.Match[str]) -> str:
        longest = max(range(1, (match.lastindex or 0) + 1), key=lambda group: len(match[group]))
        start, end = (place - match.start() for place in match.span(longest))
        return match[0][:start] + ANOTHER_TEXT + match[0][end:]

    return pattern_of(quote).sub(change, source)


def sources_of(web: Path) -> list[Path]:
    """Returns the files that the dashboard is made of, without its tests."""
    files = [*web.glob("src/**/*.ts"), *web.glob("src/**/*.tsx")]
    return [
        path
        for path in files
        if ".test." not in path.name and "testing" not in path.parts and not path.name.endswith(".gen.ts")
    ]


def changes_of(rows: Sequence[Row], web: Path) -> list[Change]:
    """Returns a change for each quoted text that the dashboard itself has and that page tests claim to check."""
    sources = [path.read_text() for path in sources_of(web)]
    changes: dict[tuple[str, tuple[NamedTest, ...]], Change] = {}
    for row in rows:
        tests = tuple(test for test in row.tests if test.path.startswith("web/src/"))
        for quote in row.requirement.quotes if tests else []:
            if any(pattern_of(quote).search(source) for source in sources):
                changes.setdefault((quote, tests), Change(row.requirement.id, quote, tests))
    return list(changes.values())


class Workshop:
    """A copy of the dashboard in which texts can be changed without a trace. It is inside the project, so that packages are found."""

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
        """Replaces this text by a different text until the context ends."""
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


def prove(rows: Sequence[Row]) -> int:
    """Changes every text in turn, reports which changes no test noticed, and returns their number."""
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
