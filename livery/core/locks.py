"""A lock beside a SQLite database: servers that use the file share it, and a restore has it alone."""

import os
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path


class LockedError(Exception):
    """Another process has the lock."""


@contextmanager
def shared(database: Path) -> Generator[bool]:
    """Hold the lock as a server does; gives false if another server has it, too. Raises ``LockedError`` while a restore runs.

    The system frees the lock when the process ends, however it ends. Where no file can be made, nothing can be restored either: no lock.
    """
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(_opened(database))
        except OSError:
            yield True
            return
        is_alone = _lock(descriptor, is_exclusive=True)
        if not _lock(descriptor, is_exclusive=False):
            raise LockedError
        yield is_alone


@contextmanager
def exclusive(database: Path) -> Generator[None]:
    """Hold the lock alone. Raises ``LockedError`` if a server has it."""
    with _opened(database) as descriptor:
        if not _lock(descriptor, is_exclusive=True):
            raise LockedError
        yield


@contextmanager
def _opened(database: Path) -> Generator[int]:
    descriptor = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, is_exclusive: bool) -> bool:
    """Whether the lock could be had. Windows has no such lock: there it always can."""
    if sys.platform == "win32":
        return True
    import fcntl  # noqa: PLC0415  # Windows has none

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if is_exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
