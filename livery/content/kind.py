"""The port that each kind of content implements, and what publishing hands to it."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change
from livery.content.parts import Meta, Part, PartName
from livery.projects.queries import Access

ReadParts = Callable[[Collection[str]], Awaitable[dict[str, object]]]
"""Returns the values of the named parts of the current release, without the names that the release does not have."""


Values = Mapping[str, object]
"""The values of parts by name. A part that a state does not have is absent."""


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


class Kind(Protocol):
    """The operations on the entries of one kind of content. Implementations have no state.

    The project's row is locked by every caller of a method that writes.
    """

    name: str
    """The word for the entries in the activity of a publish: ``keys``, ``colors``, ``items``."""
    is_outline: bool
    """Whether entries of other kinds are in the entries of this kind, as keys are in screens."""

    async def places(self, db: AsyncSession, frame: Frame) -> Sequence[str]:
        """Returns the places with unpublished changes, in the order in which people see them. Reads indexes of changed rows only."""
        ...

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """Returns the unpublished changes of one place. Work is proportional to their number."""
        ...

    def place_of(self, part: PartName) -> str | None:
        """Returns the place to which a part belongs; ``None`` for a part of another kind."""
        ...

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        """Returns the changes from one state of a place to another, of which the differing parts are given.

        ``frame`` has the outlines of both states. The ids are those that the entries have in the draft; the other entries get new ids. The
        stamps tell nothing.
        """
        ...

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """Returns the parts of the current release that ``changes`` touch, with the changes applied; ``None`` for a part that is empty then.

        Raises ``Invalid`` when a part becomes larger than apps can load.
        """
        ...

    def check(self, outline: Meta, sizes: Mapping[str, int]) -> None:
        """Raises ``Invalid`` when a release of this outline, with parts of these sizes in bytes, is larger than apps can load."""
        ...

    async def record(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, release: int
    ) -> None:
        """Adds the entries of ``release`` to the histories of what ``changes`` touch. Is called before ``settle``."""
        ...

    async def settle(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, floor: int = 0
    ) -> None:
        """Notes in the draft that apps now have ``after`` of each change. What differs from it in the draft stays an unpublished change.

        What the draft lacks comes with a revision above ``floor``, so that an editor who still has it open gets a conflict.
        """
        ...

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, at: datetime
    ) -> bool:
        """Makes the draft hold ``before`` of each change again, in the slots that differ.

        The draft that this overwrites is kept in the history first, as an entry of kind ``draft`` of the moment ``at``. Returns whether the
        history keeps all of it, so that it can be brought back.
        """
        ...
