"""What usage is made of, and what it answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from livery.core.schemas import Moment, View

Quota = Literal["api_calls", "bandwidth"]
"""What has a monthly limit."""


class DayView(View):
    """What apps took on one UTC day."""

    day: Annotated[date, Field(examples=["2026-11-20"])]
    api_interactions: int
    bytes: int


class UsageView(View):
    """A project's use and limits: storage now, API interactions and bandwidth in this UTC month. -1 is unlimited, sizes are in bytes.

    ``history`` has the last 30 days, today included, the oldest first.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "usageBytes": 0,
                "limitBytes": 10_737_418_240,
                "apiInteractions": 18_204,
                "apiLimit": 75_000,
                "bandwidthUsage": 94_371_840,
                "bandwidthLimit": 16_106_127_360,
                "periodStart": "2026-11-01T00:00:00.000Z",
                "periodEnd": "2026-12-01T00:00:00.000Z",
                "history": [{"day": "2026-11-20", "apiInteractions": 912, "bytes": 4_718_592}],
            }
        }
    )

    usage_bytes: int
    limit_bytes: int
    api_interactions: int
    api_limit: int
    bandwidth_usage: int
    bandwidth_limit: int
    period_start: Moment
    period_end: Moment
    history: list[DayView]
