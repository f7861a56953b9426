"""Measures how many requests a second two workers answer beside one process, and the processor time that each request takes.

There are two kinds of requests. The content of an app costs the load generator about as much as the server. The project in the dashboard costs the
server far more. Servers take turns, three times, and the best turn counts. The load generator, wrk, takes a part of the same cores: its time is
recorded, too.

    python -m bench.workers
"""

import resource
import shutil
import tempfile
from pathlib import Path
from typing import Any

import httpx2

from bench.delivery import SECONDS, Target, grow, wrk
from bench.support import cpu_seconds, livery_process, record
from livery.workspace import demo

TURNS = 3


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
    results: dict[str, Any] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        livery_process(Path(name) / "one", has_demo=True, billing="off") as (one_url, one_pid),
        livery_process(Path(name) / "two", has_demo=True, workers="2", billing="off") as (two_url, two_pid),
    ):
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
