"""Backups of files in S3: whole, restored into an empty bucket, and refused with advice while the bucket is away."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from tests.images.pictures import picture
from tests.support.clients import open_client
from tests.support.s3_server import S3, Fault
from tests.support.server_process import ForkedServer, open_demo, run_command, server_environment

pytestmark = pytest.mark.deep_on("postgresql")  # the storage does not know the database


def make_images(folder: Path, storage_url: str) -> dict[str, str]:
    """Runs a server with the demo project and an image of its own. Returns the server's environment."""
    with (
        closing(ForkedServer(folder, storage_url=storage_url)) as server,
        open_client(server.base_url) as client,
    ):
        demo = open_demo(client)
        form = {"key": (None, "harbour"), "imageFile": ("a.png", picture(), "image/png")}
        client.post(f"/api/images/{demo.project_id}", files=form, headers=demo.headers).raise_for_status()
        return server.environment


async def run(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Returns the exit code of a command, and what it wrote to standard error."""
    done = await asyncio.to_thread(run_command, environment, *arguments)
    return done.returncode, done.stderr


async def test_a_backup_of_s3_is_whole_or_refused_with_advice_and_comes_back_in_an_empty_bucket(
    tmp_path: Path, s3: S3
) -> None:
    environment = await asyncio.to_thread(make_images, tmp_path / "first", s3.url)
    names = sorted(await s3.names())
    assert names

    s3.fault = Fault(403, "AccessDenied", method="GET")
    code, said = await run(environment, "backup", str(tmp_path / "refused"))
    assert (code, said.splitlines()[-1]) == (
        1,
        "S3 answered AccessDenied. Allow it in the policy of the bucket: docs/operations/s3.md.",
    )
    await s3.go_away()
    code, said = await run(environment, "backup", str(tmp_path / "away"))
    assert (code, said.splitlines()[-1]) == (
        1,
        "S3 does not answer. Check its address (AWS_ENDPOINT), the network and the service.",
    )
    for folder in ("refused", "away"):
        assert not (tmp_path / folder / "backup.json").exists()

    await s3.come_back()
    s3.fault = Fault(503, "SlowDown", method="GET", times=2)
    whole = str(tmp_path / "whole")
    assert await run(environment, "backup", whole) == (0, "")
    assert await run(environment, "admin", "fsck") == (0, "")

    second = server_environment(tmp_path / "second", storage_url=s3.url)
    await s3.remove_bucket()
    code, said = await run(second, "restore", whole)
    assert code == 1
    assert said.splitlines()[-1].startswith("S3 answered NoSuchBucket. Create the bucket")
    assert not (tmp_path / "second" / "livery.db").exists()

    await s3.make_bucket()
    assert await run(second, "restore", whole) == (0, "")
    assert sorted(await s3.names()) == names
    assert await run(second, "admin", "fsck") == (0, "")
