"""Python loads this at its start where PYTHONPATH names this folder: the server's clock is shifted by SHIFTED_CLOCK_SECONDS."""

import os
from datetime import datetime, timedelta

from livery.core import clock

_shift = timedelta(seconds=float(os.environ["SHIFTED_CLOCK_SECONDS"]))
_system_now = clock._system_now  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # `clock.use` would be undone by tests that set a clock


def _shifted_now() -> datetime:
    return _system_now() + _shift


clock._system_now = _shifted_now  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # see above
clock.use(None)
