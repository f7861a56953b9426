"""Serves the built dashboard, the example app and the SDKs as static files; any other address of the dashboard gets its page."""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Mount
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from livery.core.encodings import negotiate
from livery.core.http import content_policy

STATIC = Path(__file__).parent.parent / "static"
_SUFFIXES = {"br": ".br", "gzip": ".gz"}
_NONCE = "LIVERY_NONCE"
"""Where the build leaves room for a nonce (``web/vite.config.ts``)."""
_BASE = "LIVERY_BASE"
"""Where the page has the path below which the server is (``web/index.html``)."""
_NOT_BUILT = "<!doctype html><title>Livery</title><p>The dashboard is not built yet. Run <code>make setup</code>."


def _type_of(path: PathLike) -> str:
    media_type = guess_type(path)[0] or "application/octet-stream"
    return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type


class _Files(StaticFiles):
    """Hashed assets never change; everything else is asked for again. A client gets the compressed copy of a file that it accepts."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Returns the copy that ``scripts/precompress.mjs`` made at the build, or the file."""
        accepted = next((value for name, value in scope["headers"] if name == b"accept-encoding"), None)
        encoding = negotiate(accepted, tuple(_SUFFIXES))
        with suppress(OSError, KeyError):
            copy = f"{full_path}{_SUFFIXES[encoding]}"
            response = super().file_response(copy, Path(copy).stat(), scope, status_code)
            response.headers["Content-Encoding"] = encoding
            response.headers["Content-Type"] = _type_of(full_path)
            response.headers["Vary"] = "Accept-Encoding"
            return response
        return super().file_response(full_path, stat_result, scope, status_code)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        is_hashed = path.startswith("assets/")
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        return response


class _Sdk(_Files):
    """Public code, which pages of any origin may load as a module too."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response


class _Dashboard(_Files):
    """The dashboard below the path of the public address, which its router and its calls read from the page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Returns the file, or the dashboard's page: its router knows the address."""
        if _is_reserved(scope):
            raise _refusal(scope)
        if path in {".", "index.html"} and scope["method"] in {"GET", "HEAD"}:
            return self._answer_page(scope)
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rsplit("/", 1)[-1]:
                raise
        return self._answer_page(scope)

    def _answer_page(self, scope: Scope) -> Response:
        """Returns the page with a nonce of its own, and no validator: a kept page does not fit the nonce of a later policy."""
        page = (STATIC / "dashboard" / "index.html").read_text(encoding="utf-8")
        nonce = secrets.token_urlsafe(16)
        headers = {"Cache-Control": "no-cache", "Content-Security-Policy": content_policy(nonce)}
        # The build's addresses are relative (`./assets/…`), but the page is that of every address of the dashboard.
        base_path: str = scope["app"].state.context.settings.base_path
        placed = page.replace(_BASE, base_path).replace('"./', f'"{base_path}/')
        return HTMLResponse(placed.replace(_NONCE, nonce), headers=headers)


def _is_reserved(scope: MutableMapping[str, Any]) -> bool:
    return str(scope["path"]).startswith(("/api/", "/sdk/", "/media/"))


def _refusal(scope: Scope) -> HTTPException:
    """Returns 404, or 405 with the methods that routes take here: this mount takes every address that no route takes with its method.

    GET is 404: nothing is there to read, whatever else the address takes.
    """
    if scope["method"] in {"GET", "HEAD"}:
        return HTTPException(404)
    routes = [route for route in scope["app"].routes if not isinstance(route, Mount)]
    allowed = [
        method
        for method in ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return HTTPException(405, headers={"Allow": ", ".join(allowed)}) if allowed else HTTPException(404)


def add_routes(api: FastAPI, *, moved: Mapping[str, str]) -> None:
    """Serves ``livery/static``: SDKs below ``/sdk/``, documentation below ``/docs/``, the example below ``/storefront/``, the dashboard elsewhere.

    To be added last. A built file is looked for when the process starts. ``moved`` names pages of the dashboard that are elsewhere.
    """
    for path, url in moved.items():
        _redirect(api, path, url)
    if (STATIC / "sdk").is_dir():
        api.mount("/sdk", _Sdk(directory=STATIC / "sdk"))
    _redirect(api, "/docs", "docs/")
    if (STATIC / "docs").is_dir():
        api.mount("/docs", _Files(directory=STATIC / "docs", html=True))
    if (STATIC / "storefront").is_dir():
        api.mount("/storefront", _Files(directory=STATIC / "storefront", html=True))
    if (STATIC / "dashboard" / "index.html").is_file():
        api.mount("/", _Dashboard(directory=STATIC / "dashboard", html=True))
    else:

        @api.get("/", include_in_schema=False)
        async def not_built() -> HTMLResponse:
            return HTMLResponse(_NOT_BUILT, status_code=503)


def _redirect(api: FastAPI, path: str, url: str) -> None:
    @api.get(path, include_in_schema=False)
    async def elsewhere() -> RedirectResponse:
        return RedirectResponse(url, status_code=307)
