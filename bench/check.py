"""How long the `check` of both command lines takes on an app of 2,000 source files.

python -m bench.check
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.support import ROOT, record

FILES = 2_000
FUNCTIONS = 98
"""Functions of a line in each file, beside its call of ``t``."""
RUNS = 5
TYPESCRIPT = """import { useT } from "@livery/react";
export function Page() { const t = useT(); return <p>{t("home.k%d", { name: "Ada" })}</p>; }
"""
PYTHON = """from app import livery
def page(): return livery.t("home.k%d", name="Ada")
"""


def write_app(folder: Path, ending: str, head: str, function: str) -> None:
    """An app whose every file has one call, and the snapshot of its texts."""
    (folder / "src").mkdir()
    (folder / "livery").mkdir()
    rest = "".join(function % number for number in range(FUNCTIONS))
    for number in range(FILES):
        (folder / f"src/file{number}.{ending}").write_text(head % number + rest)
    texts = {"home": {f"k{number}": f"Text {number} for {{name}}" for number in range(FILES)}}
    snapshot = {"projectId": "prj_1", "version": "e.1", "release": 1, "language": "en", "languages": ["en"]}
    (folder / "livery/en.json").write_text(json.dumps({**snapshot, "texts": texts, "colors": {}}))
    config = {"server": "http://localhost", "projectId": "prj_1", "output": "livery", "sources": [f"src/**/*.{ending}"]}
    (folder / "livery.json").write_text(json.dumps(config))


def measure(command: list[str], ending: str, head: str, function: str) -> dict[str, float]:
    """Checks an app several times, after one check that compiles the modules of Python."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "sdks/python")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_app(folder, ending, head, function)
        seconds: list[float] = []
        for _ in range(RUNS + 1):
            begin = time.monotonic()
            done = subprocess.run([*command, "check"], cwd=folder, env=env, capture_output=True, text=True, check=True)
            seconds.append(round(time.monotonic() - begin, 2))
            if done.stdout != f"0 findings in {FILES} files and {FILES} texts.\n":
                raise RuntimeError(done.stdout)
    return {"median_seconds": statistics.median(seconds[1:]), "slowest_seconds": max(seconds[1:])}


def main() -> None:
    """Measure the command line of npm and that of the Python package."""
    node = ["node", str(ROOT / "sdks/typescript/cli/dist/livery-cli.js")]
    python = [sys.executable, "-m", "livery_client"]
    result = {
        "files": FILES,
        "typescript": measure(node, "tsx", TYPESCRIPT, "export function f%d(a: number) { return a; }\n"),
        "python": measure(python, "py", PYTHON, "def f%d(a: int) -> int: return a\n"),
    }
    record("check", "python -m bench.check", result)


if __name__ == "__main__":
    main()
