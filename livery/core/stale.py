"""The refusal of a change whose author saw an older state."""

from livery.core.errors import Conflict
from livery.core.schemas import View


def stale_revision(noun: str, current: View, by: str | None = None) -> Conflict:
    """Returns the refusal of a change that names an old revision. ``current`` is the record now, ``by`` the name of who changed it, if known."""
    return Conflict(
        f"Somebody changed this {noun} while you were editing it.",
        code="stale_revision",
        extra={"current": current.model_dump(mode="json", by_alias=True), "by": by},
    )
