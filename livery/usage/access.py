"""The meter of the process that answers, handed to routes by FastAPI."""

from typing import Annotated

from fastapi import Depends, Request

from livery.usage.meter import Meter


async def get_meter(request: Request) -> Meter:
    """What this process counted and has not written yet."""
    meter = request.app.state.meter
    if not isinstance(meter, Meter):
        raise TypeError("app.state.meter is not set")
    return meter


CurrentMeter = Annotated[Meter, Depends(get_meter)]
