"""What a server gives to its edges: releases from the database, verdicts about keys, and a place for their counts."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.api_keys import KeyUses
from livery.core.context import Context
from livery.delivery.admission import Admission
from livery.delivery.database import DatabaseSource
from livery.edge.wire import Batch, Question, Verdict
from livery.usage import service as usage
from livery.usage.meter import Meter
from livery.workspace.allowance import read_allowance
from livery.workspace.callers import resolve_question


class ServerSupply(DatabaseSource):
    """Implements ``Supply`` of edges on the database of a server."""

    def __init__(self, context: Context, meter: Meter, key_uses: KeyUses) -> None:
        super().__init__(context.database)
        self._context = context
        self._meter = meter
        self._key_uses = key_uses

    @property
    def media_url(self) -> str:
        """The public address of the server."""
        return self._context.settings.base_url

    async def ask(self, questions: Sequence[Question]) -> list[Verdict]:
        """Returns what keys open, of one moment."""
        async with self._context.database.read() as db:
            return [await self._answer(db, question) for question in questions]

    async def _answer(self, db: AsyncSession, question: Question) -> Verdict:
        admission = await resolve_question(db, question, self._key_uses)
        if admission is not Admission.GRANTED:
            return Verdict(admission)
        allowance = await read_allowance(db, self._context.settings, self._meter, question.project_id)
        return Verdict(Admission.UNPAID) if allowance is None else Verdict(admission, allowance=allowance)

    async def hand_in(self, batch: Batch) -> None:
        """Adds the counts of a batch, unless the batch was here before."""
        counts = {(one.project_id, one.day): (one.calls, one.size_bytes) for one in batch.counts}
        async with self._context.database.write() as db:
            is_new = await usage.take_batch(db, batch.source, batch.number, counts)
        if is_new:
            self._meter.note_written({one.project_id for one in batch.counts})
