"""The drill: install wheels, load, back up, kill, restore elsewhere, upgrade from the first release; connected apps end with the right content."""

import asyncio
import re
import subprocess
import sys
import sysconfig
import venv
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx2
import pytest

from tests.support.load import AT_LEAST, Writer, read_version, sdk_app, until_it_has
from tests.support.server_process import ROOT, ServerProcess, open_demo, server_environment

(FIRST_RELEASE,) = re.findall(r"^## \[0\.1\.0\].*\n\nCommit `(\w+)`", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
"""The commit of version 0.1.0."""


def install(source: Path, folder: Path) -> Path:
    """The ``livery`` command of a virtual environment that has the wheel of ``source``, and the libraries of this one."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder / "wheel"), str(source)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = (folder / "wheel").glob("livery-*.whl")
    venv.create(folder / "venv")
    python = folder / "venv/bin/python"
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
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


@pytest.mark.drill
async def test_an_installation_survives_a_loss_and_an_upgrade_with_its_apps_connected(tmp_path: Path) -> None:
    former = install(check_out(FIRST_RELEASE, tmp_path / "former"), tmp_path / "old")
    present = install(ROOT, tmp_path / "new")
    folder, second = tmp_path / "backup", server_environment(tmp_path / "second")

    def run(livery: Path, environment: dict[str, str], *arguments: str) -> str:
        command = [str(livery), *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    async with AsyncExitStack() as stack:
        server = stack.enter_context(closing(server_of(former)(tmp_path / "first")))
        client = stack.enter_context(httpx2.Client(base_url=server.base_url, timeout=60))
        demo = open_demo(client)
        app = await stack.enter_async_context(sdk_app(server, demo))
        writer = Writer(server, demo)
        with writer.writing():
            before = await asyncio.to_thread(writer.wait_for, AT_LEAST)
            await asyncio.to_thread(run, former, server.environment, "backup", str(folder))
            await asyncio.to_thread(writer.wait_for, len(writer.acknowledged) + AT_LEAST)
        await until_it_has(app, read_version(client, demo))
        server.kill()

        run(former, second, "restore", str(folder))
        port = str(server.port)
        restored = stack.enter_context(closing(server_of(former)(tmp_path / "second", has_demo=False, port=port)))
        demo = open_demo(client)
        version = read_version(client, demo)
        await until_it_has(app, version)
        restored.ask_to_stop()
        restored.wait()

        run(present, second, "backup", str(tmp_path / "before the upgrade"))
        upgraded = stack.enter_context(closing(server_of(present)(tmp_path / "second", has_demo=False, port=port)))
        assert read_version(client, demo) == version, "the upgrade made apps read everything again"
        path = f"/api/translations/{demo.project_id}/general"
        keys = {key["key"] for key in client.get(path, headers=demo.headers).raise_for_status().json()["keys"]}
        assert set(before) <= keys
        body = {"key": "after_the_upgrade", "values": {"en": "Here"}}
        client.post(path, json=body, headers=demo.headers).raise_for_status()
        client.post(demo.publish_path, headers=demo.headers).raise_for_status()
        epoch, _, release = version.rpartition(".")
        content = await until_it_has(app, f"{epoch}.{int(release) + 1}")
        assert content["texts"]["general"]["after_the_upgrade"] == "Here"
        assert set(before) <= set(content["texts"]["general"]) | {"after_the_upgrade"}
        upgraded.ask_to_stop()
        upgraded.wait()
    assert "All invariants hold." in run(present, second, "admin", "fsck")
