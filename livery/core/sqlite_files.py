"""Opens the file of a SQLite database, for reading also where nothing can be written.

SQLite keeps shared memory in a file beside the database, and rebuilds it when the first connection opens. On a full disk that fails and
leaves a file that no reader can use. So the folder is tried first.

All connections of a process share one view of that memory, and a connection keeps what it got. A connection that opens while a ``Snapshot``
is open could never write. So it waits until no snapshot is open.
"""

import errno
import os
import sqlite3
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

_NEEDED_BYTES = 64 * 1024
"""More than SQLite's shared memory takes at first."""
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}
_WAIT_SECONDS = 10.0
_changed = threading.Condition()
_snapshots = Counter[str]()
"""How many snapshots are open, by the database's path."""


class Snapshot(sqlite3.Connection):
    """A connection for one transaction: it does not see what is written after it was opened."""

    on_close: Callable[[], None] | None = None

    def close(self) -> None:
        """Closes the connection, and calls ``on_close``."""
        super().close()
        on_close, self.on_close = self.on_close, None
        if on_close:
            on_close()

    def __del__(self) -> None:
        """Closes a snapshot that nobody closed, so that nobody waits for it. A snapshot that could not be opened can't be closed."""
        if self.on_close:
            self.close()


def address_of(path: Path) -> str:
    """Returns the address of the database in a file, as ``Database`` takes it. A question mark or a percent sign may be in its path."""
    return f"sqlite+aiosqlite:///{quote(str(path), safe=' +/')}"


def find_trouble(path: str) -> sqlite3.OperationalError | None:
    """Returns SQLite's error for a full disk or a folder that can only be read; ``None`` if files can grow beside ``path``."""
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent, prefix=".probe-") as probe:
            probe.write(bytes(_NEEDED_BYTES))
            probe.flush()
    except OSError as error:
        is_read_only = error.errno in _READ_ONLY
        trouble = sqlite3.OperationalError(f"{os.strerror(error.errno or errno.EIO)}: {Path(path).parent}")
        trouble.sqlite_errorname = "SQLITE_READONLY" if is_read_only else "SQLITE_FULL"
        return trouble
    return None


def connect(path: str) -> sqlite3.Connection:
    """Returns a connection that may write.

    Raises ``OperationalError`` if files can't grow beside ``path``, or if a snapshot stays open for ten seconds.
    """
    if trouble := find_trouble(path):
        raise trouble
    return _open(path, path, check_same_thread=False)


def connect_reader(path: str) -> sqlite3.Connection:
    """Returns a connection that reads; a ``Snapshot`` if files can't grow beside ``path``."""
    return open_snapshot(path) if find_trouble(path) else _open(path, path, check_same_thread=False)


def connect_watcher(path: str) -> sqlite3.Connection:
    """Returns a connection that reads for a long time. Raises ``OperationalError`` if files can't grow beside ``path``, or if a snapshot is open."""
    if trouble := find_trouble(path):
        raise trouble
    address = f"{Path(path).resolve().as_uri()}?mode=ro"
    return _open(path, address, wait_seconds=0, uri=True, isolation_level=None)


def _open(path: str, address: str, wait_seconds: float = _WAIT_SECONDS, **options: Any) -> sqlite3.Connection:
    with _changed:
        if not _changed.wait_for(lambda: not _snapshots[path], wait_seconds):
            trouble = sqlite3.OperationalError("a snapshot of the database is open")
            trouble.sqlite_errorname = "SQLITE_BUSY"
            raise trouble
        connection = sqlite3.connect(address, **options)
        try:
            connection.execute("PRAGMA schema_version").fetchone()  # takes the shared memory while no snapshot can open
        except BaseException:
            connection.close()
            raise
        return connection


def open_snapshot(path: str) -> Snapshot:
    """Returns a connection that writes no file at all (https://sqlite.org/wal.html#read_only_databases).

    Without a log of writes the database is one file. With a log, the file of the shared memory is there too: a stop deletes both.
    """
    log = Path(f"{path}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    options = "mode=ro&readonly_shm=1" if has_log else "immutable=1"
    address = f"{Path(path).resolve().as_uri()}?{options}"

    def note_close() -> None:
        with _changed:
            _snapshots[path] -= 1
            _changed.notify_all()

    with _changed:
        snapshot = sqlite3.connect(address, uri=True, check_same_thread=False, factory=Snapshot)
        snapshot.on_close = note_close
        _snapshots[path] += 1
    return snapshot
