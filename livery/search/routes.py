"""The call of search."""

from typing import Annotated

from fastapi import Query

from livery.core import limits
from livery.core.context import Read
from livery.core.routing import Router
from livery.projects.dependencies import ViewerOf
from livery.search import queries
from livery.search.schemas import SearchResults

router = Router(prefix="/api/translations", tags=["translations"])


@router.get("/{projectId}/search")
async def search_texts(
    access: ViewerOf,
    db: Read,
    query: Annotated[str, Query(alias="q", max_length=limits.SEARCH_CHARACTERS, examples=["next"])] = "",
) -> SearchResults:
    """Find keys and texts of all screens that hold some characters, whatever their case and accents; an empty query finds nothing."""
    return SearchResults(results=await queries.search(db, access.project, query))
