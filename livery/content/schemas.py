"""Facts about a change that a reader needs to leave it out of a publish, or to discard it."""

from pydantic import Field

from livery.core.schemas import View


class Choice(View):
    """How a change is named in a selection, and what it depends on. ``ref`` is null where there is nothing to choose."""

    ref: str | None = Field(
        default=None, description="The reference of the change.", examples=["text:key_k3v5mq7aw2xhb6td"]
    )
    by_id: str | None = Field(default=None, description="The id of who edited it last.")
    needs: list[str] = Field(default_factory=list, description="Changes without which this change can't be published.")
    tie: str | None = Field(default=None, description="Changes with an equal tie are published together or not at all.")
