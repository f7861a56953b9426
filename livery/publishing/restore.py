"""The way back to a release: apps get what it had as a new, higher release, and the draft follows if that is wanted."""

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.changes import Change, Changes, Stamp, staying
from livery.content.kind import RestoredRelease, Restoring
from livery.content.parts import KeptPart, PartName
from livery.content.states import Frame
from livery.core import clock
from livery.core.errors import Conflict, PaymentRequired
from livery.core.events import Bus
from livery.core.schemas import Body, Moment, View
from livery.projects.acts import record_act, touch
from livery.projects.queries import Access
from livery.publishing import comparing, discards, provenance, queries, release_history, releases
from livery.publishing.comparing import Differences
from livery.publishing.diff import count_unpublished
from livery.publishing.kinds import KINDS
from livery.publishing.release_history import Number
from livery.publishing.releases import NO_PLAN, Composition
from livery.publishing.unpublished import Group, UnpublishedChanges, in_order, read_unpublished

STALE = "Another release was published since you looked. Please look at what would change now."


KeptAt = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z$")]
"""The moment of a restore or a discard, as its answer gave it."""


class Restored(View):
    """What apps have now: ``published`` is false when they had it already. ``leftOut`` describes in sentences what is not as the release had it."""

    message: str
    release: int
    published: bool
    left_out: list[str]
    kept_edits: int = Field(description="The number of edits that left the draft. The histories keep them.")
    kept_at: Moment | None = Field(
        description="Names the restore in an undo, as `undo.keptAt`. Null if the draft is as it was."
    )
    returned_edits: int = Field(description="The number of edits that the undo returned to the draft.")


class RestorePreview(View):
    """What a restore would come to now; nothing has happened. An edit of which one half would leave the draft is in both of its numbers."""

    release: int = Field(description="The number of the release that apps would have then.")
    left_out: list[str] = Field(description="What would not be as the release had it, in sentences.")
    waiting: int = Field(description="The number of unpublished edits now.")
    staying: int = Field(description="The number of unpublished edits that would be left then.")
    kept_edits: int = Field(description="The number of edits that would leave the draft for the histories.")


class Undo(Body):
    """The restore to undo: the number of the release that it brought back, and the ``keptAt`` of its answer."""

    release: Number
    kept_at: KeptAt


@dataclass(frozen=True)
class _Result:
    """``changed`` counts the changes that left the draft, ``kept`` the edits that left it, ``returned`` the edits that an undo returned to it.

    ``kept_at`` names the discard in an undo.
    """

    is_published: bool
    changed: int = 0
    kept: int = 0
    left_out: Sequence[str] = ()
    kept_at: datetime | None = None
    returned: int = 0


async def restore(db: AsyncSession, bus: Bus, access: Access, number: int, *, expected: int | None = None) -> Restored:
    """Makes the next release of what release ``number`` had, but for what is live at once; apps are informed after the commit.

    The draft stays as it is. Work is proportional to what differs between the two releases. Raises ``PaymentRequired`` without an active plan,
    ``Forbidden`` where it has no history, and ``NotFound`` for an unknown number. Raises ``Conflict`` when apps have a different release than
    ``expected``, or when the release is damaged.
    """
    before = await _check(db, access, number, expected)
    with _damage_refused():
        restored = await _restore_apps(db, bus, access, number)
        await _record(db, access, restored, number)
    return await _answer(db, access, number, before, _Result(restored is not None))


async def restore_with_draft(
    db: AsyncSession, bus: Bus, access: Access, number: int, *, expected: int | None = None
) -> Restored:
    """Restores a release, and puts the draft back to it: all unpublished changes are discarded, but for what apps never had. See ``restore``."""
    before = await _check(db, access, number, expected)
    unpublished = await read_unpublished(db, access.project)
    with _damage_refused():
        restored = await _restore_apps(db, bus, access, number)
        result = await _restore_draft(db, access, number, before, unpublished, restored)
        await _record(db, access, restored, number)
    return await _answer(db, access, number, before, result)


