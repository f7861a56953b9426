"""Blobs: immutable bytes under the SHA-256 of their content, in local files or in S3. The only file that knows obstore.

Names never come from people, so no name can leave the store, and equal content is kept once.

``PublicObjects`` are different: objects of a bucket that apps read past the server, under names that their writer chooses.

obstore's blocking calls run in threads of ours. Its asynchronous calls would answer from threads that Python does not join at its exit. A thread
that still holds an answer then aborts the process.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

from livery.core.errors import LiveryError, NotFound, Unavailable
from livery.core.storage_advice import advice_on, code_of
from livery.core.troubles import Trouble

if TYPE_CHECKING:
    from obstore import ListStream, ObjectMeta, PutMode
    from obstore.store import ObjectStore, RetryConfig

DAMAGED = "blob_damaged"
"""The code of ``Unavailable`` for a file whose bytes are not what was put there."""
PROBE = b"livery storage probe"
"""What ``BlobStore.check`` writes."""
_HASH = re.compile(r"[0-9a-f]{64}")
_CHUNK_BYTES = 256 * 1024
_THREADS = 32  # calls at a time: they wait for a disk or for S3 and cost no CPU

_S3_RETRIES: "RetryConfig" = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}
"""Bounds how long S3 keeps a thread, for a process waits for its threads when it ends: obstore would try for three minutes.

The timeouts of a single try are obstore's: 5 s to connect, 30 s in all. Client options of ours would switch off those of the environment.
"""

STORAGE_SECONDS = 30.0
"""The longest that a caller waits for one call of the storage."""

_limiter: RunVar[CapacityLimiter] = RunVar("livery_blob_threads")
_PUBLIC_THREADS = 16
"""Calls of ``PublicObjects`` at a time. They have threads of their own: a CDN's bucket that hangs must not hold up images."""
_public_limiter: RunVar[CapacityLimiter] = RunVar("livery_public_threads")
Result = TypeVar("Result")


