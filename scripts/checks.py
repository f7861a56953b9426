"""Runs every check of the project, quickest first, two at a time where they don't disturb each other, and adds up what they tested.

A step's output goes to a file; the output of a step that failed is shown at the end. The exit status is 0 only when every step passed.
"""

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".cache" / "checks"
BIN = ROOT / ".venv" / "bin"
NODE_BIN = ROOT / "node_modules" / ".bin"
LONGEST_STEP_SECONDS = 3600
SHOWN_LINES = 100
SHOWN_NAMES = 12
WORKSPACES = {
    "client": "@livery/client",
    "react": "@livery/react",
    "web": "@livery/dashboard",
    "storefront": "@livery/storefront",
}

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PYTEST_SUMMARY = re.compile(
    r"^=+ (.*\b(?:passed|failed|errors?|skipped|no tests ran)\b.* in [\d.]+s.*?) =+$", re.MULTILINE
)
VITEST_SUMMARY = re.compile(r"^\s*Tests\s+(.+\(\d+\))$", re.MULTILINE)
PLAYWRIGHT_SUMMARY = re.compile(r"^\s+(\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))\b", re.MULTILINE)
FAILURE = re.compile(
    r"^ *(?:FAIL |FAILED |ERROR |✗ |\d+\) \S+\.spec\.ts:).+|^ *\w*(?:Error|Exception): .+", re.MULTILINE
)
NUMBER = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|flaky|did not run|interrupted)")


@dataclass
class Counts:
    """How many tests passed, failed and were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: "Counts") -> None:
        """Adds ``other`` to this."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def count(pattern: re.Pattern[str], log: str) -> Counts | None:
    """What the closing lines of a test runner say; None where it closed without any."""
    counts = Counts()
    lines = pattern.findall(log)
    for line in lines:
        for number, word in NUMBER.findall(line):
            if word in ("passed", "xfailed"):
                counts.passed += int(number)
            elif word in ("skipped", "did not run"):
                counts.skipped += int(number)
            else:  # a flaky test is a failed one
                counts.failed += int(number)
    return counts if lines else None


@dataclass
class Step:
    """One command. ``counts`` finds the closing lines of a test runner; such a step fails when it ran no test."""

    name: str
    command: list[str | Path]
    counts: re.Pattern[str] | None = None
    env: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class Result:
    """How a step ended."""

    step: Step
    problem: str | None
    seconds: float
    log: str
    counts: Counts | None


_running: set[subprocess.Popen[bytes]] = set()


