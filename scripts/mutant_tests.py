"""Which tests a mutant meets, and a copy of the checkout to run them in.

A mutant is killed when a test fails that passes without it, or when the tests don't end. Tests that fail without the mutant too are left out.
"""

import contextlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutation_edits import Edit

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".venv", "node_modules", ".git", ".cache", "data", "__pycache__", "test-results")
TEST_SECONDS = 600
"""Ten times what the slowest test of a package takes: a test that is not done by then hangs."""
RUN_SECONDS = 7200

FIRST_FUNCTIONS = 12
FIRST_FILES = 2

TESTS = {
    "accounts": "accounts ai/test_limits.py test_authorization.py test_recorded.py",
    "activity": "activity live test_recorded.py",
    "ai": "ai test_recorded.py",
    "analytics": "analytics",
    "app": "cli test_serve.py test_origins.py workspace",
    "billing": "billing workspace/test_tiers.py projects/test_plan_ends.py",
    "cli": "cli test_serve.py workspace",
    "colors": "colors publishing/test_color_history.py",
    "core": "core test_hostile_bodies.py test_origins.py test_serve.py accounts screens delivery",
    "delivery": "delivery test_serve.py",
    "email": "email accounts",
    "images": "images publishing/test_images.py",
    "live": "live",
    "projects": "projects test_authorization.py test_recorded.py test_tenants.py",
    "publishing": "publishing screens workspace/test_fsck.py",
    "screens": "screens publishing/test_history.py publishing/test_publishing.py test_recorded.py",
    "search": "search",
    "stores": "stores delivery/test_stores.py publishing/test_store_publishing.py test_recorded.py",
    "usage": "usage workspace/test_usage.py delivery/test_quotas.py",
    "workspace": "workspace images/test_media.py projects cli",
}
"""The tests of each package, the nearest first."""
SLOW = re.compile(r"crash|hostile|machine|model|outage|process|races|random|recorded|serve|authorization|tenants")
TEST_FUNCTION = re.compile(r"^(?=(?:async )?def test_)", re.MULTILINE)
PYTEST_FAILURE = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::.+?)?)(?: - (.*))?$", re.MULTILINE)


def package_of(file: str) -> str:
    """The package of a source file: ``accounts``, ``web/features/ai``, ``web/lib``, ``client``."""
    parts = Path(file).parts
    if parts[0] == "livery":
        return parts[1] if len(parts) > 2 else "app"
    if parts[0] == "sdks":
        return parts[2]
    return "/".join(["web", *parts[2:-1][: 2 if parts[2] == "features" else 1]])


@dataclass(frozen=True)
class Verdict:
    """How a mutant ended: killed (by ``test``, with ``message``), survived, gone (its line is no more), or failed to run."""

    status: str
    test: str = ""
    message: str = ""
    seconds: float = 0


@dataclass(frozen=True)
class Outcome:
    """How one run of a test runner ended: what failed and why; under no name when the runner itself failed or a test hung."""

    failures: dict[str, str]

    @property
    def test(self) -> str:
        """The first test that failed."""
        return next(iter(self.failures), "")

    @property
    def message(self) -> str:
        """Why it failed."""
        return next(iter(self.failures.values()), "")


def rank(query: str, documents: dict[str, str]) -> list[str]:
    """Returns the names of the documents. The documents that share most rare words with ``query`` come first."""
    known = {name: _words(text) for name, text in documents.items()}
    frequency = Counter(word for words in known.values() for word in words)
    wanted = _words(query)

    def likeness(name: str) -> float:
        shared = sum(math.log(len(known) / frequency[word]) for word in wanted & known[name])
        return shared / math.sqrt(len(known[name]) + 1)

    return sorted(known, key=likeness, reverse=True)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()))


def _name_of(function: str) -> str:
    return function[: function.index("(")].rsplit(maxsplit=1)[-1]


def _vitest_project(file: str) -> str:
    return "web" if file.startswith("web/") else "/".join(Path(file).parts[:3])


