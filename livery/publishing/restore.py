"""The way back to a release: apps get what it had as a new, higher release, and the draft follows. Nothing is rewritten, nothing is lost."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.service import record
from livery.colors import queries as colors
from livery.colors import service as colors_service
from livery.content.history import overwrite
from livery.content.models import Version
from livery.content.parts import COLORS, META, TEXT, KeptPart, PartName, encode_part
from livery.core import clock
from livery.core.errors import Conflict, PaymentRequired
from livery.core.events import Bus
from livery.core.schemas import Body, Moment, View
from livery.projects import outline
from livery.projects.queries import Access
from livery.projects.service import forget_removed_screens, touch
from livery.publishing import (
    editors,
    history,
    kinds,
    queries,
    release_history,
    releases,
    restore_apps,
    restore_plan,
    restore_texts,
)
from livery.publishing.diff import count_unpublished
from livery.publishing.release_history import Number
from livery.publishing.releases import NO_PLAN, Composition
from livery.publishing.restore_plan import Plan
from livery.publishing.restore_stores import Outcome, overwrite_stores
from livery.screens import export as screens_export
from livery.screens import queries as screens
from livery.screens import service as screens_service
from livery.screens import versions as screen_versions
from livery.stores import versions as item_versions

STALE = "Another release went out since you looked. Please look at what would change now."


KeptAt = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z$")]
"""The moment of a restore or a discard, as its answer gave it."""


class Restored(View):
    """What apps have now: ``published`` is false when they had it already. ``leftOut`` says in sentences what is not as the release had it."""

    message: str
    release: int
    published: bool
    left_out: list[str]
    kept_edits: int = Field(description="The number of edits that left the draft. The histories keep them.")
    kept_at: Moment | None = Field(
        description="When the restore stored these edits in the histories: `undo.keptAt` of an undo. Null if no edit left the draft."
    )
    returned_edits: int = Field(description="The number of edits that the undo returned to the draft.")


class RestorePreview(View):
    """What a restore would come to now; nothing has happened. An edit of which one half would leave the draft is in both of its numbers."""

    release: int = Field(description="The number of the release that apps would have then.")
    left_out: list[str] = Field(description="What would not be as the release had it, in sentences.")
    waiting: int = Field(description="How many edits wait now.")
    staying: int = Field(description="How many would wait then.")
    kept_edits: int = Field(description="How many would leave the draft for the histories.")


class Undo(Body):
    """The restore to undo: the number of the release that it brought back, and the ``keptAt`` of its answer."""

    release: Number
    kept_at: KeptAt


@dataclass(frozen=True)
class _Result:
    """``changed`` is how much of the draft became something else, ``kept`` how many edits that waited went into the histories."""

    is_published: bool
    changed: int
    kept: int
    left_out: list[str]


async def restore(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    number: int,
    *,
    expected: int | None = None,
    draft: bool = False,
    undo: Undo | None = None,
) -> Restored:
    """Makes the next release of what release ``number`` had, images apart; apps are told after the commit. The draft stays as it is.

    With ``draft``, the draft is put back to the release, too: unpublished changes of what apps have or get are overwritten and kept in their
    histories, and what apps never had stays. With ``undo``, the edits that an earlier restore took return to the draft. Work is proportional to
    what differs between the two releases, and to what is unpublished.

    Raises ``PaymentRequired`` without an active plan, ``Forbidden`` where it has no history, ``NotFound`` for an unknown number, ``Conflict``
    when apps have another release than ``expected``, or when it is damaged, and ``Invalid`` when ``undo`` names a restore that kept nothing.
    """
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)
    history.check_has_history(access)
    await release_history.find(db, access, number)
    if expected not in (None, access.project.release_number):
        raise Conflict(STALE, code="stale_release")
    kept = await history.find_kept(db, access, undo.kept_at, restored=undo.release, field="undo") if undo else ()
    before = access.project.release_number
    try:
        if draft or undo:
            plan = await restore_plan.make(db, access, number)
            result, kept_at = await _carry_out(db, bus, access, plan), plan.at
        else:
            result, kept_at = _Result(await restore_apps.restore(db, bus, access, number), 0, 0, []), None
    except ValueError as error:
        raise Conflict(release_history.DAMAGED, code="release_damaged") from error
    returned = await _bring_back(db, access, kept) if kept else 0
    current = access.project.release_number
    if result.is_published or result.changed or returned:
        await record(
            db,
            project_id=access.project.id,
            actor_id=access.actor.id,
            action="publishing.restored",
            subject={"restored": number, "release": current} if result.is_published else {"restored": number},
            before={"release": before},
            after={
                "release": current,
                "changedDrafts": result.changed,
                "keptEdits": result.kept,
                "returnedEdits": returned,
            },
        )
    return Restored(
        message=_message(number, current, result, returned=returned),
        release=current,
        published=result.is_published,
        left_out=result.left_out,
        kept_edits=result.kept,
        kept_at=kept_at if result.kept else None,
        returned_edits=returned,
    )


async def _bring_back(db: AsyncSession, access: Access, kept: Sequence[Version]) -> int:
    """Puts the drafts back, apart from what has no place any more. Returns how many edits the draft has more."""
    before = await count_unpublished(db, access.project)
    await history.bring_back(db, access, kept)
    return (await count_unpublished(db, access.project)).total - before.total


async def rehearse(db: AsyncSession, bus: Bus, access: Access, number: int, *, draft: bool) -> RestorePreview:
    """Restores and returns what came of it, for a transaction that is rolled back. Raises what ``restore`` raises."""
    waiting = await count_unpublished(db, access.project)
    restored = await restore(db, bus, access, number, draft=draft)
    staying = await count_unpublished(db, access.project)
    return RestorePreview(
        release=restored.release,
        left_out=restored.left_out,
        waiting=waiting.total,
        staying=staying.total,
        kept_edits=restored.kept_edits,
    )


async def _carry_out(db: AsyncSession, bus: Bus, access: Access, plan: Plan) -> _Result:
    """Overwrite the draft; then what it says of what apps have or get is the release."""
    floor = await queries.top_revision(db, access.project.id)
    changed = int(await outline.arrange_languages(db, access, plan.languages))
    changed += await outline.arrange_screens(db, access, plan.screens)
    texts = await restore_texts.overwrite_screens(db, access, plan, floor=floor)
    changed_colors, kept_colors = await _overwrite_colors(db, access, plan, floor=floor)
    changed += texts.changed + changed_colors
    top = await releases.top_removed_revision(db, access.project.id) or 0
    outcome = await overwrite_stores(db, access, plan, floor=floor)
    top = max(top, outcome.top_revision)
    is_published = await _release(db, bus, access, plan, outcome, top_revision=top)
    release = access.project.release_number
    await screens_service.mark_parts_published(db, access.project.id, plan.text_parts(), release=release)
    if COLORS in plan.parts:
        await colors_service.mark_published(db, access.project.id, release=release)
    await forget_removed_screens(db, access.project.id)
    changed += outcome.changed_drafts
    if changed:
        await touch(db, access)
    kept = texts.kept + kept_colors + outcome.kept
    return _Result(is_published, changed, kept, [*plan.left_out, *outcome.left_out])


async def _overwrite_colors(db: AsyncSession, access: Access, plan: Plan, *, floor: int) -> tuple[int, int]:
    """Make the colours what the release has of them, unless apps never had any and get none.

    Gives how many changed, and how many edits that waited were kept.
    """
    project = access.project
    if COLORS not in plan.parts:
        return 0, 0
    part = plan.wanted.get(COLORS)
    bodies = await queries.read_parts(db, project.id, [part.hash] if part else [])
    wanted = kinds.COLORS.unpacked(bodies[part.hash].value if part else {})
    found = await kinds.COLORS.plan(db, access, "", wanted, is_whole=True)
    waiting = await colors.count_changed(db, project.id) if found.changes else 0
    await overwrite(
        db, access, kinds.COLORS, "", found, release=plan.release, floor=floor, restored=plan.release, at=plan.at
    )
    return len(found.changes), waiting


async def _release(
    db: AsyncSession, bus: Bus, access: Access, plan: Plan, outcome: Outcome, *, top_revision: int
) -> bool:
    """Write the release and the entries of what it changes; false when apps have all of it. Call it before the draft is marked as published."""
    project = access.project
    before, changed = await _changed_parts(db, access, plan, outcome)
    if not changed:
        return False
    text_counts = await screens.changed_counts_in(db, project.id, plan.text_parts())
    color_count = await colors.count_changed(db, project.id) if COLORS in changed else 0
    composition = Composition(
        "restore",
        changed,
        {name: (part.hash, part.size_bytes) for name, part in before.items()},
        await _edits(db, access, plan, changed, outcome),
        restored=plan.release,
        top_revision=top_revision or None,
    )
    number = await releases.make(db, bus, access, composition)
    for screen in sorted(_screens_in(changed)):
        count, languages = text_counts.get(screen, 0), plan.languages_of(screen)
        is_known = await screen_versions.has_author_bodies(db, project.id, screen)
        author = None if is_known else "ai"  # who wrote the other texts matters only after a release with a text by AI
        written = await screens_export.changed_places(db, project.id, screen, languages, author=author)
        await screen_versions.record_release(db, access, screen, release=number, changes=count, written=written)
    if COLORS in changed:
        await colors_service.record_version(db, access, release=number, changes=color_count)
    await item_versions.record_versions(
        db, access, outcome.items, kind="release", release=number, restored=plan.release
    )
    return True


async def _edits(
    db: AsyncSession, access: Access, plan: Plan, changed: Collection[str], outcome: Outcome
) -> dict[str, editors.Entries]:
    """Returns the person who restores as the editor of all that apps get. Unpublished changes that stay are left out."""
    edit = (access.actor.id, clock.now())
    waiting = await editors.waiting(db, access.project.id)
    kept: dict[str, editors.Entries] = {}
    for screen in _screens_in(changed):
        section = editors.screen_section(screen)
        kept[section] = editors.all_by(editors.within(waiting.get(section, {}), plan.languages_of(screen)), edit)
    if COLORS in changed:
        kept[editors.COLORS_SECTION] = editors.all_by(waiting.get(editors.COLORS_SECTION, {}), edit)
    for store_id, names in outcome.edited.items():
        kept[editors.store_section(store_id)] = {name: {editors.WHOLE: edit} for name in sorted(names)}
    return kept


def _screens_in(names: Collection[str]) -> set[str]:
    parts = map(PartName.parse, names)
    return {part.place for part in parts if part.holds == TEXT}


async def _changed_parts(
    db: AsyncSession, access: Access, plan: Plan, outcome: Outcome
) -> tuple[Mapping[str, KeptPart], dict[str, KeptPart | None]]:
    """The parts that apps have, and those that become others."""
    found = await queries.find_current(db, access.project.id, META)
    before = {**plan.current, META: KeptPart(*found)} if found else dict(plan.current)
    wanted: dict[str, KeptPart | None] = {**plan.wanted, **outcome.parts, META: encode_part(plan.meta.as_part())}
    changed: dict[str, KeptPart | None] = {}
    for name in sorted(before.keys() | wanted.keys()):
        old, new = before.get(name), wanted.get(name)
        if (old.hash if old else None) != (new.hash if new else None):
            changed[name] = new
    return before, changed


def _message(number: int, current: int, result: _Result, *, returned: int) -> str:
    if result.is_published:
        return f"Release {number} was restored: it is release {current} now."
    if returned:
        return f"Apps have release {number} already. The draft has its unpublished changes again."
    if result.changed:
        return f"Apps have release {number} already, so nothing was published. The draft is as that release again."
    return f"Everything is as release {number} already. Nothing was changed."
