"""Measures a translation of 1,000 keys into 5 languages with a service that takes 300 ms for each answer: its time and its result.

Starts its own service on loopback with OpenAI's chat completions, and a server that uses this service with the default settings. Then starts one
job for each language over HTTP. Half of the texts have placeholders. Takes about half a minute.

    python -m bench.ai
"""

import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from bench.support import livery, record
from livery import migrations
from livery.accounts.service import create_verified_user, start_session
from livery.core.context import open_context
from livery.core.settings import load_settings
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.screens import service as screens

KEYS, LANGUAGES, LATENCY_SECONDS, TARGET_SECONDS = 1000, ("de", "fr", "es", "it", "ja"), 0.3, 60


@contextmanager
def translation_service() -> Generator[tuple[str, list[int]]]:
    """Its address, and how many texts each request had."""
    sizes: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            items = json.loads(body["messages"][-1]["content"][8:-4])["items"]
            sizes.append(len(items))
            time.sleep(LATENCY_SECONDS)
            texts = [{"id": item["id"], "text": f"{item['text']} …"} for item in items]
            message = {"role": "assistant", "content": json.dumps({"translations": texts})}
            answer = {"choices": [{"message": message, "finish_reason": "stop"}]}
            raw = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
            """Logs nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", sizes
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def make_project(data_dir: Path) -> tuple[str, str]:
    """A project with its keys in English, on a server without limits of languages, and its owner's session."""
    settings = load_settings(data_dir=data_dir, billing="off")
    migrations.upgrade(settings.resolved_database_url)
    context = open_context(settings)
    async with context.database.write() as db:
        actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
        project = await projects.create_project(
            db, context.vault, actor, name="Bench", description="An app for travellers", default_language="en"
        )
        access = await open_project(db, settings, actor, project.id, Permission.EDIT)
        for number in range(KEYS):
            text = (
                f"You have {{count}} new <b>messages</b> in folder {number}" if number % 2 else f"Open folder {number}"
            )
            await screens.create_key(db, access, "general", key=f"key_{number}", values={"en": text})
        session = await start_session(db, actor.id)
    await context.database.close()
    return project.id, session


def measure(base_url: str, project_id: str, session: str) -> dict[str, Any]:
    """Measures the jobs of one run, until the last job has ended."""
    with httpx2.Client(base_url=base_url, timeout=60, headers={"Authorization": f"Bearer {session}"}) as client:
        begin = time.perf_counter()
        body = {"referenceLanguage": "en", "allTabs": False}
        at = f"/api/translations/{project_id}/general"
        jobs = [
            client.post(f"{at}/{code}/auto-translate", json=body).raise_for_status().json()["job"] for code in LANGUAGES
        ]
        waits: list[float] = []
        while True:
            asked = time.perf_counter()
            views = [client.get(f"/api/jobs/{job['_id']}").raise_for_status().json() for job in jobs]
            waits.append((time.perf_counter() - asked) * 1000 / len(jobs))
            if all(view["finishedAt"] for view in views):
                break
            time.sleep(0.1)
        seconds = time.perf_counter() - begin
    texts = KEYS * len(LANGUAGES)
    assert sum(view["done"] for view in views) == texts, views
    return {
        "seconds": round(seconds, 1),
        "target_seconds": TARGET_SECONDS,
        "texts_per_second": round(texts / seconds),
        "slowest_read_meanwhile_ms": round(max(waits), 1),
    }


def main() -> None:
    """Make, measure, record."""
    with tempfile.TemporaryDirectory() as folder, translation_service() as (url, sizes):
        data_dir = Path(folder)
        project_id, session = asyncio.run(make_project(data_dir))
        with livery(data_dir, ai="openai", ai_base_url=url, ai_model="bench", billing="off") as base_url:
            result = measure(base_url, project_id, session)
    shape = {"keys": KEYS, "languages": len(LANGUAGES), "latency_ms": LATENCY_SECONDS * 1000}
    record("ai", "python -m bench.ai", {"project": shape, "requests": len(sizes), **result})


if __name__ == "__main__":
    main()
