"""The project tokens of a person, in the config folder of the person. Only the person can read the file, which ``@livery/cli`` shares."""

import os
import re
from pathlib import Path
from typing import Any

from livery_client.cli.failure import Failure
from livery_client.cli.files import read_text, to_json, write_if_changed
from livery_client.cli.terminal import Terminal
from livery_client.content import is_object, parse_json

_PRIVATE = 0o600
_TOKEN = re.compile("lvt_[A-Za-z0-9_-]+")


def _path(terminal: Terminal) -> Path:
    base = terminal.setting("XDG_CONFIG_HOME") or (terminal.setting("APPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".config") / "livery" / "credentials.json"


def _kept(terminal: Terminal) -> dict[str, dict[str, str]]:
    text = read_text(_path(terminal))
    try:
        kept: Any = {} if text is None else parse_json(text)
    except ValueError:
        kept = None
    if not is_object(kept) or not all(is_object(tokens) for tokens in kept.values()):
        raise Failure(f'{_path(terminal)} can\'t be read. Remove it and run "livery-client login".')
    return kept


def checked_token(given: str) -> str:
    """Returns the token, free of white space. Raises ``Failure`` for a text that is no project token; the message doesn't have the text."""
    token = given.strip()
    if not _TOKEN.fullmatch(token):
        raise Failure(
            'This is no project token: a token begins with "lvt_". Admins make tokens in the project settings.'
        )
    return token


def find_token(terminal: Terminal, server: str, project_id: str) -> str | None:
    """Returns the token of ``LIVERY_TOKEN``, else the token of an earlier ``login``."""
    given = terminal.setting("LIVERY_TOKEN")
    return checked_token(given) if given else _kept(terminal).get(server, {}).get(project_id)


def find_only_token(terminal: Terminal, server: str) -> str | None:
    """Returns the token that is kept for a server; ``None`` if there are several."""
    given = terminal.setting("LIVERY_TOKEN")
    if given:
        return checked_token(given)
    tokens = list(_kept(terminal).get(server, {}).values())
    return tokens[0] if len(tokens) == 1 else None


def keep_token(terminal: Terminal, server: str, project_id: str, token: str) -> Path:
    """Keeps a token. Returns the path of the file."""
    kept = _kept(terminal)
    kept[server] = {**kept.get(server, {}), project_id: token}
    write_if_changed(_path(terminal), to_json(kept), _PRIVATE)
    return _path(terminal)


def forget_tokens(terminal: Terminal, server: str, project_id: str | None) -> int:
    """Forgets the tokens of a server, or of one project. Returns how many there were."""
    kept = _kept(terminal)
    tokens = kept.get(server, {})
    ids = [kept_id for kept_id in tokens if project_id is None or kept_id == project_id]
    for forgotten in ids:
        del tokens[forgotten]
    if ids:
        write_if_changed(_path(terminal), to_json(kept), _PRIVATE)
    return len(ids)
