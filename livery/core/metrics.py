"""What a process counts, in the form that Prometheus reads."""

from collections.abc import Awaitable, Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class _ReadCounter(Collector):
    def __init__(self, name: str, description: str, read: Callable[[], float]) -> None:
        self._name, self._description, self._read = name, description, read

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self._name, self._description, value=self._read())


class Metrics:
    """The counters of one application. Labels hold route templates, never addresses."""

    def __init__(self) -> None:
        self.report: Callable[[], Awaitable[bytes]] = self._report
        """Returns what ``/metrics`` shows: the numbers of this process, or those of all workers (``core.siblings``)."""
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        labels = ("method", "route", "status")
        self._requests = Counter(
            "livery_api_requests", "Answers of the dashboard API.", labels, registry=self._registry
        )
        self._seconds = Histogram(
            "livery_api_seconds", "How long they took.", ("route",), buckets=BUCKETS_SECONDS, registry=self._registry
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts one answer of the dashboard API."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def gauge(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Shows a number that is read when it is asked for."""
        Gauge(name, description, registry=self._registry).set_function(read)

    def counter(self, name: str, description: str, read: Callable[[], float]) -> None:
        """Shows a number that only rises, read when it is asked for. Prometheus reads it as ``<name>_total``."""
        self._registry.register(_ReadCounter(name, description, read))

    def text(self) -> bytes:
        """Returns every number, in Prometheus' text format."""
        return generate_latest(self._registry)

    async def _report(self) -> bytes:
        return self.text()
