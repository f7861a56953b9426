"""What a comparison knows of two states of a project, and how it reads more of them."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from livery.content.parts import Meta

ReadParts = Callable[[Collection[str]], Awaitable[dict[str, object]]]
"""Returns the values of the named parts of one release, without the names that the release does not have."""

Values = Mapping[str, object]
"""The values of parts by name. A part that a state does not have is absent."""

Standing = Literal["new", "same", "changed", "conflict"]
"""What an entry of a file would do to the draft. ``conflict`` replaces a value that nobody wants to lose unasked: each kind has its rule."""


@dataclass(frozen=True)
class Frame:
    """A project on both sides of its unpublished changes: the outline that apps have (``before``) and the outline of the draft (``after``).

    Before release 1, ``before`` has no languages, screens and stores. ``parts`` has the names of all parts that any release had, for a comparison
    of two releases.
    """

    project_id: str
    release: int
    before: Meta
    after: Meta
    parts: Collection[str] = ()
