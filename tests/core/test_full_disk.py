"""A server that starts on a full disk, or in a read-only folder, serves what is published and reports why nothing is saved."""

import resource
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.clients import open_client
from tests.support.polling import ask_until
from tests.support.server_process import LIVERY, ROOT, Child, ForkedServer, ServerProcess, open_demo


class CrampedServer(ServerProcess):
    """A server whose files may not grow. The system refuses each write with EFBIG, as it refuses it with ENOSPC on a full disk."""

    def _start(self, arguments: list[str]) -> Child:
        process = subprocess.Popen(
            ["bash", "-c", 'ulimit -S -f 0; exec "$@"', "bash", str(LIVERY), *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=self._keep_output, args=(process,), daemon=True).start()
        return process

    def _keep_output(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout, self._log.open("wb", buffering=0) as log:
            for line in process.stdout:
                log.write(line)

    def give_room(self) -> None:
        """Let files grow again."""
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class ReadOnlyServer(ServerProcess):
    """A server whose data folder is mounted so that it can only be read. Linux only."""

    def _start(self, arguments: list[str]) -> Child:
        mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
        with self._log.open("wb") as log:
            return subprocess.Popen(
                ["unshare", "-r", "-m", "bash", "-c", mount, str(self.data_dir), str(LIVERY), *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )


def make_server(data_dir: Path, end: Callable[[ServerProcess], None]) -> None:
    with closing(ForkedServer(data_dir)) as server, open_client(server.base_url) as client:
        demo = open_demo(client)
        body = {"key": "before", "values": {"en": "Before"}}
        client.post(f"/api/translations/{demo.project_id}/general", json=body, headers=demo.headers).raise_for_status()
        client.post(demo.publish_path, headers=demo.headers).raise_for_status()
        end(server)


def stop(server: ServerProcess) -> None:
    server.ask_to_stop()
    server.wait()


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(stop, id="after a stop", marks=pytest.mark.deep),
        pytest.param(ServerProcess.kill, id="after a kill"),
    ],
)
async def test_a_start_on_a_full_disk_serves_apps_and_saves_again_once_there_is_room(
    tmp_path: Path, end: Callable[[ServerProcess], None]
) -> None:
    data_dir = tmp_path / "data"
    make_server(data_dir, end)
    key = ""
    with closing(CrampedServer(data_dir, has_demo=False, log_level="info", rate_limits="off")) as server:
        with open_client(server.base_url) as client:
            config = client.get("/storefront/config.json").raise_for_status().json()
            path, key = f"/sdk/v1/{config['projectId']}/content", config["key"]
            app = {"Authorization": f"Bearer {key}"}
            login = {"email": "demo@example.com", "password": "livery-demo"}
            for _ in range(3):
                content = client.get(path, headers=app).raise_for_status().json()
                assert content["texts"]["general"]["before"] == "Before"
                refused = client.post("/api/auth/login", json=login)
                assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
                assert "disk is full" in refused.json()["message"], server.output
            assert client.get("/readyz").json()["database"] == "up"

            server.give_room()
            token = client.post("/api/auth/login", json=login).raise_for_status().json()["token"]
            body = {"key": "after", "values": {"en": "After"}}
            person = {"Authorization": f"Bearer {token}"}
            project = f"/api/translations/{config['projectId']}"
            client.post(f"{project}/general", json=body, headers=person).raise_for_status()
            client.post(f"{project}/publish", headers=person).raise_for_status()

            async def read() -> dict[str, str]:
                return client.get(path, headers=app).json()["texts"]["general"]

            await ask_until(lambda texts: texts.get("after") == "After", read)
        assert "File too large" in server.output
        assert "nothing can be saved" in server.output
        assert server.output.count("database_unavailable") == 1
        assert "Traceback" not in server.output


@pytest.mark.deep
@pytest.mark.parametrize("end", [stop, ServerProcess.kill])
def test_a_start_in_a_folder_that_can_only_be_read_serves_apps(
    tmp_path: Path, end: Callable[[ServerProcess], None]
) -> None:
    """In `make test`: `test_a_folder_that_can_only_be_read_is_named_and_apps_are_served` of test_outages.py."""
    data_dir = tmp_path / "data"
    make_server(data_dir, end)
    with (
        closing(ReadOnlyServer(data_dir, has_demo=False, log_level="info")) as server,
        open_client(server.base_url) as client,
    ):
        config = client.get("/storefront/config.json").raise_for_status().json()
        app = {"Authorization": f"Bearer {config['key']}"}
        content = client.get(f"/sdk/v1/{config['projectId']}/content", headers=app).raise_for_status().json()
        assert content["texts"]["general"]["before"] == "Before"
        for image in content["images"].values():
            client.get(urlsplit(str(image["url"])).path).raise_for_status()
        refused = client.post("/api/auth/login", json={"email": "demo@example.com", "password": "livery-demo"})
        assert refused.status_code == 503
        assert "can only be read" in refused.json()["message"]
        assert client.get("/readyz").json() == {"status": "unavailable", "database": "up", "storage": "down"}
    assert "Warning: Read-only file system" in server.output
    assert "nothing can be saved" in server.output
    assert server.output.count("database_unavailable") == 1
    assert "cause=read_only" in server.output
    assert "Traceback" not in server.output


def test_a_full_disk_without_a_database_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="The database needs a migration first") as refusal:
        CrampedServer(tmp_path / "data", has_demo=False, secret_key="x" * 32)
    assert "Traceback" not in str(refusal.value)
