"""What a command is, and what a call of it brings and gives."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from livery_client.cli.terminal import Terminal


@dataclass(frozen=True)
class Call:
    """What a command was called with."""

    terminal: Terminal
    options: argparse.Namespace


@dataclass(frozen=True)
class Outcome:
    """What a command found or did: ``lines`` for people, ``json`` for programs. Status 1 means findings."""

    lines: Sequence[str]
    json: object
    status: int = 0


@dataclass(frozen=True)
class Command:
    """A command with its options."""

    name: str
    summary: str
    run: Callable[[Call], Outcome]
    add_options: Callable[[argparse.ArgumentParser], None] = field(default=lambda _: None)
    notes: str = ""
    """Sentences below the options of the help."""
