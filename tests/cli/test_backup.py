"""A backup has all that was acknowledged before it began, and after its restore connected apps have the restored content at once."""

import asyncio
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
from psycopg import sql
from sqlalchemy import make_url

from livery.cli.server import using_database
from livery.core import locks
from livery.core.settings import Settings
from tests.images.pictures import picture
from tests.support.clients import open_client
from tests.support.event_stream import event_stream
from tests.support.load import AT_LEAST, Writer, read_images, read_version, sdk_app, until_it_has
from tests.support.server_process import ForkedServer, open_demo, run_command, server_environment


@pytest.fixture
def addresses(database_server: str | None, worker_id: str) -> Iterator[tuple[str, str]]:
    """Yields the databases of two installations: SQLite in their data folders, or two new databases on PostgreSQL."""
    if database_server is None:
        yield "", ""
        return
    names = [sql.Identifier(f"backup_{worker_id}_{number}") for number in (1, 2)]
    server = make_url(database_server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        first, second = (
            make_url(database_server).set(database=name.as_string().strip('"')).render_as_string(hide_password=False)
            for name in names
        )
        yield first, second
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


async def test_a_backup_under_load_is_restored_elsewhere_and_takes_connected_apps_along(
    tmp_path: Path, addresses: tuple[str, str]
) -> None:
    folder = tmp_path / "backup"
    second = server_environment(tmp_path / "second", addresses[1])
    async with AsyncExitStack() as stack:
        server = stack.enter_context(closing(ForkedServer(tmp_path / "first", database_url=addresses[0])))
        client = stack.enter_context(open_client(server.base_url))
        demo = open_demo(client)
        app = await stack.enter_async_context(sdk_app(server, demo))
        writer = Writer(server, demo)
        with writer.writing():
            before = await asyncio.to_thread(writer.wait_for, AT_LEAST)
            form = {"key": (None, "harbour"), "imageFile": ("a.png", picture(), "image/png")}
            client.post(f"/api/images/{demo.project_id}", files=form, headers=demo.headers).raise_for_status()
            made = await asyncio.to_thread(run_command, server.environment, "backup", str(folder))
            assert made.returncode == 0, made.stderr
            await asyncio.to_thread(writer.wait_for, len(writer.acknowledged) + AT_LEAST)
        lost = read_version(client, demo)
        await until_it_has(app, lost)
        images = read_images(client, demo)
        server.kill()

        restored = await asyncio.to_thread(run_command, second, "restore", str(folder))
        assert restored.returncode == 0, restored.stderr
        successor = ForkedServer(tmp_path / "second", database_url=addresses[1], has_demo=False, port=str(server.port))
        stack.enter_context(closing(successor))
        resumed = {**demo.app_headers, "Last-Event-ID": lost}
        async with event_stream(successor.port, demo.stream_path, resumed) as stream:
            hello, news = await stream.expect("hello"), await stream.expect("release")
        assert news.data["refetch"]
        whole = client.get(demo.content_path, params={"lang": "en"}, headers=demo.app_headers).json()
        assert whole["version"] == hello.data["version"]
        assert whole["release"] < int(lost.split(".")[1]), "the backup has the last release: nothing is tested"
        assert (await until_it_has(app, whole["version"]))["texts"] == whole["texts"]
        answer = client.get(f"/api/translations/{demo.project_id}/general", headers=demo.headers)
        keys = {key["key"] for key in answer.json()["keys"]}
        assert set(before) <= keys
        assert writer.acknowledged[-1] not in keys
        assert "harbour" in images
        assert read_images(client, demo) == images

        async with event_stream(successor.port, demo.stream_path, demo.app_headers) as stream:
            await stream.expect("hello")
            said = await asyncio.to_thread(done, second, "admin", "new-epoch")
            await stream.expect("bye")
        epoch = read_version(client, demo).split(".")[0]
        assert epoch != whole["version"].split(".")[0]
        assert said.startswith(f"The new epoch is {epoch}. ")


def test_a_restore_into_postgresql_needs_a_stopped_server_and_keeps_the_former_schema(
    tmp_path: Path, addresses: tuple[str, str], database_server: str | None
) -> None:
    """The tests below show the same for SQLite."""
    if database_server is None:
        return
    folder, damaged = tmp_path / "backup", tmp_path / "damaged"
    with closing(ForkedServer(tmp_path / "data", database_url=addresses[0])) as server:
        environment = server.environment
        done(environment, "backup", folder)
        before = epochs(addresses[0])
        assert "other connections use the database. Stop the server first." in told(
            environment, "restore", folder, "--replace"
        )
    assert "There is a database already" in told(environment, "restore", folder)
    shutil.copytree(folder, damaged)
    a_file(damaged).unlink()
    assert "is missing" in told(environment, "restore", damaged, "--replace")
    assert epochs(addresses[0]) == before == {"public": before["public"]}

    said = done(environment, "restore", folder, "--replace")

    after = epochs(addresses[0])
    (former,) = after.keys() - before.keys()
    assert f"The former database is kept: the schema {former}." in said
    assert after[former] == before["public"] != after["public"]
    assert done(environment, "admin", "fsck") == "All invariants hold."


def epochs(address: str) -> dict[str, str]:
    """The epoch of each installation in a database of PostgreSQL, by its schema."""
    plain = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as connection:
        query = "SELECT schemaname FROM pg_tables WHERE tablename = 'instance_values'"
        schemas = [str(row[0]) for row in connection.execute(query)]
        value = sql.SQL("SELECT value FROM {} WHERE name = 'epoch'")
        found = {name: connection.execute(value.format(sql.Identifier(name, "instance_values"))) for name in schemas}
        return {name: str(rows.fetchall()[0][0]) for name, rows in found.items()}


@pytest.fixture
def installation(tmp_path: Path, demo_folder: Path) -> dict[str, str]:
    """The environment of an installation with the demo project."""
    shutil.copytree(demo_folder, tmp_path / "data")
    return server_environment(tmp_path / "data")


@pytest.fixture(scope="module")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installation") / "data"
    assert run_command(server_environment(folder), "demo").returncode == 0
    return folder


def told(environment: dict[str, str], *arguments: str | Path) -> str:
    """Returns the output of a refused command: sentences, no traceback."""
    done = run_command(environment, *map(str, arguments))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def done(environment: dict[str, str], *arguments: str | Path) -> str:
    """Returns the output of a command that does its work."""
    result = run_command(environment, *map(str, arguments))
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_a_restore_replaces_a_database_only_with_the_option_and_keeps_it(
    installation: dict[str, str], tmp_path: Path
) -> None:
    folder, data = tmp_path / "backup", tmp_path / "data"
    said = done(installation, "backup", folder)
    assert said.startswith(f"Backed up to {folder}: ")
    secret = (data / "secret.key").read_text()
    assert (folder / "secret.key").read_text() == secret
    assert "is not empty" in told(installation, "backup", folder)

    assert "There is a database already" in told(installation, "restore", folder)
    with locks.shared(data / "livery.db"):
        assert told(installation, "restore", folder, "--replace") == "A server uses this database. Stop it first."
    done(installation, "admin", "users", "verify", "demo@example.com")
    said = done(installation, "restore", folder, "--replace")
    (former,) = (path for path in data.glob("livery.db.before_*") if not path.name.endswith(("-wal", "-shm")))
    assert f"The former database is kept: {former}." in said
    assert read_epoch(former) == read_epoch(folder / "livery.db") != read_epoch(data / "livery.db")
    assert (data / "secret.key").read_text() == secret
    assert done(installation, "admin", "fsck") == "All invariants hold."


def test_a_restore_elsewhere_brings_files_and_the_secret_key(installation: dict[str, str], tmp_path: Path) -> None:
    made, folder, data = tmp_path / "my 5% bäckup", tmp_path / "moved", tmp_path / "data"
    done(installation, "backup", made)
    made.rename(folder)  # all that is needed is in it, whatever its name was
    new = tmp_path / "else%41where? #1"
    elsewhere = server_environment(new)
    done(elsewhere, "restore", folder)
    assert (new / "secret.key").read_text() == (data / "secret.key").read_text()
    names = {path.name for path in (data / "blobs").rglob("*") if path.is_file()}
    assert names == {path.name for path in (new / "blobs").rglob("*") if path.is_file()} != set()
    assert {path.name for path in tmp_path.iterdir()} == {"data", "moved", new.name}
    assert done(elsewhere, "admin", "fsck") == "All invariants hold."
    private = [path for path in (folder, folder / "livery.db", folder / "secret.key") if path.stat().st_mode & 0o077]
    assert not private, "others may read the backup"


def test_a_secret_key_that_is_a_setting_stays_out_of_the_backup_and_must_be_the_same(
    installation: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    own = {"LIVERY_SECRET_KEY": "a secret of the operator"}
    assert "LIVERY_SECRET_KEY is not in the backup" in done(installation | own, "backup", folder)
    elsewhere = server_environment(tmp_path / "elsewhere")
    assert "The backup needs the LIVERY_SECRET_KEY" in told(elsewhere, "restore", folder)
    assert not (tmp_path / "elsewhere/livery.db").exists()
    done(elsewhere | own, "restore", folder)


def a_file(folder: Path) -> Path:
    return next(path for path in sorted((folder / "files").rglob("*")) if path.is_file())


def flip(file: Path) -> None:
    """Change one bit in the middle."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "has no backup.json": lambda folder: (folder / "backup.json").unlink(),
    "is damaged, or of a newer": lambda folder: (folder / "backup.json").write_text("{"),
    "is damaged: it is not the file": lambda folder: flip(folder / "livery.db"),
    "can't be read (blob_damaged)": lambda folder: flip(a_file(folder)),
    "is missing": lambda folder: shutil.rmtree(folder / "files"),
    "was made by a newer Livery": lambda folder: edit(folder / "backup.json", '"revision": "0', '"revision": "9'),
    "The backup is of postgresql": lambda folder: edit(folder / "backup.json", '"sqlite"', '"postgresql"'),
}


def test_a_damaged_backup_changes_nothing(installation: dict[str, str], tmp_path: Path) -> None:
    whole, data = tmp_path / "whole", tmp_path / "data"
    done(installation, "backup", whole)
    epoch, files = read_epoch(data / "livery.db"), sorted([*data.rglob("*"), data / "livery.db.lock"])
    for number, (sentence, damage) in enumerate(DAMAGES.items()):
        folder = Path(shutil.copytree(whole, tmp_path / f"damaged-{number}"))
        damage(folder)
        assert sentence in told(installation, "restore", folder, "--replace")
        assert read_epoch(data / "livery.db") == epoch, sentence
        assert set(data.rglob("*")) <= set(files), sentence


def test_a_damaged_image_is_left_out_of_a_backup_which_can_be_restored_all_the_same(
    installation: dict[str, str], tmp_path: Path
) -> None:
    folder, elsewhere = tmp_path / "backup", server_environment(tmp_path / "elsewhere")
    (tmp_path / "data/blobs").rename(tmp_path / "data/files")
    flip(a_file(tmp_path / "data"))
    (tmp_path / "data/files").rename(tmp_path / "data/blobs")
    assert "1 file is damaged, so the backup is without it" in told(installation, "backup", folder)
    assert "is missing" in told(elsewhere, "restore", folder)
    assert "is missing" in done(elsewhere, "restore", folder, "--ignore-problems")


def test_a_database_of_a_newer_livery_is_left_alone(installation: dict[str, str], tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "data/livery.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for command in (["serve", "--port", "0"], ["admin", "fsck"], ["demo"]):
        assert told(installation, *command).startswith("A newer Livery made this database")


def test_a_backup_without_a_database_reports_that_there_is_no_database(tmp_path: Path) -> None:
    assert "There is no database at" in told(server_environment(tmp_path / "data"), "backup", tmp_path / "backup")


def test_a_second_server_on_a_file_warns_and_a_start_during_a_restore_is_refused(
    installation: dict[str, str], tmp_path: Path
) -> None:
    database = tmp_path / "data/livery.db"
    with locks.exclusive(database):
        assert "A restore into" in told(installation, "serve", "--port", "0")
    with locks.shared(database), closing(ForkedServer(tmp_path / "data")) as second:
        assert "Warning: another server uses" in second.output
    with closing(ForkedServer(tmp_path / "data")) as alone:
        assert "Warning" not in alone.output


def test_a_lock_of_another_user_keeps_the_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tests may run as root, whom the system refuses nothing."""
    fail_opening(monkeypatch, errno.EACCES, writing_only=False)
    database = tmp_path / "livery.db"
    settings = Settings(data_dir=tmp_path, database_url=f"sqlite+aiosqlite:///{database}")

    with pytest.raises(typer.Exit) as end, using_database(settings):
        pytest.fail("It runs without the lock.")

    assert end.value.exit_code == 1
    said = capsys.readouterr().err
    assert f"{database}.lock" in said
    assert "chown" in said


@pytest.mark.parametrize("reason", [errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_disk_that_takes_no_writes_keeps_the_lock_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    database = tmp_path / "livery.db"
    with locks.exclusive(database):
        fail_opening(monkeypatch, reason)
        with pytest.raises(locks.LockedError), locks.shared(database):
            pytest.fail("It runs during a restore.")
    with locks.shared(database) as first, locks.shared(database) as second:
        assert (first, second) == (True, False)

    with locks.shared(tmp_path / "new.db") as is_alone:
        assert is_alone
    assert not (tmp_path / "new.db.lock").exists()


def fail_opening(monkeypatch: pytest.MonkeyPatch, reason: int, *, writing_only: bool = True) -> None:
    real = os.open

    def opened(path: Any, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith(".lock") and (flags & os.O_RDWR or not writing_only):
            raise OSError(reason, os.strerror(reason), str(path))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)


def read_epoch(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT value FROM instance_values WHERE name = 'epoch'").fetchone()[0]
