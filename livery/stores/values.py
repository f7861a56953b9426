"""The rules for values: each type's form, what is required, and how a change is merged into what is there. No database."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast
from urllib.parse import urlsplit

import nh3

from livery.core import limits
from livery.core.errors import Invalid
from livery.stores.schemas import Data, FieldType, StoreField

NO_SUCH_FIELD = "This Data Store has no field of this name."
NO_SUCH_LANGUAGE = "This language is not in your project."
REQUIRED = "This field is required."
BY_LANGUAGE = "Send the values of a translatable field by language."
NOT_TEXT = "Enter a text."
TOO_LONG = f"Use at most {limits.TEXT_CHARACTERS:,} characters."
NOT_NUMBER = "Enter a number."
NOT_BOOLEAN = "Choose yes or no."
NOT_DATE = "Enter a date like 2026-05-14."
NOT_MEDIA = "Enter a web address (http or https), or choose an image of this project."
ITEM_TOO_LARGE = "This item holds too much. Shorten some of its texts."


_EXACT = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""
NUMBER_TOO_LARGE = f"Enter a number that apps can read exactly: a whole one has at most {len(str(_EXACT)) - 1} digits."
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ADDRESS = re.compile(r"https?://[^\s\"'<>\\^`{|}]+")
_IMAGE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}")
_TAGS = frozenset("a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup u ul".split())
_LINK = re.compile(r"(?:https?://[^/\s]|mailto:[^/\s])", re.IGNORECASE)
_SHOWS = re.compile(r"<hr\b")
_TAG = re.compile(r"<[^>]*>|&nbsp;")


class Unfit(Exception):
    """A value that its field can't hold. The message is for people."""


def clean_html(html: str) -> str:
    """Formatted text without anything that could run, load or style: other tags go and leave their words. Cleaning twice changes nothing more."""
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


def is_blank_html(html: str) -> bool:
    """Whether nobody would see anything."""
    return not _SHOWS.search(html) and not _TAG.sub("", html).strip()


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise Unfit(NOT_TEXT)
    if len(value) > limits.TEXT_CHARACTERS:
        raise Unfit(TOO_LONG)
    return value if value.strip() else None


def _rich_text(value: object) -> object:
    if not isinstance(value, str):
        raise Unfit(NOT_TEXT)
    if len(value) > 2 * limits.TEXT_CHARACTERS:
        raise Unfit(TOO_LONG)
    cleaned = clean_html(value)
    if len(cleaned) > limits.TEXT_CHARACTERS:
        raise Unfit(TOO_LONG)
    return None if is_blank_html(cleaned) else cleaned


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit(NOT_NUMBER)
    if isinstance(value, int):
        if abs(value) > _EXACT:
            raise Unfit(NUMBER_TOO_LARGE)
        return value
    return int(value) if value.is_integer() and abs(value) <= _EXACT else value


def _boolean(value: object) -> object:
    if not isinstance(value, bool):
        raise Unfit(NOT_BOOLEAN)
    return value


def _date(value: object) -> object:
    if value == "":
        return None
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise Unfit(NOT_DATE)
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise Unfit(NOT_DATE) from error


def _media(value: object, project_id: str) -> object:
    if not isinstance(value, str):
        raise Unfit(NOT_MEDIA)
    address = value.strip()
    if not address:
        return None
    folder, _, key = address.rpartition("/")
    is_image = folder == f"/media/{project_id}" and _IMAGE_KEY.fullmatch(key)
    if len(address) > limits.MEDIA_ADDRESS_CHARACTERS or not (is_image or _is_web_address(address)):
        raise Unfit(NOT_MEDIA)
    return address


def _is_web_address(address: str) -> bool:
    """Whether it is plainly one: no user name that could pass for a host, nothing invisible."""
    if not _ADDRESS.fullmatch(address) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        return False


_CHECKS: Mapping[FieldType, Callable[[object], object]] = {
    "String": _text,
    "RichText": _rich_text,
    "Number": _number,
    "Boolean": _boolean,
    "Date": _date,
}


def check_value(field_type: FieldType, value: object, project_id: str) -> object:
    """The value as it is stored, ``None`` for nothing. Raises ``Unfit``."""
    if value is None:
        return None
    return _media(value, project_id) if field_type == "Media" else _CHECKS[field_type](value)


@dataclass(frozen=True)
class Rules:
    """What the items of a store must be."""

    project_id: str
    fields: Sequence[StoreField]
    languages: Collection[str]
    default_language: str

    def merged(self, stored: Data, given: Mapping[str, object]) -> Data:
        """``stored`` with what was given by field name: what is left out stays, null clears. Raises ``Invalid`` that names every wrong field."""
        return _Merging(self, dict(stored)).result(given)


@dataclass
class _Merging:
    rules: Rules
    data: Data
    problems: dict[str, str] = field(default_factory=dict[str, str])

    def result(self, given: Mapping[str, object]) -> Data:
        by_name = {field.name: field for field in self.rules.fields}
        for name, value in given.items():
            if name not in by_name:
                self.problems["data"] = NO_SUCH_FIELD
            elif by_name[name].is_translatable:
                self._put_languages(by_name[name], value)
            else:
                self._put(by_name[name], value)
        for one in self.rules.fields:
            place = f"data.{one.name}"
            if one.required and not self._has_value(one) and not any(key.startswith(place) for key in self.problems):
                self.problems[place] = REQUIRED
        if not self.problems and len(json.dumps(self.data, ensure_ascii=False)) > limits.ITEM_CHARACTERS:
            self.problems["data"] = ITEM_TOO_LARGE
        if self.problems:
            raise Invalid(next(iter(self.problems.values())), fields=self.problems)
        return {one.id: self.data[one.id] for one in self.rules.fields if one.id in self.data}

    def _has_value(self, one: StoreField) -> bool:
        value = self.data.get(one.id)
        return (self.rules.default_language in value) if isinstance(value, dict) else value is not None

    def _put(self, one: StoreField, value: object) -> None:
        checked = self._checked(one, value, f"data.{one.name}")
        if checked is None:
            self.data.pop(one.id, None)
        else:
            self.data[one.id] = checked

    def _put_languages(self, one: StoreField, value: object) -> None:
        if value is None:
            self.data.pop(one.id, None)
            return
        if not isinstance(value, dict):
            self.problems[f"data.{one.name}"] = BY_LANGUAGE
            return
        texts = dict(cast("dict[str, Any]", self.data.get(one.id, {})))
        for language, text in cast("dict[str, object]", value).items():
            if language not in self.rules.languages:
                self.problems[f"data.{one.name}"] = NO_SUCH_LANGUAGE
                continue
            checked = self._checked(one, text, f"data.{one.name}.{language}")
            if checked is None:
                texts.pop(language, None)
            else:
                texts[language] = checked
        self.data.pop(one.id, None)
        if texts:
            self.data[one.id] = texts

    def _checked(self, one: StoreField, value: object, place: str) -> object:
        try:
            return check_value(one.type, value, self.rules.project_id)
        except Unfit as error:
            self.problems[place] = str(error)
            return None
