"""The drill: install wheels, load, back up, kill, restore elsewhere, upgrade from the first release; connected apps end with the right content."""

import asyncio
import json
import re
import subprocess
import sys
import sysconfig
import venv
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx2
import pytest

from livery import __version__
from tests.support.load import AT_LEAST, Writer, read_images, read_version, sdk_app, until_it_has
from tests.support.polling import ask_until
from tests.support.server_process import ROOT, DemoProject, ServerProcess, open_demo, server_environment

(FIRST_RELEASE,) = re.findall(r"^## \[0\.1\.0\].*\n\nCommit `(\w+)`", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
"""The commit of version 0.1.0."""


def install(source: Path, folder: Path, *, has_own_libraries: bool = False) -> Path:
    """Returns the ``livery`` command of a virtual environment that has the wheel of ``source``.

    It has the libraries of this environment. With ``has_own_libraries`` it downloads the libraries that ``source`` pins.
    """
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder / "wheel"), str(source)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = (folder / "wheel").glob("livery-*.whl")
    venv.create(folder / "venv")
    python = folder / "venv/bin/python"
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    if has_own_libraries:
        pins = ["--require-hashes", "-r", str(source / "requirements/runtime.txt")]
        subprocess.run([*pip, "--python", str(python), "install", *pins], check=True)
        return folder / "venv/bin/livery"
    (packages,) = (folder / "venv/lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "venv/bin/livery"


def check_out(commit: str, folder: Path) -> Path:
    """The files of a commit."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def server_of(livery: Path) -> type[ServerProcess]:
    return type("InstalledServer", (ServerProcess,), {"program": livery})


async def check_apps(
    apps: dict[str, asyncio.StreamReader], client: httpx2.Client, demo: DemoProject
) -> dict[str, dict[str, dict[str, str]]]:
    """Waits until each app has the new content of the server in its language. Returns the texts by language."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for language, app in apps.items():
        asked = client.get(demo.content_path, params={"lang": language}, headers=demo.app_headers)
        content = asked.raise_for_status().json()
        assert (await until_it_has(app, content["version"]))["texts"] == content["texts"], language
        found[language] = content["texts"]
    return found


@pytest.mark.drill
async def test_an_installation_survives_a_loss_and_an_upgrade_with_its_apps_connected(tmp_path: Path) -> None:
    former = install(check_out(FIRST_RELEASE, tmp_path / "former"), tmp_path / "old", has_own_libraries=True)
    present = install(ROOT, tmp_path / "new")
    folder, second = tmp_path / "backup", server_environment(tmp_path / "second")

    def run(livery: Path, environment: dict[str, str], *arguments: str, status: int = 0) -> str:
        command = [str(livery), *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    for livery, version in ((former, "0.1.0"), (present, __version__)):
        assert json.loads(run(livery, second, "openapi"))["info"]["version"] == version
        place = "import livery; print(livery.__file__)"
        assert run(livery.with_name("python"), second, "-c", place).startswith(str(livery.parent.parent / "lib"))

    async with AsyncExitStack() as stack:
        server = stack.enter_context(closing(server_of(former)(tmp_path / "first")))
        client = stack.enter_context(httpx2.Client(base_url=server.base_url, timeout=60))
        demo = open_demo(client)
        apps = {language: await stack.enter_async_context(sdk_app(server, demo, language)) for language in ("en", "ja")}
        writer = Writer(server, demo)
        with writer.writing():
            before = await asyncio.to_thread(writer.wait_for, AT_LEAST)
            await asyncio.to_thread(run, former, server.environment, "backup", str(folder))
            await asyncio.to_thread(writer.wait_for, len(writer.acknowledged) + AT_LEAST)
        loaded = await check_apps(apps, client, demo)
        assert set(before[:AT_LEAST]) <= loaded["en"]["general"].keys()
        images = read_images(client, demo)
        assert images
        server.kill()

        run(former, second, "restore", str(folder))
        port = str(server.port)
        restored = stack.enter_context(closing(server_of(former)(tmp_path / "second", has_demo=False, port=port)))
        demo = open_demo(client)
        await check_apps(apps, client, demo)
        version = read_version(client, demo)
        path = f"/api/translations/{demo.project_id}/general"
        keys = {key["key"] for key in client.get(path, headers=demo.headers).raise_for_status().json()["keys"]}
        assert set(before) <= keys
        assert writer.acknowledged[-1] not in keys
        assert read_images(client, demo) == images
        run(former, second, "backup", str(tmp_path / "before the upgrade"))
        restored.ask_to_stop()
        restored.wait()

        upgraded = stack.enter_context(closing(server_of(present)(tmp_path / "second", has_demo=False, port=port)))
        assert read_version(client, demo) == version, "the upgrade made apps read everything again"
        body = {"key": "after_the_upgrade", "values": {"en": "Here", "ja": "ここ"}}
        client.post(path, json=body, headers=demo.headers).raise_for_status()
        client.post(demo.publish_path, headers=demo.headers).raise_for_status()
        epoch, _, release = version.rpartition(".")
        await ask_until(
            lambda found: found == f"{epoch}.{int(release) + 1}", lambda: asyncio.to_thread(read_version, client, demo)
        )
        texts = await check_apps(apps, client, demo)
        assert {language: texts[language]["general"]["after_the_upgrade"] for language in apps} == body["values"]
        assert keys <= texts["en"]["general"].keys()
        assert read_images(client, demo) == images
        upgraded.ask_to_stop()
        upgraded.wait()
    assert "A newer Livery made this database" in run(former, second, "serve", status=1)
    assert "All invariants hold." in run(present, second, "admin", "fsck")
