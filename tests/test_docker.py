"""The Dockerfile and compose.yaml: linters accept both, and what the containers run and set is tried without Docker."""

import asyncio
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from livery.app import Application
from livery.core.settings import Settings, load_settings
from tests.support.live_server import live_server

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/operations/docker.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = (ROOT / "compose.yaml").read_text()
SECRETS = {"POSTGRES_PASSWORD": "a1" * 24, "LIVERY_SECRET_KEY": "b2" * 32}
"""What the file `.env` of the page has."""


def services() -> dict[str, Any]:
    """The services as Docker Compose reads them, with the values of ``.env``."""

    def value(found: re.Match[str]) -> str:
        name, kind = found[1], found[2]
        assert kind != ":?" or SECRETS.get(name), f"{name} has no value"
        return SECRETS.get(name, "")

    return yaml.safe_load(re.sub(r"\$\{(\w+)(:[?-])?\}", value, COMPOSE))["services"]


def test_the_page_shows_both_files() -> None:
    assert f"```dockerfile\n{DOCKERFILE}```\n" in PAGE
    assert f"```yaml\n{COMPOSE}```\n" in PAGE


def test_linters_accept_both_files() -> None:
    commands = [["node_modules/.bin/dclint", "--max-warnings=0", "compose.yaml"]]
    if sys.platform == "linux" and platform.machine() == "x86_64":  # hadolint has a package for no other machine
        commands.append([str(ROOT / ".venv/bin/hadolint"), "Dockerfile"])
    reports = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) for command in commands]

    assert [report.stdout + report.stderr for report in reports if report.returncode] == []


def test_the_image_takes_files_that_a_checkout_and_its_wheel_have() -> None:
    taken = re.findall(r"^COPY (?!--from)(.*) /build/$", DOCKERFILE, re.MULTILINE)
    allowed = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)

    assert taken == [" ".join(allowed)]
    assert (ROOT / allowed[0]).is_file()
    assert "--wheel-dir dist" in PAGE


@pytest.mark.parametrize("settings_overrides", [{"rate_limits": "off"}])
async def test_the_health_check_of_the_image_sees_a_server(app: Application) -> None:
    code = re.findall(r'CMD \["python", "-c", "(.*)"\]', DOCKERFILE)[0]
    async with live_server(app) as server:
        here = code.replace(":8000", f":{server.port}")
        assert here != code

        asked = [await _run(here), await _run(code.replace(":8000", ":9"))]

    assert asked == [0, 1]


async def _run(code: str) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait()


def test_the_server_accepts_the_settings_of_the_container(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, str | None] = services()["livery"]["environment"]
    image = dict(re.findall(r"(LIVERY_\w+)=(\S+)", DOCKERFILE))
    for name, value in {**image, **given, "LIVERY_DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value or "")

    settings = load_settings()

    assert {name.removeprefix("LIVERY_").lower() for name in {**image, **given}} <= Settings.model_fields.keys()
    assert settings.database_url.endswith("@postgres/livery")
    assert settings.public_url == "https://livery.example.com"


def test_the_command_of_the_image_is_a_command() -> None:
    command = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)

    assert command == ['["livery", "serve"]']
    assert shutil.which("livery", path=str(ROOT / ".venv/bin"))
