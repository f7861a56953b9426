"""What apps have of a project at one release, and what histories keep, in plain Python: the states between which ``release_model`` steps."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.restored_screen import Texts

Json = dict[str, Any]
Colors = dict[str, tuple[str, str]]
"""Value and nickname by key."""
Items = dict[str, Json]
"""An item's data by id, in order."""
TextChange = tuple[str, str, str, str, str]
"""Screen, key, language, the old text and the new text; an empty text is no text."""
Kind = Literal["publish", "images", "item_rollback", "restore"]

DEFAULT = "en"
GENERAL = "general"


@dataclass(frozen=True)
class Version:
    """An entry of a history: a ``release``, or a ``draft`` that was overwritten."""

    kind: Literal["release", "draft"]
    release: int
    content: Any


@dataclass(frozen=True)
class Release:
    """What apps have. Nothing in a release is ever changed: the next release is a different release."""

    number: int
    kind: Kind | None
    languages: tuple[str, ...]
    screens: tuple[str, ...]
    texts: Mapping[tuple[str, str], Mapping[str, str]]
    colors: Mapping[str, tuple[str, str]]
    images: Mapping[str, int]
    items: Mapping[str, Mapping[str, Json]]

    def served_language(self, asked: str) -> str:
        """The language that an app gets which asks for a language."""
        return next((code for code in (asked, asked.partition("-")[0]) if code in self.languages), DEFAULT)

    def content(self, asked: str) -> Json:
        """What an app gets; of images their width, of stores their names."""
        language = self.served_language(asked)
        texts: Texts = {}
        for code in (DEFAULT, *_chain(language)[::-1]):
            for screen in self.screens:
                if found := self.texts.get((screen, code)):
                    texts.setdefault(screen, {}).update(found)
        return {
            "release": self.number,
            "language": language,
            "languages": list(self.languages),
            "texts": texts,
            "colors": {key: value for key, (value, _) in self.colors.items()},
            "images": dict(self.images),
            "stores": sorted(self.items),
        }

    def store(self, name: str, asked: str) -> list[Json]:
        """The items of a store as an app gets them."""
        chain = [*_chain(self.served_language(asked)), DEFAULT]
        found: list[Json] = []
        for item_id, data in self.items[name].items():
            titles = data.get("title", {})
            title = next((titles[code] for code in chain if code in titles), None)
            values = {"_id": item_id, "title": title, "price": data.get("price")}
            found.append({key: value for key, value in values.items() if value is not None})
        return found

    def screen(self, name: str) -> Texts:
        """The texts of a screen by key and language."""
        keys: Texts = {}
        for (screen, code), texts in self.texts.items():
            for key, value in texts.items() if screen == name else ():
                keys.setdefault(key, {})[code] = value
        return keys


def _chain(language: str) -> list[str]:
    """A language and its parent, the nearest first."""
    return list(dict.fromkeys([language, language.partition("-")[0]]))


def by_part(screen: str, keys: Texts) -> dict[tuple[str, str], dict[str, str]]:
    """Returns the texts of a screen as a release holds them: no empty texts."""
    parts: dict[tuple[str, str], dict[str, str]] = {}
    for key, values in keys.items():
        for code, value in values.items():
            if value:
                parts.setdefault((screen, code), {})[key] = value
    return parts


def differences(old: Release, new: Release) -> frozenset[TextChange]:
    """Returns the texts that differ between two releases."""
    return frozenset(
        (screen, key, code, before.get(key, ""), after.get(key, ""))
        for screen, code in old.texts.keys() | new.texts.keys()
        for before in [old.texts.get((screen, code), {})]
        for after in [new.texts.get((screen, code), {})]
        for key in before.keys() | after.keys()
        if before.get(key) != after.get(key)
    )
