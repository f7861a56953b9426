"""Formatted text: HTML without anything that could run, load or style."""

import re

from livery.core import limits
from livery.stores.field_types.port import NOT_TEXT, Unfit
from livery.stores.field_types.text import TOO_LONG
from livery.stores.schemas import FieldType

_TAGS = frozenset("a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup u ul".split())
_LINK = re.compile(r"(?:https?://[^/\s]|mailto:[^/\s])", re.IGNORECASE)
_SHOWS = re.compile(r"<hr\b")
_TAG = re.compile(r"<[^>]*>|&nbsp;")


class RichText:
    """See ``ValueType``."""

    name: FieldType = "RichText"
    is_text = True
    has_markup = True
    is_key = False

    def from_cell(self, text: str) -> object:
        """See ``ValueType``."""
        return text

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``."""
        if not isinstance(value, str):
            raise Unfit(NOT_TEXT)
        if len(value) > 2 * limits.TEXT_CHARACTERS:
            raise Unfit(TOO_LONG)
        cleaned = clean_html(value)
        if len(cleaned) > limits.TEXT_CHARACTERS:
            raise Unfit(TOO_LONG)
        return None if _is_blank(cleaned) else cleaned


def clean_html(html: str) -> str:
    """Formatted text without anything that could run, load or style: other tags go and leave their words. Cleaning twice changes nothing more."""
    import nh3

    return nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={"*": set(), "a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        attribute_filter=_keep_attribute,
        link_rel="noopener noreferrer nofollow",
    )


def _keep_attribute(_tag: str, name: str, value: str) -> str | None:
    return None if name == "href" and not _LINK.match(value) else value


def _is_blank(html: str) -> bool:
    return not _SHOWS.search(html) and not _TAG.sub("", html).strip()
