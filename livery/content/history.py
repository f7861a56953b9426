"""The ports of kinds whose drafts a version can overwrite. Publishing lists, compares, rolls back and brings back over them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content import versions
from livery.content.kind import Deed
from livery.content.parts import encode_part
from livery.content.versions import Kept
from livery.core.schemas import View
from livery.projects.queries import Access

Content = TypeVar("Content")
"""What a place holds, as its kind reads it from a version or from a release."""
Changed = TypeVar("Changed")
"""One entry of a place that changes when a version takes the place of the draft."""


@dataclass(frozen=True)
class Plan(Generic[Changed]):
    """What overwriting a draft would change.

    ``is_changed``: the draft has unpublished changes. ``top_revision`` is the highest revision that anybody can have seen of it, ``packed``
    returns the JSON value that a version keeps of it. Texts in ``missing_languages``, which the project no longer has, are left out.
    """

    changes: Sequence[Changed]
    is_changed: bool
    top_revision: int
    packed: Callable[[], object]
    missing_languages: Sequence[str] = ()


class Drafts(Protocol[Content, Changed]):
    """The drafts of one kind. Implementations have no state."""

    kind: str
    """The kind of its versions."""

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        """Raises ``NotFound`` if the draft of the project does not have this place."""

    def unpacked(self, value: object, /) -> Content:
        """Reads a value that ``packed`` returned. Raises ``ValueError`` for anything else."""
        ...

    async def plan(
        self, db: AsyncSession, access: Access, place: str, wanted: Content, *, is_whole: bool
    ) -> Plan[Changed]:
        """Compares the draft with ``wanted``. Unless ``wanted`` is whole, entries that no release can have stay."""
        ...

    async def overwrite(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Changed], *, floor: int, release: int
    ) -> None:
        """Makes the changes of a plan to the draft. What comes back gets a revision above ``floor``, and its position in ``release``."""


class Difference(Protocol):
    """One entry in which two contents differ."""

    @property
    def key(self) -> str:
        """The name of the entry."""
        ...

    @property
    def kind(self) -> Literal["added", "changed", "removed"]:
        """What happens to the entry."""
        ...

    @property
    def slots(self) -> Sequence[str]:
        """The values that differ, by language; ``""`` for an entry with a single value."""
        ...

    @property
    def edited(self) -> tuple[str | None, datetime] | None:
        """Who edited the entry of the draft last, and when; ``None`` if the draft is not compared, or does not have it."""
        ...

    def view(self, *, by: str | None, at: datetime, parts: Mapping[str, str | None]) -> View:
        """Returns the change for people to see; ``parts`` names, by slot, a different editor of that slot."""
        ...


class History(Drafts[Content, Changed], Protocol[Content, Changed]):
    """A kind whose releases are compared with each other and with the draft."""

    words: tuple[str, str]
    """The words for one entry and for several."""
    action: str
    """The action of a roll back in the activity."""
    counted_as: str
    """The name of the number of changed entries in the audit log."""

    def subject(self, place: str) -> Subject:
        """Returns the facts that name a place in the activity."""
        ...

    def parts(self, place: str) -> str:
        """Returns the name of the part that has the content of a place in a release; ending in ``/``, the prefix of its pieces' names."""
        ...

    async def marks(self, db: AsyncSession, project_id: str, place: str) -> object:
        """Returns a JSON value that differs when a plan for the draft of this place may differ."""
        ...

    async def released(
        self, db: AsyncSession, project_id: str, place: str, release: int, pieces: Mapping[str, object]
    ) -> Content:
        """Returns what a release had of a place, from the values of its parts by piece. Raises ``ValueError`` for damage."""
        ...

    def differences(self, before: Content, after: Content, /) -> list[Changed]:
        """Returns the entries in which two contents differ, by name."""
        ...


async def overwrite(
    db: AsyncSession,
    access: Access,
    kind: Drafts[Any, Changed],
    place: str,
    plan: Plan[Changed],
    *,
    release: int,
    deed: Deed | None = None,
    is_kept: bool | None = None,
) -> None:
    """Makes the changes of a plan, whose content is that of ``release``. Keeps a draft with unpublished changes first, or any draft.

    ``is_kept`` tells otherwise whether to keep it.
    """
    if not plan.changes:
        return
    project = access.project
    if plan.is_changed if is_kept is None else is_kept:
        kept = {place: Kept(len(plan.changes), encode_part(plan.packed()), plan.top_revision)}
        restored, at = (deed.restored, deed.at) if deed else (None, None)
        now = deed.release if deed else project.release_number
        await versions.record(db, access, kind.kind, kept, entry="draft", release=now, restored=restored, at=at)
    known = await versions.highest_revision(db, project.id, kind.kind, place)
    floor = max(plan.top_revision, known)
    await kind.overwrite(db, access, place, plan.changes, floor=floor, release=release)
