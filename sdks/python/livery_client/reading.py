"""Reading one content over the bundle: synchronous, without exceptions, and with one warning for each missing key."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from livery_client.content import Content, Image
from livery_client.directions import direction_of
from livery_client.messages import FormatMessage, format_message
from livery_client.platform import Warn

# Texts of this screen can be named without their screen.
GENERAL = "general"


@dataclass(frozen=True)
class Reader:
    """The values of one content. Every method is safe in any thread, never raises, and never touches the network or a disk."""

    content: Content | None
    bundle: Content | None
    requested: str
    base_url: str
    warn: Warn
    formatter: FormatMessage = format_message

    @property
    def language(self) -> str:
        """The language shown, as the server serves it; before any content the language asked for, or ``""``."""
        if self.content:
            return self.content.language or self.requested
        return (self.bundle.language if self.bundle else "") or self.requested

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """The value of the ``dir`` attribute for the language shown."""
        return direction_of(self.language)

    def text(self, key: str, params: Mapping[str, object] | None, default: str | None) -> str:
        """Returns the text of ``"screen.key"``; where it is missing the bundle's, then the default, then the key."""
        key = str(key)
        here = _look(self.content, key)
        if here is not None:
            return self._format(here, params, self.language)
        self._missing("text", key)
        bundled = _look(self.bundle, key)
        if bundled is not None:
            return self._format(bundled, params, (self.bundle.language if self.bundle else "") or self.language)
        return key if default is None else self._format(default, params, self.language)

    def color(self, key: str, default: str | None) -> str | None:
        """Returns ``#rrggbb``; where it is missing the bundle's, then the default."""
        here = self.content.colors.get(key) if self.content else None
        if here is not None:
            return here
        self._missing("color", key)
        bundled = self.bundle.colors.get(key) if self.bundle else None
        return default if bundled is None else bundled

    def colors(self) -> Mapping[str, str]:
        """Returns all colours, the bundle's included."""
        colors: dict[str, str] = {}
        for content in filter(None, (self.bundle, self.content)):
            colors.update(content.colors)
        return MappingProxyType(colors)

    def image(self, key: str) -> Image | None:
        """Returns an image with its whole address; where it is missing the bundle's."""
        found = self.content.images.get(key) if self.content else None
        if not found:
            self._missing("image", key)
            found = self.bundle.images.get(key) if self.bundle else None
        url = _resolve(found.url, self.base_url) if found else None
        return replace(found, url=url) if found and url else None

    def _format(self, text: str, params: Mapping[str, object] | None, language: str) -> str:
        try:
            return self.formatter(text, params, language)
        except Exception:  # noqa: BLE001  # a parameter of the app may fail when it is written
            return text

    def _missing(self, kind: str, key: str) -> None:
        # Before the first content nothing is known to be missing; before release 1 everything is.
        if not self.content:
            return
        if self.content.version is not None and self.content.release == 0:
            self.warn("release-0", "nothing is published yet")
        else:
            self.warn(f"{kind}:{key}", f'no {kind} "{key}"')


def _look(content: Content | None, key: str) -> str | None:
    screen, dot, name = key.partition(".")
    if not dot:
        screen, name = GENERAL, key
    return content.texts.get(screen, {}).get(name) if content else None


def _resolve(path: str, base_url: str) -> str | None:
    """A path of the server is below the path of the base URL, too. Anything but http and https is no image."""
    is_path = path.startswith("/") and not path.startswith(("//", "/\\"))
    address = base_url + path if is_path else path
    with suppress(ValueError):
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.netloc:
            return address
    return None
