"""A lock beside a SQLite database: servers that use the file share it, and a restore has it alone."""

import errno
import os
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_CANT_WRITE = {errno.EROFS, errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}  # Windows has no quota


class LockedError(Exception):
    """Another process has the lock."""


class LockDeniedError(Exception):
    """This user may not open the lock's file, or may not make it. ``file`` is its path."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} can't be opened")
        self.file = file


@contextmanager
def shared(database: Path) -> Generator[bool]:
    """Holds the lock as a server does; yields false if another server has it, too. Raises ``LockedError`` while a restore runs.

    Raises ``LockDeniedError`` when the lock's file is another user's. The system frees the lock when the process ends, however it ends.
    On a full or read-only disk a file that is there is locked without writing. Without the file, the server runs without the lock. A restore makes
    the file first, so it fails there, too, until the disk is mended.
    """
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(_opened_for_server(database))
        except FileNotFoundError:
            yield True
            return
        is_alone = _lock(descriptor, is_exclusive=True)
        if not _lock(descriptor, is_exclusive=False):
            raise LockedError
        yield is_alone


@contextmanager
def exclusive(database: Path) -> Generator[None]:
    """Holds the lock alone. Raises ``LockedError`` if a server has it."""
    with _opened(database) as descriptor:
        if not _lock(descriptor, is_exclusive=True):
            raise LockedError
        yield


@contextmanager
def _opened_for_server(database: Path) -> Generator[int]:
    """Raises ``FileNotFoundError`` when there is no file and it can't be made, ``LockDeniedError`` when this user may not."""
    with ExitStack() as stack:
        try:
            try:
                descriptor = stack.enter_context(_opened(database))
            except OSError as error:
                if error.errno not in _CANT_WRITE:
                    raise
                descriptor = stack.enter_context(_opened(database, os.O_RDONLY))
        except PermissionError as error:
            raise LockDeniedError(_file_of(database)) from error
        yield descriptor


def _file_of(database: Path) -> Path:
    return Path(f"{database}.lock")


@contextmanager
def _opened(database: Path, flags: int = os.O_RDWR | os.O_CREAT) -> Generator[int]:
    descriptor = os.open(_file_of(database), flags, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, is_exclusive: bool) -> bool:
    """Whether the lock could be had. Windows has no such lock: there it always can."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if is_exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
