"""Where the present work comes from: a request, background work, or a command of the operator.

The audit log reads it, so that no verb has to pass an address on. It belongs to the running task: tasks that start later inherit a copy.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

ActorKind = Literal["person", "job", "operator"]


@dataclass(frozen=True)
class Origin:
    """Who started the work. ``address`` and ``request_id`` are ``None`` without a request. Keys only read, so no work is theirs."""

    kind: ActorKind
    address: str | None = None
    request_id: str | None = None


_OPERATOR = Origin("operator")
_origin: ContextVar[Origin] = ContextVar("livery_origin", default=_OPERATOR)


def current() -> Origin:
    """Returns the origin of the present work: an operator's command if nothing else was noted."""
    return _origin.get()


@contextmanager
def coming_from(origin: Origin) -> Generator[None]:
    """Notes ``origin`` for the length of a block."""
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)
