"""The port through which delivery gets releases. A server has them in its database, an edge on its disk."""

from collections.abc import Sequence
from typing import Protocol

from livery.content.parts import DecodedPart
from livery.publishing.schemas import PartChange, ReleaseState

KNOWN_RELEASES = 50
"""How many releases back a patch can be had."""


class Source(Protocol):
    """Where releases come from. Every method raises ``Unavailable`` when what is asked for can't be read now."""

    async def newest(self, project_ids: Sequence[str]) -> tuple[str, dict[str, int | None]]:
        """Returns the epoch, and the release of each of these projects; ``None`` for a project that is gone.

        Leaves out projects that are not known here.
        """
        ...

    async def renew_epoch(self, before: str) -> str:
        """Ends the epoch ``before``, since apps have releases that this source lacks. Returns the epoch that is valid then."""
        ...

    async def current(self, project_id: str) -> ReleaseState | None:
        """Returns the newest release of a project, with the epoch of the same moment; ``None`` when there is no such project."""
        ...

    async def changes(self, project_id: str, older: int, newer: int) -> list[PartChange]:
        """Returns the parts that differ between two of the last ``KNOWN_RELEASES`` releases."""
        ...

    async def parts(self, project_id: str, hashes: Sequence[str]) -> dict[str, DecodedPart]:
        """Returns the decoded bodies. Raises ``ValueError`` when a body is damaged or missing."""
        ...


def starts_after(known: tuple[str, int] | None, epoch: str, release: int) -> int | None:
    """Returns the release after which a ledger for this edge starts; ``None`` when it needs all of it."""
    if known is None or known[0] != epoch or known[1] < 1 or not release - KNOWN_RELEASES <= known[1] <= release:
        return None
    return known[1]
