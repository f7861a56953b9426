"""Where the code of an app reads texts."""

from dataclasses import dataclass

GENERAL = "general"


@dataclass(frozen=True)
class Use:
    """A place of the code that reads a text.

    ``key`` is ``screen.key``, and ``None`` for a computed name. ``prefix`` is what the key of a computed name begins with: empty if it can be any
    key. ``params`` are the parameters that the code gives, and ``None`` if the code computes them.
    """

    file: str
    line: int
    key: str | None = None
    prefix: str | None = None
    fallback: str = ""
    params: tuple[str, ...] | None = None


def full_key(name: str) -> str:
    """Returns ``screen.key`` for a name as ``t`` takes it: without a dot the screen is ``general``."""
    return name if "." in name else f"{GENERAL}.{name}"


def full_prefix(start: str) -> str:
    """Returns what the keys of names with this beginning begin with; empty while the beginning has no dot, as the screen is not known."""
    return start if "." in start else ""
