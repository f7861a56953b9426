"""The calls of publishing, and of the history that it makes."""

from collections.abc import Sequence
from typing import Annotated, cast

from fastapi import APIRouter, Body, Query, status
from pydantic import ConfigDict, Field, StringConstraints

from livery.accounts.auth import CurrentUser
from livery.colors import queries as colors
from livery.colors.kind import PLACE
from livery.colors.schemas import ColorChange, ColorRecord
from livery.core import schemas
from livery.core.context import CurrentContext
from livery.core.paths import ColorVersionId, ItemId, ProjectId, ReleaseNumber, ScheduleId, TabName, VersionId
from livery.core.reference.statuses import errors
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.publishing import (
    discards,
    history,
    item_history,
    previews,
    release_history,
    restore,
    schedules,
    service,
)
from livery.publishing.diff import Diff, review
from livery.publishing.extent import Extent, Whole
from livery.publishing.history import Against, Comparison, Versions, VersionView
from livery.publishing.item_history import ItemRolledBack, ItemVersionDiff
from livery.publishing.kinds import COLORS, TEXTS
from livery.publishing.previews import PreviewLinkView
from livery.publishing.release_history import Number, ReleaseDiff, Releases
from livery.publishing.restore import KeptAt, Restored, RestorePreview, Undo
from livery.publishing.schedules_queries import ScheduleView, list_schedules
from livery.screens import queries as screens
from livery.screens.schemas import KeyChange, KeyRecord, ScreenDiff
from livery.stores import listing
from livery.stores.access import open_item

router = APIRouter(prefix="/api", tags=["publishing"])


Token = Annotated[str, StringConstraints(max_length=100)]
Refs = list[Annotated[str, StringConstraints(max_length=200)]]
"""References of changes: ``text:key_1``, ``text:key_1/de``, ``in:screen/home``, ``by:usr_1``, ``all``."""


class PublishBody(schemas.Body):
    """What was reviewed: the ``token`` of the diff. Without it, the draft is published as it is at that moment.

    The changes in ``leaveOut``, and those that can't be published without them, stay in the draft.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"expected": "5f3a0c", "leaveOut": ["color:accent"]}})

    expected: Token | None = None
    leave_out: Annotated[Refs, Field(max_length=5_000)] = Field(default_factory=list)


class PublishedView(schemas.View):
    """The outcome: ``published`` is false when there was nothing new. ``leftOut`` counts the changes that stay in the draft."""

    message: str
    release: int
    published: bool
    left_out: int


class ScheduleBody(schemas.Body):
    """When to publish: RFC 3339 with an offset."""

    model_config = ConfigDict(json_schema_extra={"example": {"publishAtString": "2026-11-23T08:00:00.000Z"}})

    publish_at_string: Annotated[str, StringConstraints(max_length=40)]


class ScheduledView(schemas.View):
    """A new scheduled publish."""

    message: str
    schedule: ScheduleView


@router.get("/projects/{projectId}/diff")
async def read_diff(project_id: ProjectId, user: CurrentUser, context: CurrentContext, whole: Whole = None) -> Diff:
    """Compare the draft with the last release: what a publish would change, with what is worth a second look in it.

    Of each screen and store 200 changes are listed, unless it is one of ``whole``.
    """
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await review(db, access.project, Extent(whole or ()))


@router.post("/translations/{projectId}/publish", responses=errors(402, 409))
async def publish(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[PublishBody | None, Body()] = None,
) -> PublishedView:
    """Publish the whole draft as the next release, all of it or nothing."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        given = body or PublishBody()
        outcome = await service.publish(db, context.bus, access, expected=given.expected, leave_out=given.leave_out)
    message = "Changes published successfully!" if outcome.is_new else "There is nothing new to publish."
    return PublishedView(message=message, release=outcome.release, published=outcome.is_new, left_out=outcome.left_out)


class DiscardBody(schemas.Body):
    """The changes to discard, by their references, and the ``token`` of the diff in which they were seen."""

    model_config = ConfigDict(json_schema_extra={"example": {"changes": ["text:key_k3v5mq7aw2xhb6td/de"]}})

    changes: Annotated[Refs, Field(min_length=1, max_length=5_000)]
    expected: Token | None = None


