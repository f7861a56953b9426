"""``python -m livery_client pull``: writes a snapshot of the release for each language.

It reads ``livery.json`` of the folder, which the command line for Node.js reads, too. The exit status is 0 if all is fine, and 1 with ``--check``
for snapshots that are not those of the release. It is 2 for misuse, and for a server that can't be reached or refuses.
"""

import argparse
import os
import sys
from pathlib import Path

from livery_client.content import Json, is_object, parse_json
from livery_client.snapshots import PullError, read_release, write_snapshots

CONFIG = Path("livery.json")


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m livery_client", description="Snapshots for Livery's Python SDK.")
    commands = parser.add_subparsers(dest="command", required=True)
    pull = commands.add_parser("pull", help="write a snapshot of the release for each language")
    pull.add_argument("--server", help="the address of the server")
    pull.add_argument("--project", help="the project's id")
    pull.add_argument("--key", help="the publishable key, or LIVERY_KEY")
    pull.add_argument("--output", help="the folder of the snapshots (livery)")
    pull.add_argument("--check", action="store_true", help="write nothing; 1 if a snapshot is not that of the release")
    given = parser.parse_args(arguments)
    try:
        return _pull(given)
    except (PullError, ValueError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201  # a command prints
        return 2


def _pull(given: argparse.Namespace) -> int:
    config = _config()
    server = given.server or config.get("server")
    project = given.project or config.get("projectId")
    key = given.key or os.environ.get("LIVERY_KEY") or config.get("key")
    missing = [name for name, value in (("--server", server), ("--project", project), ("--key", key)) if not value]
    if missing:
        raise PullError(f"Give {', '.join(missing)}, or write {CONFIG}.")
    contents = read_release(str(project), str(key), str(server))
    folder = Path(given.output or config.get("output") or "livery")
    changed = write_snapshots(folder, contents, is_check=given.check)
    languages = ", ".join(content.language for content in contents)
    print(f"Release {contents[0].release} in {languages}.")  # noqa: T201  # a command prints
    for path, is_changed in changed.items():
        word = ("Differs" if given.check else "Wrote") if is_changed else "Unchanged"
        print(f"{word}: {path}")  # noqa: T201  # a command prints
    return 1 if given.check and any(changed.values()) else 0


def _config() -> Json:
    if not CONFIG.exists():
        return {}
    config = parse_json(CONFIG.read_bytes())
    if not is_object(config):
        raise PullError(f"{CONFIG} is no JSON object.")
    return config


if __name__ == "__main__":
    sys.exit(main())
