"""What `make test` and `make test-deep` run: the steps, their budgets and their workers. To change a budget, change it here."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from scripts.clocks import SERVER_ROWS, WEB_ROWS, WHOLE_WEB_ROWS, Row

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".cache" / "checks"
BIN = ROOT / ".venv" / "bin"
NODE_BIN = ROOT / "node_modules" / ".bin"
WORKSPACES = {
    "cli": "@livery/cli",
    "client": "@livery/client",
    "react": "@livery/react",
    "i18next": "@livery/i18next",
    "vue": "@livery/vue",
    "svelte": "@livery/svelte",
    "web": "@livery/dashboard",
    "storefront": "@livery/storefront",
    "i18next-shop": "@livery/i18next-shop",
}

# Seconds of CPU on an ordinary machine with two cores that this run keeps busy.
BUDGETS = {
    "pytest sqlite": 440,
    "pytest postgresql": 410,
    "vitest web": 190,
    "vitest cli": 40,
    "vitest client": 15,
    "vitest react": 10,
    "vitest i18next": 10,
    "vitest vue": 10,
    "vitest svelte": 15,
    "browser": 260,
    "pyright": 72,
}
DEEP_BUDGETS = {
    "pytest sqlite": 520,
    "pytest postgresql": 900,
    "browser": 200,
    "drill": 60,
}
SHORT_BUDGET = 30
LARGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Python's memory in pages of 2 MB, where Linux and glibc have them: the tests take a tenth less CPU."""
DATE_TESTS = ("src/lib", "src/features/publishing/schedule-instant")
"""The tests of the dashboard's functions of dates and times."""
DEEP_SIZES = {
    "LIVERY_TEST_STEPS": "500",
    "LIVERY_TEST_DUE": "1000",
    "LIVERY_TEST_CANCELS": "200",
    "LIVERY_TEST_OWN_RELEASES": "100",
}
"""On PostgreSQL. A hundred releases with their first reads take over a minute there while all cores are busy; SQLite makes a thousand."""


class Runner(StrEnum):
    """A program that runs tests and reports how long each took."""

    PYTEST = "pytest"
    VITEST = "vitest"
    PLAYWRIGHT = "playwright"


class Need(StrEnum):
    """A program that a step needs and that a machine may not have."""

    POSTGRESQL = "postgresql"
    FAKETIME = "faketime"
    PROXIES = "proxies"


@dataclass(frozen=True)
class Step:
    """One command.

    ``budget`` is in seconds of CPU, of all its processes. The step has workers for ``cores`` cores, and takes as many places
    of the scheduler: zero if it hardly computes. It starts after the end of the steps that ``after`` names, whether they passed
    or not. A step with a ``runner`` fails when it ran no test.
    """

    name: str
    command: list[str | Path]
    budget: float = SHORT_BUDGET
    cores: int = 1
    after: tuple[str, ...] = ()
    runner: Runner | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    need: Need | None = None

    @property
    def file_name(self) -> str:
        """The name of the step's files in the folder of logs, without the ending."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.name.lower()).split())

    @property
    def log(self) -> Path:
        """Everything that the command printed."""
        return LOGS / f"{self.file_name}.log"

    @property
    def report(self) -> Path:
        """What the runner writes about the durations of tests."""
        return LOGS / f"{self.file_name}.{'xml' if self.runner is Runner.PYTEST else 'json'}"


def _reporting(step: Step, command: list[str | Path]) -> Step:
    """The step with ``command`` and what makes its runner write the report."""
    env = dict(step.env)
    match step.runner:
        case Runner.PYTEST:
            command = [*command, f"--junitxml={step.report}", "-o", "junit_family=xunit2"]
            env |= LARGE_PAGES
        case Runner.VITEST:
            command = [*command, "--reporter=default", "--reporter=json", f"--outputFile.json={step.report}"]
        case _:
            env["LIVERY_DURATIONS"] = str(step.report)
    return Step(step.name, command, step.budget, step.cores, step.after, step.runner, env, step.need)


def npm(script: str, workspace: str) -> list[str | Path]:
    """The command of a workspace's script."""
    return ["npm", "run", script, "--silent", "-w", workspace]


