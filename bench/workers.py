"""Measures how many requests a second two workers answer beside one process, and the processor time that each request takes.

There are two kinds of requests. The content of an app costs the load generator about as much as the server. The project in the dashboard costs the
server far more. Servers take turns, three times, and the best turn counts. The load generator, wrk, takes a part of the same cores: its time is
recorded, too.

    python -m bench.workers
"""

import re
import resource
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from bench.delivery import SECONDS, Target, grow, wrk
from bench.support import cpu_seconds, livery_process, record
from livery.workspace import demo

TOKEN = "a-token-of-the-benchmark"
TURNS = 3
READY_SECONDS = 60.0


def targets_of(base_url: str, pid: int, name: str) -> dict[str, Target]:
    """What is asked of a server, by the kind of request. The server gets a content of 50 KB first."""
    with httpx2.Client(base_url=base_url, timeout=60) as client:
        config = client.get("/storefront/config.json").json()
        login = {"email": demo.EMAIL, "password": demo.PASSWORD}
        session = "Bearer " + client.post("/api/auth/login", json=login).raise_for_status().json()["token"]
        client.headers["Authorization"] = session
        grow(client, config["projectId"])
    project = config["projectId"]
    app = {"Authorization": f"Bearer {config['key']}", "Accept-Encoding": "br"}
    return {
        "content": Target(name, f"{base_url}/sdk/v1/{project}/content?lang=en", pid, app),
        "dashboard": Target(name, f"{base_url}/api/projects/{project}", pid, {"Authorization": session}),
    }


def wait_for(base_url: str, workers: int) -> None:
    """Returns when all workers are up."""
    end = time.monotonic() + READY_SECONDS
    headers = {"Authorization": f"Bearer {TOKEN}"}
    while time.monotonic() < end:
        text = httpx2.get(f"{base_url}/metrics", headers=headers).raise_for_status().text
        if len(re.findall(r"^livery_worker_up{.*} 1", text, re.MULTILINE)) == workers:
            return
        time.sleep(0.1)
    raise RuntimeError("the workers did not start")


def load(target: Target, folder: Path) -> dict[str, float]:
    """One run of wrk, with the cores that the server and wrk took in the time of the run."""
    servers, generators = cpu_seconds(target.pid), resource.getrusage(resource.RUSAGE_CHILDREN)
    result = wrk(target, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - generators.ru_utime - generators.ru_stime
    cores = {"server_cores": (cpu_seconds(target.pid) - servers) / SECONDS, "generator_cores": spent / SECONDS}
    return {**result, **{name: round(value, 2) for name, value in cores.items()}}


def main() -> None:
    """Set up, measure, record."""
    if not shutil.which("wrk"):
        raise SystemExit("bench.workers needs wrk (Debian: apt-get install wrk).")
    given = {"billing": "off", "metrics_token": TOKEN}
    results: dict[str, Any] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        livery_process(Path(name) / "one", has_demo=True, **given) as (one_url, one_pid),
        livery_process(Path(name) / "two", has_demo=True, workers="2", **given) as (two_url, two_pid),
    ):
        wait_for(two_url, 2)
        one, two = targets_of(one_url, one_pid, "one"), targets_of(two_url, two_pid, "two")
        for kind in one:
            best: dict[str, dict[str, float]] = {}
            for _ in range(TURNS):
                for target in (one[kind], two[kind]):
                    result = load(target, Path(name))
                    if result["requests_per_second"] > best.get(target.name, {}).get("requests_per_second", 0):
                        best[target.name] = result
            ratio = best["two"]["requests_per_second"] / best["one"]["requests_per_second"]
            results[kind] = {**best, "two_to_one": round(ratio, 2)}
    record("workers", "python -m bench.workers", results)


if __name__ == "__main__":
    main()
