"""The calls of publishing, and of the history that it makes."""

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import Body, Depends, Query
from pydantic import ConfigDict, Field, StringConstraints

from livery.core import limits, schemas
from livery.core.context import CurrentContext, Read, Rehearsal, Write
from livery.core.paths import NumberCursor, PageSize, ProjectId, ReleaseNumber
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.projects.dependencies import EditorOf, PublisherOf, ViewerOf, open_for_rehearsal, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access, find_project
from livery.publishing import (
    discards,
    release_history,
    restore,
    service,
)
from livery.publishing.comparing import Extent
from livery.publishing.diff import Diff, Stale, review
from livery.publishing.kinds import SECTION, SECTIONS_EXPLAINED
from livery.publishing.release_history import Number, ReleaseDiff, Releases
from livery.publishing.restore import KeptAt, Restored, RestorePreview, Undo

router = Router(prefix="/api", tags=["publishing"])


Whole = Annotated[
    list[Annotated[str, StringConstraints(pattern=SECTION)]] | None,
    Query(max_length=limits.WHOLE_SECTIONS, description=SECTIONS_EXPLAINED),
]
Token = Annotated[str, StringConstraints(max_length=limits.TOKEN_CHARACTERS)]
Refs = list[Annotated[str, StringConstraints(max_length=limits.CHANGE_REFERENCE_CHARACTERS)]]
"""References of changes: see ``content.changes``. ``in:<place>``, ``by:<user id>`` and ``all`` name many."""


class PublishBody(schemas.Body):
    """What was reviewed: the ``token`` of the diff. Without it, the draft is published as it is at that moment.

    The changes in ``leaveOut`` stay in the draft, with all changes that can't be published without them.
    """

    model_config = ConfigDict(
        json_schema_extra={"example": {"expected": "5f3a0c", "leaveOut": ["text:key_k3v5mq7aw2xhb6td/de"]}}
    )

    expected: Token | None = None
    leave_out: Annotated[Refs, Field(max_length=limits.CHANGE_REFERENCES)] = Field(default_factory=list)


class PublishedView(schemas.View):
    """The outcome: ``published`` is false when there was nothing new. ``leftOut`` counts the changes that stay in the draft."""

    message: str
    release: int
    published: bool
    left_out: int


@router.get("/projects/{projectId}/diff")
async def read_diff(access: ViewerOf, db: Read, whole: Whole = None) -> Diff:
    """Compare the draft with the last release: what a publish would change, with what is worth a second look in it.

    Lists at most 200 changes of a section, unless ``whole`` names the section.
    """
    return await review(db, access.project, Extent(whole or ()))


async def add_diff_if_stale(project_id: ProjectId, context: CurrentContext) -> AsyncGenerator[None]:
    """Adds the present diff to the refusal of a draft that is not the reviewed draft. It is made when the transaction of the call is over."""
    try:
        yield
    except Stale as stale:
        async with context.database.read() as db:
            project = await find_project(db, project_id)
            if project is None:
                raise
            present = await review(db, project)
        raise Stale(stale.message, extra={"diff": present.model_dump(mode="json", by_alias=True)}) from stale


DIFF_IF_STALE = Depends(add_diff_if_stale, scope="function")


@router.post("/translations/{projectId}/publish", responses=errors(402, 409), dependencies=[DIFF_IF_STALE])
async def publish(
    access: PublisherOf, db: Write, context: CurrentContext, body: Annotated[PublishBody | None, Body()] = None
) -> PublishedView:
    """Publish the whole draft as the next release, all of it or nothing."""
    given = body or PublishBody()
    outcome = await service.publish(db, context.bus, access, expected=given.expected, leave_out=given.leave_out)
    message = "Changes published successfully!" if outcome.is_new else "There is nothing new to publish."
    return PublishedView(message=message, release=outcome.release, published=outcome.is_new, left_out=outcome.left_out)


class DiscardBody(schemas.Body):
    """The changes to discard, by their references, and the ``token`` of the diff in which they were seen."""

    model_config = ConfigDict(json_schema_extra={"example": {"changes": ["text:key_k3v5mq7aw2xhb6td/de"]}})

    changes: Annotated[Refs, Field(min_length=1, max_length=limits.CHANGE_REFERENCES)]
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


@router.post("/projects/{projectId}/discard", responses=errors(409), dependencies=[DIFF_IF_STALE])
async def discard(access: EditorOf, db: Write, body: DiscardBody) -> DiscardedView:
    """Take unpublished changes out of the draft, with what can't be published without them. The histories keep the drafts."""
    outcome = await discards.discard(db, access, body.changes, expected=body.expected)
    return DiscardedView(message=outcome.message, discarded=outcome.count, kept_at=outcome.kept_at)


@router.post("/projects/{projectId}/discard/undo")
async def undo_discard(access: EditorOf, db: Write, body: UndoDiscardBody) -> schemas.Message:
    """Bring discarded changes back into the draft, as far as their places exist."""
    await discards.undo(db, access, body.kept_at)
    return schemas.Message(message=discards.BACK)


@router.get("/projects/{projectId}/releases")
async def list_releases(access: ViewerOf, db: Read, limit: PageSize = 50, cursor: NumberCursor = None) -> Releases:
    """List the releases of a project, newest first; ``cursor`` is the ``nextCursor`` of the answer before."""
    return await release_history.list_releases(db, access, limit=limit, before=cursor)


@router.get("/projects/{projectId}/releases/{releaseNumber}/diff", responses=errors(409))
async def read_release_diff(
    access: ViewerOf,
    db: Read,
    number: ReleaseNumber,
    against: Annotated[release_history.Against | Number, Query()] = "previous",
    whole: Whole = None,
) -> ReleaseDiff:
    """Compare a release with the release before it, with any other release, or with the draft: what the draft has that the release has not.

    Lists at most 200 changes of a section, unless ``whole`` names the section.
    """
    return await release_history.read_diff(db, access, number, against=against, extent=Extent(whole or ()))


@router.get("/projects/{projectId}/releases/{releaseNumber}/restore")
async def preview_restore(
    access: Annotated[Access, requires(Permission.PUBLISH, open_for_rehearsal)],
    db: Rehearsal,
    number: ReleaseNumber,
    context: CurrentContext,
    draft: Annotated[bool, Query(description="Whether the draft is put back, too.")] = False,  # noqa: FBT002  # a query parameter
) -> RestorePreview:
    """Describe what restoring a release would do, without doing it: how many edits would leave the draft, and what can't come back. Pro tier."""
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
    access: PublisherOf,
    db: Write,
    number: ReleaseNumber,
    context: CurrentContext,
    body: Annotated[RestoreBody | None, Body()] = None,
) -> Restored:
    """Publish what a release had as the next release. What is live at once stays. The draft stays as it is, or is put back, too. Pro tier."""
    seen = body or RestoreBody()
    if seen.undo:
        return await restore.undo(db, context.bus, access, number, seen.undo, expected=seen.expected)
    verb = restore.restore_with_draft if seen.draft else restore.restore
    return await verb(db, context.bus, access, number, expected=seen.expected)