class DiscardedView(schemas.View):
    """The outcome. ``keptAt`` of an undo brings the changes back; it is null if the histories don't keep all of them."""

    message: str
    discarded: int
    kept_at: schemas.Moment | None


class UndoDiscardBody(schemas.Body):
    """The ``keptAt`` of a discard."""

    model_config = ConfigDict(json_schema_extra={"example": {"keptAt": "2026-11-24T09:30:00.000Z"}})

    kept_at: KeptAt


@router.post("/projects/{projectId}/discard", responses=errors(409))
async def discard(
    project_id: ProjectId, body: DiscardBody, user: CurrentUser, context: CurrentContext
) -> DiscardedView:
    """Take unpublished changes out of the draft, with what can't be published without them. The histories keep the drafts."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        outcome = await discards.discard(db, access, body.changes, expected=body.expected)
    return DiscardedView(message=outcome.message, discarded=outcome.count, kept_at=outcome.kept_at)


@router.post("/projects/{projectId}/discard/undo")
async def undo_discard(
    project_id: ProjectId, body: UndoDiscardBody, user: CurrentUser, context: CurrentContext
) -> schemas.Message:
    """Bring discarded changes back into the draft, as far as their places exist."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        await discards.undo(db, access, body.kept_at)
    return schemas.Message(message=discards.BACK)


class PreviewLinkBody(schemas.Body):
    """The address at which the app is opened; without it, the link is the address of the draft itself."""

    model_config = ConfigDict(json_schema_extra={"example": {"appUrl": "https://app.example.com/"}})

    app_url: Annotated[str, StringConstraints(max_length=2_000)] | None = None


