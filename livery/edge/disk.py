"""The files of an edge. A file is whole or absent, whatever moment the process dies at; damaged bytes are dropped, and asked for again.

A file is written under a different name, synced and renamed. Its first line is the SHA-256 of the rest. The name of a body is the SHA-256 of what
is packed in it.
"""

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import structlog

from livery.content.parts import DecodedPart, decode_part
from livery.core.troubles import Trouble

log = structlog.get_logger()

_DIGEST_LENGTH = 64
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_UNFINISHED = ".new"


class Disk:
    """The folder of one edge. Blocking: call it in a thread. A disk that can't be written is logged, and serving goes on from memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._trouble = Trouble(begun="edge_disk_unavailable", over="edge_disk_available")

    def path(self, *names: str) -> Path:
        """Returns the path of the file under these names. Raises ``ValueError`` for a name that could lead elsewhere."""
        if not all(map(_NAME.fullmatch, names)):
            raise ValueError("this is no name of a file")
        return self.folder.joinpath(*names)

    def write(self, path: Path, data: bytes) -> bool:
        """Puts ``data`` in place of the file. Whether it is durable now."""
        return self._put(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)

    def read(self, path: Path) -> bytes | None:
        """Returns the data of a file; ``None`` without the file, or after a damaged file was dropped."""
        raw = self._get(path)
        if raw is None:
            return None
        found, data = raw[:_DIGEST_LENGTH], raw[_DIGEST_LENGTH + 1 :]
        if hashlib.sha256(data).hexdigest().encode() == found:
            return data
        self._drop(path)
        return None

    def write_bodies(self, project_id: str, bodies: dict[str, bytes]) -> None:
        """Keeps compressed bodies. Raises ``ValueError`` when a body does not have its hash: then it is not kept."""
        for part_hash, body in bodies.items():
            decode_part(part_hash, body)
            self._put(self.path("bodies", project_id, part_hash), body)

    def read_body(self, project_id: str, part_hash: str) -> tuple[bytes, DecodedPart] | None:
        """Returns a body, compressed and decoded; ``None`` without it, or after a damaged body was dropped."""
        path = self.path("bodies", project_id, part_hash)
        raw = self._get(path)
        if raw is None:
            return None
        try:
            return raw, decode_part(part_hash, raw)
        except ValueError:
            self._drop(path)
            return None

    def has_body(self, project_id: str, part_hash: str) -> bool:
        """Whether there is a file for a body."""
        return self.path("bodies", project_id, part_hash).exists()

    def remove_bodies(self, project_id: str, hashes: Iterable[str]) -> None:
        """Removes bodies that no kept release has."""
        for part_hash in hashes:
            self.remove(self.path("bodies", project_id, part_hash))

    def keep_bodies(self, project_id: str, hashes: set[str]) -> None:
        """Removes all bodies of a project but these, and files that a killed process left unfinished."""
        for name in self.names("bodies", project_id):
            if name not in hashes:
                self.remove(self.folder / "bodies" / project_id / name)

    def names(self, *folder: str) -> list[str]:
        """Returns the names of the files in a folder, sorted; empty without the folder."""
        try:
            return sorted(os.listdir(self.path(*folder)))  # noqa: PTH208  # names, not paths
        except OSError:
            return []

    def remove(self, path: Path) -> None:
        """Removes a file or a folder. Idempotent."""
        with suppress(OSError):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def _get(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._trouble.failed(f"{path}: {error.strerror}")
            return None

    def _put(self, path: Path, data: bytes) -> bool:
        unfinished = path.with_name(f"{path.name[:20]}-{secrets.token_hex(6)}{_UNFINISHED}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                _write_all(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(unfinished, path)  # noqa: PTH105  # one name for all steps of a write
            _sync_folder(path.parent)
        except OSError as error:
            self._trouble.failed(f"{path}: {error.strerror}")
            self.remove(unfinished)
            return False
        self._trouble.over()
        return True

    def _drop(self, path: Path) -> None:
        log.error("edge_file_damaged", file=str(path.relative_to(self.folder)))
        self.remove(path)


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows opens no folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
