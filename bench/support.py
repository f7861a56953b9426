"""What the benchmarks share: a server process, percentiles, and the recording of a result with its machine and date."""

import json
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psycopg
from psycopg import sql
from sqlalchemy import make_url

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
LIVERY = Path(sys.executable).parent / "livery"
READY_SECONDS = 60.0
METRICS_TOKEN = "a-token-of-the-benchmark"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def record(name: str, command: str, result: Mapping[str, Any]) -> None:
    """Write ``results/<name>.json`` and print it."""
    RESULTS.mkdir(exist_ok=True)
    data = {
        "benchmark": name,
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": machine(),
        **result,
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")
    print(json.dumps(data, indent=2))


def machine() -> dict[str, Any]:
    """What it ran on, without a name."""
    model = ""
    if (info := Path("/proc/cpuinfo")).exists():
        model = next((line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line), "")
    return {
        "cores": os.cpu_count(),
        "processor": model,
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def free_port() -> int:
    """A port of the loopback address that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data_dir: Path) -> dict[str, str]:
    """The settings of a server under load, and nothing of this shell's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LIVERY_")}
    return {**kept, "LIVERY_DATA_DIR": str(data_dir), "LIVERY_RATE_LIMITS": "off", "LIVERY_LOG_LEVEL": "error"}


@contextmanager
def process(command: Sequence[str], *, ready_url: str, env: Mapping[str, str] | None = None) -> Generator[int]:
    """A server's pid once ``ready_url`` answers; it is ended by that pid."""
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + READY_SECONDS
        while True:
            try:
                httpx2.get(ready_url)
                break
            except httpx2.TransportError:
                if child.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.05)
        yield child.pid
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(20)


def cpu_seconds(pid: int) -> float:
    """The processor time that a process and its children have taken (Linux)."""
    spent: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        spent[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return sum(seconds for number, (parent, seconds) in spent.items() if pid in {number, parent})


@contextmanager
def livery(data_dir: Path, *, has_demo: bool = False, **settings: str) -> Generator[str]:
    """The address of ``livery serve`` on this data; ``settings`` by their names in lower case."""
    with livery_process(data_dir, has_demo=has_demo, **settings) as (base_url, _):
        yield base_url


@contextmanager
def livery_process(data_dir: Path, *, has_demo: bool = False, **settings: str) -> Generator[tuple[str, int]]:
    """The same, with the pid of the server. Begins once all ``workers`` are up."""
    port = free_port()
    command = [str(LIVERY), "serve", "--port", str(port), *(["--demo"] if has_demo else [])]
    base_url = f"http://127.0.0.1:{port}"
    workers = int(settings.get("workers", "1"))
    more = {f"LIVERY_{name.upper()}": value for name, value in settings.items()}
    if workers > 1:
        more["LIVERY_METRICS_TOKEN"] = METRICS_TOKEN
    with process(command, ready_url=f"{base_url}/healthz", env={**environment(data_dir), **more}) as pid:
        if workers > 1:
            wait_for_workers(base_url, workers)
        yield base_url, pid


def wait_for_workers(base_url: str, workers: int) -> None:
    """Returns when all workers are up."""
    end = time.monotonic() + READY_SECONDS
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    while time.monotonic() < end:
        text = httpx2.get(f"{base_url}/metrics", headers=headers).raise_for_status().text
        if len(re.findall(r"^livery_worker_up{.*} 1", text, re.MULTILINE)) == workers:
            return
        time.sleep(0.1)
    raise RuntimeError("the workers did not start")


def kinds_of(named: Sequence[str]) -> Sequence[str]:
    """Returns the named databases; by default SQLite, and also PostgreSQL where ``LIVERY_TEST_DATABASE_URL`` names a server."""
    return named or ["sqlite", *(["postgresql"] if os.environ.get("LIVERY_TEST_DATABASE_URL") else [])]


@contextmanager
def database(kind: str, purpose: str) -> Generator[str | None]:
    """The address of an empty database; ``None`` is the file in the data folder."""
    if kind == "sqlite":
        yield None
        return
    server, name = os.environ["LIVERY_TEST_DATABASE_URL"], f"livery_bench_{purpose}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = make_url(server).set(drivername="postgresql+psycopg", database=name)
        yield url.render_as_string(hide_password=False)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def served(data_dir: Path, url: str | None) -> AbstractContextManager[str]:
    """The address of a server on this database."""
    return livery(data_dir) if url is None else livery(data_dir, database_url=url)
