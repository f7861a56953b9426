"""The call of search."""

from typing import Annotated

from fastapi import APIRouter, Query

from livery.accounts.auth import CurrentUser
from livery.core.context import CurrentContext
from livery.core.paths import ProjectId
from livery.projects.access import open_project
from livery.projects.permissions import Permission
from livery.search import queries
from livery.search.schemas import LONGEST_QUERY, SearchResults

router = APIRouter(prefix="/api/translations", tags=["translations"])


@router.get("/{projectId}/search")
async def search_texts(
    project_id: ProjectId,
    user: CurrentUser,
    context: CurrentContext,
    query: Annotated[str, Query(alias="q", max_length=LONGEST_QUERY, examples=["next"])] = "",
) -> SearchResults:
    """Find keys and texts of all screens that hold some characters, whatever their case and accents; an empty query finds none."""
    async with context.database.read() as db:
        access = await open_project(db, context.settings, user, project_id, Permission.READ)
        return SearchResults(results=await queries.search(db, access.project, query))
