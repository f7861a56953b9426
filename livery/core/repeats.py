"""Answers that a connection may give again to a request of the same bytes, without the application.

An answer of delivery depends on the bytes of the request, on the client's network, and on what the application knows at that moment. So the
connection keeps the answer's bytes under the request's bytes, and asks the application only whether the answer still holds. No second parser reads
requests: nothing can be read in two ways.
"""

from typing import Protocol

REPEAT = "livery.repeat"
"""The ASGI extension under which our server takes a ``Repeatable``: a function that the application calls before it sends."""


class Repeatable(Protocol):
    """An answer that is made already."""

    def repeat(self, network: str) -> bool:
        """Whether the answer holds now for a client of this network. Counts it if so. If not, the application answers."""
        ...
