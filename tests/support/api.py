"""The routes of the API, built once for each kind of settings, and their description."""

from typing import Any

from fastapi import FastAPI

from livery.app import create_api
from livery.core.settings import Settings

_apis: dict[tuple[str, ...], FastAPI] = {}


def api_of(settings: Settings) -> FastAPI:
    """Returns the routes that an application with these settings has."""
    kind = (settings.billing, settings.payments, settings.terms_url, settings.privacy_url)
    if kind not in _apis:
        _apis[kind] = create_api(settings)
    return _apis[kind]


def operations_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Returns the OpenAPI description of each call by its method and path, such as ``GET /api/projects``."""
    return {
        f"{method.upper()} {path}": operation
        for path, calls in api_of(settings).openapi()["paths"].items()
        for method, operation in calls.items()
    }
