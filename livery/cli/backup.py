"""``livery backup`` and ``livery restore``: the whole installation in one folder."""

import asyncio
import hashlib
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import BaseModel, ValidationError
from sqlalchemy import make_url

from livery import __version__, migrations
from livery.cli.logs import set_up_logging
from livery.cli.process import read_settings
from livery.core import clock, locks, snapshots
from livery.core.blobs import DAMAGED, BlobStore, StorageUnavailable, open_blobs, open_folder
from livery.core.db import Database, renew_epoch
from livery.core.errors import NotFound, Unavailable
from livery.core.settings import Settings, secret_file
from livery.core.snapshots import SnapshotError
from livery.workspace.fsck import check_all
from livery.workspace.fsck_images import check_files

MANIFEST = "backup.json"
DATABASES = {"sqlite": "livery.db", "postgresql": "livery.dump"}
FILES = "files"
KEY_FILE = "secret.key"


class Manifest(BaseModel):
    """What a backup is. It is written last, so a folder without it is no whole backup."""

    format: Literal[1] = 1
    livery: str
    made_at: datetime
    database: Literal["sqlite", "postgresql"]
    revision: str
    epoch: str
    sha256: str
    """The SHA-256 of the file with the database."""
    files: int
    secret: str
    """A fingerprint of the secret key: what it encrypted can be read with no other key."""


@dataclass
class Copied:
    """What became of the files of a storage."""

    count: int = 0
    damaged: int = 0


def backup(folder: Annotated[Path, typer.Argument(help="A folder that does not exist, or is empty.")]) -> None:
    """Copy the database, the files and the secret key into a folder, while the server runs."""
    settings = read_settings()
    set_up_logging(settings)
    with _told():
        copied, size_bytes = _back_up(settings, folder)
    typer.echo(f"Backed up to {folder}: {size_bytes / 1e6:,.1f} MB of database, {copied.count:,} files.")
    if not (folder / KEY_FILE).exists():
        typer.echo("LIVERY_SECRET_KEY is not in the backup. Keep it elsewhere: a restore needs it.")
    if copied.damaged:
        noun = "file is" if copied.damaged == 1 else "files are"
        typer.echo(
            f"{copied.damaged:,} {noun} damaged, so the backup is without it. `livery admin fsck` names the image.",
            err=True,
        )
        raise typer.Exit(1)


def restore(
    folder: Annotated[Path, typer.Argument(help="A folder that `livery backup` has written.")],
    *,
    replace: Annotated[
        bool, typer.Option(help="Restore although there is a database. It is kept under another name.")
    ] = False,
    ignore_problems: Annotated[
        bool, typer.Option(help="Restore although the check of the data finds problems, and name them.")
    ] = False,
) -> None:
    """Check a backup and put it in place, with a new epoch, so that apps fetch everything again. The server must not run."""
    settings = read_settings()
    set_up_logging(settings)
    with _told():
        lines = _restore(settings, folder, is_replacing=replace, is_lenient=ignore_problems)
    typer.echo("\n".join(lines))


@contextmanager
def _told() -> Generator[None]:
    """End the command with a sentence when something is wrong."""
    try:
        yield
    except (SnapshotError, Unavailable, OSError) as error:
        typer.echo(error.advice if isinstance(error, StorageUnavailable) else str(error), err=True)
        raise typer.Exit(1) from error


