"""Python loads this at its start where PYTHONPATH names this folder.

It shifts the clocks of the server and of its database by SHIFTED_CLOCK_SECONDS.
"""

import os
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock, db

_shift = timedelta(seconds=float(os.environ["SHIFTED_CLOCK_SECONDS"]))
_system_now = clock.system_now
_read_moment = db.read_moment


def _shifted_now() -> datetime:
    return _system_now() + _shift


async def _shifted_moment(session: AsyncSession) -> datetime:
    return await _read_moment(session) + _shift


db.read_moment = _shifted_moment  # before any module imports it by name
clock.system_now = _shifted_now  # `clock.use` would be undone by tests that set a clock
clock.use(None)