class Tree:
    """A copy of the checkout, on memory where there is such a folder."""

    def __init__(self) -> None:
        memory = Path("/dev/shm")
        self._folder = Path(tempfile.mkdtemp(prefix="livery-mutants-", dir=memory if memory.is_dir() else None))
        self._root = self._folder / "checkout"
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        shutil.copytree(ROOT, self._root, ignore=LEFT_OUT, symlinks=True)
        for name in (".venv", "node_modules"):
            (self._root / name).symlink_to(ROOT / name)

    def close(self) -> None:
        """Ends what runs in the copy, without a verdict, and deletes it."""
        self._is_closed = True
        if self._process:
            self._end(self._process)
        shutil.rmtree(self._folder, ignore_errors=True)

    def judge(self, edit: Edit, unsound: list[str], *, is_wide: bool) -> Verdict:
        """Runs the tests that may see this edit, until one fails. Tests in ``unsound`` fail without it too."""
        begin = time.monotonic()
        path = self._root / edit.file
        source = path.read_bytes()
        self._write(path, edit.apply(source))
        try:
            outcome = self._meet(edit, source, unsound, is_wide=is_wide)
        finally:
            self._write(path, source)
        status = "survived" if not outcome.failures else "error" if outcome.test in unsound else "killed"
        return Verdict(status, outcome.test, outcome.message, round(time.monotonic() - begin))

    def failing(self, tests: list[str]) -> set[str]:
        """Those of these tests that fail on the code without a mutant."""
        failing: set[str] = set()
        if python := [test for test in tests if test.startswith("tests/")]:
            failing |= self._pytest(python, [], "--maxfail=100").failures.keys()
        projects: dict[str, list[str]] = {}
        for test in tests:
            if not test.startswith("tests/"):
                projects.setdefault(_vitest_project(test), []).append(test)
        for project, found in projects.items():
            files = sorted({str(self._root / test.partition(" > ")[0]) for test in found})
            names = "|".join(re.escape(test.partition(" > ")[2]) for test in found)
            failing |= self._vitest(project, ["run", *files, "--testNamePattern", names]).failures.keys()
        return failing & {*tests}

    def _write(self, path: Path, source: bytes) -> None:
        """Writes a module; a compiled one of the same second and size would be taken for it."""
        path.write_bytes(source)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink()

    def _meet(self, edit: Edit, source: bytes, unsound: list[str], *, is_wide: bool) -> Outcome:
        context = f"{edit.file} {source[max(0, edit.start - 600) : edit.end + 400].decode(errors='ignore')}"
        if edit.file.endswith(".py"):
            for tests in self._python_runs(edit, context, is_wide=is_wide):
                if (outcome := self._pytest(tests, unsound, "-x")).failures:
                    return outcome
        else:
            for arguments in self._typescript_runs(edit, context, is_wide=is_wide):
                if (outcome := self._vitest(_vitest_project(edit.file), [*arguments, "--bail=1"])).failures:
                    return outcome
        return Outcome({})

    def _python_runs(self, edit: Edit, context: str, *, is_wide: bool) -> list[list[str]]:
        """The arguments of each run: the tests that are most like the changed code, those of the package, all others."""
        near = self._python_tests(edit.file, TESTS[package_of(edit.file)].split())
        functions: dict[str, str] = {}
        for file in near:
            parts = TEST_FUNCTION.split((self._root / file).read_text())[1:]
            functions |= {} if SLOW.search(Path(file).stem) else {f"{file}::{_name_of(part)}": part for part in parts}
        rest = sorted(str(path.relative_to(self._root)) for path in (self._root / "tests").rglob("test_*.py"))
        runs = [rank(context, functions)[:FIRST_FUNCTIONS], near]
        return [*runs, [path for path in rest if path not in near]] if is_wide else runs

    def _typescript_runs(self, edit: Edit, context: str, *, is_wide: bool) -> list[list[str]]:
        package = package_of(edit.file)
        if not package.startswith("web/"):
            return [["run"]]
        source = self._root / edit.file
        own = sorted(source.parent.glob("*.test.*")) if package.startswith("web/features/") else []
        files = own or sorted((self._root / "web/src").rglob("*.test.*"))
        first = ["run", *rank(context, {str(file): f"{file.name} {file.read_text()}" for file in files})[:FIRST_FILES]]
        related = ["related", str(source), "--run"]
        if not own:
            return [first, related]
        return [first, ["run", *map(str, own)], *([related] if is_wide else [])]

    def _python_tests(self, file: str, places: list[str]) -> list[str]:
        """Returns the test files of these places: first the files named like the file, at last the slow files."""
        words = {word.rstrip("s") for word in re.findall(r"[a-z]+", "/".join(Path(file).with_suffix("").parts[2:]))}

        def distance(path: Path) -> tuple[int, int, str]:
            shared = words & {word.rstrip("s") for word in re.findall(r"[a-z]+", path.stem)}
            return (1 if SLOW.search(path.stem) else 0, -len(shared), str(path))

        found: list[str] = []
        for place in places:
            path = self._root / "tests" / place
            files = sorted(path.rglob("test_*.py"), key=distance) if path.is_dir() else [path] if path.exists() else []
            found += [str(test.relative_to(self._root)) for test in files]
        return sorted(dict.fromkeys(found), key=lambda test: bool(SLOW.search(Path(test).stem)))

    def _pytest(self, tests: list[str], unsound: list[str], *options: str) -> Outcome:
        command = [
            *(str(self._root / ".venv/bin/python"), "-m", "pytest", "-q", "-n", "0", "--color=no", "--tb=short"),
            *("-p", "no:cacheprovider", "--basetemp", str(self._folder / "tests"), *options),
            *("-o", f"faulthandler_timeout={TEST_SECONDS}", "-o", "faulthandler_exit_on_timeout=true"),
            *(f"--deselect={test}" for test in unsound if test.startswith("tests/")),
        ]
        shutil.rmtree(self._root / ".hypothesis", ignore_errors=True)
        status, log = self._run([*command, *tests], self._root)
        if status == 0:
            return Outcome({})
        if status == 5:
            raise RuntimeError(f"no test in {tests}")
        found = {failure[1]: (failure[2] or "")[:300] for failure in PYTEST_FAILURE.finditer(log)}
        return Outcome(found or {"": " ".join(log.split())[-300:]})

    def _vitest(self, project: str, arguments: list[str]) -> Outcome:
        report = self._folder / "vitest.json"
        report.unlink(missing_ok=True)
        command = [
            str(self._root / "node_modules/.bin/vitest"),
            *arguments,
            "--maxWorkers=1",
            f"--testTimeout={TEST_SECONDS}000",
        ]
        status, log = self._run([*command, "--reporter=json", f"--outputFile={report}"], self._root / project)
        if status == 0:
            return Outcome({})
        results: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {"testResults": []}
        found: dict[str, str] = {}
        for result in results["testResults"]:
            file = str(Path(result["name"]).relative_to(self._root))
            for test in result["assertionResults"]:
                if test["status"] == "failed":
                    found[f"{file} > {test['fullName']}"] = " ".join((test["failureMessages"] or [""])[0].split())[:300]
            if result["status"] == "failed" and not result["assertionResults"]:
                found[f"{file} > "] = str(result.get("message", ""))[:300]
        return Outcome(found or {"": " ".join(log.split())[-300:]})

    def _run(self, command: list[str], folder: Path) -> tuple[int, str]:
        """Runs a command to its end, and ends what it leaves behind. Processes of the tests import Livery from the copy too."""
        log = self._folder / "log"
        env = os.environ | {"PYTHONPATH": str(self._root), "NO_COLOR": "1"}
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                status = self._process.wait(RUN_SECONDS)
            except subprocess.TimeoutExpired:
                status = -1
            self._end(self._process)
        if self._is_closed:
            raise RuntimeError("stopped")
        return status, log.read_text(errors="replace")

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
