"""Announces new content together with the items that somebody watches, so that an app changes once."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from livery_client.content import Content
from livery_client.holding import Held
from livery_client.platform import Cancel, Platform

# Texts are not held up for longer by items: the items follow.
PATIENCE = 1.0


class Audience(Protocol):
    """Hears of what is to be shown."""

    def show_taken(self, held: Held, language: str) -> None:
        """New content is to be shown."""
        ...

    def prepare(self, content: Content) -> "Sequence[asyncio.Future[None]]":
        """Begins to fetch the items that this content brings and somebody watches."""
        ...

    def show_confirmed(self) -> None:
        """The server has confirmed that what was taken is its latest."""
        ...


class Announcer:
    """Holds new content back until its items are there, for a second at most."""

    def __init__(self, platform: Platform, audience: Audience) -> None:
        self._platform = platform
        self._audience = audience
        self._next: tuple[Held, str] | None = None
        self._cancel: Cancel | None = None
        self._is_confirmed = False

    def taken(self, held: Held, language: str) -> None:
        """New content is held."""
        self._next = (held, language)
        items = self._audience.prepare(held.content)
        if not items:
            self._announce()
            return
        # Releases that follow each other don't put the first of them off.
        if not self._cancel:
            self._cancel = self._platform.after(PATIENCE, self._announce)
        self._platform.spawn(self._wait(held, items))

    async def _wait(self, held: Held, items: "Sequence[asyncio.Future[None]]") -> None:
        await asyncio.gather(*items, return_exceptions=True)
        if self._next and self._next[0] is held:
            self._announce()

    def confirmed(self) -> None:
        """The server has confirmed the newest content, which may be still to be announced."""
        if self._next:
            self._is_confirmed = True
        else:
            self._audience.show_confirmed()

    def close(self) -> None:
        """Announces nothing more."""
        if self._cancel:
            self._cancel()
        self._cancel = self._next = None
        self._is_confirmed = False

    def _announce(self) -> None:
        following, is_confirmed = self._next, self._is_confirmed
        self.close()
        if following:
            self._audience.show_taken(*following)
        if is_confirmed:
            self._audience.show_confirmed()
