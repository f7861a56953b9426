"""The history of a project's colours: what each release changed of them, and the way back to any of its versions.

A release's colours are in the release; those of an overwritten draft are kept in its entry. Nothing of the history is ever rewritten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.activity.service import record
from livery.colors import contents, service
from livery.colors import queries as colors
from livery.colors.contents import Change, Content, Draft
from livery.colors.models import ColorVersion
from livery.colors.schemas import ColorChange, ColorRecord
from livery.content.parts import COLORS
from livery.core.errors import Conflict, NotFound
from livery.core.schemas import View
from livery.projects.queries import Access
from livery.publishing import editors, queries
from livery.publishing.history import (
    DAMAGED,
    INVALID_VERSION,
    Against,
    Versions,
    VersionView,
    check_has_history,
    check_seen,
    names_of,
    restored_of,
    token_of,
    view_of,
)

COLORS_SHOWN = 200


class ColorVersionDiff(View):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` colours, the first 200 in ``colors``.

    Beside the draft, ``token`` says which draft that was: ``expected`` of a roll back takes it.
    """

    version: VersionView
    against: Against
    token: str | None = Field(examples=["5f3a…"])
    total: int
    added: int
    changed: int
    removed: int
    colors: list[ColorChange]


class ColorsRolledBack(View):
    """The colours as they are now. ``kept`` is the draft that was overwritten: rolling back to it undoes this. Null when nothing was to change.

    With ``token``, the draft right after the roll back, as ``expected``, undoing it overwrites nothing that came later.
    """

    message: str
    colors: list[ColorRecord]
    changed: int
    kept: VersionView | None
    token: str = Field(examples=["5f3a…"])


@dataclass(frozen=True)
class _Plan:
    """What a roll back would do."""

    draft: Draft
    changes: list[Change]


async def list_versions(db: AsyncSession, access: Access, *, limit: int, before: int | None) -> Versions:
    """The history of the colours. Raises ``Forbidden`` where the plan has no history."""
    check_has_history(access)
    found = await colors.list_versions(db, access.project.id, limit=limit + 1, before=before)
    names = await names_of(db, [version.created_by for version in found])
    restored = await restored_of(db, access.project.id, found)
    shown = [view_of(version, names, restored) for version in found[:limit]]
    return Versions(versions=shown, next_cursor=shown[-1].version_number if len(found) > limit else None)


async def read_diff(db: AsyncSession, access: Access, version_id: str, *, against: Against) -> ColorVersionDiff:
    """A version beside the draft, or beside what apps had before it. Raises what ``list_versions`` does, and ``NotFound``."""
    version = await _find(db, access, version_id)
    token = None
    if against == "draft":
        plan = await _plan(db, version)
        changes, token = plan.changes, _token(plan.draft)
    else:
        release = version.release_number
        before = await _released(db, version.project_id, release if version.kind == "draft" else release - 1)
        changes = contents.differences(before, await _content(db, version))
    shown = changes[:COLORS_SHOWN]
    known = await _editors(db, version, shown, against)
    names = await names_of(db, [*(by for by, _ in known.values()), version.created_by])
    kinds = [change.kind for change in changes]
    return ColorVersionDiff(
        version=view_of(version, names, await restored_of(db, version.project_id, [version])),
        against=against,
        token=token,
        total=len(changes),
        added=kinds.count("added"),
        changed=kinds.count("changed"),
        removed=kinds.count("removed"),
        colors=[
            change.view(by=names.get(by or "", DELETED_NAME if change.row else None), at=at)
            for change in shown
            for by, at in [known.get(change.key, (None, version.created_at))]
        ],
    )


