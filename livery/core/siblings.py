"""The metrics of all workers of one ``livery serve``, from whichever worker is asked.

Each worker answers with its numbers at a Unix socket in a folder that only the server's user can open.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from livery.core.metrics import Metrics

ANSWER_SECONDS = 1.0
"""How long a worker may take to answer. A worker that takes longer counts as down."""


@dataclass(frozen=True)
class Siblings:
    """The workers 1 to ``count``, as worker ``number`` sees them."""

    folder: Path
    number: int
    count: int
    metrics: Metrics

    async def run(self) -> None:
        """Answers the other workers until cancelled."""
        path = self._path(self.number)
        path.unlink(missing_ok=True)  # of a worker of this number that was killed
        server = await asyncio.start_unix_server(self._answer, path)
        async with server:
            await server.serve_forever()

    async def text(self) -> bytes:
        """Returns the numbers of all workers in Prometheus' text format, each with the label ``worker``.

        ``livery_worker_up`` is 0 for a worker that does not answer within a second.
        """
        numbers = range(1, self.count + 1)
        texts = await asyncio.gather(*map(self._ask, numbers))
        return generate_latest(_Merged(dict(zip(numbers, texts, strict=True))))

    async def _answer(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.metrics.text())
        await writer.drain()
        writer.close()

    async def _ask(self, number: int) -> bytes:
        if number == self.number:
            return self.metrics.text()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                reader, writer = await asyncio.open_unix_connection(self._path(number))
                try:
                    return await reader.read(-1)
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return b""

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.sock"


class _Merged(Collector):
    def __init__(self, texts: dict[int, bytes]) -> None:
        self._texts = texts

    def collect(self) -> Iterable[Metric]:
        merged: dict[str, Metric] = {}
        up = GaugeMetricFamily("livery_worker_up", "1, or 0 while the worker does not answer.", labels=["worker"])
        for number, text in self._texts.items():
            up.add_metric([str(number)], float(bool(text)))
            for family in text_string_to_metric_families(text.decode()):
                known = merged.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    labels = {**sample.labels, "worker": str(number)}
                    known.add_sample(sample.name, labels, sample.value, sample.timestamp, sample.exemplar)
        return [*merged.values(), up]
