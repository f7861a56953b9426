"""What this machine has served: each epoch, and each project's newest release in the last epoch.

It is kept in a file outside the database. After an old copy of the database was put in place, only this file knows that apps have newer
releases.
"""

from contextlib import suppress
from pathlib import Path
from typing import TextIO

from livery.core.troubles import Trouble
from livery.delivery.wire import Cursor
from livery.publishing.schemas import ReleaseState

_LONG_LINES = 10_000
_EPOCH = "epoch"


class Served:
    """The file at ``path``: lines ``epoch <epoch>`` and ``<project> <version>``, appended as they are served. Processes may share it.

    Without a path nothing is kept. If the file can't be written, that is logged, and serving goes on.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: TextIO | None = None
        self._trouble = Trouble(begun="served_releases_not_kept", over="served_releases_kept")
        self._epochs: dict[str, dict[str, int]] = {}
        if path is not None:
            self._read(path)

    @property
    def epoch(self) -> str:
        """The last epoch that was served; empty before the first."""
        return next(reversed(self._epochs), "")

    @property
    def releases(self) -> dict[str, int]:
        """The newest release of each project in the last epoch."""
        return self._epochs.get(self.epoch, {})

    def is_former(self, epoch: str) -> bool:
        """Whether apps got ``epoch`` from here, and a newer one later."""
        return epoch in self._epochs and epoch != self.epoch

    def begin(self, epoch: str) -> None:
        """Serve ``epoch`` from now on. Idempotent."""
        if epoch not in self._epochs:
            self._epochs[epoch] = {}
            self._append(f"{_EPOCH} {epoch}")

    def note(self, state: ReleaseState) -> None:
        """Note a release that is served from now on."""
        releases = self._epochs.get(state.epoch)
        if releases is None or state.release <= releases.get(state.project_id, 0):
            return
        releases[state.project_id] = state.release
        self._append(f"{state.project_id} {state.version}")

    def close(self) -> None:
        """Close the file. What is served afterwards opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, line: str) -> None:
        if self._path is None:
            return
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="utf-8", buffering=1)
                self._file.write("\n")  # the process before may have died in the middle of a line
            self._file.write(f"{line}\n")
        except OSError as error:
            self._trouble.failed(f"{self._path}: {error.strerror}")
            with suppress(OSError):  # closing writes what is left, too
                self.close()
            self._file = None
        else:
            self._trouble.over()

    def _read(self, path: Path) -> None:
        """Reads the file. If later lines replaced many lines, writes the file again without the replaced lines."""
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return
        for line in lines:
            name, _, value = line.partition(" ")
            if name == _EPOCH:
                self._epochs.setdefault(value, {})
            elif cursor := Cursor.parse(value):  # a line that was cut off has no cursor, or names a lower release
                releases = self._epochs.setdefault(cursor.epoch, {})
                releases[name] = max(cursor.release, releases.get(name, 0))
        if len(lines) > _LONG_LINES + 2 * len(self.releases):
            self._shorten(path)

    def _shorten(self, path: Path) -> None:
        kept = [f"{_EPOCH} {epoch}" for epoch in self._epochs]
        kept += [f"{project_id} {self.epoch}.{release}" for project_id, release in self.releases.items()]
        fresh = path.with_name(f"{path.name}.new")
        try:
            fresh.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
            fresh.replace(path)
        except OSError as error:
            self._trouble.failed(f"{path}: {error.strerror}")