def hash_of(data: bytes) -> str:
    """Returns the name of ``data`` in the store."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class OpenBlob:
    """A blob that is read piece by piece."""

    size_bytes: int
    chunks: AsyncGenerator[bytes]


class StorageUnavailable(Unavailable):
    """The storage is away. ``advice`` is for the operator: the answer to a request does not have it."""

    def __init__(self, advice: str) -> None:
        super().__init__("The file storage is not available right now. Please try again.", code="storage_unavailable")
        self.advice = advice


class BlobStore:
    """The store of one installation. Every call raises ``Unavailable`` when the storage is away; nothing was changed then."""

    def __init__(self, open_store: "Callable[[], ObjectStore]") -> None:
        self._open_store = open_store
        self.trouble = Trouble(begun="storage_unavailable", over="storage_available")

    @cached_property
    def _store(self) -> "ObjectStore":
        return self._open_store()

    def _away(self, error: Exception) -> Unavailable:
        advice = advice_on(error)
        self.trouble.failed(f"{advice} {str(error) or type(error).__name__}")
        return StorageUnavailable(advice)

    def _not_found(self, error: FileNotFoundError) -> LiveryError:
        """Returns the error for a 404 of S3. A missing bucket gives 404 too, but what is in that bucket is not gone."""
        return self._away(error) if code_of(error) == "NoSuchBucket" else _missing()

    async def put(self, data: bytes) -> str:
        """Keeps ``data`` and returns its hash. Idempotent: the same bytes are kept once, whatever runs in parallel."""
        blob_hash = hash_of(data)
        try:
            await _in_thread(lambda: self._store.put(_path(blob_hash), data))
        except _failures() as error:
            raise self._away(error) from error
        self.trouble.over()
        return blob_hash

    async def get(self, blob_hash: str) -> bytes:
        """Returns the bytes under a hash. Raises ``NotFound``, and ``Unavailable`` when they are damaged: wrong bytes are never given."""
        try:
            data = await _in_thread(lambda: bytes(self._store.get(_path(blob_hash)).bytes()))
        except FileNotFoundError as error:
            raise self._not_found(error) from error
        except _failures() as error:
            raise self._away(error) from error
        self.trouble.over()
        if hash_of(data) != blob_hash:
            raise _damaged()
        return data

    async def open(self, blob_hash: str) -> OpenBlob:
        """Returns the size and the bytes under a hash, a piece at a time, so that slow readers cost no memory.

        Raises ``NotFound``. The last piece comes only when all of them have this hash: what is damaged is never given whole (``Unavailable``).
        """
        try:
            found = await _in_thread(lambda: self._store.get(_path(blob_hash)))
        except FileNotFoundError as error:
            raise self._not_found(error) from error
        except _failures() as error:
            raise self._away(error) from error

        async def chunks() -> AsyncGenerator[bytes]:
            seen = hashlib.sha256()
            waiting = b""
            try:
                stream = found.stream(min_chunk_size=_CHUNK_BYTES)
                while (chunk := await _in_thread(lambda: next(stream, None))) is not None:
                    if waiting:
                        yield waiting
                    waiting = bytes(chunk)
                    seen.update(waiting)
            except _failures() as error:
                raise self._away(error) from error
            if seen.hexdigest() != blob_hash:
                raise _damaged()
            if waiting:
                yield waiting

        return OpenBlob(found.meta["size"], chunks())

    async def delete(self, blob_hash: str) -> None:
        """Forgets a blob. Idempotent."""
        try:
            await _in_thread(lambda: self._store.delete(_path(blob_hash)))
        except FileNotFoundError as error:
            if isinstance(away := self._not_found(error), Unavailable):
                raise away from error
        except _failures() as error:
            raise self._away(error) from error

    async def hashes(self) -> AsyncGenerator[str]:
        """Yields the hash of every blob, in no order. Raises ``Unavailable``."""
        try:
            batches = await _in_thread(self._list)
            while batch := await _in_thread(lambda: next(batches, None)):
                for found in batch:
                    name = found["path"].rpartition("/")[2]
                    if _HASH.fullmatch(name):
                        yield name
        except _failures() as error:
            raise self._away(error) from error

    def _list(self) -> "ListStream[Sequence[ObjectMeta]]":
        return self._store.list()  # pyright: ignore[reportUnknownMemberType]  # its other form, for Arrow, is not typed

    async def check(self) -> None:
        """Writes and reads a probe, which stays. Raises ``Unavailable``."""
        await self.get(await self.put(PROBE))


def open_blobs(url: str, data_dir: Path) -> BlobStore:
    """Opens the store at ``file://`` or ``s3://`` (credentials from the usual AWS variables); empty means a folder of ``data_dir``."""
    if url.startswith("s3://"):
        from obstore.store import from_url

        store = from_url(url, retry_config=_S3_RETRIES)
        return BlobStore(lambda: store)
    return open_folder(_folder_of(url) if url else data_dir.resolve() / "blobs")


def open_folder(folder: Path) -> BlobStore:
    """Opens the store in a folder of this machine. Makes the folder if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    return BlobStore(partial(_open_local, folder))


def _folder_of(url: str) -> Path:
    """Returns the folder of a ``file://`` address (RFC 8089: a percent sign begins an encoded byte), or the folder with just this name."""
    written = Path(url.removeprefix("file://"))
    return written if written.is_dir() else Path(unquote(str(written)))


def _open_local(folder: Path) -> "ObjectStore":
    from obstore.store import LocalStore

    return LocalStore(folder)


@dataclass(frozen=True)
class ListedObject:
    """An object in a list: its name, and when it was written, by the clock of S3."""

    name: str
    written_at: datetime


