"""Calls of a Livery server. A token or key goes into a header only, never into an address."""

import re
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from livery_client.cli.failure import Failure
from livery_client.content import is_object, parse_json

SECONDS = 60
_FILE_NAME = re.compile(r'filename="([^"/\\]+)"')
_ADVICE = {
    401: ' Make a project token in the project settings, then run "livery-client login" or set LIVERY_TOKEN.',
    403: " The token may lack a scope: reading needs `read`, changes need `write`, publishing needs `publish`.",
}
_ADVICE_OF_KEYS = (
    ' The publishable key may have ended: "livery-client init --force" writes the present key into livery.json.'
)


def segment(text: str) -> str:
    """A text as a segment of an address."""
    return quote(text, safe="")


class Api:
    """A server with the token or key that is sent to it. Each call raises ``Failure``."""

    def __init__(self, server: str, bearer: str) -> None:
        """``bearer`` is a project token, or a publishable key."""
        self.server = server
        self._is_key = bearer.startswith("lvp_")
        headers = {"accept": "application/json", "authorization": f"Bearer {bearer}"}
        self._client = httpx2.Client(headers=headers, timeout=SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, path: str, **query: str | None) -> Any:
        """Returns the JSON of an answer."""
        return self._json(self._send("GET", path, query))

    def post(self, path: str, body: object = None) -> Any:
        """Sends JSON. Returns the JSON of the answer."""
        return self._json(self._send("POST", path, {}, json={} if body is None else body))

    def send(self, path: str, data: bytes, **query: str | None) -> Any:
        """Sends the bytes of a file. Returns the JSON of the answer."""
        kind = {"content-type": "application/octet-stream"}
        return self._json(self._send("POST", path, query, content=data, headers=kind))

    def remove(self, path: str) -> None:
        """Deletes what is at a path."""
        self._send("DELETE", path, {})

    def download(self, path: str, query: list[tuple[str, str]]) -> tuple[str, bytes]:
        """Returns the name and the bytes of a file."""
        answer = self._send("GET", path, query)
        name = _FILE_NAME.search(answer.headers.get("content-disposition", ""))
        if not name:
            raise Failure(f"{self.server} answers no file. Check that it is a Livery server.")
        return name[1], answer.content

    def _json(self, answer: httpx2.Response) -> Any:
        try:
            return parse_json(answer.content)
        except ValueError:
            raise Failure(f"{self.server} answers no JSON. Check that it is the address of a Livery server.") from None

    def _send(
        self, method: str, path: str, query: dict[str, str | None] | list[tuple[str, str]], **given: Any
    ) -> httpx2.Response:
        given_query = query.items() if isinstance(query, dict) else query
        pairs: list[tuple[str, str | int | float | bool | None]] = [pair for pair in given_query if pair[1] is not None]
        try:
            answer = self._client.request(method, self.server + path, params=pairs, **given)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            advice = 'Check "server" in livery.json and your network.'
            raise Failure(f"{self.server} can't be reached ({reason}). {advice}") from None
        if answer.is_success:
            return answer
        place = answer.headers.get("location")
        if place:
            raise Failure(f"{self.server} redirects to {place}. Write this server's address into livery.json.")
        raise self._refusal(answer)

    def _refusal(self, answer: httpx2.Response) -> Failure:
        """The refusal of a Livery server. A proxy, or a server of something else, gives a failure that names it."""
        try:
            given = parse_json(answer.content)
        except ValueError:
            given = None
        message, code = (given.get("message"), given.get("code")) if is_object(given) else (None, None)
        if not isinstance(message, str) or not isinstance(code, str):
            advice = "Check the address, and the proxy in front of Livery."
            return Failure(
                f"{self.server} answers with the status {answer.status_code}, and not as Livery does. {advice}"
            )
        advice = _ADVICE_OF_KEYS if answer.status_code == 401 and self._is_key else _ADVICE.get(answer.status_code, "")
        return Failure(f"{message} ({answer.status_code} {code}){advice}")
