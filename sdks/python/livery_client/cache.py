"""Keeps content and items on the device: one checked record for each, within bounds, and no exception ever."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from livery_client.content import Content, Json, is_object, parse_json, read_body
from livery_client.platform import Platform, Storage, Warn
from livery_client.versions import parse_version

Result = TypeVar("Result")

PREFIX = "livery:"
ITEMS = f"{PREFIX}items:"
HOLDS = f"{PREFIX}hold:"
# Is written before the checksum. A record with a different number has a different format, and is dropped.
FORMAT = "livery1"
MAX_PROJECTS = 5
MAX_LANGUAGES = 10
MAX_CHARACTERS = 10 * 1024 * 1024
MAX_ITEM_RECORDS = 20
MAX_ITEM_CHARACTERS = 1024 * 1024
MAX_CHARACTERS_OF_ALL_ITEMS = 2 * MAX_ITEM_CHARACTERS
MAX_HOLD = 3_600.0


def seal(value: Json) -> str:
    """Returns a record of a value: format, checksum, JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{FORMAT} {_checksum(text)} {text}"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unseal(record: str) -> Any:
    """Returns the value of a record. Raises ``ValueError`` if the record is torn, was edited, or has another format."""
    form, _, rest = record.partition(" ")
    sum_, _, text = rest.partition(" ")
    if form != FORMAT or sum_ != _checksum(text):
        raise ValueError("no record of this format")
    return parse_json(text)


@dataclass(frozen=True, slots=True)
class Kept:
    """Content with the ETag that the server gave it."""

    content: Content
    etag: str | None


@dataclass(frozen=True, slots=True)
class KeptItems:
    """The items of a store in one language, of one release, with the hash of their pages."""

    items: list[Json]
    version: str
    hash: object