async def undo(
    db: AsyncSession, bus: Bus, access: Access, number: int, earlier: Undo, *, expected: int | None = None
) -> Restored:
    """Restores a release, and brings back the draft of before an ``earlier`` restore. See ``restore``.

    Also raises ``Invalid`` when the earlier restore kept nothing.
    """
    before = await _check(db, access, number, expected)
    unpublished = await read_unpublished(db, access.project)
    with _damage_refused():
        restored = await _restore_apps(db, bus, access, number)
        await discards.bring_back(db, access, earlier.kept_at, restored=earlier.release, field="undo")
        await _record(db, access, restored, number)
    now = await read_unpublished(db, access.project)
    kept = sum(edit.ref not in now.by_ref or _is_changed(edit, now) for edit in _edits(unpublished))
    returned = len(list(_edits(now))) - len(list(_edits(unpublished))) + kept
    return await _answer(db, access, number, before, _Result(restored is not None, kept=kept, returned=returned))


async def _check(db: AsyncSession, access: Access, number: int, expected: int | None) -> int:
    """Returns the release that apps have, if the release ``number`` can be restored."""
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)
    release_history.check_has_history(access)
    await release_history.find(db, access, number)
    if expected not in (None, access.project.release_number):
        raise Conflict(STALE, code="stale_release")
    return access.project.release_number


@contextmanager
def _damage_refused() -> Generator[None]:
    try:
        yield
    except ValueError as error:
        raise Conflict(release_history.DAMAGED, code="release_damaged") from error


async def _answer(db: AsyncSession, access: Access, number: int, before: int, result: _Result) -> Restored:
    """Adds a restore to the activity if it changed anything, and returns what it did. Apps had the release ``before``."""
    current = access.project.release_number
    if result.is_published or result.changed or result.returned:
        await record_act(
            db,
            access,
            "publishing.restored",
            {"restored": number, "release": current} if result.is_published else {"restored": number},
            before={"release": before},
            after={
                "release": current,
                "changedDrafts": result.changed,
                "keptEdits": result.kept,
                "returnedEdits": result.returned,
            },
        )
    return Restored(
        message=_message(number, current, result),
        release=current,
        published=result.is_published,
        left_out=list(result.left_out),
        kept_edits=result.kept,
        kept_at=result.kept_at,
        returned_edits=result.returned,
    )


async def _restore_apps(db: AsyncSession, bus: Bus, access: Access, number: int) -> Sequence[Group] | None:
    """Makes the next release of what release ``number`` had, but for what is live at once.

    Returns what changed for apps; ``None`` when they have all of it.

    What the draft has and apps now lack, or have in another form, is an unpublished change from then on. The histories do not know of the release
    yet. Raises ``ValueError`` for a damaged part.
    """
    project = access.project
    parts = {
        change.part: (change.after, change.before)
        for change in await queries.changes_between(db, project.id, number, project.release_number)
        if not any(kind.is_live and kind.place_of(PartName.parse(change.part)) for kind in KINDS)
    }
    if not parts:
        return None
    outline = await queries.meta_at(db, project.id, number)
    before = await queries.read_meta(db, project.id)
    frame = Frame(project.id, project.release_number, before, outline, await queries.part_names(db, project.id))
    groups = await comparing.compare(db, frame, parts)
    wanted = await queries.hashes_at(db, project.id, number, parts)
    current = await queries.hashes_at(db, project.id, project.release_number, parts)
    edit = Stamp(access.actor.id, clock.now())
    composition = Composition(
        "restore",
        {name: KeptPart(*wanted[name]) if name in wanted else None for name in parts},
        current,
        Differences(frame, groups).count,
        await provenance.of_restore(db, project.id, groups, release=project.release_number, restored=number, edit=edit),
        restored=number,
    )
    restored = RestoredRelease(number, outline, frame.release)
    await releases.make(db, bus, access, composition)
    for group in in_order(groups, is_coming=lambda change: change.after is not None):
        await group.kind.settle(db, access, group.place, group.changes, restored=restored)
    return groups


async def _record(db: AsyncSession, access: Access, groups: Iterable[Group] | None, number: int) -> None:
    """Adds the new release to the histories of what ``groups`` changed."""
    for group in groups or ():
        release = access.project.release_number
        await group.kind.record(db, access, group.place, group.changes, release=release, restored=number)


