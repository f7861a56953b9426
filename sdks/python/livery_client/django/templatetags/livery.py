"""``{% load livery %}``: texts, colours, images and items in the language of the request. Django escapes what the tags return."""

from collections.abc import Callable
from typing import Any, TypeVar

from django import template

from livery_client.content import Image, Json
from livery_client.django import get_livery

Tag = TypeVar("Tag", bound=Callable[..., Any])

register = template.Library()


def _tag(function: Tag) -> Tag:
    register.simple_tag(function)  # pyright: ignore[reportUnknownMemberType]  # Django has no types
    return function


@_tag
def t(key: str, default: str | None = None, **params: Any) -> str:
    """``{% t "home.title" name=user.first_name %}``: a text with its placeholders filled in."""
    return get_livery().t(key, params, default=default)


@_tag
def livery_color(key: str, default: str = "") -> str:
    """``{% livery_color "primary" "#6750a4" %}``: a colour."""
    return get_livery().color(key, default)


@_tag
def livery_image(key: str) -> Image | None:
    """``{% livery_image "logo" as logo %}``: an image with ``url``, ``width`` and ``height``."""
    return get_livery().image(key)


@_tag
def livery_items(store: str) -> list[Json]:
    """``{% livery_items "products" as products %}``: the items of a store. The first call waits for the network."""
    return get_livery().store(store).items()


@_tag
def livery_direction() -> str:
    """``<html dir="{% livery_direction %}">``: ``ltr`` or ``rtl``."""
    return get_livery().direction
