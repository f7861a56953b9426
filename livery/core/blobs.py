"""Blobs: immutable bytes under the SHA-256 of their content, in local files or in S3. The only file that knows obstore.

Names never come from people, so no name can leave the store, and equal content is kept once.
"""

import hashlib
import re
from pathlib import Path

from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from livery.core.errors import NotFound, Unavailable

_HASH = re.compile(r"[0-9a-f]{64}")


class BlobStore:
    """The store of one installation. Every call raises ``Unavailable`` when the storage is away; nothing was changed then."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def put(self, data: bytes) -> str:
        """Keep ``data`` and give its hash. Idempotent: the same bytes are kept once, whatever runs in parallel."""
        blob_hash = hashlib.sha256(data).hexdigest()
        try:
            await self._store.put_async(_path(blob_hash), data)
        except (BaseError, OSError) as error:
            raise _away() from error
        return blob_hash

    async def get(self, blob_hash: str) -> bytes:
        """The bytes under a hash. Raises ``NotFound``, and ``Unavailable`` when they are damaged: wrong bytes are never given."""
        try:
            data = bytes(await (await self._store.get_async(_path(blob_hash))).bytes_async())
        except FileNotFoundError as error:
            raise NotFound("This file does not exist.", code="blob_not_found") from error
        except (BaseError, OSError) as error:
            raise _away() from error
        if hashlib.sha256(data).hexdigest() != blob_hash:
            raise Unavailable("A stored file is damaged.", code="blob_damaged")
        return data

    async def delete(self, blob_hash: str) -> None:
        """Forget a blob. Idempotent."""
        try:
            await self._store.delete_async(_path(blob_hash))
        except FileNotFoundError:
            return
        except (BaseError, OSError) as error:
            raise _away() from error

    async def check(self) -> None:
        """Write, read and delete a probe. Raises ``Unavailable``."""
        await self.get(await self.put(b"livery storage probe"))


def open_blobs(url: str, data_dir: Path) -> BlobStore:
    """The store at ``file://`` or ``s3://`` (credentials from the usual AWS variables); empty means a folder of ``data_dir``."""
    if url.startswith("s3://"):
        return BlobStore(from_url(url))
    folder = Path(url.removeprefix("file://")) if url else data_dir.resolve() / "blobs"
    return BlobStore(LocalStore(folder, mkdir=True))


def _path(blob_hash: str) -> str:
    """Two levels of folders, so that no folder holds millions of files. Raises ``ValueError`` for anything but a hash."""
    if not _HASH.fullmatch(blob_hash):
        raise ValueError("not a SHA-256")
    return f"{blob_hash[:2]}/{blob_hash[2:4]}/{blob_hash}"


def _away() -> Unavailable:
    return Unavailable("The file storage is not available right now. Please try again.", code="storage_unavailable")
