"""SIGKILL at any moment of uploading, replacing and deleting: no image without its file, nothing acknowledged is lost, apps get the same.

A writer works without pause and knows what the library may hold; the server is killed again and again at moments drawn from a seed.
"""

import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from tests.images.pictures import picture
from tests.support.clients import open_client
from tests.support.server_process import DemoProject, ForkedServer, open_demo, run_command
from tests.support.tier import amount

ROUNDS = amount(main=2, deep=8)
KEYS = ("logo", "hero", "icon")
Library = dict[str, int]
"""The width of each image by key: identifies the upload."""


@dataclass
class Model:
    """What the writer knows: the acknowledged library, and what it may be after the one step whose outcome is unknown."""

    library: Library = field(default_factory=dict[str, int])
    pending: Library | None = None
    acknowledged: int = 0


class Writer:
    """Uploads, replaces and deletes."""

    def __init__(self, server: ForkedServer, demo: DemoProject, model: Model, dice: random.Random) -> None:
        self._client = open_client(server.base_url, headers=demo.headers)
        self._path = f"/api/images/{demo.project_id}"
        self._model = model
        self._dice = dice
        self.unexpected: list[str] = []

    def run(self) -> None:
        """Until the server is gone."""
        try:
            ids = {record["key"]: record["_id"] for record in self._client.get(self._path).raise_for_status().json()}
            while True:
                self._step(ids)
        except httpx2.TransportError:
            return
        except Exception as error:  # noqa: BLE001  # the test's own thread shows it
            self.unexpected.append(repr(error))
        finally:
            self._client.close()

    def _step(self, ids: dict[str, str]) -> None:
        model, key = self._model, self._dice.choice(KEYS)
        if key in model.library and self._dice.random() < 0.3:
            model.pending = {name: width for name, width in model.library.items() if name != key}
            self._client.delete(f"{self._path}/{ids.pop(key)}").raise_for_status()
        else:
            width = model.acknowledged + 10
            form = {"imageFile": ("a.png", picture(width, 5), "image/png")}
            model.pending = {**model.library, key: width}
            if key in model.library:
                self._client.put(f"{self._path}/{ids[key]}", files=form).raise_for_status()
            else:
                answer = self._client.post(self._path, files={"key": (None, key), **form}).raise_for_status()
                ids[key] = answer.json()["_id"]
        model.library, model.pending = model.pending, None
        model.acknowledged += 1


def check_after_restart(server: ForkedServer, demo: DemoProject, model: Model) -> None:
    """Compares with the model, learns the outcome of the step that was not answered, and loads every image that apps get."""
    with open_client(server.base_url) as client:
        listed = client.get(f"/api/images/{demo.project_id}", headers=demo.headers).raise_for_status().json()
        content = client.get(demo.content_path, headers=demo.app_headers).raise_for_status().json()
        for image in content["images"].values():
            assert client.get(image["url"]).status_code == 200, "apps are told of an image that is not there"
    library = {record["key"]: record["width"] for record in listed}
    assert library in (model.library, model.pending), "an acknowledged change is gone"
    assert {key: image["width"] for key, image in content["images"].items()} == library, "apps are told of others"
    model.library, model.pending = library, None


@pytest.mark.deep_on("postgresql")
def test_no_image_is_without_its_file_and_nothing_acknowledged_is_lost(tmp_path: Path, database_url: str) -> None:
    dice = random.Random(20261122)
    url = "" if database_url.startswith("sqlite") else database_url
    server = ForkedServer(tmp_path / "data", database_url=url, rate_limits="off")
    model = Model()
    try:
        with open_client(server.base_url) as client:
            demo = open_demo(client)
            for record in client.get(f"/api/images/{demo.project_id}", headers=demo.headers).json():
                path = f"/api/images/{demo.project_id}/{record['_id']}"
                client.delete(path, headers=demo.headers).raise_for_status()
        for _ in range(ROUNDS):
            writer = Writer(server, demo, model, dice)
            thread = threading.Thread(target=writer.run)
            target = model.acknowledged + dice.randrange(1, 6)
            thread.start()
            while model.acknowledged < target and thread.is_alive():
                time.sleep(0.001)
            time.sleep(dice.random() * 0.05)  # the moment of the kill, anywhere in a step
            server.kill()
            thread.join()
            assert writer.unexpected == []
            server = ForkedServer(server.data_dir, database_url=url, has_demo=False, rate_limits="off")
            check_after_restart(server, demo, model)
    finally:
        server.close()

    assert model.acknowledged > ROUNDS, "hardly anything was done: this proves nothing"
    fsck = run_command(server.environment, "admin", "fsck")
    assert (fsck.returncode, fsck.stdout.strip()) == (0, "All invariants hold."), fsck.stdout + fsck.stderr
