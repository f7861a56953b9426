"""The port that each kind of content implements, and what publishing hands to it."""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content import versions
from livery.content.changes import Change, Changes, Content, between, differing
from livery.content.parts import Meta, Part, PartName, encode_part
from livery.content.showing import Comparison, Section, Touched
from livery.content.states import Frame, ReadParts, Values
from livery.content.versions import Kept
from livery.content.warnings import LimitOf, PlaceWarnings
from livery.projects.queries import Access


@dataclass(frozen=True)
class Operation:
    """The operation that overwrites drafts: a discard, a restore of the release ``restored``, or a roll back to what the release ``source`` had.

    The histories keep those drafts under ``at``. A roll back keeps a draft without unpublished changes, too (``keeps_all``).

    ``release`` is the release that apps had before it, ``outline`` what they have now: what comes back gets its place in it. ``languages`` are those
    of the draft afterwards. ``edits`` has the references of the changes that people made; ``None`` means all.
    """

    at: datetime
    release: int
    outline: Meta
    languages: Collection[str]
    restored: int | None = None
    edits: Collection[str] | None = None
    source: int | None = None
    keeps_all: bool = False

    @property
    def origin(self) -> int:
        """The release whose content comes back."""
        return self.source or self.restored or self.release

    def keeps(self, change: Change) -> bool:
        """Whether the history keeps what this change had in the draft."""
        return self.edits is None or change.ref in self.edits


@dataclass(frozen=True)
class RestoredRelease:
    """The release that apps have again, and its outline. Apps had the release ``before``."""

    release: int
    outline: Meta
    before: int


@dataclass(frozen=True)
class Restoring:
    """What a restore of the draft starts from, by reference: entries that apps never had (``unreleased``), and what apps got (``restored``)."""

    unreleased: Mapping[str, Change]
    restored: Mapping[str, Change]


@dataclass(frozen=True)
class Remaining:
    """References of unpublished changes that a restore of the draft leaves, and sentences about them."""

    refs: Collection[str] = ()
    sentences: Sequence[str] = ()


@dataclass(frozen=True)
class HistoryWords:
    """What a roll back of a kind is called.

    ``one`` and ``many`` are its entries, ``action`` is the action in the activity, ``counted_as`` the name of their number in the audit log.
    """

    one: str
    many: str
    action: str
    counted_as: str


class Overwritten(Protocol):
    """The draft of a place that an operation overwrites."""

    @property
    def is_changed(self) -> bool:
        """Whether it has unpublished changes."""
        ...

    def packed(self) -> object:
        """Returns the JSON value that a version keeps of it."""
        ...


