"""The page of a server that does not start yet: at a public address an operator chooses first how credits are paid."""

import base64
import hashlib
from html import escape
from pathlib import Path
from string import Template

import typer
import uvicorn
from starlette.types import Receive, Scope, Send

from livery.cli import sockets
from livery.cli.serving import configure
from livery.core.settings import Settings

RETRY_SECONDS = 60
_PAGE = Path(__file__).with_suffix(".html")


class ChoicesPage:
    """Answers every request with 503 and the page. An app takes the answer for a short absence and keeps its content."""

    def __init__(self, address: str) -> None:
        page = Template(_PAGE.read_text()).substitute(address=escape(address))
        self._body = page.encode()
        style = page.partition("<style>")[2].partition("</style>")[0]
        style_hash = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self._headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(self._body)).encode()),
            (b"content-security-policy", f"default-src 'none'; style-src 'sha256-{style_hash}'".encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"cache-control", b"no-store"),
            (b"retry-after", str(RETRY_SECONDS).encode()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        await send({"type": "http.response.start", "status": 503, "headers": self._headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else self._body})


def serve_choices(settings: Settings, sentence: str) -> None:
    """Shows the page until SIGTERM or SIGINT. Nothing else is served, and the database is left alone."""
    listener = sockets.open_listener(settings)
    typer.echo(sentence, err=True)
    typer.echo(f"Until then, http://{settings.host}:{listener.getsockname()[1]} shows these choices.", err=True)
    uvicorn.Server(configure(ChoicesPage(settings.public_url), lifespan="off")).run(sockets=[listener])
