"""Runs steps side by side, so that every core is busy from start to end.

A step waits for about a third of its time, so the scheduler has three places for each two cores. A step takes one place for
each of its cores. The scheduler starts the longest step that fits the free places. The length of a step is its budget plus
the budgets of the steps that come after it. A step that needs more places than there are takes all places.

A budget is compared with the CPU seconds of a step and its child processes, not with the wall clock. On a busy machine a step
takes more time, but hardly more CPU. A slow machine takes more CPU for all steps, so budgets are judged at the end of the
run, in relation to the long steps. The wall clock ends only a step that hangs.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from statistics import median
from typing import IO

from scripts.steps import ROOT, Step

LONGEST_STEP_SECONDS = 3600
OVERRUN = float(os.environ.get("LIVERY_CHECKS_OVERRUN", "1.5"))  # what a step may take more than the others
LONG_BUDGET = 60
FEWEST_LONG_STEPS = 3  # the median of two steps shows nothing about the machine if one of the two is at fault
SLOWEST_MACHINE = 2.5

COMPILED_ONCE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
"""Bytecode is kept where ``pip`` puts it. Without it, each worker and server compiles all modules: 5 s for a pytest worker, 0.4 s for a server."""


@dataclass(frozen=True)
class Outcome:
    """How a step's command ended. ``cpu_seconds`` includes its child processes."""

    step: Step
    problem: str | None
    wall_seconds: float
    cpu_seconds: float


def slowness(outcomes: Sequence[Outcome]) -> float:
    """How many times the CPU of the budgets this machine takes now: the median of the long steps, from 1 to `SLOWEST_MACHINE`.

    1 if the run had too few long steps.
    """
    found = [one.cpu_seconds / one.step.budget for one in outcomes if one.step.budget >= LONG_BUDGET]
    return min(max(1.0, median(found)), SLOWEST_MACHINE) if len(found) >= FEWEST_LONG_STEPS else 1.0


def over_budget(budget: float, cpu_seconds: float, slowness: float) -> str | None:
    """The problem of a step that took half more than its budget on a machine of this `slowness`."""
    if cpu_seconds <= budget * slowness * OVERRUN:
        return None
    return f"over its budget of {budget:.0f} s (took {cpu_seconds:.0f} s)"


def places(cores: int) -> int:
    """How many steps of one core run at a time: three on two cores, and at least one."""
    return cores * 3 // 2


def ranks(steps: Sequence[Step]) -> dict[str, float]:
    """The budget of each step together with the longest chain of steps after it, by name. Raises `CycleError`."""
    by_name = {step.name: step for step in steps}
    found = dict.fromkeys(by_name, 0.0)
    for name in reversed(list(TopologicalSorter({step.name: step.after for step in steps}).static_order())):
        if step := by_name.get(name):
            found[name] += step.budget
            for earlier in by_name.keys() & step.after:
                found[earlier] = max(found[earlier], found[name])
    return found


def next_step(
    pending: Sequence[Step], ended: Collection[str], free: int, places: int, rank: Mapping[str, float]
) -> Step | None:
    """The step to start now, if any fits the free places. ``ended`` names the steps that ended or aren't part of this run."""
    ready = [step for step in pending if set(step.after) <= set(ended) and min(step.cores, places) <= free]
    return max(ready, key=lambda step: rank[step.name], default=None)


class Scheduler:
    """Runs steps on a number of cores. `close` ends the steps that run."""

    def __init__(self, cores: int) -> None:
        self._places = places(cores)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def run(self, steps: Sequence[Step], on_end: Callable[[Outcome], None]) -> None:
        """Runs all steps; calls ``on_end`` in this thread for each step that ended."""
        rank = ranks(steps)
        pending = list(steps)
        free = self._places
        ended = {name for step in steps for name in step.after} - {step.name for step in steps}
        outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        for _ in steps:
            while step := next_step(pending, ended, free, self._places, rank):
                pending.remove(step)
                free -= min(step.cores, self._places)
                threading.Thread(target=self._run_one, args=(step, outcomes), daemon=True).start()
            outcome = outcomes.get()
            free += min(outcome.step.cores, self._places)
            ended.add(outcome.step.name)
            on_end(outcome)

    def close(self) -> None:
        """Ends the steps that run, with their child processes. No step starts afterwards."""
        with self._lock:
            self._is_closed = True
            for process in self._running.values():
                _kill(process)

    def _run_one(self, step: Step, outcomes: "queue.SimpleQueue[Outcome]") -> None:
        begin = time.monotonic()
        problem, cpu_seconds = None, 0.0
        try:
            with step.log.open("wb") as log:
                problem, cpu_seconds = self._run_to_end(step, log)
        except OSError as error:
            problem = str(error)
        outcomes.put(Outcome(step, problem, time.monotonic() - begin, cpu_seconds))

    def _run_to_end(self, step: Step, log: IO[bytes]) -> tuple[str | None, float]:
        """Runs the command in a process group of its own: the terminal's Ctrl-C ends this process first."""
        env = os.environ | {"NO_COLOR": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", **COMPILED_ONCE, **step.env}
        env.pop("FORCE_COLOR", None)
        with self._lock:
            if self._is_closed:
                return "not started", 0.0
            process = subprocess.Popen(
                step.command,
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self._running[step.name] = process
        hung = threading.Event()

        def end() -> None:
            hung.set()
            _kill(process)

        limit = threading.Timer(LONGEST_STEP_SECONDS, end)
        limit.daemon = True
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        limit.cancel()
        with self._lock:
            del self._running[step.name]
        _kill(process)  # what it left behind in its group
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu_seconds = usage.ru_utime + usage.ru_stime
        if hung.is_set():
            return f"not done after {LONGEST_STEP_SECONDS} s", cpu_seconds
        return f"exit status {process.returncode}" if process.returncode else None, cpu_seconds


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
