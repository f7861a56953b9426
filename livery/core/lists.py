"""Lists of content, made once for all who ask for the same list.

An edit makes the dashboard of everybody who has the screen open read it again. So the last lists stay in the memory of this process, compressed,
by their ETags. An ETag names what is in a list, so no list here is ever out of date. The rows of the last list of each place stay, too: the next
list of this place is made from them.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from livery import __version__
from livery.core.encodings import negotiate
from livery.core.etags import KEPT, etag_of, is_known
from livery.core.json_lists import JsonList
from livery.core.once import Once
from livery.core.shelf import Shelf
from livery.core.tasks import STOP_SECONDS

LIMIT_BYTES = 32 * 1024 * 1024
"""Enough for 500 screens of 500 texts in five languages."""
ROWS_LIMIT_BYTES = 16 * 1024 * 1024
"""Enough for 60 screens of 500 texts in two languages: those on which somebody works."""
_NOT_MODIFIED = 304
_LEAST_BYTES = 1_000
"""A shorter list is not compressed."""
_AT_ONCE_BYTES = 64 * 1024
"""Takes less than a millisecond to compress. What is longer is compressed in a thread."""

Make = Callable[[JsonList | None], Awaitable[JsonList]]
"""Makes a list. It gets the last list of the same place, if that is here."""


class Lists:
    """The lists that this process made last. Each is kept in the encoding in which it was asked for."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES, rows_limit_bytes: int = ROWS_LIMIT_BYTES) -> None:
        self._bodies = Shelf[tuple[bytes, str]](limit_bytes, lambda kept: len(kept[0]))
        self._lists = Shelf[JsonList](rows_limit_bytes, lambda kept: kept.rows.size_bytes)
        self._once: Once[tuple[bytes, str]] = Once()

    async def get(self, place: str, etag: str, encoding: str, make: Make) -> tuple[bytes, str]:
        """Returns the body of the list with this ETag, and its encoding, which is ``identity`` for a short list. Raises what ``make`` raises."""
        name = f"{encoding} {etag}"
        return self._bodies.get(name) or await self._once.run(name, lambda: self._make(place, name, encoding, make))

    async def _make(self, place: str, name: str, encoding: str, make: Make) -> tuple[bytes, str]:
        made = await make(self._lists.get(place))
        self._lists.put(place, made)
        body = (made.raw, "identity")
        if encoding == "gzip" and len(body[0]) >= _LEAST_BYTES:
            is_short = made.rows.bytes_to_pack <= _AT_ONCE_BYTES
            body = (made.gzipped() if is_short else await asyncio.to_thread(made.gzipped), encoding)
        self._bodies.put(name, body)
        return body

    async def end(self) -> None:
        """Returns when no list is being made, after 5 s at the latest."""
        await self._once.end(STOP_SECONDS)


class Listed:
    """A list of content whose ETag its route knows before it reads the list, from a ``stamp`` that every change of the content renews.

    ``parts`` are all else that the list depends on beside its path, such as the languages that it shows. The path is in the ETag: two
    projects may have the same stamp. An upgrade leaves it empty until the first change of the project.
    """

    def __init__(self, request: Request, stamp: str, *parts: str) -> None:
        self._request = request
        self._place = "\0".join((request.url.path, *parts))
        self._etag = etag_of("\0".join((__version__, stamp, self._place)).encode())

    async def answer(self, lists: Lists, make: Make) -> Response:
        """Returns the list with its ETag, or 304 to a caller that has it. ``make`` reads the list, if it must be read."""
        known = self._request.headers.get("if-none-match", "").encode("latin-1")
        if known.strip() != b"*" and is_known(self._etag, known):
            return self._not_modified()
        accepted = self._request.headers.get("accept-encoding", "").encode("latin-1")
        body, encoding = await lists.get(self._place, self._etag.decode(), negotiate(accepted, ("gzip",)), make)
        if is_known(self._etag, known):
            return self._not_modified()
        headers = self._headers("Authorization")
        if encoding != "identity":
            headers |= {"Vary": "Authorization, Accept-Encoding", "Content-Encoding": encoding}
        return Response(body, media_type="application/json", headers=headers)

    def _not_modified(self) -> Response:
        """Returns 304, with the headers of the whole answer."""
        return Response(status_code=_NOT_MODIFIED, headers=self._headers("Authorization, Accept-Encoding"))

    def _headers(self, vary: str) -> dict[str, str]:
        return {"ETag": self._etag.decode(), "Cache-Control": KEPT, "Vary": vary}
