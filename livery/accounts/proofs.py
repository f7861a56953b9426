"""What bodies have to prove who a person is: the ticket of a step, a one-time code, a device that is known."""

from typing import Annotated

from pydantic import Field

from livery.core import limits

Ticket = Annotated[
    str,
    Field(max_length=limits.TICKET_CHARACTERS, description="Names a step for five minutes.", examples=["Kc1nZ0b…"]),
]
Code = Annotated[
    str, Field(max_length=limits.GIVEN_CODE_CHARACTERS, description="The six digits of the app, or a recovery code.")
]
Device = Annotated[
    str | None,
    Field(
        max_length=limits.DEVICE_TOKEN_CHARACTERS,
        description="What the last login with this email answered as `device`.",
    ),
]
