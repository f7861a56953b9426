"""Runs every check of the project side by side (`--deep`: the long checks), and adds up what they tested.

A step's output goes to a file; the output of a step that failed is shown at the end. Then come the durations and the closing
lines. The exit status is 0 only when every step passed. If a step can't run because a program is absent, the last lines
report it. LIVERY_CHECKS_REQUIRE (names of `Need`, separated by commas) makes the absence a failure.
"""

import argparse
import os
import re
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import FrameType

from scripts import durations, postgres
from scripts.clocks import faketime_library
from scripts.packages import Unavailable, install_proxies
from scripts.schedule import Outcome, Scheduler, over_budget, slowness
from scripts.steps import LOGS, Need, Runner, Step, deep_steps, main_steps

SHOWN_LINES = 100
SHOWN_NAMES = 12
DATABASE = (
    "LIVERY_TEST_DATABASE_URL"  # a server of the caller's is used instead of one of ours; SQLite where it is empty
)

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SUMMARIES = {
    Runner.PYTEST: re.compile(
        r"^=+ (.*\b(?:passed|failed|errors?|skipped|no tests ran)\b.* in [\d.]+s.*?) =+$", re.MULTILINE
    ),
    Runner.VITEST: re.compile(r"^\s*Tests\s+(.+\(\d+\))$", re.MULTILINE),
    Runner.PLAYWRIGHT: re.compile(r"^\s+(\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))\b", re.MULTILINE),
}
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


def count(runner: Runner, log: str) -> Counts | None:
    """Returns the numbers in the closing lines of a test runner; ``None`` if it closed without numbers."""
    counts = Counts()
    lines = SUMMARIES[runner].findall(log)
    for line in lines:
        for number, word in NUMBER.findall(line):
            if word in ("passed", "xfailed"):
                counts.passed += int(number)
            elif word in ("skipped", "did not run"):
                counts.skipped += int(number)
            else:  # a flaky test counts as failed
                counts.failed += int(number)
    return counts if lines else None


@dataclass(frozen=True)
class Result:
    """How a step ended, and what its log has."""

    outcome: Outcome
    log: str = ""
    counts: Counts | None = None

    @property
    def step(self) -> Step:
        """The step."""
        return self.outcome.step

    @property
    def problem(self) -> str | None:
        """What went wrong."""
        return self.outcome.problem


def result_of(outcome: Outcome) -> Result:
    """Reads the log of a step. A test runner that ran no test has failed."""
    step, problem = outcome.step, outcome.problem
    log = ANSI.sub("", step.log.read_text(errors="replace")) if step.log.is_file() else ""
    counts = count(step.runner, log) if step.runner else None
    if step.runner and not problem and not (counts and counts.passed):
        problem = "ran no test"
    if problem and step.runner:
        counts = counts or Counts()
        counts.failed = counts.failed or 1  # the runner itself failed
    return Result(replace(outcome, problem=problem), log, counts)


def judge_budgets(results: list[Result]) -> list[Result]:
    """The results of all steps, where a step over its budget has failed. A slow machine is no problem of a step."""
    factor = slowness([result.outcome for result in results])
    judged: list[Result] = []
    for result in results:
        problem = over_budget(result.step.budget, result.outcome.cpu_seconds, factor)
        if result.problem or not problem:
            judged.append(result)
            continue
        counts = replace(result.counts or Counts(), failed=1)
        judged.append(Result(replace(result.outcome, problem=problem), result.log, counts))
    return judged


def report(result: Result) -> None:
    """Prints one line about a step that ended."""
    mark = "FAILED" if result.problem else "ok"
    detail = "; ".join(str(part) for part in (result.counts, result.problem) if part)
    seconds = f"{result.outcome.wall_seconds:6.1f} s {result.outcome.cpu_seconds:6.1f} s CPU"
    print(f"{mark:>6}  {result.step.name:<22} {seconds}  {detail}".rstrip(), flush=True)


def failures_in(log: str) -> list[str]:
    """The first failures that a log names, each once."""
    return list(dict.fromkeys(line.strip()[:200] for line in FAILURE.findall(log)))[:SHOWN_NAMES]


def show_failures(results: list[Result]) -> None:
    """Which tests failed, of all steps together; then the end of what each failed step printed. A reader that keeps
    only the beginning of this output keeps what counts."""
    failed = [result for result in results if result.problem]
    for result in failed:
        print(f"\n---- {result.step.name}: {result.problem}")
        print("\n".join(failures_in(result.log)))
    for result in failed:
        lines = result.log.rstrip().splitlines()
        print(f"\n---- the last {min(len(lines), SHOWN_LINES)} of {len(lines)} lines of {result.step.name}")
        print("\n".join(lines[-SHOWN_LINES:]))