@router.post("/projects/{projectId}/preview-links", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def make_preview_link(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[PreviewLinkBody | None, Body()] = None,
) -> PreviewLinkView:
    """Make a link that shows the draft in an app, for an hour. The token is not shown again."""
    app_url = body.app_url if body else None
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        return await previews.make_link(db, access, base_url=context.settings.base_url, app_url=app_url)


class VersionDiff(Comparison):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` keys, the first 200 in ``keys``.

    ``missingLanguages`` are those of the version that the project no longer has: their texts would not come back. Beside the draft, ``token``
    says which draft that was: ``expected`` of a roll back takes it.
    """

    keys: list[KeyChange]
    missing_languages: list[str]


class ColorVersionDiff(Comparison):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` colours, the first 200 in ``colors``.

    Beside the draft, ``token`` says which draft that was: ``expected`` of a roll back takes it.
    """

    colors: list[ColorChange]


class RolledBack(schemas.View):
    """The screen as it is now. ``kept`` is the draft that was overwritten: rolling back to it undoes this. Null when nothing was to change.

    With ``token``, the draft right after the roll back, as ``expected``, undoing it overwrites nothing that came later.
    """

    message: str
    keys: list[KeyRecord]
    changed: int
    kept: VersionView | None
    token: str = Field(examples=["5f3a…"])


class ColorsRolledBack(schemas.View):
    """The colours as they are now. ``kept`` is the draft that was overwritten: rolling back to it undoes this. Null when nothing was to change.

    With ``token``, the draft right after the roll back, as ``expected``, undoing it overwrites nothing that came later.
    """

    message: str
    colors: list[ColorRecord]
    changed: int
    kept: VersionView | None
    token: str = Field(examples=["5f3a…"])


@router.get("/translations/{projectId}/{tabName}/versions")
async def list_versions(
    project_id: ProjectId,
    screen: TabName,
    user: CurrentUser,
    context: CurrentContext,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Versions:
    """List the versions of a screen, newest first; ``cursor`` is the ``nextCursor`` of the answer before. Pro tier."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await history.list_versions(db, access, TEXTS, f"screen/{screen}", limit=limit, before=cursor)


@router.get("/translations/{projectId}/{tabName}/versions/{versionId}")
async def read_version(
    project_id: ProjectId,
    screen: TabName,
    version_id: VersionId,
    user: CurrentUser,
    context: CurrentContext,
    against: Annotated[Against, Query()] = "draft",
) -> VersionDiff:
    """Compare a version with the draft (what rolling back would do), or with what was before it (what it changed). Pro tier."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        found = await history.read_diff(db, access, TEXTS, f"screen/{screen}", version_id, against=against)
    screens_shown = cast("Sequence[ScreenDiff]", found.views["screens"])
    keys = [key for one in screens_shown for key in one.keys]
    shown = {"keys": keys, "missing_languages": found.missing_languages}
    return VersionDiff.model_validate({**dict(found.facts), **shown})


class RollBackBody(schemas.Body):
    """What was seen: the ``token`` of the comparison, or of the roll back that this one undoes. Without it, whatever waits is overwritten."""

    model_config = ConfigDict(json_schema_extra={"example": {"expected": "5f3a0c"}})

    expected: Annotated[str, StringConstraints(max_length=100)] | None = None


@router.post("/translations/{projectId}/{tabName}/rollback/{versionId}", responses=errors(409))
async def roll_back(
    project_id: ProjectId,
    screen: TabName,
    version_id: VersionId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[RollBackBody | None, Body()] = None,
) -> RolledBack:
    """Overwrite a screen's draft with a version; apps keep what they have until the next publish. The draft is kept as a version. Pro tier."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        expected = body.expected if body else None
        outcome = await history.roll_back(db, access, TEXTS, f"screen/{screen}", version_id, expected=expected)
    async with context.database.read() as db:
        keys = await screens.list_keys(db, project_id, screen)
    return RolledBack.model_validate({**vars(outcome), "keys": keys})


@router.get("/stores/items/{itemId}/versions/{versionId}")
async def read_item_version(
    item_id: ItemId, version_id: VersionId, user: CurrentUser, context: CurrentContext
) -> ItemVersionDiff:
    """Compare a version of an item with its draft and with what apps have: what rolling back would do. Pro tier."""
    async with context.database.read() as db:
        access, store, item = await open_item(db, context.settings, user, item_id, Permission.READ)
        return await item_history.read_diff(db, access, store, item, version_id)


class RollItemBackBody(schemas.Body):
    """What was seen: the item's ``revision``. Without it, whatever waits is overwritten. ``draftOnly`` publishes nothing."""

    model_config = ConfigDict(json_schema_extra={"example": {"expected": 3}})

    expected: Number | None = None
    draft_only: bool = False


@router.post("/stores/items/{itemId}/rollback/{versionId}", responses=errors(409))
async def roll_item_back(
    item_id: ItemId,
    version_id: VersionId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[RollItemBackBody | None, Body()] = None,
) -> ItemRolledBack:
    """Overwrite an item's draft with a version. One that was published goes out to apps at once, and no other draft with it. Pro tier."""
    async with context.database.write() as db:
        access, store, item = await open_item(db, context.settings, user, item_id, Permission.PUBLISH)
        seen = body or RollItemBackBody()
        outcome = await item_history.roll_back(
            db, context.bus, access, store, item, version_id, expected=seen.expected, draft_only=seen.draft_only
        )
        record = await listing.record_of(db, access, store, item)
        return ItemRolledBack(message=outcome.message, published=outcome.is_published, item=record)


@router.get("/colors/{projectId}/versions")
async def list_color_versions(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Versions:
    """List the versions of the colours, newest first; ``cursor`` is the ``nextCursor`` of the answer before. Pro tier."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await history.list_versions(db, access, COLORS, PLACE, limit=limit, before=cursor)


@router.get("/colors/{projectId}/versions/{colorVersionId}")
async def read_color_version(
    project_id: ProjectId,
    version_id: ColorVersionId,
    user: CurrentUser,
    context: CurrentContext,
    against: Annotated[Against, Query()] = "draft",
) -> ColorVersionDiff:
    """Compare a version with the draft (what rolling back would do), or with what was before it (what it changed). Pro tier."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        found = await history.read_diff(db, access, COLORS, PLACE, version_id, against=against)
    return ColorVersionDiff.model_validate({**dict(found.facts), "colors": found.views["colors"]})


@router.post("/colors/{projectId}/rollback/{colorVersionId}", responses=errors(409))
async def roll_back_colors(
    project_id: ProjectId,
    version_id: ColorVersionId,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[RollBackBody | None, Body()] = None,
) -> ColorsRolledBack:
    """Overwrite the colours' draft with a version; apps keep what they have until the next publish. The draft is kept as a version. Pro tier."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        expected = body.expected if body else None
        outcome = await history.roll_back(db, access, COLORS, PLACE, version_id, expected=expected)
    async with context.database.read() as db:
        found = await colors.list_colors(db, project_id)
    return ColorsRolledBack.model_validate({**vars(outcome), "colors": found})


@router.get("/projects/{projectId}/releases")
async def list_releases(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Releases:
    """List the releases of a project, newest first; ``cursor`` is the ``nextCursor`` of the answer before."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await release_history.list_releases(db, access, limit=limit, before=cursor)


@router.get("/projects/{projectId}/releases/{releaseNumber}/diff", responses=errors(409))
async def read_release_diff(
    project_id: ProjectId,
    number: ReleaseNumber,
    user: CurrentUser,
    context: CurrentContext,
    against: Annotated[release_history.Against | Number, Query()] = "previous",
    whole: Whole = None,
) -> ReleaseDiff:
    """Compare a release with the one before it, with another one, or with the draft: what the draft has that the release has not.

    Of each screen and store 200 changes are listed, unless it is one of ``whole``.
    """
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return await release_history.read_diff(db, access, number, against=against, extent=Extent(whole or ()))


@router.get("/projects/{projectId}/releases/{releaseNumber}/restore")
async def preview_restore(
    project_id: ProjectId,
    number: ReleaseNumber,
    user: CurrentUser,
    context: CurrentContext,
    draft: Annotated[bool, Query(description="Whether the draft is put back, too.")] = False,  # noqa: FBT002  # a query parameter
) -> RestorePreview:
    """Say what restoring a release would come to, without doing it: how many edits would leave the draft, and what can't come back. Pro tier."""
    async with context.database.rehearse() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        return await restore.rehearse(db, context.bus, access, number, draft=draft)


class RestoreBody(schemas.Body):
    """What was seen: the number of the release that apps had. Without it, whatever they have now is replaced.

    With ``draft``, the draft is put back to the release, too. Without it, the draft stays exactly as it is. ``undo`` names an earlier restore: the
    edits that it took out of the draft return to it.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"expected": 12}})

    expected: Number | None = None
    draft: bool = False
    undo: Undo | None = None


@router.post("/projects/{projectId}/releases/{releaseNumber}/restore", responses=errors(402, 409))
async def restore_release(
    project_id: ProjectId,
    number: ReleaseNumber,
    user: CurrentUser,
    context: CurrentContext,
    body: Annotated[RestoreBody | None, Body()] = None,
) -> Restored:
    """Publish what a release had as the next one, images apart. The draft stays as it is, or is put back, too. Pro tier."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        seen = body or RestoreBody()
        return await restore.restore(
            db, context.bus, access, number, expected=seen.expected, draft=seen.draft, undo=seen.undo
        )


@router.post("/schedule/project/{projectId}", status_code=201, responses=errors(402, 409))
async def schedule_publish(
    project_id: ProjectId, body: ScheduleBody, user: CurrentUser, context: CurrentContext
) -> ScheduledView:
    """Publish the draft at a moment in the next year, as it stands then. One can wait at a time. Pro tier and free month."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.PUBLISH)
        schedule = await schedules.create(db, context.bus, access, publish_at=body.publish_at_string)
    return ScheduledView(message=schedules.CREATED, schedule=schedule)


@router.get("/schedule/project/{projectId}")
async def read_schedules(project_id: ProjectId, user: CurrentUser, context: CurrentContext) -> list[ScheduleView]:
    """List the scheduled publish that waits, and what became of the last ones."""
    async with context.database.read() as db:
        await open_project(db, context.settings, user, project_id, Permission.READ)
        return await list_schedules(db, project_id)


@router.delete("/schedule/{scheduleId}", responses=errors(409))
async def cancel_schedule(schedule_id: ScheduleId, user: CurrentUser, context: CurrentContext) -> schemas.Message:
    """Cancel a scheduled publish that waits."""
    async with context.database.write() as db:
        access, schedule = await schedules.open_schedule(db, context.settings, user, schedule_id, Permission.PUBLISH)
        await schedules.cancel(db, access, schedule)
    return schemas.Message(message=schedules.CANCELLED)
