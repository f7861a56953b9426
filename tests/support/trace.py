"""What a random test did, step by step: part of the report when the test fails, so that the failure can be repeated and understood."""

import inspect
import os
from typing import Any

import pytest

from tests.support.tier import SEED, TIER

SHOWN = 400
"""Steps in a report; earlier steps are counted only."""


class Trace:
    """The steps of one test, in order."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def note(self, *words: object) -> None:
        """Adds a step."""
        self.steps.append(" ".join(map(str, words)))

    def report(self, item: pytest.Item) -> str:
        """The command that repeats the test, and the last steps."""
        database = "LIVERY_TEST_DATABASE_URL=… " if os.environ.get("LIVERY_TEST_DATABASE_URL") else ""
        command = f"{database}LIVERY_TEST_SEED={SEED} LIVERY_TEST_TIER={TIER} .venv/bin/pytest '{item.nodeid}'"
        left_out = max(0, len(self.steps) - SHOWN)
        lines = [f"({left_out} earlier steps)"] if left_out else []
        return "\n".join([command, *lines, *self.steps[left_out:]])


class Traced:
    """Notes each call of an asynchronous method of ``target``, then makes it."""

    def __init__(self, target: object, trace: Trace) -> None:
        self._target = target
        self._trace = trace

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*arguments: object, **named: object) -> object:
            given = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in named.items())]
            self._trace.note(f"{name}({', '.join(given)})")
            return await found(*arguments, **named)

        return call