def _pytest(step: Step, arguments: list[str], prefix: list[str | Path]) -> Step:
    """Adds two workers for each core, as a test is often idle: it awaits processes, timeouts and the database server. A third
    worker would take 20 s of CPU more: it imports and prepares everything again. Workers steal tests in order, so that tests of
    one file meet the same warm application."""
    workers = ["-n", str(2 * step.cores), "--dist", "worksteal"]
    cache = ["-o", f"cache_dir={LOGS.parent / 'pytest' / step.file_name}"]  # two runs at a time can't share it
    return _reporting(step, [*prefix, BIN / "pytest", *workers, "--color=no", *cache, *arguments])


def pytest_step(database: str, arguments: list[str], *, cores: int, is_deep: bool) -> Step:
    """The Python tests on SQLite or PostgreSQL."""
    name = f"pytest {database}"
    need = Need.POSTGRESQL if database == "postgresql" else None
    env = {"LIVERY_TEST_TIER": "deep" if is_deep else "main"}
    if is_deep:
        env["LIVERY_TEST_SEED"] = os.environ.get("LIVERY_TEST_SEED", time.strftime("%Y%m%d"))
    if is_deep and need:
        env |= {name: os.environ.get(name, size) for name, size in DEEP_SIZES.items()}
    budget = (DEEP_BUDGETS if is_deep else BUDGETS)[name]
    return _pytest(Step(name, [], budget, cores, runner=Runner.PYTEST, env=env, need=need), arguments, [])


def _vitest(step: Step, workspace: str, prefix: list[str | Path]) -> Step:
    """Two workers for each core: the last long step may have both cores for itself."""
    return _reporting(step, [*prefix, *npm("test", WORKSPACES[workspace]), "--", f"--maxWorkers={2 * step.cores}"])


def vitest_step(workspace: str, *, cores: int = 1) -> Step:
    """The tests of a workspace."""
    name = f"vitest {workspace}"
    return _vitest(Step(name, [], BUDGETS[name], cores, runner=Runner.VITEST), workspace, [])


def browser_step(*, cores: int, is_deep: bool) -> Step:
    """The browser tests: a worker is a browser and a server. At least two workers, also on one core: a page is often idle."""
    command: list[str | Path] = ["npm", "run", "--silent", "e2e:deep" if is_deep else "e2e"]
    budget = (DEEP_BUDGETS if is_deep else BUDGETS)["browser"]
    step = Step("browser", [], budget, cores, runner=Runner.PLAYWRIGHT)
    return _reporting(step, [*command, "--", f"--workers={max(2, cores)}"])


def proxies_step() -> Step:
    """The configurations of the documentation in a real nginx and a real Caddy."""
    step = Step("proxies", [], runner=Runner.PYTEST, env={"LIVERY_TEST_PROXIES": "1"}, need=Need.PROXIES)
    return _pytest(step, ["tests/delivery/test_real_proxies.py"], [])


def drill_step() -> Step:
    """A loss and an upgrade of an installation from wheels."""
    step = Step("drill", [], DEEP_BUDGETS["drill"], runner=Runner.PYTEST, env={"LIVERY_TEST_DRILL": "1"})
    return _pytest(step, ["tests/test_drill.py"], [])


def advisories_steps() -> list[Step]:
    """The check of all packages against advisories, where `LIVERY_CHECKS_OSV` names a folder with them."""
    folder = os.environ.get("LIVERY_CHECKS_OSV")
    command: list[str | Path] = [BIN / "python", "scripts/sbom.py", "--advisories", folder or ""]
    return [Step("advisories", command)] if folder else []


