"""The project of a call: its configuration, and the API with the token or the key."""

from livery_client.cli.api import Api, segment
from livery_client.cli.command import Call
from livery_client.cli.config import Config, read_config
from livery_client.cli.credentials import find_token
from livery_client.cli.failure import Failure
from livery_client.content import Json

_OPTIONS = {"server": "server", "project": "projectId", "key": "key", "output": "output"}


def config_of(call: Call) -> Config:
    """Returns the fields of ``livery.json``. Options of the call and ``LIVERY_KEY`` come before the file."""
    found = {"key": call.terminal.setting("LIVERY_KEY")}
    found |= {name: getattr(call.options, option, None) or found.get(name) for option, name in _OPTIONS.items()}
    return read_config(call.terminal.folder, {name: value for name, value in found.items() if value})


def find_api(call: Call, config: Config) -> Api | None:
    """Returns the API with the token of the project; ``None`` without a token."""
    token = find_token(call.terminal, config.server, config.project_id)
    return Api(config.server, token) if token else None


def api_of(call: Call, config: Config) -> Api:
    """Returns the API with the token of the project. Raises ``Failure`` without a token."""
    api = find_api(call, config)
    if not api:
        raise Failure('This needs a project token. Run "livery-client login", or set LIVERY_TOKEN.')
    return api


def read_project(api: Api, project_id: str) -> Json:
    """Returns the project as its token sees it."""
    return api.get(f"/api/projects/{segment(project_id)}")


def delivery_of(call: Call, config: Config) -> Api:
    """Returns the API of apps. It takes the publishable key of ``livery.json``, else asks for the key with the token."""
    if config.key:
        return Api(config.server, config.key)
    with api_of(call, config) as api:
        key = read_project(api, config.project_id).get("publishableKey")
    if not key:
        raise Failure("The project has no publishable key. Make a key in its settings.")
    return Api(config.server, key)
