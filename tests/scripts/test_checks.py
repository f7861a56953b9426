"""The runner of the checks: order, budgets, counts, the reports of test runners, and the covering of times, days and zones."""

import itertools
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from scripts.checks import Counts, Needs, Result, close, count, judge_budgets, result_of
from scripts.clocks import DAYS, SERVER_ROWS, TIMES, WEB_ROWS, WHOLE_WEB_ROWS, ZONES, clock_change, environment
from scripts.durations import of_playwright, of_pytest, of_vitest, packages_of, slowness_line
from scripts.schedule import OVERRUN, SLOWEST_MACHINE, Outcome, Scheduler, next_step, places, ranks, slowness
from scripts.steps import LOGS, Need, Runner, Step, deep_steps, main_steps

QUICK = Step("quick", [], budget=1)
LONG = Step("long", [], budget=9)
WIDE = Step("wide", [], budget=20, cores=2)


def outcomes_of(steps: list[Step], cores: int) -> dict[str, Outcome]:
    LOGS.mkdir(parents=True, exist_ok=True)
    outcomes: dict[str, Outcome] = {}
    Scheduler(cores).run(steps, lambda outcome: outcomes.update({outcome.step.name: outcome}))
    for step in steps:
        step.log.unlink(missing_ok=True)
    return outcomes


def started_first(steps: list[Step], *, free: int, ended: tuple[str, ...] = ()) -> str | None:
    chosen = next_step(steps, ended, free, 2, ranks(steps))
    return chosen.name if chosen else None


def test_the_longest_step_starts_first() -> None:
    assert started_first([QUICK, LONG], free=2) == "long"


def test_a_step_counts_with_the_steps_that_come_after_it() -> None:
    begins_a_chain = Step("begins a chain", [], budget=2)
    end = Step("end", [], budget=8, after=("begins a chain",))

    assert started_first([LONG, begins_a_chain, end], free=2) == "begins a chain"


def test_a_step_starts_after_the_end_of_the_steps_it_names() -> None:
    later = Step("later", [], budget=50, after=("quick",))

    assert started_first([later], free=2) is None
    assert started_first([later], free=2, ended=("quick",)) == "later"


def test_a_narrow_step_takes_the_core_that_is_too_little_for_a_wide_step() -> None:
    assert started_first([WIDE, QUICK], free=1) == "quick"
    assert started_first([WIDE, QUICK], free=2) == "wide"


def test_a_step_wider_than_the_machine_takes_all_of_it() -> None:
    assert started_first([replace(WIDE, cores=8)], free=2) == "wide"
    assert started_first([replace(WIDE, cores=8)], free=1) is None


def test_every_step_runs_and_its_cpu_seconds_include_its_children() -> None:
    spin = "import time\nwhile time.process_time() < 0.3: pass"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}], check=True)"
    steps = [
        Step("scheduler a", [sys.executable, "-c", child], cores=2),
        Step("scheduler b", [sys.executable, "-c", "raise SystemExit(3)"], after=("scheduler a", "not in this run")),
        Step("scheduler c", ["no-such-program"]),
    ]

    outcomes = outcomes_of(steps, cores=2)

    assert outcomes["scheduler a"].problem is None
    assert outcomes["scheduler a"].cpu_seconds >= 0.3
    assert outcomes["scheduler b"].problem == "exit status 3"
    assert "no-such-program" in (outcomes["scheduler c"].problem or "")


def test_steps_that_come_after_each_other_are_an_error() -> None:
    steps = [Step("scheduler a", [], after=("scheduler b",)), Step("scheduler b", [], after=("scheduler a",))]

    with pytest.raises(ValueError, match="scheduler a"):
        outcomes_of(steps, cores=2)


def taken(*factors: float, budget: float = 100) -> list[Outcome]:
    """How steps ended that took so many times their budget of CPU."""
    return [
        Outcome(Step(f"took {number}", [], budget), None, 1, factor * budget) for number, factor in enumerate(factors)
    ]


def over(outcomes: list[Outcome]) -> list[str]:
    judged = judge_budgets([Result(outcome) for outcome in outcomes])
    assert all(str(result.counts) == "0 passed, 1 failed" for result in judged if result.problem)
    return [f"{result.step.name}: {result.problem}" for result in judged if result.problem]


def test_a_step_fails_when_its_cpu_seconds_are_over_its_budget_by_half() -> None:
    assert over(taken(1, OVERRUN)) == []
    assert over(taken(1, OVERRUN + 0.1)) == [f"took 1: over its budget of 100 s (took {100 * (OVERRUN + 0.1):.0f} s)"]


def test_a_machine_is_as_slow_as_the_median_of_the_long_steps() -> None:
    assert slowness(taken(1.2, 1.6, 9)) == 1.6
    assert slowness([*taken(1.2, 1.6, 9), *taken(5, 5, 5, budget=30)]) == 1.6
    assert slowness(taken(0.5, 0.6, 0.7)) == 1
    assert slowness(taken(7, 8, 9)) == SLOWEST_MACHINE
    assert slowness(taken(2, 2)) == 1