def static_steps() -> list[Step]:
    """The checks that read the code."""
    return [
        Step("ruff format", [BIN / "ruff", "format", "--check", "."]),
        Step("ruff check", [BIN / "ruff", "check", "."]),
        Step("import rules", [BIN / "lint-imports", "--no-logo"]),
        Step("spec coverage", [BIN / "python", "scripts/spec_coverage.py"]),
        Step("biome", [NODE_BIN / "biome", "check", "--error-on-warnings", "--max-diagnostics=100"]),
        Step("stylelint", [NODE_BIN / "stylelint", "web/src/**/*.css"]),
        *(Step(f"types {name}", npm("typecheck", workspace)) for name, workspace in WORKSPACES.items()),
        Step("types browser tests", [NODE_BIN / "tsc", "-p", "tests/e2e"]),
        Step("npm packages", ["npm", "run", "package:check", "--silent", "--workspaces", "--if-present"]),
        Step("api drift", npm("api:check", WORKSPACES["web"]), cores=0),  # first it waits for a download
        Step("pyright", [BIN / "pyright"], BUDGETS["pyright"]),
        *advisories_steps(),
    ]


def main_steps(arguments: list[str], cores: int) -> list[Step]:
    """The steps of `make test`.

    On two cores every step takes a single core, and three steps run at a time (`scripts.schedule.places`). The scheduler starts the
    longest steps first, and the short steps fill both cores to the end. On more cores a long step takes half of them.
    """
    half = max(1, cores // 2)
    return [
        pytest_step("sqlite", arguments, cores=half, is_deep=False),
        pytest_step("postgresql", arguments, cores=half, is_deep=False),
        browser_step(cores=half, is_deep=False),
        vitest_step("web", cores=half),
        vitest_step("cli"),
        vitest_step("client"),
        vitest_step("react"),
        vitest_step("i18next"),
        vitest_step("vue"),
        vitest_step("svelte"),
        *static_steps(),
    ]


def deep_steps(arguments: list[str], cores: int) -> list[Step]:
    """The steps of `make test-deep`: every seed, kill, walk and size, and the suites at other times of day and year.

    PostgreSQL has twice the workers and leaves room for one step beside it. Its tests await an answer thousands of times, and each
    answer comes milliseconds later when all cores are busy.
    """
    half = max(1, cores // 2)
    return [
        pytest_step("sqlite", arguments, cores=half, is_deep=True),
        pytest_step("postgresql", arguments, cores=2 * half, is_deep=True),
        browser_step(cores=half, is_deep=True),
        proxies_step(),
        drill_step(),
        *(_clock_pytest(number, row, arguments) for number, row in enumerate(SERVER_ROWS, 1)),
        *(
            _clock_vitest(name, number, row)
            for name in ("web", "client", "react", "i18next")
            for number, row in enumerate(WEB_ROWS, 1)
        ),
    ]


def _under_clock(kind: str, row: Row) -> list[str | Path]:
    return [BIN / "python", "scripts/clocks.py", kind, row.moment, row.zone]


def _clock_pytest(number: int, row: Row, arguments: list[str]) -> Step:
    step = Step(f"clock pytest {number}", [], BUDGETS["pytest sqlite"], runner=Runner.PYTEST)
    return _pytest(step, arguments, _under_clock("python", row))


def _clock_vitest(workspace: str, number: int, row: Row) -> Step:
    """All tests of the SDKs at each row. All tests of the dashboard at the rows that cover each value, and its date functions at the others."""
    is_whole = workspace != "web" or row in WHOLE_WEB_ROWS
    budget = BUDGETS[f"vitest {workspace}"] if is_whole else SHORT_BUDGET
    step = Step(f"clock {workspace} {number}", [], budget, runner=Runner.VITEST, need=Need.FAKETIME)
    found = _vitest(step, workspace, _under_clock("node", row))
    return found if is_whole else replace(found, command=[*found.command, *DATE_TESTS])
