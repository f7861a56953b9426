"""Jinja templates that read from Livery: ``{{ t("home.title", name=user.name) }}``."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from livery_client.content import Image
from livery_client.livery import AsyncLivery, Livery

AnyLivery = Livery | AsyncLivery


def install(environment: Environment, livery: AnyLivery, *, language: str = "language") -> None:
    """Adds ``t``, ``livery_color``, ``livery_image`` and ``livery_direction`` to the templates of an environment.

    The template's variable ``language`` (or the variable that the argument ``language`` names) is the language of the page. Without it,
    the language of the client is used. The environment escapes texts as it escapes all else.
    """

    def client_of(context: Context) -> AnyLivery:
        wanted = context.get(language)
        return livery.in_language(str(wanted)) if wanted else livery

    @pass_context
    def t(context: Context, key: str, default: str | None = None, **params: Any) -> str:
        return client_of(context).t(key, params, default=default)

    @pass_context
    def livery_color(context: Context, key: str, default: str = "") -> str:
        return client_of(context).color(key, default)

    @pass_context
    def livery_image(context: Context, key: str) -> Image | None:
        return client_of(context).image(key)

    @pass_context
    def livery_direction(context: Context) -> str:
        return client_of(context).direction

    functions: list[Callable[..., Any]] = [t, livery_color, livery_image, livery_direction]
    environment.globals.update({function.__name__: function for function in functions})
