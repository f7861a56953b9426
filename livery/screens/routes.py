"""The calls of text keys."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse

from livery.accounts.auth import CurrentUser
from livery.core.context import CurrentContext
from livery.core.errors import NotFound
from livery.core.paths import KeyName, ProjectId, TabName
from livery.core.reference.statuses import errors
from livery.core.schemas import Message
from livery.projects import queries as projects
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.screens import queries, service
from livery.screens.schemas import CreateKeyBody, KeyRecord, Keys, UpdateKeyBody

ShownLanguages = Annotated[list[str] | None, Query(alias="lang", max_length=100, examples=[["en", "de"]])]

router = APIRouter(prefix="/api/translations", tags=["translations"])


@router.get("/{projectId}/{tabName}", response_model=Keys)
async def list_keys(
    project_id: ProjectId, screen: TabName, user: CurrentUser, context: CurrentContext, languages: ShownLanguages = None
) -> JSONResponse:
    """List the keys of a screen with their texts: in every language, or in the languages that ``lang`` names (once for each)."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        if not await projects.has_screen(db, access.project.id, screen):
            raise NotFound(f'There is no screen "{screen[:64]}".', code="screen_not_found")

    async def read_keys() -> list[queries.KeyJson]:
        async with context.database.read() as db:
            return await queries.list_keys(db, project_id, screen, languages)

    async def read_progress() -> dict[str, int]:
        async with context.database.read() as db:
            return await queries.progress_of(db, project_id, screen)

    keys, progress = await asyncio.gather(
        read_keys(), read_progress()
    )  # the database counts while keys are put together
    return JSONResponse({"keys": keys, "progress": progress})


@router.post("/{projectId}/{tabName}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_key(
    project_id: ProjectId, screen: TabName, body: CreateKeyBody, user: CurrentUser, context: CurrentContext
) -> KeyRecord:
    """Add a key with its texts."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        return await service.create_key(db, access, screen, key=body.key, values=body.values)


@router.put("/{projectId}/{tabName}/{key}", responses=errors(409))
async def update_key(
    project_id: ProjectId,
    screen: TabName,
    key: KeyName,
    body: UpdateKeyBody,
    user: CurrentUser,
    context: CurrentContext,
) -> KeyRecord:
    """Change a key's name or texts: languages left out stay, an empty text clears."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        return await service.update_key(
            db,
            access,
            screen,
            key,
            new_name=body.key,
            values=body.values,
            confirmed=body.confirmed,
            revision=body.revision,
        )


@router.delete("/{projectId}/{tabName}/{key}")
async def remove_key(
    project_id: ProjectId, screen: TabName, key: KeyName, user: CurrentUser, context: CurrentContext
) -> Message:
    """Delete a key from the draft; apps keep it until the next publish."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.EDIT)
        await service.remove_key(db, access, screen, key)
        return Message(message="Key deleted.")
