"""Measures requests a second and latency of ``content`` (whole, br, 304) beside a bare ASGI application and nginx with the same bytes, in one run.

Loads one server process at a time with ``wrk -t1 -c64 -d5s``. The servers take turns, three times, and the best turn of each counts. So all of them
share the effect of the machine's other work. One more run of 30 s on Livery has the 99th percentile and the slowest request: a best turn would
hide a stall. The load generator, wrk, itself needs a core: on a machine with two cores, half of the machine.

    python -m bench.delivery
"""

import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from bench.support import ROOT, cpu_seconds, free_port, livery_process, process, record
from livery.workspace import demo

SECONDS, LONG_SECONDS, CONNECTIONS, TURNS = 5, 30, 64, 3
SQUEEZE_SECONDS = 30
LUA = """
done = function(summary, latency)
  local p50, p99 = latency:percentile(50), latency:percentile(99)
  io.write(string.format("P50 %d P99 %d MAX %d ERR %d\\n", p50, p99, latency.max, summary.errors.status))
end
"""
NGINX = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  default_type application/json;
  etag on;
  keepalive_requests 100000000;
  open_file_cache max=10;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{ listen 127.0.0.1:{port}; root {folder}; }}
}}
"""


@dataclass(frozen=True)
class Load:
    """One kind of request and its answer."""

    name: str
    headers: dict[str, str]
    body: bytes
    answer_headers: list[tuple[str, str]]


@dataclass(frozen=True)
class Target:
    """A server to load."""

    name: str
    url: str
    pid: int
    headers: Mapping[str, str]


def wrk(target: Target, folder: Path, seconds: int = SECONDS) -> dict[str, float]:
    """One run of wrk: requests a second and the server's CPU a request. Latencies in microseconds: median, 99th percentile, maximum."""
    script = folder / "report.lua"
    script.write_text(LUA)
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script)]
    for name, value in target.headers.items():
        command += ["-H", f"{name}: {value}"]
    before = cpu_seconds(target.pid)
    out = subprocess.run(
        [*command, target.url], capture_output=True, text=True, check=True, timeout=seconds + 30
    ).stdout
    spent = cpu_seconds(target.pid) - before
    rate = re.search(r"Requests/sec:\s+([\d.]+)", out)
    count = re.search(r"(\d+) requests in", out)
    report = re.search(r"P50 (\d+) P99 (\d+) MAX (\d+) ERR (\d+)", out)
    assert rate, out
    assert count, out
    assert report, out
    assert report[4] == "0", out
    return {
        "requests_per_second": float(rate[1]),
        "p50_us": float(report[1]),
        "p99_us": float(report[2]),
        "max_us": float(report[3]),
        "cpu_us_per_request": round(spent * 1e6 / int(count[1]), 1),
    }


def fetch(client: httpx2.Client, path: str, headers: dict[str, str]) -> tuple[bytes, httpx2.Response]:
    """The body as it came over the wire."""
    with client.stream("GET", path, headers=headers) as answer:
        return b"".join(answer.iter_raw()), answer


def loads(base_url: str, path: str, key: str) -> list[Load]:
    """What is asked of each server, with the bytes that Livery answers."""
    made: list[Load] = []
    with httpx2.Client(base_url=base_url, headers={"Authorization": f"Bearer {key}"}) as client:
        for name, encoding in (("identity", "identity"), ("br", "br")):
            headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": encoding}
            body, answer = fetch(client, path, headers)
            end = time.monotonic() + SQUEEZE_SECONDS
            while encoding == "br" and not answer.headers["etag"].endswith('-br2"'):  # the best compression
                if time.monotonic() > end:
                    raise RuntimeError("there is no best compression")
                time.sleep(0.1)
                body, answer = fetch(client, path, headers)
            made.append(Load(name, headers, body, list(answer.headers.items())))
    br = made[-1]
    etag = dict(br.answer_headers)["etag"]
    return [*made, Load("304", {**br.headers, "If-None-Match": etag}, br.body, br.answer_headers)]