def test_on_a_slow_machine_only_the_step_that_is_slower_than_the_others_fails() -> None:
    slow = taken(1.6, 1.6, 1.6, 1.6 * OVERRUN - 0.1, 1.6 * OVERRUN + 0.1)
    quick = taken(1.6 * OVERRUN + 0.1, budget=10)

    assert [line.split(":")[0] for line in over([*slow, *quick])] == ["took 4", "took 0"]


def test_the_slowness_of_the_machine_is_shown_where_it_counts() -> None:
    assert slowness_line(1.1) == ""
    assert slowness_line(1.6) == "This machine took 1.6 times the CPU of the budgets."


def test_a_step_that_failed_keeps_its_problem_and_its_counts() -> None:
    step = Step("failed", [], 100, runner=Runner.PYTEST)
    failed = Result(Outcome(step, "exit status 1", 1, 1000), "", Counts(passed=4, failed=2))

    assert judge_budgets([failed]) == [failed]


@pytest.mark.parametrize(
    ("runner", "log", "expected"),
    [
        (Runner.PYTEST, "=== 2 failed, 5 passed, 1 skipped, 1 error in 3.20s ===", "5 passed, 3 failed, 1 skipped"),
        (Runner.PYTEST, "=== 7 passed, 1 xfailed in 65.32s (0:01:05) ===", "8 passed, 0 failed"),
        (Runner.VITEST, "      Tests  1 failed | 7 passed (8)", "7 passed, 1 failed"),
        (Runner.PLAYWRIGHT, "  1 flaky\n  2 did not run\n  12 passed (1.2m)", "12 passed, 1 failed, 2 skipped"),
        (Runner.PYTEST, "Killed", "None"),
    ],
)
def test_the_closing_lines_of_each_runner_are_counted(runner: Runner, log: str, expected: str) -> None:
    assert str(count(runner, log)) == expected


def test_a_runner_that_ran_no_test_has_failed() -> None:
    step = Step("scheduler no tests", [], runner=Runner.PYTEST)
    LOGS.mkdir(parents=True, exist_ok=True)
    step.log.write_text("===== no tests ran in 0.01s =====\n")

    result = result_of(Outcome(step, None, 1, 1))
    step.log.unlink()

    assert result.problem == "ran no test"
    assert str(result.counts) == "0 passed, 1 failed"


def test_the_closing_lines_sum_all_pytest_runs_and_name_what_did_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    for name, log in (
        ("scheduler one", "== 3 passed in 1.00s =="),
        ("scheduler two", "FAILED tests/a.py::test_b - x\n== 1 failed, 2 passed in 2.00s =="),
    ):
        step = Step(name, [], runner=Runner.PYTEST)
        step.log.write_text(log)
        results.append(result_of(Outcome(step, "exit status 1" if "failed" in log else None, 2, 1)))
        step.log.unlink()

    status = close(results, ["not run: pytest postgresql. It is absent."])

    assert status == 1
    assert capsys.readouterr().out.split("\n") == [
        "",
        "===== 1 failed, 5 passed in 4.00s =====",
        "not run: pytest postgresql. It is absent.",
        "FAILED tests/a.py::test_b - x",
        "failed: scheduler two",
        "5 passed, 1 failed",
        "",
    ]


def test_the_database_of_the_caller_is_given_to_the_step_on_postgresql_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVERY_TEST_DATABASE_URL", "postgresql+psycopg://caller@/db")
    steps = [Step("on sqlite", []), Step("on postgresql", [], need=Need.POSTGRESQL)]

    with ExitStack() as stack:
        met = Needs(stack).met(steps)

    assert [step.env.get("LIVERY_TEST_DATABASE_URL") for step in met] == [None, "postgresql+psycopg://caller@/db"]


def test_on_two_cores_the_three_longest_steps_start_together() -> None:
    steps = main_steps([], 2)
    assert {step.name: step.cores for step in steps if step.cores != 1} == {"api drift": 0}
    started: set[str] = set()

    for free in range(places(2), -1, -1):
        step = next_step([step for step in steps if step.name not in started], (), free, places(2), ranks(steps))
        started |= {step.name} if step else set()

    assert started == {"pytest sqlite", "pytest postgresql", "browser", "api drift"}


def test_three_steps_of_one_core_run_at_a_time_on_two_cores() -> None:
    assert [places(cores) for cores in (1, 2, 3, 4, 8)] == [1, 3, 4, 6, 12]


def test_the_budgets_leave_no_long_tail() -> None:
    steps = main_steps([], 2)

    assert max(step.budget for step in steps) <= sum(step.budget for step in steps) / 2