async def _restore_draft(
    db: AsyncSession,
    access: Access,
    number: int,
    release: int,
    before: UnpublishedChanges,
    restored: Sequence[Group] | None,
) -> _Result:
    """Discards the unpublished changes of a draft whose apps have release ``number`` again, but for what apps never had (see ``before``).

    ``restored`` is what changed for apps, which had ``release``.
    """
    now = await read_unpublished(db, access.project)
    started = Restoring(
        {change.ref: change for change in before if change.before is None and change.former_name is None},
        {change.ref: change for group in restored or () for change in group.changes},
    )
    unreleased = {change.ref for change in now if change.before is None and change.ref in started.unreleased}
    changes = _freed(now, unreleased)
    kept = staying(changes, unreleased)
    sentences: list[str] = []
    for kind in KINDS:
        remaining = await kind.remaining(db, access, now.of(kind), started, kept)
        kept |= set(remaining.refs)
        sentences += remaining.sentences
    kept = staying(changes, kept)
    leaving = {
        change.ref
        for group in now.groups
        if group.kind.is_outline
        for change in group.changes
        if change.before is None and change.ref not in kept
    }
    found = [replace(group, changes=group.kind.taken(group.changes, started, kept, leaving)) for group in now.groups]
    groups = [group for group in found if group.changes]
    if not groups:
        return _Result(restored is not None, left_out=sentences)
    taken = {change.ref: change for group in groups for change in group.changes}
    lost = [change.ref for change in _edits(before) if _is_taken(change, taken.get(change.ref))]
    languages = now.languages_without(groups)
    at = await discards.discard_groups(
        db, access, groups, languages=languages, release=release, restored=number, edits=frozenset(lost)
    )
    await touch(db, access)
    now = await read_unpublished(db, access.project)
    count = len(lost) + sum(_is_changed(change, now) for change in _edits(before) if change.ref not in taken)
    return _Result(restored is not None, len(taken), count, sentences, at)


def _freed(unpublished: UnpublishedChanges, refs: Collection[str]) -> Changes:
    """Returns the changes, those of ``refs`` without their ties to a place that both sides have: an entry that stays fits into its place again."""
    changed = {change.ref for change in unpublished if change.before is not None and change.after is not None}

    def freed(change: Change) -> Change:
        if change.ref not in refs:
            return change
        slot_ties = {slot: tie for slot, tie in change.slot_ties.items() if tie not in changed}
        return replace(change, tie=None if change.tie in changed else change.tie, slot_ties=slot_ties)

    return {place: [freed(change) for change in group] for place, group in unpublished.changes.items()}


def _edits(unpublished: UnpublishedChanges) -> Iterator[Change]:
    """Returns the changes of what is in places, without those of the places themselves."""
    return (
        change
        for group in unpublished.groups
        if not group.kind.is_outline
        for change in group.changes
        if group.place != f"{change.kind}/{change.id}"
    )


def _is_taken(edit: Change, taken: Change | None) -> bool:
    """Whether a discard took anything of an unpublished edit. It takes a removal as a whole. An edit that emptied a value goes with its entry."""
    if taken is None:
        return False
    is_whole = edit.after is None or taken.before is None or not edit.slots
    return is_whole or not set(edit.slots).isdisjoint(taken.slots)


def _is_changed(edit: Change, now: UnpublishedChanges) -> bool:
    """Whether the draft no longer has what this edit wrote. Entries can lose values when their place changes."""
    found = now.by_ref.get(edit.ref)
    return found is not None and any(
        (found.after or {}).get(slot) != (edit.after or {}).get(slot) for slot in edit.slots
    )


async def rehearse(db: AsyncSession, bus: Bus, access: Access, number: int, *, draft: bool) -> RestorePreview:
    """Restores and returns what came of it, for a transaction that is rolled back. Raises what ``restore`` raises."""
    waiting = await count_unpublished(db, access.project)
    restored = await (restore_with_draft if draft else restore)(db, bus, access, number)
    staying = await count_unpublished(db, access.project)
    return RestorePreview(
        release=restored.release,
        left_out=restored.left_out,
        waiting=waiting.total,
        staying=staying.total,
        kept_edits=restored.kept_edits,
    )


def _message(number: int, current: int, result: _Result) -> str:
    if result.is_published:
        return f"Release {number} was restored: it is release {current} now."
    if result.returned:
        return f"Apps have release {number} already. The draft has its unpublished changes again."
    if result.changed:
        return f"Apps have release {number} already, so nothing was published. The draft is as that release again."
    return f"Everything is as release {number} already. Nothing was changed."