async def _editors(
    db: AsyncSession, version: ColorVersion, changes: Sequence[Change], against: Against
) -> dict[str, editors.Edit]:
    """Who edited these colours of the draft, or for a release; of a draft that was overwritten, and of older releases, that is not known."""
    drafted = {change.key: (change.row.updated_by, change.row.updated_at) for change in changes if change.row}
    wanted = {change.key: [editors.WHOLE] for change in changes if not change.row}
    if version.kind == "draft" or not wanted:
        return drafted
    release = version.release_number
    after = release - 1 if against == "previous" else 0
    try:
        found = await editors.find(db, version.project_id, editors.COLORS_SECTION, wanted, after=after, until=release)
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error
    return drafted | {key: told.whole for key, told in found.items()}


async def roll_back(
    db: AsyncSession, access: Access, version_id: str, *, expected: str | None = None
) -> ColorsRolledBack:
    """Put a version in the place of the colours' draft; the draft is kept as an entry of its own. Apps keep what they have.

    A draft that is as the version already is left alone, and no entry is made. Raises ``NotFound`` for a version that is not of these colours,
    ``Forbidden`` where the plan has no history, and ``Conflict`` when the draft is another one than ``expected``.
    """
    version = await _find(db, access, version_id)
    plan = await _plan(db, version)
    if expected is not None:
        check_seen(expected, _token(plan.draft))
    kept = await _overwrite(db, access, version, plan) if plan.changes else None
    names = await names_of(db, [access.actor.id])
    return ColorsRolledBack(
        message=_message(version, len(plan.changes)),
        colors=await colors.list_colors(db, access.project.id),
        changed=len(plan.changes),
        kept=view_of(kept, names, {}) if kept else None,
        token=_token(await colors.read_draft(db, access.project.id)),
    )


async def bring_back(db: AsyncSession, access: Access, version: ColorVersion, *, keeps_draft: bool) -> None:
    """Put a version in the place of the colours' draft, which gets an entry of its own if ``keeps_draft``. Records no activity."""
    plan = await _plan(db, version)
    if not plan.changes:
        return
    if keeps_draft:
        await _keep_draft(db, access, plan)
    await _put(db, access, version, plan)


async def _keep_draft(db: AsyncSession, access: Access, plan: _Plan) -> ColorVersion:
    release = access.project.release_number
    return await service.record_version(db, access, release=release, changes=len(plan.changes), overwritten=plan.draft)


async def _put(db: AsyncSession, access: Access, version: ColorVersion, plan: _Plan) -> None:
    floor = max(plan.draft.top_revision, await colors.highest_revision(db, access.project.id))
    await service.overwrite_draft(db, access, plan.changes, floor=floor, release=version.release_number)


async def _overwrite(db: AsyncSession, access: Access, version: ColorVersion, plan: _Plan) -> ColorVersion:
    kept = await _keep_draft(db, access, plan)
    await _put(db, access, version, plan)
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action="colors.rolled_back",
        subject={"version": version.number},
        after={"changedColors": len(plan.changes)},
    )
    return kept


def _token(draft: Draft) -> str:
    return token_of({key: color.visible for key, color in draft.content.items()})


async def _find(db: AsyncSession, access: Access, version_id: str) -> ColorVersion:
    check_has_history(access)
    version = await colors.find_version(db, access.project.id, version_id)
    if version is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    return version


async def _plan(db: AsyncSession, version: ColorVersion) -> _Plan:
    draft = await colors.read_draft(db, version.project_id)
    return _Plan(draft, contents.differences(draft.content, await _content(db, version), draft.rows))


async def _content(db: AsyncSession, version: ColorVersion) -> Content:
    if version.kind == "release":
        return await _released(db, version.project_id, version.release_number)
    try:
        return contents.unpacked(version.content)
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error


async def _released(db: AsyncSession, project_id: str, release: int) -> Content:
    part_hash = await queries.part_at(db, project_id, release, COLORS)
    if part_hash is None:
        return {}
    try:
        parts = await queries.read_parts(db, project_id, [part_hash])
        return contents.unpacked(parts[part_hash].value)
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error


def _message(version: ColorVersion, count: int) -> str:
    if not count:
        return f"The draft is as version {version.number} already. Nothing was changed."
    return f"Rolled back to version {version.number}: {count} {'colour' if count == 1 else 'colours'} changed."
