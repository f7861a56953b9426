"""A server starts in about a second. Most of it is the import of libraries, so a start imports only what it needs."""

import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server_process import ROOT, Child, ServerProcess

IMPORT = re.compile(r"^import time: +\d+ \| +\d+ \| +([\w.]+)$", re.MULTILINE)
SLOW = {"alembic": "migrations", "psycopg": "PostgreSQL", "webauthn": "passkeys"}
"""Libraries that take 0.05 s and more, with what they are for."""


class TracedServer(ServerProcess):
    """A server that writes each module that it imports."""

    def _start(self, arguments: list[str]) -> Child:
        start = "from livery.cli import app; app()"
        with self._log.open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-X", "importtime", "-c", start, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )


@pytest.mark.fresh
def test_a_start_imports_no_library_that_it_does_not_need(tmp_path: Path, database_url: str) -> None:
    needed: set[str] = set() if database_url.startswith("sqlite") else {"psycopg"}

    with closing(TracedServer(tmp_path / "data", database_url=database_url, has_demo=False)) as server:
        server.ask_to_stop()
        server.wait()

    imported = {name.partition(".")[0] for name in IMPORT.findall(server.output)}
    assert {"livery", "sqlalchemy"} <= imported
    assert SLOW.keys() & imported == needed
