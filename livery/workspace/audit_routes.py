"""The calls of what happened: the activity feed, the audit log of a project, and the acts on an account."""

from typing import Annotated

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from livery.accounts.auth import (
    CurrentUser,
)
from livery.activity.audit_queries import AuditFilter
from livery.core import clock, limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import PageSize
from livery.core.routing import Router
from livery.core.schemas import GivenMoment
from livery.projects.dependencies import (
    AuditorOf,
    open_for_writing,
    requires,
)
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.workspace import audit, queries
from livery.workspace.schemas import (
    ActivityFeed,
    AuditLog,
    AuditPeople,
)

router = Router(prefix="/api", tags=["workspace"])


@router.get("/activity")
async def list_activity(
    user: CurrentUser,
    db: Read,
    project_id: Annotated[str | None, Query(alias="projectId", max_length=limits.ID_CHARACTERS)] = None,
    limit: PageSize = 20,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> ActivityFeed:
    """List what happened in your projects, newest first; ``cursor`` is the ``_id`` of the last entry you have."""
    return list(await queries.feed(db, user, project_id=project_id, limit=limit, before_id=cursor))


@router.get("/user/audit")
async def list_own_acts(
    user: CurrentUser,
    db: Read,
    limit: PageSize = 50,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> AuditLog:
    """List the acts on your own account, newest first: logins, failed logins, password, keys, purchases, with the address each came from.

    ``cursor`` is the ``_id`` of the last entry you have.
    """
    return await audit.own_page(db, user, limit=limit, before_id=cursor)


async def get_audit_filter(
    actor: Annotated[
        str | None,
        Query(max_length=limits.ID_CHARACTERS, description="A person's `_id`, or one of `key`, `job` and `operator`."),
    ] = None,
    action: Annotated[
        str | None,
        Query(
            max_length=limits.ID_CHARACTERS,
            pattern=r"^[a-z_]+(\.[a-z_]+)?$",
            description="A code such as `screens.key_updated`, or its area: `screens`.",
        ),
    ] = None,
    since: Annotated[GivenMoment | None, Query(alias="from", description="Entries from this moment on.")] = None,
    until: Annotated[GivenMoment | None, Query(alias="to", description="Entries before this moment.")] = None,
    text: Annotated[
        str | None, Query(max_length=limits.AUDIT_SEARCH_CHARACTERS, description="A part of the target.")
    ] = None,
) -> AuditFilter:
    """Which entries of an audit log are wanted."""
    return AuditFilter(actor=actor, action=action, since=since, until=until, text=text)


WantedEntries = Annotated[AuditFilter, Depends(get_audit_filter)]


@router.get("/projects/{projectId}/audit")
async def list_audit(
    access: AuditorOf,
    db: Read,
    wanted: WantedEntries,
    limit: PageSize = 50,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> AuditLog:
    """List every act in a project, newest first, with its address and what it changed; ``cursor`` is the ``_id`` of the last entry you have.

    For admins and the owner.
    """
    return await audit.page(db, access, wanted, limit=limit, before_id=cursor)


@router.get("/projects/{projectId}/audit/people")
async def list_audit_people(access: AuditorOf, db: Read) -> AuditPeople:
    """List everybody who has an entry in the audit log of a project, former members too. For admins and the owner."""
    return AuditPeople(people=await audit.people(db, access))


@router.get(
    "/projects/{projectId}/audit/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {}, "application/json": {}}, "description": "The file."}},
)
async def export_audit(
    access: Annotated[Access, requires(Permission.AUDIT, open_for_writing)],
    db: Write,
    context: CurrentContext,
    wanted: WantedEntries,
    kind: Annotated[audit.ExportFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Download the audit log of a project, newest first, as CSV or as a JSON array. For admins and the owner. The log has an entry of it."""
    audit.note_export(db, access, wanted, kind)
    name = audit.file_name(access.project.name, clock.now().date(), kind)
    return StreamingResponse(
        audit.export(context.database, access.project.id, wanted, kind),
        media_type="text/csv; charset=utf-8" if kind == "csv" else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
