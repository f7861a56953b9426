"""The calls of text keys."""

from typing import Annotated

from fastapi import Query, Request, Response, status

from livery.core import limits
from livery.core.context import CurrentContext, Write
from livery.core.json_lists import JsonList
from livery.core.lists import Listed
from livery.core.paths import KeyName, TabName
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.projects.dependencies import EditorOf, check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.screens import service
from livery.screens.listing import read_listing
from livery.screens.schemas import CreateKeyBody, KeyRecord, Keys, UpdateKeyBody

ShownLanguages = Annotated[
    list[str] | None, Query(alias="lang", max_length=limits.GIVEN_LANGUAGES, examples=[["en", "de"]])
]

router = Router(prefix="/api/translations", tags=["translations"])


@router.get("/{projectId}/{tabName}", response_model=Keys)
async def list_keys(
    access: Annotated[Access, requires(Permission.READ, check_access)],
    screen: TabName,
    context: CurrentContext,
    request: Request,
    languages: ShownLanguages = None,
) -> Response:
    """List the keys of a screen with their texts: in every language, or in the languages that ``lang`` names (once for each)."""

    async def make(earlier: JsonList | None) -> JsonList:
        async with context.database.read() as db:
            return await read_listing(db, access.project, screen, languages, earlier)

    listed = Listed(request, access.project.stamp, *(languages or ("every language",)))
    return await listed.answer(context.lists, make)


@router.post("/{projectId}/{tabName}", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def create_key(access: EditorOf, db: Write, screen: TabName, body: CreateKeyBody) -> KeyRecord:
    """Add a key with its texts."""
    return await service.create_key(db, access, screen, key=body.key, values=body.values)


@router.put("/{projectId}/{tabName}/{key}", responses=errors(409))
async def update_key(access: EditorOf, db: Write, screen: TabName, key: KeyName, body: UpdateKeyBody) -> KeyRecord:
    """Change a key's name or texts: languages left out stay, an empty text clears."""
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
async def remove_key(access: EditorOf, db: Write, screen: TabName, key: KeyName) -> Message:
    """Delete a key from the draft; apps keep it until the next publish."""
    await service.remove_key(db, access, screen, key)
    return Message(message="Key deleted.")
