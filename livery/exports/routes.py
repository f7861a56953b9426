"""The calls of exports."""

import asyncio
from mimetypes import guess_type
from typing import Annotated, Any

from fastapi import Query, Response

from livery.core import limits
from livery.core.context import Read
from livery.core.paths import ApiIdentifier
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.exports import service
from livery.exports.schemas import ColorFormat, ItemFormat, Source
from livery.formats.color_files import COLOR_FORMATS
from livery.formats.item_files import ITEM_FORMATS
from livery.formats.model import WrittenFile
from livery.projects.dependencies import ViewerOf

_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_OCTETS = "application/octet-stream"

From = Annotated[Source, Query(alias="from")]
Languages = Annotated[list[str] | None, Query(alias="language", max_length=limits.GIVEN_LANGUAGES, examples=[["en"]])]
TextFormat = Annotated[str, Query(alias="format", max_length=limits.GIVEN_FORMAT_CHARACTERS, examples=["i18next"])]

router = Router(prefix="/api/projects", tags=["imports"])


@router.get("/{projectId}/exports/texts", response_class=Response, responses={**errors(409), **_FILE})
async def export_texts(
    access: ViewerOf, db: Read, text_format: TextFormat = "json", source: From = "draft", languages: Languages = None
) -> Response:
    """Download the texts of the draft, or of the release that apps have, in a format of `/api/formats`.

    Several files come as an archive. A file `REMARKS.txt` in it names what the format can't keep.
    """
    texts = await service.read_texts(db, access.project, source=source, languages=languages)
    return _download(await asyncio.to_thread(service.write_texts, texts, format_id=text_format))


@router.get("/{projectId}/exports/colors", response_class=Response, responses={**errors(409), **_FILE})
async def export_colors(
    access: ViewerOf,
    db: Read,
    color_format: Annotated[ColorFormat, Query(alias="format")] = "css",
    source: From = "draft",
) -> Response:
    """Download the colours of the draft, or of the release that apps have: as CSS, for Tailwind, as design tokens, for Android or Xcode."""
    colors = await service.read_colors(db, access.project, source=source)
    return _download(service.archived(COLOR_FORMATS[color_format](colors), name=f"colors-{color_format}"))


@router.get("/{projectId}/exports/stores/{apiIdentifier}", response_class=Response, responses=_FILE)
async def export_items(
    access: ViewerOf,
    db: Read,
    api_identifier: ApiIdentifier,
    item_format: Annotated[ItemFormat, Query(alias="format")] = "json",
) -> Response:
    """Download the items of a store of the draft: as JSON, or as a table with a row for each item."""
    items = await service.read_items(db, access.project, api_identifier)
    return _download(await asyncio.to_thread(ITEM_FORMATS[item_format], items))


def _download(file: WrittenFile) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{file.path}"', "X-Content-Type-Options": "nosniff"}
    return Response(file.data, media_type=guess_type(file.path)[0] or _OCTETS, headers=headers)
