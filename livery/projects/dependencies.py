"""FastAPI dependencies that open the project of an address: a route's signature states who may call it.

``ViewerOf`` and its like open the project in the transaction of the call, with what the caller may do in it. The permission is a security scope
of the route: the API's description shows it, and the authorization tests read it there. Each raises ``NotFound`` for a stranger and ``Forbidden``
for a role that may not.
"""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends
from fastapi.params import Security
from fastapi.security import SecurityScopes

from livery.accounts.auth import PROGRAM_PREFIX, SessionToken, get_current_user
from livery.accounts.schemas import Actor
from livery.core.context import CurrentContext, Read, Rehearsal, Write
from livery.core.paths import ProjectId
from livery.projects import tokens
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.projects.queries import Access


def permission_of(scopes: SecurityScopes) -> Permission:
    """Returns the permission that a route asks for by ``requires``."""
    return Permission(scopes.scopes[-1])


def requires(permission: Permission, opening: Callable[..., Any]) -> Security:
    """Returns the dependency that opens something by ``opening`` for ``permission``."""
    return Security(opening, scopes=[permission.value], scope="function")


async def get_caller(token: SessionToken, context: CurrentContext) -> Actor:
    """Returns the logged-in person, or the maker of the project token with what it allows. Raises ``Unauthorized``."""
    if token.startswith(PROGRAM_PREFIX):
        return await tokens.find_caller(context.database, token)
    return await get_current_user(token, context)


CurrentCaller = Annotated[Actor, Depends(get_caller)]


async def open_for_reading(
    scopes: SecurityScopes, project_id: ProjectId, caller: CurrentCaller, context: CurrentContext, db: Read
) -> Access:
    """Returns the project in the ``Read`` of the call; no row is locked."""
    return await open_project(db, context.settings, caller, project_id, permission_of(scopes), lock=False)


async def open_for_writing(
    scopes: SecurityScopes, project_id: ProjectId, caller: CurrentCaller, context: CurrentContext, db: Write
) -> Access:
    """Returns the project in the ``Write`` of the call, with its row locked: writes of one project queue."""
    return await open_project(db, context.settings, caller, project_id, permission_of(scopes), lock=True)


async def open_for_rehearsal(
    scopes: SecurityScopes, project_id: ProjectId, caller: CurrentCaller, context: CurrentContext, db: Rehearsal
) -> Access:
    """Returns the project in the ``Rehearsal`` of the call, with its row locked."""
    return await open_project(db, context.settings, caller, project_id, permission_of(scopes), lock=True)


async def check_access(
    scopes: SecurityScopes, project_id: ProjectId, caller: CurrentCaller, context: CurrentContext
) -> Access:
    """Returns the project as it was a moment ago; no transaction stays open. For calls that last long: streams, uploads and AI."""
    async with context.database.read() as db:
        return await open_project(db, context.settings, caller, project_id, permission_of(scopes), lock=False)


ViewerOf = Annotated[Access, requires(Permission.READ, open_for_reading)]
EditorOf = Annotated[Access, requires(Permission.EDIT, open_for_writing)]
PublisherOf = Annotated[Access, requires(Permission.PUBLISH, open_for_writing)]
AdminOf = Annotated[Access, requires(Permission.MANAGE, open_for_writing)]
AuditorOf = Annotated[Access, requires(Permission.AUDIT, open_for_reading)]
OwnerOf = Annotated[Access, requires(Permission.OWN, open_for_writing)]

MemberOf = Annotated[Access, requires(Permission.READ, open_for_writing)]
"""Any member, in a ``Write``: the call itself decides what each role may do."""
EditorReading = Annotated[Access, requires(Permission.EDIT, open_for_reading)]
AdminReading = Annotated[Access, requires(Permission.MANAGE, open_for_reading)]
OwnerReading = Annotated[Access, requires(Permission.OWN, open_for_reading)]
AuditExporterOf = Annotated[Access, requires(Permission.AUDIT, open_for_writing)]
PublisherRehearsing = Annotated[Access, requires(Permission.PUBLISH, open_for_rehearsal)]
ViewerSeen = Annotated[Access, requires(Permission.READ, check_access)]
EditorSeen = Annotated[Access, requires(Permission.EDIT, check_access)]
"""``…Seen``: see ``check_access``."""
