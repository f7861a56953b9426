"""SIGKILL in the middle of a job: the finished texts are there and are not paid for again. The next process does the rest."""

import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import create_engine, text

from tests.support.ai_service import AiService, Call, Said, translated
from tests.support.clients import open_client
from tests.support.server_process import ForkedServer, open_demo, run_command, sqlite_path

KEYS = 240
BATCHES_BEFORE_THE_KILL = 9
"""Of twelve: however late the kill is, something is left to do."""
PATIENCE_SECONDS = 60.0
FILLED = """
    SELECT english.value FROM text_values AS english JOIN text_values AS french USING (project_id, screen, key_id)
    WHERE english.screen = 'many' AND english.language = 'en' AND french.language = 'fr' AND french.value <> ''
"""


def start_server(data_dir: Path, url: str, service: AiService, *, has_demo: bool) -> ForkedServer:
    settings = {name: str(value) for name, value in service.settings("openai").items()}
    return ForkedServer(
        data_dir, database_url=url, has_demo=has_demo, rate_limits="off", ai_concurrency="3", **settings
    )


def post(client: httpx2.Client, path: str, body: Mapping[str, object]) -> httpx2.Response:
    """The answer; a server that is busy is asked again."""
    while (answer := client.post(path, json=body)).status_code == 503:
        pass
    return answer.raise_for_status()


def on_disk(url: str, job_id: str) -> tuple[int, set[str]]:
    """Returns how many texts of a job are done, and which English texts are filled in French. No server may run that could continue the job."""
    engine = create_engine(url.replace("+aiosqlite", ""))
    with engine.connect() as connection:
        done = connection.execute(text("SELECT done FROM ai_jobs WHERE id = :id"), {"id": job_id}).scalar_one()
        filled = connection.execute(text(FILLED))
        stored = {str(value) for (value,) in filled}
    engine.dispose()
    return int(done), stored


@pytest.mark.deep_on("postgresql")
def test_a_job_goes_on_after_a_kill_and_pays_for_no_finished_text_again(
    tmp_path: Path, database_url: str, service: AiService
) -> None:
    url = "" if database_url.startswith("sqlite") else database_url
    service.delay_seconds = 0.1
    is_killed = threading.Event()

    def never_through_before_the_kill(call: Call) -> Said:
        if len(service.calls) > BATCHES_BEFORE_THE_KILL:
            is_killed.wait(PATIENCE_SECONDS)
        return translated(call)

    service.always = never_through_before_the_kill
    server = start_server(tmp_path / "data", url, service, has_demo=True)
    try:
        with open_client(server.base_url) as client:
            demo = open_demo(client)
            client.headers |= demo.headers
            at = f"/api/translations/{demo.project_id}"
            post(client, f"/api/projects/{demo.project_id}/screens", {"name": "many"})
            for number in range(KEYS):
                body = {"key": f"key_{number}", "values": {"en": f"Text {number} of many"}}
                post(client, f"{at}/many", body)
            body = {"referenceLanguage": "en", "allTabs": False}
            job = post(client, f"{at}/many/fr/auto-translate", body).json()["job"]
            while client.get(f"/api/jobs/{job['_id']}").json()["done"] < 60:
                time.sleep(0.01)  # the moment of the kill: some batches are finished, some under way
        server.kill()
        is_killed.set()
        asked_before = len(service.calls)
        finished_before, stored = on_disk(url or sqlite_path(server.data_dir), job["_id"])

        server = start_server(server.data_dir, url, service, has_demo=False)
        with open_client(server.base_url, headers=demo.headers) as client:
            end = time.monotonic() + PATIENCE_SECONDS
            while (view := client.get(f"/api/jobs/{job['_id']}").json())["status"] == "running":
                assert time.monotonic() < end, view
                time.sleep(0.05)  # another process works
            keys = client.get(f"{at}/many").json()["keys"]
    finally:
        is_killed.set()
        server.close()

    assert 60 <= finished_before < KEYS
    assert len(stored) >= finished_before
    assert (view["status"], view["done"], view["failed"]) == ("done", KEYS, [])
    assert {key["values"]["fr"] for key in keys} == {f"Text {number} of many fr" for number in range(KEYS)}
    texts = service.texts
    assert {text for text in texts if texts.count(text) > 1 and text in stored} == set(), "paid for twice"
    assert len(service.calls) > asked_before
    assert len(texts) - KEYS <= 3 * 20, "more was asked again than was under way"
    fsck = run_command(server.environment, "admin", "fsck")
    assert (fsck.returncode, fsck.stdout.strip()) == (0, "All invariants hold."), fsck.stdout + fsck.stderr
