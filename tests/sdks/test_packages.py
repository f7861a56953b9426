"""The packages of SDKs that a server hands out: an address in a lock file has the same bytes for ever."""

import hashlib
import json
import subprocess
from pathlib import Path

import httpx2
import pytest

from livery.core.context import Context
from livery.sdks import service

OLD, NEW = "livery-client-0.1.0-0123456789ab.tgz", "livery-client-0.2.0-ba9876543210.tgz"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(service, "FOLDER", tmp_path)
    return tmp_path


def offer(folder: Path, name: str, body: bytes) -> None:
    for old in folder.glob("*.tgz"):
        old.unlink()
    (folder / name).write_bytes(body)
    (folder / "packages.json").write_text(json.dumps({"client": name}))


async def test_a_package_of_an_earlier_server_stays_at_its_address(
    context: Context, client: httpx2.AsyncClient, folder: Path
) -> None:
    offer(folder, OLD, b"old")
    await service.keep_own(context.database)
    offer(folder, NEW, b"new")
    await service.keep_own(context.database)

    old, new = await client.get(f"/sdk/{OLD}"), await client.get(f"/sdk/{NEW}")

    assert (old.content, new.content) == (b"old", b"new")
    assert {answer.headers["cache-control"] for answer in (old, new)} == {"public, max-age=31536000, immutable"}


async def test_a_wheel_of_an_earlier_server_stays_at_its_address(
    context: Context, client: httpx2.AsyncClient, folder: Path
) -> None:
    name = "livery_client-0.1.0-00123456789ab-py3-none-any.whl"
    offer(folder, name, b"wheel")
    await service.keep_own(context.database)
    offer(folder, NEW, b"new")

    answer = await client.get(f"/sdk/{name}")

    assert (answer.content, answer.headers["content-type"]) == (b"wheel", "application/zip")
    assert (await client.get("/sdk/livery_client.whl")).status_code == 404


async def test_a_name_without_a_version_leads_to_the_present_package(client: httpx2.AsyncClient, folder: Path) -> None:
    offer(folder, NEW, b"new")

    answer = await client.get("/sdk/livery-client.tgz")

    assert (answer.status_code, answer.headers["location"]) == (307, NEW)


async def test_unknown_packages_are_not_found(client: httpx2.AsyncClient, folder: Path) -> None:
    answers = [await client.get(f"/sdk/{name}.tgz") for name in ("livery-client", "livery-x-1-000000000000", "passwd")]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


async def test_the_name_of_a_package_has_its_version_and_a_digest(tmp_path: Path) -> None:
    (tmp_path / "livery-react-0.3.0.tgz").write_bytes(b"react")
    (tmp_path / "livery_client-0.3.0-py3-none-any.whl").write_bytes(b"wheel")
    script = Path(__file__).parents[2] / "scripts" / "name-packages.mjs"

    subprocess.run(["node", script, tmp_path], check=True)

    name = f"livery-react-0.3.0-{hashlib.sha256(b'react').hexdigest()[:12]}.tgz"
    wheel = f"livery_client-0.3.0-0{hashlib.sha256(b'wheel').hexdigest()[:12]}-py3-none-any.whl"
    assert json.loads((tmp_path / "packages.json").read_text()) == {"react": name, "python": wheel}
    assert (tmp_path / wheel).read_bytes() == b"wheel"
    assert (tmp_path / name).read_bytes() == b"react"
