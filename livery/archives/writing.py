"""A whole project as one archive: what Livery knows of its content, in files that need no Livery to be read (``docs/archive.md``).

The content is read in one transaction, so its files are of one moment. The archive is made while it is sent: images and versions pass through
piece by piece. ``livery.json`` is the last file, so an archive that broke off lacks it.
"""

import asyncio
import hashlib
import json
import zipfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, cast

from livery import __version__
from livery.accounts.queries import names_of
from livery.archives.drafts import Draft
from livery.content import versions
from livery.core import clock
from livery.core.blobs import BlobStore
from livery.core.db import Database
from livery.core.errors import NotFound
from livery.core.schemas import rfc3339
from livery.publishing import queries

FORMAT = 1
"""Goes up when a reader of archives must change."""
_PORTION = 200


class _Pipe:
    """The end of the archive that is not sent yet."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Does nothing: every piece is there at once."""

    def take(self) -> bytes:
        """Returns what was written since the last call."""
        taken, self._pieces = b"".join(self._pieces), []
        return taken


@dataclass
class _Archive:
    """A ZIP that is sent while it is written, and the list of its files."""

    pipe: _Pipe = field(default_factory=_Pipe)
    listed: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __post_init__(self) -> None:
        self._zip = zipfile.ZipFile(cast("IO[bytes]", self.pipe), "w")  # it calls only write and flush
        self._moment = clock.now().timetuple()[:6]

    def _info(self, path: str, compression: int) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(path, self._moment)
        info.compress_type = compression
        return info

    async def add(self, path: str, value: object, *, is_listed: bool = True) -> bytes:
        """Adds a file of JSON, and returns what can be sent."""
        data = await asyncio.to_thread(_json, value)
        info = self._info(path, zipfile.ZIP_DEFLATED)
        await asyncio.to_thread(self._zip.writestr, info, data)
        if is_listed:
            self._list(path, len(data), hashlib.sha256(data).hexdigest())
        return self.pipe.take()

    async def stream(self, path: str, pieces: AsyncGenerator[bytes], *, is_compressed: bool) -> AsyncGenerator[bytes]:
        """Adds a file piece by piece, and yields what can be sent."""
        seen, size = hashlib.sha256(), 0
        compression = zipfile.ZIP_DEFLATED if is_compressed else zipfile.ZIP_STORED
        with self._zip.open(self._info(path, compression), "w", force_zip64=True) as file:
            async for piece in pieces:
                seen.update(piece)
                size += len(piece)
                await asyncio.to_thread(file.write, piece)
                yield self.pipe.take()
        self._list(path, size, seen.hexdigest())
        yield self.pipe.take()

    def _list(self, path: str, size_bytes: int, sha256: str) -> None:
        self.listed.append({"path": path, "bytes": size_bytes, "sha256": sha256})

    def close(self) -> bytes:
        """Writes the directory, and returns what can be sent."""
        self._zip.close()
        return self.pipe.take()


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


async def write(draft: Draft, database: Database, blobs: BlobStore, *, has_history: bool) -> AsyncGenerator[bytes]:
    """Yields the archive. An image whose file is gone is named under ``missing``.

    Versions are read in portions, each in a transaction of its own, so a slow reader holds no connection.
    """
    archive, missing = _Archive(), list[str]()
    for path, value in draft.files.items():
        yield await archive.add(path, value)
    for picture in draft.pictures:
        try:
            blob = await blobs.open(picture.hash)
        except NotFound:
            missing.append(picture.path)
            continue
        async for piece in archive.stream(picture.path, blob.chunks, is_compressed=False):
            yield piece
    if has_history:
        for path, lines in (
            ("history/releases.jsonl", _releases(draft.project_id, database)),
            ("history/contents.jsonl", _contents(draft.project_id, database)),
            ("history/versions.jsonl", _versions(draft.project_id, database)),
        ):
            async for piece in archive.stream(path, lines, is_compressed=True):
                yield piece
    summary = {
        "format": FORMAT,
        "writtenBy": f"Livery {__version__}",
        "writtenAt": rfc3339(clock.now()),
        "project": draft.about,
        "hasHistory": has_history,
        "files": archive.listed,
        "missing": missing,
    }
    yield await archive.add("livery.json", summary, is_listed=False)
    yield archive.close()


def _lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


async def _releases(project_id: str, database: Database) -> AsyncGenerator[bytes]:
    before: int | None = None
    while True:
        async with database.read() as db:
            rows = await queries.list_releases(db, project_id, limit=_PORTION, before=before)
            people = await names_of(db, [row.created_by for row in rows])
        yield _lines(
            [
                {
                    "release": row.number,
                    "kind": row.kind,
                    "restoredRelease": row.restored_release,
                    "changes": row.changes,
                    "at": rfc3339(row.created_at),
                    "by": people.get(row.created_by or "", row.author_name),
                }
                for row in rows
            ]
        )
        if len(rows) < _PORTION:
            return
        before = rows[-1].number


async def _contents(project_id: str, database: Database) -> AsyncGenerator[bytes]:
    after: tuple[str, int] | None = None
    while True:
        async with database.read() as db:
            rows = await queries.read_spans(db, project_id, limit=_PORTION, after=after)
        yield _lines(
            [
                {
                    "part": row.part,
                    "sinceRelease": row.since_release,
                    "untilRelease": row.until_release,
                    "content": value,
                }
                for row, value in rows
            ]
        )
        if len(rows) < _PORTION:
            return
        after = (rows[-1][0].part, rows[-1][0].since_release)


async def _versions(project_id: str, database: Database) -> AsyncGenerator[bytes]:
    after: tuple[str, str, int] | None = None
    while True:
        async with database.read() as db:
            rows = await versions.read_all(db, project_id, limit=_PORTION, after=after)
            people = await names_of(db, [row.created_by for row, _ in rows])
        yield _lines(
            [
                {
                    "kind": row.kind,
                    "place": row.place,
                    "number": row.number,
                    "entry": row.entry,
                    "release": row.release_number,
                    "at": rfc3339(row.created_at),
                    "by": people.get(row.created_by or "", row.author_name),
                    "content": content,
                }
                for row, content in rows
            ]
        )
        if len(rows) < _PORTION:
            return
        last = rows[-1][0]
        after = (last.kind, last.place, last.number)