class Kind(Protocol):
    """The operations on the entries of one kind of content. Implementations have no state.

    The project's row is locked by every caller of a method that writes.
    """

    name: str = ""
    """The word for the entries in the activity of a publish: ``keys``, ``colors``, ``items``."""
    is_live: bool = False
    """Whether apps get changes at once: there are no unpublished changes, and a restore leaves the entries alone."""
    is_outline: bool = False
    """Whether entries of other kinds are in the entries of this kind, as keys are in screens."""
    is_entry: bool = False
    """Whether a place is an entry itself, as a store is: ``store/sto_1`` is the place of the entry ``store:sto_1``."""
    entry: str = ""
    """The word for an entry in references of changes: ``text`` of ``text:key_1``."""
    words: HistoryWords | None = None
    """What a roll back is called; ``None`` for a kind whose places are not rolled back to what releases had."""
    kept_forms: Mapping[str, Callable[[object], object]] = MappingProxyType({})
    """Functions that read what versions keep, by the first word of a place. They raise ``ValueError`` for damage."""
    gives_empty: bool = True
    """Whether apps get entries without any value."""
    keeps_releases: bool = False
    """Whether the versions of releases keep what drafts keep, too."""

    async def outline(self, db: AsyncSession, project_id: str) -> Mapping[str, Any]:
        """Returns what the draft of this kind adds to the outline, by the name of the field of ``Meta``."""
        return {}

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """Returns the numbers of unpublished changes by place, in the order in which people see them. Reads indexes of changed rows only.

        Counts what ``count`` counts.
        """
        return {}

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """Returns the unpublished changes of one place. Work is proportional to their number."""
        return ()

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        """Returns the parts with unpublished changes; the parts of a language only in these languages.

        A part's mark differs when its draft may differ. ``outline`` is that of the draft.
        """
        return {}

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        """Returns the value that a publish would give a part; an empty value if nothing would be left in it."""
        return None

    def place_of(self, part: PartName) -> str | None:
        """Returns the place to which a part belongs; ``None`` for a part of another kind."""
        ...

    def has_part(self, outline: Meta, part: PartName) -> bool:
        """Whether a state with this outline can have a part, of this kind or another."""
        return True

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        """Returns the changes from one state of a place to another, of which the differing parts are given.

        ``frame`` has the outlines of both states. An entry of the draft has its id there. An entry that the draft lacks gets an id from the kind. The
        stamps have no meaning.
        """
        return await self.compare_contents(db, frame.project_id, place, self.contents(before), self.contents(after))

    async def compare_contents(
        self,
        db: AsyncSession,
        project_id: str,
        place: str,
        before: Mapping[str, Content],
        after: Mapping[str, Content],
        *,
        is_draft: bool = False,
    ) -> Sequence[Change]:
        """Returns the changes from one content of a place to another: see ``compare``. ``is_draft``: the draft has ``after``."""
        ids = await self.ids(db, project_id, place, differing(before, after))
        return between(self.entry, before, after, ids, is_draft=is_draft)

    async def ids(self, db: AsyncSession, project_id: str, place: str, names: Collection[str]) -> Mapping[str, str]:
        """Returns the ids of entries by their names. The name is the id of an entry that is not among them."""
        return {}

    def contents(self, values: Values) -> Mapping[str, Content]:
        """Reads the entries in these parts of one place, by name. Raises ``ValueError`` for damage."""
        return {}

    def parts_of(self, place: str) -> str:
        """Returns the name of the part of a place; ending in ``/``, how the names of its parts begin."""
        return place

    async def draft(self, db: AsyncSession, project_id: str, place: str) -> Mapping[str, Content]:
        """Returns what the draft has of a place, by name."""
        return {}

    async def draft_mark(self, db: AsyncSession, project_id: str, place: str) -> object:
        """Returns a JSON value that differs when the outcome of a roll back of this place may differ."""
        return await self.draft(db, project_id, place)

    def kept(self, body: object) -> Mapping[str, Content]:
        """Reads what a version keeps of a draft. Raises ``ValueError`` for damage."""
        return {}

    def fitted(self, wanted: Mapping[str, Content], languages: Collection[str]) -> Mapping[str, Content]:
        """Returns what of ``wanted`` a project with these languages can have."""
        return wanted

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        """Raises ``NotFound`` if the draft of the project does not have this place."""

    def subject(self, place: str) -> Subject:
        """Returns the facts that name a place in the activity."""
        return {}

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """Returns the parts of the current release that ``changes`` touch, with the changes applied; ``None`` for a part that is empty then.

        Raises ``Invalid`` when a part becomes larger than apps can load.
        """
        return {}

    def heading(self, frame: Frame, place: str) -> str:
        """Returns the name of a place in requests of people, who know it by its name in apps."""
        return place

    def count(self, frame: Frame, mine: Changes, changes: Changes) -> int:
        """Returns how many changes people count of this kind, of ``mine`` among all ``changes``."""
        return sum(map(len, mine.values()))

    async def touched(
        self, db: AsyncSession, project_id: str, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Touched]:
        """Returns the last edits of these entries, by their names, and the last edit of the place itself under ``""``. Leaves out entries that
        neither the draft nor apps have."""
        return {}

    async def section(self, comparison: Comparison) -> Section:
        """Returns what people see of the changes of this kind."""
        ...

    def check(self, outline: Meta, sizes: Mapping[str, int]) -> None:
        """Raises ``Invalid`` when a release of this outline, with parts of these sizes in bytes, is larger than apps can load."""

    async def record(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        release: int,
        restored: int | None = None,
    ) -> None:
        """Adds the entries of ``release`` to the histories of what ``changes`` touch. ``restored`` is the release whose content it has again."""

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: RestoredRelease | None = None,
    ) -> None:
        """Notes in the draft that apps now have ``after`` of each change. What differs from it in the draft stays an unpublished change.

        What the draft lacks comes from a restore. It gets a new revision, so that an editor who still has it open gets a conflict. It has the place
        that it had in the restored release.
        """

    async def remaining(
        self, db: AsyncSession, access: Access, changes: Changes, restoring: Restoring, kept: Collection[str]
    ) -> Remaining:
        """Returns what a restore of the draft leaves unpublished for want of room. ``kept`` has what it leaves for other reasons.

        ``changes`` has the unpublished changes of this kind. The sentences also name what stays as something new.
        """
        return Remaining()

    def taken(
        self, changes: Sequence[Change], restoring: Restoring, kept: Collection[str], leaving: Collection[str]
    ) -> Sequence[Change]:
        """Returns what a restore of the draft discards of the unpublished changes of a place.

        ``kept`` has the changes and slots that stay, ``leaving`` the screens and languages that leave.
        """
        return [part for change in changes if (part := take(change, kept, leaving))]

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        """Makes the draft hold ``before`` of each change again, in the slots that differ.

        The histories keep the drafts from which an edit leaves. Returns a JSON value from which ``bring_back`` makes the draft of before.
        """

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
        """Makes the draft what it was before the discard ``operation``, which returned ``kept``, as far as the place exists and has room.

        The histories keep the drafts that this overwrites.
        """

    async def problems(self, db: AsyncSession) -> AsyncGenerator[str]:
        """Yields a sentence for each thing that is wrong in the rows of this kind."""
        for problem in ():
            yield problem

    async def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        """Yields the project, the name and the value of each part that the drafts remember as published."""
        for part in ():
            yield part

    async def warnings(
        self, db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf
    ) -> Sequence[PlaceWarnings]:
        """Returns the warnings about the unpublished changes of this kind, by place in the order in which people see them.

        ``changes`` has all of these changes. A place without warnings may be among the results.
        """
        return ()


async def keep_draft(
    db: AsyncSession, access: Access, place: str, draft: Overwritten, count: int, operation: Operation | None = None
) -> None:
    """Adds a version with a draft of which ``count`` entries are about to be overwritten. ``operation`` is the discard that does it."""
    kind, _, name = place.partition("/")
    kept = {name: Kept(count, encode_part(draft.packed()))}
    restored, at = (operation.restored, operation.at) if operation else (None, None)
    release = operation.release if operation else access.project.release_number
    await versions.record(db, access, kind, kept, entry="draft", release=release, restored=restored, at=at)


def take(change: Change, kept: Collection[str], leaving: Collection[str]) -> Change | None:
    """Returns the part of a change that is not ``kept``. An entry that stays loses only its values in languages that leave."""
    if change.ref in kept:
        going = {slot for slot, need in change.slot_needs.items() if need in leaving}
        part = change.without(set(change.slots) - going) if going else None
        return part and replace(part, is_draft=False)  # the entry stays also if all its values leave
    if change.before is None:
        return change
    return change.without([slot for slot in change.slots if f"{change.ref}/{slot}" in kept])