def _back_up(settings: Settings, folder: Path) -> tuple[Copied, int]:
    if folder.exists() and any(folder.iterdir()):
        raise SnapshotError(f"{folder} is not empty. Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    kind = _kind(settings)
    file = folder / DATABASES[kind]
    # The files come second: a file that the copied database names is deleted a day later at the earliest.
    facts = snapshots.save(settings.resolved_database_url, file)
    copied = asyncio.run(_copy_files(open_blobs(settings.storage_url, settings.data_dir), _files(folder)))
    key = settings.secret_key.get_secret_value()
    if _is_kept(settings):
        (folder / KEY_FILE).write_text(key)
    manifest = Manifest(
        livery=__version__,
        made_at=clock.now(),
        database=kind,
        revision=facts.revision,
        epoch=facts.epoch,
        sha256=_sha256(file),
        files=copied.count,
        secret=_fingerprint(key),
    )
    os.sync()  # the manifest means that all of it is there
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_text(manifest.model_dump_json(indent=1))
    fresh.rename(folder / MANIFEST)
    os.sync()
    return copied, file.stat().st_size


async def _copy_files(source: BlobStore, target: BlobStore) -> Copied:
    """Copy every file that is whole."""
    copied = Copied()
    async for blob_hash in source.hashes():
        try:
            data = await source.get(blob_hash)
        except NotFound:  # deleted since the listing
            continue
        except Unavailable as error:
            if error.code != DAMAGED:
                raise
            copied.damaged += 1
            continue
        await target.put(data)
        copied.count += 1
    return copied


def _restore(settings: Settings, folder: Path, *, is_replacing: bool, is_lenient: bool) -> list[str]:
    manifest = _read_manifest(folder)
    url = settings.resolved_database_url
    file = folder / DATABASES[manifest.database]
    if manifest.database != _kind(settings):
        raise SnapshotError(f"The backup is of {manifest.database}, and LIVERY_DATABASE_URL names another database.")
    if not migrations.knows(manifest.revision):
        raise SnapshotError(f"The backup was made by a newer Livery ({manifest.livery}). Install that version first.")
    key = _secret_of(settings, folder, manifest)
    if not file.exists() or _sha256(file) != manifest.sha256:
        raise SnapshotError(f"{file} is damaged: it is not the file that was backed up.")
    snapshots.check(url, file)
    with _alone(settings):
        has_data = snapshots.has_data(url)
        if has_data and not is_replacing:
            raise SnapshotError(
                "There is a database already. `--replace` puts the backup in its place and keeps it under another name."
            )
        former = f"before_{clock.now():%Y%m%dt%H%M%S}"
        with snapshots.replacing(url, file, former) as place:
            migrations.upgrade(place)
            epoch, problems = asyncio.run(_complete(settings, folder, place, is_lenient=is_lenient))
        if key is not None:
            _keep_secret(settings, key, former if has_data else None)
    lines = [*problems, f"Restored the backup of {manifest.made_at:%Y-%m-%d %H:%M} UTC. The new epoch is {epoch}."]
    if has_data:
        lines.append(
            f"The former database is kept: {_former_place(settings, former)}. Delete it when you need it no more."
        )
    return [*lines, "Start the server now: apps fetch everything again."]


async def _complete(settings: Settings, folder: Path, place: str, *, is_lenient: bool) -> tuple[str, list[str]]:
    """Check the restored database, give it a new epoch, and put the files into the storage.

    Returns the epoch and the problems of the data. Raises ``SnapshotError`` for problems unless ``is_lenient``.
    """
    database, copies = Database(place), _files(folder)
    try:
        async with database.read() as db:
            problems = await check_all(db)
        problems += [problem async for problem in check_files(database, copies)]
        if problems and not is_lenient:
            lines = ["The backup has problems, so nothing was changed. `--ignore-problems` restores it all the same."]
            raise SnapshotError("\n".join([*problems, *lines]))
        blobs = open_blobs(settings.storage_url, settings.data_dir)
        await _copy_files(copies, blobs)
        async with database.write() as db:
            return await renew_epoch(db), problems
    finally:
        await database.close()


@contextmanager
def _alone(settings: Settings) -> Generator[None]:
    """While nobody else uses the database. Raises ``SnapshotError``."""
    url = settings.resolved_database_url
    if not snapshots.is_sqlite(url):
        if count := snapshots.count_other_users(url):
            raise SnapshotError(f"{count} other connections use the database. Stop the server first.")
        yield
        return
    try:
        with locks.exclusive(Path(make_url(url).database or "")):
            yield
    except locks.LockedError as error:
        raise SnapshotError("A server uses this database. Stop it first.") from error


def _read_manifest(folder: Path) -> Manifest:
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        raise SnapshotError(f"{folder} has no {MANIFEST}: it is no backup, or one that was not finished.") from error
    except ValidationError as error:
        raise SnapshotError(f"{folder / MANIFEST} is damaged, or of a newer Livery.") from error


def _secret_of(settings: Settings, folder: Path, manifest: Manifest) -> str | None:
    """Returns the secret key that must replace this installation's; ``None`` if they are the same. Raises ``SnapshotError``."""
    present = settings.secret_key.get_secret_value()
    if _fingerprint(present) == manifest.secret:
        return None
    file = folder / KEY_FILE
    key = file.read_text().strip() if file.exists() else ""
    if _fingerprint(key) != manifest.secret:
        raise SnapshotError("The backup needs the LIVERY_SECRET_KEY of the server that it is of. Set it, and repeat.")
    if not _is_kept(settings):
        raise SnapshotError("LIVERY_SECRET_KEY is not the key of the backup. Remove it, or set the key of the backup.")
    return key


def _is_kept(settings: Settings) -> bool:
    """Whether the secret key comes from the data folder."""
    kept = secret_file(settings.data_dir)
    return kept.exists() and kept.read_text().strip() == settings.secret_key.get_secret_value()


def _keep_secret(settings: Settings, key: str, former: str | None) -> None:
    kept = secret_file(settings.data_dir)
    if former:
        kept.rename(kept.with_name(f"{kept.name}.{former}"))
    fresh = kept.with_name(f"{kept.name}.new")
    fresh.write_text(key)
    fresh.rename(kept)


def _former_place(settings: Settings, former: str) -> str:
    url = settings.resolved_database_url
    return f"{make_url(url).database}.{former}" if snapshots.is_sqlite(url) else f"the schema {former}"


def _kind(settings: Settings) -> Literal["sqlite", "postgresql"]:
    return "sqlite" if snapshots.is_sqlite(settings.resolved_database_url) else "postgresql"


def _files(folder: Path) -> BlobStore:
    return open_folder(folder.resolve() / FILES)


def _fingerprint(key: str) -> str:
    return hashlib.sha256(b"livery backup " + key.encode()).hexdigest()[:16]


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