def pytest_summary(results: list[Result]) -> str | None:
    """The closing line of all pytest runs together, in pytest's form."""
    total, seconds = Counts(), 0.0
    counted = [result for result in results if result.step.runner is Runner.PYTEST and result.counts]
    for result in counted:
        total.add(result.counts or Counts())
        seconds += result.outcome.wall_seconds
    numbers = {"failed": total.failed, "passed": total.passed, "skipped": total.skipped}
    text = ", ".join(f"{number} {word}" for word, number in numbers.items() if number)
    return f"===== {text or 'no tests ran'} in {seconds:.2f}s =====" if counted else None


def close(results: list[Result], absent: list[str]) -> int:
    """Prints the closing lines and returns the exit status."""
    total = Counts()
    for result in results:
        if result.counts:
            total.add(result.counts)
    failed = [result.step.name for result in results if result.problem]
    print()
    if summary := pytest_summary(results):
        print(summary)
    for line in absent:
        print(line)
    if failed:
        # Once more, for who keeps only the end of this output.
        for result in results:
            if result.problem:
                print("\n".join(failures_in(result.log)) or f"{result.step.name}: {result.problem}")
        print(f"failed: {', '.join(failed)}")
    print(total, flush=True)
    return 1 if failed else 0


class Needs:
    """Gives steps the programs that they need, and sorts out the steps whose program is absent."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._required = set(filter(None, os.environ.get("LIVERY_CHECKS_REQUIRE", "").split(",")))
        self.lines: list[str] = []
        self.failed: list[Result] = []

    def met(self, steps: list[Step]) -> list[Step]:
        """The steps that can run. ``lines`` and ``failed`` report the rest."""
        env: dict[Need, dict[str, str]] = {}
        for need in dict.fromkeys(step.need for step in steps if step.need):
            try:
                env[need] = self._provide(need)
            except Unavailable as error:
                self._report(need, [step for step in steps if step.need is need], str(error))
        return [
            replace(step, env={**step.env, **env[step.need]}) if step.need else step
            for step in steps
            if not step.need or step.need in env
        ]

    def _provide(self, need: Need) -> dict[str, str]:
        if need is Need.FAKETIME:
            faketime_library()
            return {}
        if need is Need.PROXIES:
            install_proxies()
            return {}
        return {DATABASE: os.environ.get(DATABASE) or self._stack.enter_context(postgres.running_server())}

    def _report(self, need: Need, steps: list[Step], reason: str) -> None:
        self.lines.append(f"not run: {', '.join(step.name for step in steps)}. {reason}")
        if need in self._required:
            self.failed += [Result(Outcome(step, f"{need} is required", 0, 0), "", Counts(failed=1)) for step in steps]


def _exit(signal_number: int, _frame: FrameType | None) -> None:
    """Leaves through the ``with`` blocks, which end PostgreSQL and the steps."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + signal_number)


def run(steps: list[Step], cores: int) -> int:
    """Runs the steps, shows what failed and how long they took; returns the exit status."""
    begin = time.monotonic()
    LOGS.mkdir(parents=True, exist_ok=True)
    durations.forget(steps)
    results: list[Result] = []

    def on_end(outcome: Outcome) -> None:
        results.append(result_of(outcome))
        report(results[-1])

    with ExitStack() as stack:
        needs = Needs(stack)
        steps = needs.met([replace(step, env={DATABASE: "", **step.env}) for step in steps])
        scheduler = Scheduler(cores)
        stack.callback(scheduler.close)
        scheduler.run(steps, on_end)
    results = [*judge_budgets(results), *needs.failed]
    show_failures(results)
    text = durations.write([result.outcome for result in results], time.monotonic() - begin)
    print(f"\n{text}")
    return close(results, needs.lines)


def main() -> int:
    """Reads the command line and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deep", action="store_true", help="the steps of make test-deep")
    parser.add_argument("--only", action="append", metavar="STEP", help="this step only; may be given again")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 2, help="how many cores to use (default: all)")
    parser.add_argument("--list", action="store_true", help="print the steps and their budgets")
    parser.add_argument("arguments", nargs="*", help="arguments for pytest")
    options, rest = parser.parse_known_args()
    cores = max(1, options.cores)
    steps = (deep_steps if options.deep else main_steps)([*options.arguments, *rest], cores)
    only = set[str](options.only or [step.name for step in steps])
    if unknown := only - {step.name for step in steps}:
        parser.error(f"no step is named {', '.join(sorted(unknown))}; --list names all")
    steps = [step for step in steps if step.name in only]
    if options.list:
        for step in steps:
            print(f"{step.budget:6.0f} s  {step.cores} x  {step.name}")
        return 0
    signal.signal(signal.SIGINT, _exit)
    signal.signal(signal.SIGTERM, _exit)
    return run(steps, cores)


if __name__ == "__main__":
    sys.exit(main())