class PublicObjects:
    """Objects of an S3 bucket that apps read past the server. Every call raises ``Unavailable`` when the bucket is away or refuses.

    Names are paths below the prefix of the bucket's address. ``headers`` are what readers get with an object. ``trouble`` is over when the
    caller notes it: a single call that works does not show that the bucket takes everything.
    """

    def __init__(self, store: "ObjectStore") -> None:
        self._store = store
        self.trouble = Trouble(begun="cdn_unavailable", over="cdn_available")
        self.written_objects = 0

    async def write(self, name: str, data: bytes, headers: Mapping[str, str]) -> None:
        """Writes an object, whatever was there."""
        await self._put(name, data, headers, "overwrite")

    async def replace(self, name: str, data: bytes, headers: Mapping[str, str], *, tag: str | None) -> bool:
        """Writes an object if the present object still has ``tag``; with ``None``, if no object is there. Returns whether it was written."""
        return await self._put(name, data, headers, "create" if tag is None else {"e_tag": tag})

    async def _put(self, name: str, data: bytes, headers: Mapping[str, str], mode: "PutMode") -> bool:
        try:
            await self._call(
                lambda: self._store.put(name, data, attributes=dict(headers), mode=mode, use_multipart=False)
            )
        except _conflicts():
            return False
        except _failures() as error:
            raise self._away(error) from error
        self.written_objects += 1
        return True

    async def read(self, name: str) -> tuple[bytes, str] | None:
        """Returns an object and its tag; ``None`` if there is no such object."""
        try:
            found = await self._call(lambda: self._store.get(name))
            return bytes(await self._call(found.bytes)), found.meta["e_tag"] or ""
        except FileNotFoundError as error:
            if code_of(error) == "NoSuchBucket":
                raise self._away(error) from error
            return None
        except _failures() as error:
            raise self._away(error) from error

    async def list(self, folder: str) -> list[ListedObject]:
        """Returns all objects below a folder, by name."""

        def collect() -> list[ListedObject]:
            batches = self._store.list(folder)  # pyright: ignore[reportUnknownMemberType]  # its other form, for Arrow, is not typed
            return [ListedObject(found["path"], found["last_modified"]) for batch in batches for found in batch]

        try:
            return sorted(await self._call(collect), key=lambda found: found.name)
        except _failures() as error:
            raise self._away(error) from error

    async def delete(self, names: Sequence[str]) -> None:
        """Deletes objects. Idempotent."""
        if not names:
            return
        try:
            await self._call(lambda: self._store.delete(list(names)))
        except FileNotFoundError as error:
            if code_of(error) == "NoSuchBucket":
                raise self._away(error) from error
        except _failures() as error:
            raise self._away(error) from error

    async def check(self) -> None:
        """Writes a small object, which stays."""
        await self.write("probe", PROBE, {"Cache-Control": "no-store"})

    def _away(self, error: Exception) -> Unavailable:
        advice = advice_on(error, setting="LIVERY_CDN_STORAGE_URL", page="docs/operations/cdn.md")
        self.trouble.failed(f"{advice} {str(error) or type(error).__name__}")
        return StorageUnavailable(advice)

    async def _call(self, call: Callable[[], Result]) -> Result:
        return await _in_thread(call, _public_limiter, _PUBLIC_THREADS)


def open_public_objects(url: str) -> PublicObjects:
    """Opens the bucket at ``s3://``, with credentials from the usual AWS variables. Nothing is asked of it yet."""
    from obstore.store import from_url

    return PublicObjects(from_url(url, retry_config=_S3_RETRIES))


async def _in_thread(
    call: Callable[[], Result], limiters: RunVar[CapacityLimiter] = _limiter, threads: int = _THREADS
) -> Result:
    """Makes a blocking call in a thread, and returns its result. A cancelled caller does not wait for it. Raises ``TimeoutError``, an ``OSError``."""
    try:
        limiter = limiters.get()
    except LookupError:
        limiter = CapacityLimiter(threads)
        limiters.set(limiter)
    async with asyncio.timeout(STORAGE_SECONDS):
        return await to_thread.run_sync(call, limiter=limiter, abandon_on_cancel=True)


def _failures() -> tuple[type[Exception], ...]:
    """Returns what a call of the store raises when the storage is away."""
    from obstore.exceptions import BaseError

    return BaseError, OSError


def _conflicts() -> tuple[type[Exception], ...]:
    """Returns what a conditional write raises when its condition does not hold."""
    from obstore.exceptions import AlreadyExistsError, PreconditionError

    return AlreadyExistsError, PreconditionError


def _path(blob_hash: str) -> str:
    """Returns a path below two levels of folders, so that no folder holds millions of files. Raises ``ValueError`` for anything but a hash."""
    if not _HASH.fullmatch(blob_hash):
        raise ValueError("not a SHA-256")
    return f"{blob_hash[:2]}/{blob_hash[2:4]}/{blob_hash}"


def _missing() -> NotFound:
    return NotFound("This file does not exist.", code="blob_not_found")


def _damaged() -> Unavailable:
    return Unavailable("A stored file is damaged.", code=DAMAGED)
