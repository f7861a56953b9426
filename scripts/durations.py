"""How long steps, packages and tests took, from the reports of pytest, Vitest and Playwright."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath
from typing import Any
from xml.etree import ElementTree as ET

from scripts.schedule import Outcome, slowness
from scripts.steps import LOGS, Runner, Step

SHOWN_TESTS = 30
SHOWN_SLOWNESS = 1.1


@dataclass(frozen=True)
class TestDuration:
    """The wall seconds of one test, with its fixtures where the runner counts them."""

    package: str
    name: str
    seconds: float


@dataclass(frozen=True)
class StepDuration:
    """The seconds of one step. ``budget_seconds`` is of CPU."""

    name: str
    wall_seconds: float
    cpu_seconds: float
    budget_seconds: float
    problem: str | None


@dataclass(frozen=True)
class PackageDuration:
    """The tests of one folder in one step."""

    step: str
    package: str
    tests: int
    seconds: float


def of_pytest(report: str) -> Iterator[TestDuration]:
    """The tests of a JUnit XML report. A package is a folder below tests/."""
    for case in ET.fromstring(report).iter("testcase"):
        parts = case.get("classname", "").split(".")
        package = parts[1] if len(parts) > 2 else "tests"
        yield TestDuration(package, f"{'.'.join(parts[1:])}::{case.get('name', '')}", float(case.get("time", "0")))


def of_vitest(report: str) -> Iterator[TestDuration]:
    """The tests of Vitest's JSON report. A package is a folder below src/, in src/features a feature."""
    for file in json.loads(report)["testResults"]:
        parts = PurePath(file["name"]).parts
        below = parts[_last(parts, "src") + 1 :] if "src" in parts else parts[_last(parts, "tests") :]
        folders = below[:-1]
        package = "/".join(folders[: 2 if folders[:1] == ("features",) else 1]) or "src"
        for test in file["assertionResults"]:
            yield TestDuration(package, f"{below[-1]}: {test['fullName']}", (test.get("duration") or 0) / 1000)


def _last(parts: Sequence[str], name: str) -> int:
    return len(parts) - 1 - list(reversed(parts)).index(name) if name in parts else -1


def of_playwright(report: str) -> Iterator[TestDuration]:
    """The tests of Playwright's JSON report. A package is a file."""
    for suite in json.loads(report)["suites"]:
        yield from _of_suite(suite)


def _of_suite(suite: dict[str, Any]) -> Iterator[TestDuration]:
    for spec in suite.get("specs", []):
        milliseconds = sum(result["duration"] for test in spec["tests"] for result in test["results"])
        yield TestDuration(spec["file"], f"{spec['file']}: {spec['title']}", milliseconds / 1000)
    for inner in suite.get("suites", []):
        yield from _of_suite(inner)


READERS = {Runner.PYTEST: of_pytest, Runner.VITEST: of_vitest, Runner.PLAYWRIGHT: of_playwright}


def tests_of(step: Step) -> list[TestDuration]:
    """The tests of a step; empty where its runner wrote no whole report, as when it was ended."""
    if not step.runner or not step.report.is_file():
        return []
    try:
        return list(READERS[step.runner](step.report.read_text(errors="replace")))
    except (ET.ParseError, ValueError, KeyError, TypeError):
        return []


def packages_of(step: str, tests: Sequence[TestDuration]) -> list[PackageDuration]:
    """The packages of a step, slowest first."""
    by_package: defaultdict[str, list[float]] = defaultdict(list)
    for test in tests:
        by_package[test.package].append(test.seconds)
    rows = [PackageDuration(step, package, len(seconds), sum(seconds)) for package, seconds in by_package.items()]
    return sorted(rows, key=lambda row: -row.seconds)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose columns are aligned; all but the last column are numbers, to the right. Empty without rows."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(cells[:-1], widths[:-1], strict=True)]
        return f"| {' | '.join([*padded, cells[-1].ljust(widths[-1])])} |"

    rule = [*(f"{'-' * (width - 1)}:" for width in widths[:-1]), "-" * widths[-1]]
    return "\n".join(line(cells) for cells in [head, rule, *rows])


def _cells(step: StepDuration) -> list[str]:
    name = f"{step.name} ({step.problem})" if step.problem else step.name
    return [f"{step.wall_seconds:.1f}", f"{step.cpu_seconds:.1f}", f"{step.budget_seconds:.0f}", name]


def slowness_line(factor: float) -> str:
    """What the budgets were multiplied by; empty on a machine that is about as fast as theirs."""
    return f"This machine took {factor:.1f} times the CPU of the budgets." if factor > SHOWN_SLOWNESS else ""


def _text(
    steps: list[StepDuration],
    packages: list[PackageDuration],
    tests: list[tuple[str, TestDuration]],
    wall: float,
    factor: float,
) -> str:
    parts = [
        "# Durations",
        f"{wall:.0f} s in total, {sum(step.cpu_seconds for step in steps):.0f} s of CPU.",
        slowness_line(factor),
        table(
            ["wall s", "CPU s", "budget", "step"],
            [_cells(step) for step in steps],
        ),
        table(
            ["seconds", "tests", "package"],
            [[f"{row.seconds:.1f}", str(row.tests), f"{row.step}: {row.package}"] for row in packages],
        ),
        table(["seconds", "test"], [[f"{test.seconds:.2f}", f"{step}: {test.name}"[:140]] for step, test in tests]),
    ]
    return "\n\n".join(part for part in parts if part)


def write(outcomes: Sequence[Outcome], wall_seconds: float) -> str:
    """Writes durations.md and durations.json to the folder of logs; returns the text of the first."""
    steps = [
        StepDuration(one.step.name, one.wall_seconds, one.cpu_seconds, one.step.budget, one.problem)
        for one in sorted(outcomes, key=lambda one: -one.cpu_seconds)
    ]
    packages: list[PackageDuration] = []
    tests: list[tuple[str, TestDuration]] = []
    for one in outcomes:
        found = tests_of(one.step)
        packages += packages_of(one.step.name, found)
        tests += [(one.step.name, test) for test in found]
    slowest = sorted(tests, key=lambda pair: -pair[1].seconds)[:SHOWN_TESTS]
    factor = slowness(outcomes)
    text = _text(steps, packages, slowest, wall_seconds, factor)
    (LOGS / "durations.md").write_text(f"{text}\n")
    values = {
        "wall_seconds": wall_seconds,
        "slowness": factor,
        "steps": [asdict(step) for step in steps],
        "packages": [asdict(package) for package in packages],
        "slowest": [{"step": step, **asdict(test)} for step, test in slowest],
    }
    (LOGS / "durations.json").write_text(json.dumps(values, indent=1))
    return text


def forget(steps: Sequence[Step]) -> None:
    """Removes the reports of an earlier run."""
    for step in steps:
        Path(step.report).unlink(missing_ok=True)