@contextmanager
def bare(load: Load, folder: Path) -> Generator[Target]:
    """The bare application with the bytes of one load."""
    body, head, port = folder / "body", folder / "headers.json", free_port()
    body.write_bytes(load.body)
    head.write_text(json.dumps(load.answer_headers))
    command = [str(ROOT / ".venv/bin/python"), "-m", "bench.bare", str(port), str(head), str(body)]
    url = f"http://127.0.0.1:{port}/"
    with process(command, ready_url=url) as pid:
        yield Target("bare", url, pid, load.headers)


@contextmanager
def nginx(load: Load, folder: Path) -> Generator[Target]:
    """nginx with the body as a static file; a load of 304 gets the ETag that nginx has for it."""
    place, port = folder / "nginx", free_port()
    place.mkdir(exist_ok=True)
    folder.chmod(0o755)
    (place / "content.json").write_bytes(load.body)
    (place / "nginx.conf").write_text(NGINX.format(folder=place, port=port))
    url = f"http://127.0.0.1:{port}/content.json"
    with process(["/usr/sbin/nginx", "-c", str(place / "nginx.conf"), "-p", str(place)], ready_url=url) as pid:
        known = {"If-None-Match": httpx2.get(url).headers["etag"]} if load.name == "304" else {}
        yield Target("nginx", url, pid, {**load.headers, **known})


def measure(load: Load, served: Target, folder: Path) -> dict[str, Any]:
    """The servers under one load, in turns, and then Livery alone for longer."""
    best: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        targets = [served, stack.enter_context(bare(load, folder)), stack.enter_context(nginx(load, folder))]
        for _ in range(TURNS):
            for target in targets:
                result = wrk(target, folder)
                if result["requests_per_second"] > best.get(target.name, {}).get("requests_per_second", 0):
                    best[target.name] = result
        long = wrk(served, folder, LONG_SECONDS)
    return {
        "bytes": len(load.body) if load.name != "304" else 0,
        **best,
        f"livery_for_{LONG_SECONDS}_s": long,
        "share_of_nginx": round(best["livery"]["requests_per_second"] / best["nginx"]["requests_per_second"], 2),
    }


def grow(client: httpx2.Client, project_id: str) -> None:
    """Add keys until the content is about 50 KB, as that of a middling app."""
    for number in range(300):
        words = " ".join(f"{(number * step) % 997} departs" for step in range(1, 12))
        body = {"key": f"bench_{number}", "values": {"en": f"{words} until the first snow falls."}}
        client.post(f"/api/translations/{project_id}/general", json=body).raise_for_status()
    client.post(f"/api/translations/{project_id}/publish").raise_for_status()


def main() -> None:
    """Set up, measure, record."""
    if not shutil.which("wrk") or not Path("/usr/sbin/nginx").exists():
        raise SystemExit("bench.delivery needs wrk and nginx (Debian: apt-get install wrk nginx-light).")
    with (
        tempfile.TemporaryDirectory() as name,
        livery_process(Path(name) / "data", has_demo=True, billing="off") as (base_url, pid),
    ):
        folder = Path(name)
        with httpx2.Client(base_url=base_url) as client:
            config = client.get("/storefront/config.json").json()
            login = {"email": demo.EMAIL, "password": demo.PASSWORD}
            client.headers["Authorization"] = "Bearer " + client.post("/api/auth/login", json=login).json()["token"]
            grow(client, config["projectId"])
        path = f"/sdk/v1/{config['projectId']}/content?lang=en"
        results = {
            load.name: measure(load, Target("livery", f"{base_url}{path}", pid, load.headers), folder)
            for load in loads(base_url, path, config["key"])
        }
    load = f"wrk -t1 -c{CONNECTIONS} -d{SECONDS}s; the load generator shares the cores"
    record("delivery", "python -m bench.delivery", {"load": load, **results})


if __name__ == "__main__":
    main()
