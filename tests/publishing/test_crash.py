"""SIGKILL at any moment of editing and publishing: what was acknowledged is there, releases are whole and without gaps.

A writer edits and publishes without pause and knows, step by step, what the data may be; a reader polls what apps get. The server is killed
again and again at moments drawn from a seed, and started again on the same data.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from tests.support.clients import open_client
from tests.support.server_process import DemoProject, ForkedServer, open_demo, run_command
from tests.support.tier import amount

ROUNDS = amount(main=2, deep=15)
LANGUAGES = ("en", "de")
SCREEN = "general"
Texts = dict[str, str]


@dataclass
class Model:
    """What the writer knows: the acknowledged draft, the texts of each release, and the one step whose outcome is unknown."""

    draft: Texts = field(default_factory=dict[str, str])
    releases: dict[int, Texts] = field(default_factory=dict[int, Texts])
    pending: tuple[str, str] | None = None
    acknowledged: int = 0
    is_publishing: bool = False
    count: int = 0

    @property
    def last_release(self) -> int:
        return max(self.releases)


class Writer:
    """Edits one key after the other, both languages in one call, and publishes now and then."""

    def __init__(self, server: ForkedServer, demo: DemoProject, keys: list[str], model: Model, dice: random.Random):
        self._client = open_client(server.base_url, headers=demo.headers)
        self._demo = demo
        self._keys = keys
        self._model = model
        self._dice = dice
        self.unexpected: list[str] = []

    def run(self) -> None:
        """Until the server is gone."""
        try:
            while True:
                if self._dice.random() < 0.4:
                    self._publish()
                else:
                    self._edit()
        except httpx2.TransportError:
            return
        except Exception as error:  # noqa: BLE001  # the test's own thread shows it
            self.unexpected.append(repr(error))
        finally:
            self._client.close()

    def _edit(self) -> None:
        model = self._model
        model.count += 1
        key = self._dice.choice(self._keys)
        model.pending = key, str(model.count)
        values = dict.fromkeys(LANGUAGES, str(model.count))
        path = f"/api/translations/{self._demo.project_id}/{SCREEN}/{key}"
        self._client.put(path, json={"key": key, "values": values}).raise_for_status()
        model.draft[key] = str(model.count)
        model.pending = None
        model.acknowledged += 1

    def _publish(self) -> None:
        model = self._model
        model.is_publishing = True
        answer = self._client.post(self._demo.publish_path).raise_for_status().json()
        if answer["published"]:
            assert answer["release"] == model.last_release + 1, "a release number was left out"
            model.releases[answer["release"]] = dict(model.draft)
        else:
            assert answer["release"] == model.last_release
        model.is_publishing = False
        model.acknowledged += 1


class Poller:
    """Reads as an app does; keeps every content that differs from the content before."""

    def __init__(self, server: ForkedServer, demo: DemoProject, language: str) -> None:
        self._client = open_client(server.base_url, headers=demo.app_headers)
        self._demo = demo
        self._language = language
        self.seen: list[tuple[int, Texts]] = []
        self.unexpected: list[str] = []

    def run(self) -> None:
        """Until the server is gone."""
        etag = ""
        try:
            while True:
                headers = {"If-None-Match": etag} if etag else {}
                answer = self._client.get(self._demo.content_path, params={"lang": self._language}, headers=headers)
                if answer.status_code == 304:
                    continue
                body = answer.raise_for_status().json()
                etag = answer.headers["etag"]
                self.seen.append((body["release"], body["texts"][SCREEN]))
        except httpx2.TransportError:
            return
        except Exception as error:  # noqa: BLE001  # the test's own thread shows it
            self.unexpected.append(repr(error))
        finally:
            self._client.close()


def run_until_killed(
    server: ForkedServer, writer: Writer, pollers: list[Poller], model: Model, dice: random.Random
) -> None:
    """Let them work for a drawn number of steps and a drawn moment more, then SIGKILL."""
    works: list[Callable[[], None]] = [writer.run, *(poller.run for poller in pollers)]
    threads = [threading.Thread(target=work) for work in works]
    target = model.acknowledged + dice.randrange(1, 12)
    for thread in threads:
        thread.start()
    while model.acknowledged < target and threads[0].is_alive():
        time.sleep(0.001)
    time.sleep(dice.random() * 0.03)  # the moment of the kill, anywhere in a step
    server.kill()
    for thread in threads:
        thread.join()
    assert [*writer.unexpected, *(problem for poller in pollers for problem in poller.unexpected)] == []


def check_after_restart(server: ForkedServer, demo: DemoProject, model: Model) -> None:
    """Compare with the model, and learn the outcome of the step that was not answered."""
    with open_client(server.base_url) as client:
        listed = client.get(f"/api/translations/{demo.project_id}/{SCREEN}", headers=demo.headers).json()["keys"]
        contents = [
            client.get(demo.content_path, params={"lang": language}, headers=demo.app_headers).json()
            for language in LANGUAGES
        ]
    stored = [{record["key"]: record["values"][language] for record in listed} for language in LANGUAGES]
    assert stored[0] == stored[1], "an edit of two languages is there in one alone"
    if model.pending and stored[0] == {**model.draft, model.pending[0]: model.pending[1]}:
        model.draft = stored[0]
    assert stored[0] == model.draft, "an acknowledged edit is gone"
    model.pending = None

    release = contents[0]["release"]
    if model.is_publishing and release == model.last_release + 1:
        model.releases[release] = dict(model.draft)
    model.is_publishing = False
    assert release == model.last_release, "an acknowledged release is gone, or one came from nowhere"
    for content in contents:
        assert content["texts"][SCREEN] == model.releases[release]


def start_with_few_keys(server: ForkedServer) -> tuple[DemoProject, list[str], Model]:
    """The demo project, its first screen cut to six keys and published."""
    with open_client(server.base_url) as client:
        demo = open_demo(client)
        path = f"/api/translations/{demo.project_id}/{SCREEN}"
        names = [record["key"] for record in client.get(path, headers=demo.headers).json()["keys"]]
        for name in names[6:]:
            client.delete(f"{path}/{name}", headers=demo.headers).raise_for_status()
        for name in names[:6]:
            body = {"key": name, "values": dict.fromkeys(LANGUAGES, "0")}
            client.put(f"{path}/{name}", json=body, headers=demo.headers).raise_for_status()
        release = client.post(demo.publish_path, headers=demo.headers).raise_for_status().json()["release"]
    draft = dict.fromkeys(names[:6], "0")
    return demo, names[:6], Model(draft=draft, releases={release: dict(draft)})


def test_nothing_acknowledged_is_lost_and_nothing_is_torn(tmp_path: Path, database_url: str) -> None:
    dice = random.Random(20261120)
    url = "" if database_url.startswith("sqlite") else database_url
    server = ForkedServer(tmp_path / "data", database_url=url, rate_limits="off")
    try:
        demo, keys, model = start_with_few_keys(server)
        first = model.last_release
        for _ in range(ROUNDS):
            pollers = [Poller(server, demo, language) for language in LANGUAGES]
            run_until_killed(server, Writer(server, demo, keys, model, dice), pollers, model, dice)
            server = ForkedServer(server.data_dir, database_url=url, has_demo=False, rate_limits="off")
            check_after_restart(server, demo, model)
            for release, texts in (seen for poller in pollers for seen in poller.seen):
                assert texts == model.releases[release], f"a reader saw a release {release} that never was"
            for poller in pollers:
                numbers = [release for release, _ in poller.seen]
                assert numbers == sorted(numbers), "a reader went back to an older release"
    finally:
        server.close()

    assert model.last_release > first + ROUNDS / 3, "hardly anything was published: this proves nothing"
    fsck = run_command(server.environment, "admin", "fsck")
    assert (fsck.returncode, fsck.stdout.strip()) == (0, "All invariants hold."), fsck.stdout + fsck.stderr
