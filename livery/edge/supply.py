"""The port behind ``/edge/v1``. A server answers from its database, an edge from its disk and its own origin."""

from collections.abc import Sequence
from typing import Protocol

from livery.delivery.source import Source
from livery.edge.wire import Batch, Question, Verdict
from livery.publishing.schemas import Ledger


class Supply(Source, Protocol):
    """What edges get, and where their counts go. Every method raises ``Unavailable`` when what is asked for can't be had now."""

    @property
    def media_url(self) -> str:
        """Where browsers find images: the public address of the server."""
        ...

    async def ledger(self, project_id: str, known: tuple[str, int] | None) -> Ledger | None:
        """Returns the ledger of a project; for an edge that has ``known`` (epoch, release), only what changed since.

        Returns ``None`` without such a project.
        """
        ...

    async def bodies(self, project_id: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Returns the compressed bodies under these hashes. Leaves out hashes without a body."""
        ...

    async def ask(self, questions: Sequence[Question]) -> list[Verdict]:
        """Returns what keys open, in the order of the questions."""
        ...

    async def hand_in(self, batch: Batch) -> None:
        """Adds the counts of a batch once, however often it is handed in. Returns when they are durable at the server."""
        ...
