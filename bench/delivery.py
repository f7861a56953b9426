"""Measures requests a second and latency of ``content`` (whole, br, 304) beside a bare ASGI application and nginx with the same bytes, in one run.

Loads one server process at a time with ``wrk -t1 -c32 -d5s``. The three take turns, three times, and the best turn of each counts. So all of them
share the effect of the machine's other work. The load generator, wrk, itself needs a core: on a machine with two cores, half of the machine.

    python -m bench.delivery
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from bench.support import ROOT, free_port, livery, process, record
from livery.workspace import demo

SECONDS, CONNECTIONS, TURNS = 5, 32, 3
LUA = 'done = function(s, l, r) io.write(string.format("P50 %d P99 %d ERR %d\\n", l:percentile(50), l:percentile(99), s.errors.status)) end\n'
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


def wrk(url: str, headers: Mapping[str, str], folder: Path) -> dict[str, float]:
    """One run of wrk: requests a second, and microseconds at the median and the 99th percentile."""
    script = folder / "report.lua"
    script.write_text(LUA)
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", str(script)]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    out = subprocess.run([*command, url], capture_output=True, text=True, check=True, timeout=SECONDS + 30).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", out)
    report = re.search(r"P50 (\d+) P99 (\d+) ERR (\d+)", out)
    assert rate, out
    assert report, out
    assert report[3] == "0", out
    return {"requests_per_second": float(rate[1]), "p50_us": float(report[1]), "p99_us": float(report[2])}


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
            for _ in range(400):  # until the best compression is in place
                body, answer = fetch(client, path, headers)
            made.append(Load(name, headers, body, list(answer.headers.items())))
    br = made[-1]
    etag = dict(br.answer_headers)["etag"]
    return [*made, Load("304", {**br.headers, "If-None-Match": etag}, br.body, br.answer_headers)]


@contextmanager
def bare(load: Load, folder: Path, headers: list[tuple[str, str]]) -> Generator[str]:
    """The bare application with the bytes of one load."""
    body, head, port = folder / "body", folder / "headers.json", free_port()
    body.write_bytes(load.body)
    head.write_text(json.dumps(headers))
    command = [str(ROOT / ".venv/bin/python"), "-m", "bench.bare", str(port), str(head), str(body)]
    with process(command, ready_url=f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def nginx(load: Load, folder: Path) -> Generator[tuple[str, dict[str, str]]]:
    """nginx with the body as a static file, and the header that gives 304 there."""
    place, port = folder / "nginx", free_port()
    place.mkdir(exist_ok=True)
    folder.chmod(0o755)
    (place / "content.json").write_bytes(load.body)
    (place / "nginx.conf").write_text(NGINX.format(folder=place, port=port))
    url = f"http://127.0.0.1:{port}/content.json"
    with process(["/usr/sbin/nginx", "-c", str(place / "nginx.conf"), "-p", str(place)], ready_url=url):
        known = {"If-None-Match": httpx2.get(url).headers["etag"]} if load.name == "304" else {}
        yield url, known


def measure(load: Load, base_url: str, path: str, folder: Path) -> dict[str, Any]:
    """The servers under one load, in turns."""
    few = [
        pair
        for pair in load.answer_headers
        if pair[0] in {"content-type", "content-length", "content-encoding", "etag"}
    ]
    best: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        nginx_url, known = stack.enter_context(nginx(load, folder))
        (folder / "few").mkdir(exist_ok=True)
        targets = [
            (Target("livery", f"{base_url}{path}"), load.headers),
            (Target("bare_same_headers", stack.enter_context(bare(load, folder, load.answer_headers))), load.headers),
            (Target("bare_four_headers", stack.enter_context(bare(load, folder / "few", few))), load.headers),
            (Target("nginx", nginx_url), {**load.headers, **known}),
        ]
        for _ in range(TURNS):
            for target, headers in targets:
                result = wrk(target.url, headers, folder)
                if result["requests_per_second"] > best.get(target.name, {}).get("requests_per_second", 0):
                    best[target.name] = result
    rate = {name: result["requests_per_second"] for name, result in best.items()}
    return {
        "bytes": len(load.body) if load.name != "304" else 0,
        **best,
        "share_of_bare_same_headers": round(rate["livery"] / rate["bare_same_headers"], 2),
        "share_of_bare_four_headers": round(rate["livery"] / rate["bare_four_headers"], 2),
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
    with tempfile.TemporaryDirectory() as name, livery(Path(name) / "data", has_demo=True) as base_url:
        folder = Path(name)
        with httpx2.Client(base_url=base_url) as client:
            config = client.get("/storefront/config.json").json()
            login = {"email": demo.EMAIL, "password": demo.PASSWORD}
            client.headers["Authorization"] = "Bearer " + client.post("/api/auth/login", json=login).json()["token"]
            grow(client, config["projectId"])
        path = f"/sdk/v1/{config['projectId']}/content?lang=en"
        results = {load.name: measure(load, base_url, path, folder) for load in loads(base_url, path, config["key"])}
    load = f"wrk -t1 -c{CONNECTIONS} -d{SECONDS}s; the load generator shares the cores"
    record("delivery", "python -m bench.delivery", {"load": load, **results})


if __name__ == "__main__":
    main()
