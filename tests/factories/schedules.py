"""Makes scheduled publishes for tests, over HTTP, and lets their time come."""

from datetime import timedelta

from sqlalchemy import update

from livery.core import clock
from livery.core.context import Context
from livery.core.db import read_moment
from livery.schedules.models import Schedule
from tests.factories.projects import Desk


def soon(**duration: float) -> str:
    """Returns a moment to come as the dashboard sends it: by default tomorrow."""
    # Schedules go by the database's clock, which no test sets.
    return (clock.system_now() + timedelta(**(duration or {"days": 1}))).isoformat(timespec="milliseconds")


async def create_schedule(desk: Desk, publish_at: str = "") -> str:
    """Returns the id of a pending schedule."""
    response = await desk.post("/schedule/project/{id}", {"publishAtString": publish_at or soon()})
    assert response.status_code == 201, response.text
    return response.json()["schedule"]["_id"]


async def let_time_come(context: Context, schedule_id: str, **late: float) -> None:
    """Move a waiting publish to this moment of the database's clock, or to one that is past by ``late``."""
    async with context.database.write() as db:
        moment = await read_moment(db) - timedelta(**late)
        moving = update(Schedule).where(Schedule.id == schedule_id)
        await db.execute(moving.values(publish_at=moment, due_at=moment))
