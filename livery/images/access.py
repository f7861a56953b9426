"""The darkroom of the process that answers, handed to routes by FastAPI."""

from typing import Annotated

from fastapi import Depends, Request

from livery.images.darkroom import Darkroom


async def get_darkroom(request: Request) -> Darkroom:
    """Where this process has its pictures made."""
    darkroom = request.app.state.darkroom
    if not isinstance(darkroom, Darkroom):
        raise TypeError("app.state.darkroom is not set")
    return darkroom


CurrentDarkroom = Annotated[Darkroom, Depends(get_darkroom)]