@dataclass
class Shelf:
    """Where a client keeps what it has of its project. Without a storage nothing is kept."""

    platform: Platform
    storage: Storage | None
    base_url: str
    project_id: str
    warn: Warn

    # --- content ------------------------------------------------------------------------------------------------------

    def read(self, language: str) -> Kept | None:
        """Returns the content kept of a language. A record that can't be trusted is removed and reported once."""
        if not self.storage:
            return None
        key = self._content_key(language)
        try:
            record = self.storage.get(key)
        except Exception:  # noqa: BLE001  # a storage of the app's own may raise anything
            self.warn("storage", "the device's storage can't be used; content is kept in memory only")
            return None
        if record is None:
            return None
        try:
            value = unseal(record)
            if is_object(value) and value.get("base") != self.base_url:
                # The app has a new base URL: nothing is wrong with the record.
                self._remove(key)
                return None
            content = read_body(value.get("body"), self.project_id) if is_object(value) else None
            if not content:
                raise ValueError("no content of this project")
        except (ValueError, RecursionError):
            self.warn("cache", "the stored content was unreadable and has been dropped")
            self._remove(key)
            return None
        etag = value.get("etag")
        return Kept(content, etag if isinstance(etag, str) else None)

    def save(self, language: str, kept: Kept) -> None:
        """Writes content, and makes room by dropping what was written longest ago."""
        if not self.storage:
            return
        key = self._content_key(language)
        record = seal(
            {
                "base": self.base_url,
                "etag": kept.etag,
                "savedAt": self.platform.wall_clock(),
                "body": kept.content.to_json(),
            }
        )
        if len(record) > MAX_CHARACTERS:
            self._remove(key)
            self.warn("storage", "the content is too large to be kept on the device")
            return
        remaining = self._prune(key)
        if self._write(key, record):
            return
        # Content is worth more than items, which can be asked for again.
        for other in [*self._keys(ITEMS), *reversed(remaining)]:
            self._remove(other)
            if self._write(key, record):
                return
        # An older record under this key would come back at the next start beside an ETag that is not its own.
        self._remove(key)
        self.warn("storage", "the device's storage is full or closed; content is kept in memory only")

    def _prune(self, key: str) -> list[str]:
        """Drops all but the last used projects and languages. Returns the other records that stay, the last written first."""
        records = [one for one in self._keys(PREFIX) if not one.startswith((ITEMS, HOLDS)) and one != key]
        languages: dict[str, int] = {}
        remaining: list[str] = []
        for one in [key, *records]:
            project = one.rpartition(":")[0]
            count = languages.get(project, 0)
            if count < MAX_LANGUAGES and (count > 0 or len(languages) < MAX_PROJECTS):
                languages[project] = count + 1
                remaining.append(one)
            else:
                self._remove(one)
        return remaining[1:]

    def _content_key(self, language: str) -> str:
        return f"{PREFIX}{self.project_id}:{language}"

    # --- items of stores ----------------------------------------------------------------------------------------------

    def read_items(self, store: str, language: str) -> KeptItems | None:
        """Returns the items kept of a store."""
        if not self.storage:
            return None
        key = self._items_key(store, language)
        with suppress(Exception):
            record = self.storage.get(key)
            if record is None:
                return None
            value = unseal(record)
            if value["base"] == self.base_url and parse_version(value["version"]):
                items = [item for item in value["items"] if is_object(item) and isinstance(item.get("_id"), str)]
                return KeptItems(items, value["version"], value.get("hash"))
            self._remove(key)
            return None
        self.warn("cache", "stored items were unreadable and have been dropped")
        self._remove(key)
        return None

    def save_items(self, store: str, language: str, kept: KeptItems) -> None:
        """Writes items, and makes room by dropping the items that were written longest ago. Items displace no content."""
        if not self.storage:
            return
        key = self._items_key(store, language)
        record = seal({"base": self.base_url, "version": kept.version, "hash": kept.hash, "items": kept.items})
        size = len(record)
        for number, other in enumerate([one for one in self._keys(ITEMS) if one != key], start=2):
            size += self._length(other)
            if number > MAX_ITEM_RECORDS or size > MAX_CHARACTERS_OF_ALL_ITEMS:
                self._remove(other)
        if len(record) > MAX_ITEM_CHARACTERS or not self._write(key, record):
            self._remove(key)

    def _items_key(self, store: str, language: str) -> str:
        return f"{ITEMS}{self.project_id}:{language}:{quote(store, safe='')}"

    # --- the server's wish to be left alone ---------------------------------------------------------------------------

    def hold(self) -> float:
        """Returns the seconds that the server asked to be left alone, from before a restart: an hour at most, whatever the clock does."""
        until = 0.0
        with suppress(Exception):
            until = float(self.storage.get(self._hold_key()) or 0) if self.storage else 0.0
        rest = until - self.platform.wall_clock()
        return rest if 0 < rest <= MAX_HOLD else 0.0

    def set_hold(self, seconds: float) -> None:
        """Remembers it; 0 clears."""
        if not self.storage:
            return
        if seconds > 0:
            self._write(self._hold_key(), str(round(self.platform.wall_clock() + seconds)))
        else:
            self._remove(self._hold_key())

    def _hold_key(self) -> str:
        return f"{HOLDS}{self.project_id}"

    # --- a storage that may raise -------------------------------------------------------------------------------------

    def _keys(self, prefix: str) -> list[str]:
        return self._try(lambda storage: list(filter(lambda key: key.startswith(prefix), storage.keys()))) or []

    def _length(self, key: str) -> int:
        return len(self._try(lambda storage: storage.get(key)) or "")

    def _write(self, key: str, record: str) -> bool:
        def write(storage: Storage) -> bool:
            storage.set(key, record)
            return True

        return self._try(write) or False

    def _remove(self, key: str) -> None:
        self._try(lambda storage: storage.remove(key))

    def _try(self, use: Callable[[Storage], Result]) -> Result | None:
        with suppress(Exception):
            return use(self.storage) if self.storage else None
        return None
