"""Runs a command line: finds the command, calls it, prints its outcome, and returns the exit status."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence

from livery_client import __version__
from livery_client.cli.command import Call
from livery_client.cli.commands.access import INIT, LOGIN, LOGOUT
from livery_client.cli.commands.code import CHECK, EXTRACT
from livery_client.cli.commands.reading import EXPORT, PULL, TYPES
from livery_client.cli.commands.writing import DIFF, IMPORT, PUBLISH, PUSH
from livery_client.cli.failure import Failure
from livery_client.cli.terminal import Terminal

COMMANDS = (LOGIN, LOGOUT, INIT, PULL, TYPES, PUSH, EXTRACT, CHECK, DIFF, PUBLISH, IMPORT, EXPORT)
_STATUSES = "Exit status: 0 fine, 1 findings, 2 misuse, or a server that can't be reached or refuses."


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "livery-client", description="The command line of Livery for Python apps.", epilog=_STATUSES, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        epilog = f"{command.notes} {_STATUSES}".strip()
        own = commands.add_parser(
            command.name, help=command.summary, description=command.summary, epilog=epilog, allow_abbrev=False
        )
        command.add_options(own)
        own.add_argument("--json", action="store_true", help="write the outcome as JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns the exit status: 0 fine, 1 findings, 2 misuse or a server that can't be reached or refuses, 130 on Ctrl+C."""
    options = _parser().parse_args(arguments)
    command = next(one for one in COMMANDS if one.name == options.command)
    terminal = Terminal()
    try:
        outcome = command.run(Call(terminal, options))
    except (Failure, OSError) as error:
        if options.json:
            terminal.out(json.dumps({"error": str(error)}, ensure_ascii=False, indent=2))
        else:
            terminal.err(f"livery-client: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
    if options.json:
        terminal.out(json.dumps(outcome.json, ensure_ascii=False, indent=2))
    else:
        for line in outcome.lines:
            terminal.out(line)
    return outcome.status
