"""Fixtures of AI tests: a translation service of our own, and the background work that is run when a test wants it."""

from collections.abc import Iterator

import pytest

from livery.ai import jobs
from livery.core.context import Context
from tests.support.ai_service import AiService, ai_service


@pytest.fixture
def protocol() -> str:
    """Whose protocol the service speaks; tests may be parametrised by it."""
    return "openai"


@pytest.fixture
def service() -> Iterator[AiService]:
    with ai_service() as service:
        yield service


@pytest.fixture
def ai_timeout_seconds() -> int:
    """How long one call may take: longer than any does on a busy machine. Tests in which the service hangs override it."""
    return 20


@pytest.fixture
def settings_overrides(service: AiService, protocol: str, ai_timeout_seconds: int) -> dict[str, object]:
    return {**service.settings(protocol), "ai_timeout_seconds": ai_timeout_seconds, "rate_limits": "off"}


class Background:
    """The sweep of translation jobs of one process."""

    def __init__(self, context: Context) -> None:
        self._sweep = jobs.sweeps(context)[0]

    async def run(self) -> None:
        """Until nothing is due any more."""
        await self._sweep.run()


@pytest.fixture
def background(context: Context) -> Background:
    return Background(context)