def test_packages_are_compared_with_advisories_where_a_folder_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIVERY_CHECKS_OSV", raising=False)
    assert "advisories" not in {step.name for step in main_steps([], 2)}

    monkeypatch.setenv("LIVERY_CHECKS_OSV", "/data/osv")
    (step,) = (step for step in main_steps([], 2) if step.name == "advisories")

    assert step.command[1:] == ["scripts/sbom.py", "--advisories", "/data/osv"]


@pytest.mark.parametrize("steps", [main_steps([], 8), deep_steps([], 8)])
def test_no_two_steps_share_a_name_or_a_file(steps: list[Step]) -> None:
    assert len({step.name for step in steps}) == len({step.file_name for step in steps}) == len(steps)


def test_the_report_of_pytest_gives_packages() -> None:
    report = """<testsuites><testsuite>
      <testcase classname="tests.colors.test_colors" name="test_a[x]" time="1.5"/>
      <testcase classname="tests.billing.sandbox.test_pay" name="test_b" time="0.5"/>
      <testcase classname="tests.colors.test_more" name="test_c" time="2"><failure/></testcase>
      <testcase classname="tests.test_serve" name="test_d" time="1"/>
    </testsuite></testsuites>"""

    tests = list(of_pytest(report))

    assert tests[0].name == "colors.test_colors::test_a[x]"
    assert [(row.package, row.tests, row.seconds) for row in packages_of("pytest", tests)] == [
        ("colors", 2, 3.5),
        ("tests", 1, 1.0),
        ("billing", 1, 0.5),
    ]


def test_the_report_of_vitest_gives_features() -> None:
    def file(name: str, milliseconds: float | None) -> dict[str, object]:
        return {"name": name, "assertionResults": [{"fullName": "it works", "duration": milliseconds}]}

    names = [
        "/src/livery/web/src/features/screens/rows.test.tsx",
        "/x/web/src/lib/time.test.ts",
        "/x/client/tests/a.test.ts",
    ]
    report = json.dumps(
        {"testResults": [file(name, time) for name, time in zip(names, (250, None, 1000), strict=True)]}
    )

    assert [(test.package, test.name, test.seconds) for test in of_vitest(report)] == [
        ("features/screens", "rows.test.tsx: it works", 0.25),
        ("lib", "time.test.ts: it works", 0),
        ("tests", "a.test.ts: it works", 1),
    ]


def test_the_report_of_playwright_gives_tests_of_nested_suites() -> None:
    spec = {"title": "a walk", "file": "walk.spec.ts", "tests": [{"results": [{"duration": 900}, {"duration": 100}]}]}
    report = json.dumps({"suites": [{"specs": [], "suites": [{"specs": [spec]}]}]})

    assert [(test.package, test.seconds) for test in of_playwright(report)] == [("walk.spec.ts", 1)]


def test_twelve_rows_cover_every_pair_of_time_day_and_zone() -> None:
    pairs = {frozenset(pair) for row in WEB_ROWS for pair in itertools.combinations((row.time, row.day, row.zone), 2)}
    wanted = {
        frozenset(pair)
        for one, other in itertools.combinations((TIMES, DAYS, ZONES), 2)
        for pair in itertools.product(one, other)
    }

    assert len(WEB_ROWS) == 12
    for values in (TIMES, DAYS, ZONES):
        assert {value for row in WHOLE_WEB_ROWS for value in (row.time, row.day, row.zone)} >= set(values)
    assert pairs == wanted


def test_three_rows_cover_every_time_zone_and_special_day_of_the_server() -> None:
    assert [row.time for row in SERVER_ROWS] == list(TIMES)
    assert [row.zone for row in SERVER_ROWS] == list(ZONES)
    assert ["ordinary", *(row.day for row in SERVER_ROWS)] == list(DAYS)


@pytest.mark.parametrize(
    ("zone", "forward", "back"),
    [
        ("Pacific/Auckland", date(2027, 9, 26), date(2027, 4, 4)),
        ("America/Los_Angeles", date(2027, 3, 14), date(2027, 11, 7)),
    ],
)
def test_the_days_of_clock_changes_come_from_the_zone(zone: str, forward: date, back: date) -> None:
    assert clock_change(zone, is_forward=True) == forward
    assert clock_change(zone, is_forward=False) == back


def test_a_python_process_and_its_child_read_the_shifted_clock() -> None:
    code = "from livery.core import clock; clock.use(None); print(clock.now().isoformat())"
    parent = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {code!r}]).returncode)"
    env = os.environ | environment("python", "2027-04-04 00:05", "Pacific/Auckland")

    done = subprocess.run([sys.executable, "-c", parent], env=env, capture_output=True, text=True, check=True)

    elapsed = datetime.fromisoformat(done.stdout.strip()) - datetime(2027, 4, 3, 11, 5, tzinfo=UTC)
    assert 0 <= elapsed.total_seconds() + 1 < 300
