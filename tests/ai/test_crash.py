"""SIGKILL in the middle of a job: what was finished is there and is not paid for again, and the rest is done by the next process."""

import time
from pathlib import Path

import httpx2

from tests.support.ai_service import AiService
from tests.support.server_process import ForkedServer, open_demo, run_command

KEYS = 240
PATIENCE_SECONDS = 60.0


def start_server(data_dir: Path, url: str, service: AiService, *, has_demo: bool) -> ForkedServer:
    settings = {name: str(value) for name, value in service.settings("openai").items()}
    return ForkedServer(
        data_dir, database_url=url, has_demo=has_demo, rate_limits="off", ai_concurrency="3", **settings
    )


def test_a_job_goes_on_after_a_kill_and_pays_for_no_finished_text_again(
    tmp_path: Path, database_url: str, service: AiService
) -> None:
    url = "" if database_url.startswith("sqlite") else database_url
    service.delay_seconds = 0.1
    server = start_server(tmp_path / "data", url, service, has_demo=True)
    try:
        with httpx2.Client(base_url=server.base_url, timeout=60) as client:
            demo = open_demo(client)
            client.headers |= demo.headers
            at = f"/api/translations/{demo.project_id}"
            client.post(f"/api/projects/{demo.project_id}/screens", json={"name": "many"}).raise_for_status()
            for number in range(KEYS):
                body = {"key": f"key_{number}", "values": {"en": f"Text {number} of many"}}
                client.post(f"{at}/many", json=body).raise_for_status()
            body = {"referenceLanguage": "en", "allTabs": False}
            job = client.post(f"{at}/many/fr/auto-translate", json=body).raise_for_status().json()["job"]
            while client.get(f"/api/jobs/{job['_id']}").json()["done"] < 60:
                time.sleep(0.01)  # the moment of the kill: some batches are finished, some under way
        server.kill()
        asked_before = len(service.calls)

        server = start_server(server.data_dir, url, service, has_demo=False)
        with httpx2.Client(base_url=server.base_url, timeout=60, headers=demo.headers) as client:
            finished_before = client.get(f"/api/jobs/{job['_id']}").json()["done"]
            stored = {key["values"]["en"] for key in client.get(f"{at}/many").json()["keys"] if "fr" in key["values"]}
            end = time.monotonic() + PATIENCE_SECONDS
            while (view := client.get(f"/api/jobs/{job['_id']}").json())["status"] == "running":
                assert time.monotonic() < end, view
                time.sleep(0.05)  # another process works
            keys = client.get(f"{at}/many").json()["keys"]
    finally:
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
