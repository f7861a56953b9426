"""``login``, ``logout`` and ``init``: the project of the app, and the token of a person on this machine."""

import ipaddress
import json
from argparse import ArgumentParser
from urllib.parse import urlsplit

from livery_client.cli.api import Api
from livery_client.cli.command import Call, Command, Outcome
from livery_client.cli.config import FILE, OUTPUT, SOURCES, read_config, server_of
from livery_client.cli.credentials import checked_token, find_only_token, find_token, forget_tokens, keep_token
from livery_client.cli.failure import Failure
from livery_client.cli.files import write_if_changed
from livery_client.cli.locales import detect_pattern
from livery_client.cli.project import read_project
from livery_client.content import Json

_SERVER = "the server; else that of livery.json"


def _server(call: Call) -> str:
    if call.options.server:
        return server_of(call.options.server)
    try:
        return read_config(call.terminal.folder).server
    except Failure:
        if not call.terminal.is_interactive:
            raise Failure('Name the server with "--server URL".') from None
        return server_of(call.terminal.ask("Address of the Livery server:"))


def _is_open(server: str) -> bool:
    """Whether a call to the server crosses a network without encryption."""
    parts = urlsplit(server)
    host = parts.hostname or ""
    try:
        is_here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost"
    return parts.scheme == "http" and not is_here


def _token(call: Call) -> str:
    given = call.options.token
    if given == "-":
        return checked_token(call.terminal.input())
    if given is not None:
        raise Failure('The token of "--token" would stay in the history of your shell. Use "--token -" and stdin.')
    if not call.terminal.is_interactive:
        raise Failure('Give the token with "--token -" and stdin, or set LIVERY_TOKEN.')
    return checked_token(call.terminal.ask("Project token (lvt_…):", is_hidden=True))


def _login(call: Call) -> Outcome:
    server, token = _server(call), _token(call)
    if _is_open(server):
        call.terminal.err(f"Warning: {server} is not encrypted. Others in the network can read the token.")
    with Api(server, token) as api:
        own: Json = api.get("/api/token")
    path = keep_token(call.terminal, server, own["projectId"], token)
    line = f'Logged in to {server}: token "{own["name"]}" of {own["projectId"]}, scopes {", ".join(own["scopes"])}.'
    kept = {name: own[name] for name in ("projectId", "name", "scopes", "expiresAt")}
    return Outcome([line, f"The token is kept in {path}."], {"server": server, **kept})


def _logout(call: Call) -> Outcome:
    server = _server(call)
    count = forget_tokens(call.terminal, server, call.options.project)
    tokens = "token" if count == 1 else "tokens"
    line = f"Forgot {count} {tokens} of {server}. A token works until an admin ends it."
    return Outcome([line], {"server": server, "forgotten": count})


def _answer(call: Call, name: str, question: str, usual: str | None) -> str:
    """Returns the option, else the answer of a person, else ``usual``. Raises ``Failure`` without any of them."""
    given: str | None = getattr(call.options, name)
    if given is not None:
        return given
    if not call.terminal.is_interactive or call.options.yes:
        if usual is None:
            raise Failure(f'Give "--{name}". See "livery-client init --help".')
        return usual
    answered = call.terminal.ask(f"{question} [{usual}]:" if usual else f"{question}:")
    if not answered and usual is None:
        raise Failure(f"{question} is needed.")
    return answered or usual or ""


def _key(call: Call, server: str, project_id: str) -> str | None:
    token = find_token(call.terminal, server, project_id)
    if call.options.key or not token:
        return call.options.key
    with Api(server, token) as api:
        return read_project(api, project_id).get("publishableKey")


def _project_of_token(call: Call, server: str) -> str | None:
    token = find_only_token(call.terminal, server) if call.options.project is None else None
    if not token:
        return None
    with Api(server, token) as api:
        return api.get("/api/token")["projectId"]


def _init(call: Call) -> Outcome:
    folder = call.terminal.folder
    if (folder / FILE).exists() and not call.options.force:
        raise Failure(f'{FILE} is there. "--force" writes over it.')
    server = server_of(_answer(call, "server", "Address of the Livery server", None))
    project_id = _answer(call, "project", "Project (prj_…)", _project_of_token(call, server))
    locales = _answer(call, "locales", "Locale files", detect_pattern(folder) or "")
    output = _answer(call, "output", "Folder of snapshots", OUTPUT)
    keys = _answer(call, "keys", "Module of typed keys, as app/keys.py", "")
    key = _key(call, server, project_id)
    config = {
        "server": server,
        "projectId": project_id,
        **({"key": key} if key else {}),
        "sources": call.options.sources or SOURCES,
        **({"locales": locales} if locales else {}),
        "output": output,
        **({"code": {"python": keys}} if keys else {}),
    }
    write_if_changed(folder / FILE, json.dumps(config, ensure_ascii=False, indent=2) + "\n")
    found = f"Locale files: {locales}." if locales else "No locale files were found."
    following = (
        'Next: "livery-client push", then "publish --wait" and "pull".' if locales else 'Next: "livery-client pull".'
    )
    return Outcome([f"Wrote {FILE}.", found, following], config)


def _login_options(parser: ArgumentParser) -> None:
    parser.add_argument("--server", metavar="URL", help=_SERVER)
    parser.add_argument("--token", metavar="-", help='"-" reads the token from the standard input')


def _logout_options(parser: ArgumentParser) -> None:
    parser.add_argument("--server", metavar="URL", help=_SERVER)
    parser.add_argument("--project", metavar="ID", help="forget the token of this project only")


def _init_options(parser: ArgumentParser) -> None:
    parser.add_argument("--server", metavar="URL", help="the address of the Livery server")
    parser.add_argument("--project", metavar="ID", help="the project (prj_…); else that of the token")
    parser.add_argument("--key", help="the publishable key (lvp_…); else that of the project, by the token")
    parser.add_argument("--locales", metavar="PATTERN", help="the locale files; else detected")
    sources = f"the source files; {SOURCES[0]} without it; may come several times"
    parser.add_argument("--sources", metavar="PATTERN", action="append", help=sources)
    parser.add_argument("--output", metavar="FOLDER", help=f"the folder of snapshots; {OUTPUT} without it")
    parser.add_argument("--keys", metavar="FILE", help="the module of typed keys, as app/keys.py; none without it")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    parser.add_argument("--force", action="store_true", help=f"write over a {FILE} that is there")


LOGIN = Command(
    "login",
    "Keep a project token for this machine.",
    _login,
    _login_options,
    "The token is kept in your config folder; only you can read the file. LIVERY_TOKEN comes before it.",
)
LOGOUT = Command("logout", "Forget the project tokens of a server.", _logout, _logout_options)
INIT = Command("init", f"Write {FILE}, from options or answers.", _init, _init_options)
