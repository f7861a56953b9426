"""The public list of languages."""

from fastapi import APIRouter

from livery.projects.languages import all_languages
from livery.projects.schemas import Languages

router = APIRouter(prefix="/api/languages", tags=["languages"])


@router.get("")
async def list_languages() -> Languages:
    """List the languages that content can be in, with names, direction, flag and plural categories."""
    return Languages(languages=list(all_languages()))
