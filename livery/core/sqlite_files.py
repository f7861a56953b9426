"""Opens the file of a SQLite database, for reading also where nothing can be written.

SQLite keeps shared memory in a file beside the database, and rebuilds it when the first connection opens. On a full disk that fails and
leaves a file that no reader can use. So the folder is tried first.
"""

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

_NEEDED_BYTES = 64 * 1024
"""More than SQLite's shared memory takes at first."""
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}


class Snapshot(sqlite3.Connection):
    """A connection for one transaction: it does not see what is written after it was opened."""


def find_trouble(path: str) -> sqlite3.OperationalError | None:
    """Returns SQLite's error for a full disk or a folder that can only be read; None if files can grow beside ``path``."""
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
    """Returns a connection that may write. Raises ``OperationalError`` if files can't grow beside ``path``."""
    if trouble := find_trouble(path):
        raise trouble
    return sqlite3.connect(path, check_same_thread=False)


def connect_reader(path: str) -> sqlite3.Connection:
    """Returns a connection that reads; a ``Snapshot`` if files can't grow beside ``path``."""
    return open_snapshot(path) if find_trouble(path) else sqlite3.connect(path, check_same_thread=False)


def open_snapshot(path: str) -> Snapshot:
    """Returns a connection that writes no file at all (https://sqlite.org/wal.html#read_only_databases).

    Without a log of writes the database is one file. With a log, the file of the shared memory is there too: a stop deletes both.
    """
    log = Path(f"{path}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    options = "mode=ro&readonly_shm=1" if has_log else "immutable=1"
    address = f"{Path(path).resolve().as_uri()}?{options}"
    return sqlite3.connect(address, uri=True, check_same_thread=False, factory=Snapshot)
