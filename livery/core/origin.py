"""Where the present work comes from: a request, background work, or a command of the operator.

The audit log reads it, so that no verb has to pass an address on. It belongs to the running task: tasks that start later inherit a copy.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Literal

ActorKind = Literal["person", "key", "job", "operator"]


@dataclass(frozen=True)
class Origin:
    """Who started the work. ``address`` and ``request_id`` are ``None`` without a request, ``key_hint`` without a developer key."""

    kind: ActorKind
    address: str | None = None
    request_id: str | None = None
    key_hint: str | None = None


_OPERATOR = Origin("operator")
_origin: ContextVar[Origin] = ContextVar("livery_origin", default=_OPERATOR)
_HINT_LENGTH = 4


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


def by_key(key: str) -> None:
    """Notes that a developer key authorised the present request. Keeps the last four characters of the key only."""
    _origin.set(replace(_origin.get(), kind="key", key_hint=key[-_HINT_LENGTH:]))
