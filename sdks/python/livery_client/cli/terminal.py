"""The surroundings of a command: output, environment, folder and input."""

import getpass
import os
import sys
from pathlib import Path


class Terminal:
    """The terminal of the process. Tests give another folder or environment through the process."""

    @property
    def folder(self) -> Path:
        """The folder of the app."""
        return Path.cwd()

    @property
    def is_interactive(self) -> bool:
        """Whether a person can answer questions."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def setting(self, name: str) -> str | None:
        """Returns a variable of the environment; ``None`` if it is empty or absent."""
        return os.environ.get(name) or None

    def out(self, line: str) -> None:
        """Writes a line of the outcome."""
        sys.stdout.write(f"{line}\n")

    def err(self, line: str) -> None:
        """Writes a line about the call."""
        sys.stderr.write(f"{line}\n")

    def input(self) -> str:
        """Returns all of the standard input."""
        return sys.stdin.read()

    def ask(self, question: str, *, is_hidden: bool = False) -> str:
        """Returns the answer of a person. A hidden answer doesn't show."""
        if is_hidden:
            try:
                return getpass.getpass(f"{question} ").strip()
            except EOFError:
                return ""
        sys.stderr.write(f"{question} ")
        sys.stderr.flush()
        return sys.stdin.readline().strip()
