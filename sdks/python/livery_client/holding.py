"""The newest content that a client has of its language: from memory, the device, a bundle, and the server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from livery_client.cache import Kept, Shelf
from livery_client.content import Content, Json, is_same_content, patch_content, read_body
from livery_client.versions import Order, order

Value = TypeVar("Value")
MAX_REMEMBERED = 5


class Outcome(Enum):
    """What became of an offer. ``MISMATCH``: its base is not ours, so the content is to be fetched. ``BROKEN``: it was no offer at all."""

    APPLIED = "applied"
    IGNORED = "ignored"
    MISMATCH = "mismatch"
    BROKEN = "broken"


@dataclass
class Held:
    """Content in use."""

    content: Content
    etag: str | None
    is_bundle: bool = False


@dataclass(frozen=True, slots=True)
class Patch:
    """A merge patch from one version to another."""

    from_: str
    version: str
    patch: Json
    etag: str | None


def remember(memory: dict[str, Value], key: str, value: Value) -> None:
    """Keeps at most five values: what was written longest ago goes."""
    memory.pop(key, None)
    memory[key] = value
    while len(memory) > MAX_REMEMBERED:
        del memory[next(iter(memory))]


class Holding:
    """Holds the content of one language at a time; ``latest`` is ``None`` before there is any."""

    def __init__(self, shelf: Shelf, bundles: Sequence[Content], taken: Callable[[Held, str], None]) -> None:
        self.shelf = shelf
        self.bundles = bundles
        self.latest: Held | None = None
        self.language = ""
        self.memory: dict[str, Held] = {}
        self._taken = taken

    def open(self, language: str) -> Held | None:
        """Takes this language from memory, device or bundle: the newest that can be compared, else in this order."""
        kept = self.memory.get(language) or self.shelf.read(language)
        bundle = next(
            (one for one in self.bundles if not language or not one.language or one.language == language), None
        )
        self.language = language
        self.latest = None
        if kept and order(kept.content.version, bundle.version if bundle else None) is not Order.NEWER:
            self.latest = Held(kept.content, kept.etag)
        elif bundle:
            self.latest = Held(bundle, None, is_bundle=True)
        return self.latest

    @property
    def version(self) -> str | None:
        """The version of the latest content."""
        return self.latest.content.version if self.latest else None

    def take_body(self, body: object, etag: str | None) -> Outcome:
        """Takes the body of a content call."""
        before = self.latest
        content = read_body(body, self.shelf.project_id)
        if not content:
            return Outcome.BROKEN
        standing = order(self.version, content.version)
        if standing is Order.OLDER:
            return Outcome.IGNORED
        if before and standing is Order.SAME and is_same_content(before.content, content):
            if before.is_bundle:
                self._take(content, etag)
            elif before.etag != etag:
                before.etag = etag
                self.shelf.save(self.language, Kept(before.content, etag))
            return Outcome.IGNORED
        if standing is Order.SAME:
            self.shelf.warn("diverged", "content differed from the server's at the same version; replaced")
        self._take(content, etag)
        return Outcome.APPLIED

    def take_patch(self, patch: Patch) -> Outcome:
        """Applies a patch on its exact base."""
        own = self.latest
        standing = order(self.version, patch.version)
        if standing in (Order.SAME, Order.OLDER):
            return Outcome.IGNORED
        if not own or patch.from_ != own.content.version:
            return Outcome.MISMATCH
        try:
            content = patch_content(own.content, patch.patch, patch.version)
        except RecursionError:
            content = None
        if not content:
            return Outcome.BROKEN
        self._take(content, patch.etag)
        return Outcome.APPLIED

    def _take(self, content: Content, etag: str | None) -> None:
        """The storage comes last: listeners are not delayed by a disk."""
        held = Held(content, etag)
        language = self.language
        self.latest = held
        remember(self.memory, language, held)
        self._taken(held, language)
        self.shelf.save(language, Kept(content, etag))