def _run_to_end(step: Step, log: IO[str]) -> str | None:
    """Runs the step's command in a process group of its own; says what went wrong."""
    env = os.environ | {"NO_COLOR": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"} | step.env
    env.pop("FORCE_COLOR", None)
    process = subprocess.Popen(
        step.command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    _running.add(process)
    try:
        status = process.wait(LONGEST_STEP_SECONDS)
    except subprocess.TimeoutExpired:
        _end(process)
        return f"not done after {LONGEST_STEP_SECONDS} s"
    finally:
        _running.discard(process)
    return f"exit status {status}" if status else None


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _stop(signal_number: int, _frame: FrameType | None) -> None:
    """Ends what runs, then this process: the steps are in groups of their own and don't get the terminal's Ctrl-C."""
    for process in list(_running):
        _end(process)
    os._exit(128 + signal_number)


def run(step: Step) -> Result:
    """Runs the step to its end (or its time limit) and says how it went."""
    begin = time.monotonic()
    path = LOGS / f"{re.sub(r'[^a-z0-9]+', '-', step.name)}.log"
    problem = None
    with path.open("w") as log:
        try:
            problem = _run_to_end(step, log)
        except OSError as error:
            problem = str(error)
    text = ANSI.sub("", path.read_text(errors="replace"))
    counts = count(step.counts, text) if step.counts else None
    if step.counts and not problem and not (counts and counts.passed):
        problem = "ran no test"
    if problem and counts and not counts.failed:
        counts.failed = 1  # the runner itself failed
    return Result(step, problem, time.monotonic() - begin, text, counts)


_printing = threading.Lock()


def run_and_report(step: Step) -> Result:
    """Runs the step and prints one line when it ended."""
    result = run(step)
    with _printing:
        mark = "FAILED" if result.problem else "ok"
        detail = "; ".join(str(part) for part in (result.counts, result.problem) if part)
        print(f"{mark:>6}  {result.step.name:<28} {result.seconds:6.1f} s  {detail}".rstrip(), flush=True)
    return result


def npm(script: str, workspace: str, *arguments: str) -> list[str | Path]:
    """The command of a workspace's script."""
    return ["npm", "run", script, "--silent", "-w", workspace, *arguments]


def pytest(arguments: list[str]) -> Step:
    """The Python tests, on every core."""
    return Step("pytest", [BIN / "pytest", "-n", "auto", "--color=no", *arguments], PYTEST_SUMMARY)


def stages(arguments: list[str]) -> list[list[Step]]:
    """What `make test` runs. The steps of a stage run two at a time, the stages one after the other."""
    quick = [
        Step("ruff format", [BIN / "ruff", "format", "--check", "."]),
        Step("ruff check", [BIN / "ruff", "check", "."]),
        Step("import rules", [BIN / "lint-imports", "--no-logo"]),
        Step("spec coverage", [BIN / "python", "scripts/spec_coverage.py"]),
        Step("biome", [NODE_BIN / "biome", "check", "--error-on-warnings", "--max-diagnostics=100"]),
        *(Step(f"types: {name}", npm("typecheck", workspace)) for name, workspace in WORKSPACES.items()),
        Step("types: browser tests", [NODE_BIN / "tsc", "-p", "tests/e2e"]),
        Step("api drift", npm("api:check", WORKSPACES["web"])),
        Step("pyright", [BIN / "pyright"]),
        *(
            Step(f"vitest: {name}", npm("test", WORKSPACES[name]), VITEST_SUMMARY)
            for name in ("client", "react", "web")
        ),
    ]
    browser = Step("browser", ["npm", "run", "--silent", "e2e"], PLAYWRIGHT_SUMMARY)
    return [quick, [pytest(arguments)], [browser]]


def run_stage(steps: list[Step]) -> list[Result]:
    """Runs the steps two at a time, in order, and reports each when it ends."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(run_and_report, steps))


def show_failures(results: list[Result]) -> None:
    """Which tests failed, of all steps together; then the end of what each failed step printed. Who keeps only the
    beginning of this output keeps what counts."""
    failed = [result for result in results if result.problem]
    for result in failed:
        names = dict.fromkeys(line.strip()[:200] for line in FAILURE.findall(result.log))
        print(f"\n---- {result.step.name}: {result.problem}")
        print("\n".join(list(names)[:SHOWN_NAMES]))
    for result in failed:
        lines = result.log.rstrip().splitlines()
        print(f"\n---- the last {min(len(lines), SHOWN_LINES)} of {len(lines)} lines of {result.step.name}")
        print("\n".join(lines[-SHOWN_LINES:]))


def close(results: list[Result]) -> int:
    """Prints the closing lines and gives the exit status."""
    total = Counts()
    for result in results:
        if result.counts:
            total.add(result.counts)
    failed = [result.step.name for result in results if result.problem]
    print()
    for result in results:
        if result.step.name == "pytest" and (summary := PYTEST_SUMMARY.findall(result.log)):
            print(f"===== {summary[-1]} =====")
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(total, flush=True)
    return 1 if failed else 0


def main() -> int:
    """Reads the command line and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scale", action="store_true", help="only the Python tests, on the server LIVERY_TEST_DATABASE_URL names"
    )
    parser.add_argument("arguments", nargs="*", help="arguments for pytest")
    options, rest = parser.parse_known_args()
    arguments: list[str] = [*options.arguments, *rest]
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    LOGS.mkdir(parents=True, exist_ok=True)
    plan = [[pytest(arguments)]] if options.scale else stages(arguments)
    results: list[Result] = []
    for stage in plan:
        results.extend(run_stage(stage))
    show_failures(results)
    return close(results)


if __name__ == "__main__":
    sys.exit(main())
