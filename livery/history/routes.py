"""The calls of the histories of screens, colours and items."""

from collections.abc import Sequence
from typing import Annotated, cast

from fastapi import Body, Query
from pydantic import ConfigDict, Field, StringConstraints

from livery.colors import queries as colors
from livery.colors.kind import PLACE
from livery.colors.schemas import ColorChange, ColorRecord
from livery.core import limits, schemas
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import ColorVersionId, NumberCursor, PageSize, TabName, VersionId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.history import items, service
from livery.history.items import ItemRolledBack, ItemVersionDiff
from livery.history.service import Against, Comparison, Versions, VersionView
from livery.projects.dependencies import EditorOf, ViewerOf
from livery.publishing.kinds import COLORS, TEXTS
from livery.publishing.release_history import Number
from livery.screens.listing import list_keys
from livery.screens.schemas import KeyChange, KeyRecord, ScreenDiff
from livery.stores import listing
from livery.stores.dependencies import PublisherOfItem, ViewerOfItem

router = Router(prefix="/api", tags=["publishing"])


class VersionDiff(Comparison):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` keys, the first 200 in ``keys``.

    ``missingLanguages`` are those of the version that the project no longer has: their texts would not come back. In a comparison with
    the draft, ``token`` names that draft: ``expected`` of a roll back takes it.
    """

    keys: list[KeyChange]
    missing_languages: list[str]


class ColorVersionDiff(Comparison):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` colours, the first 200 in ``colors``.

    In a comparison with the draft, ``token`` names that draft: ``expected`` of a roll back takes it.
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
    access: ViewerOf, db: Read, screen: TabName, limit: PageSize = 50, cursor: NumberCursor = None
) -> Versions:
    """List the versions of a screen, newest first; ``cursor`` is the ``nextCursor`` of the answer before. Pro tier."""
    return await service.list_versions(db, access, TEXTS, f"screen/{screen}", limit=limit, before=cursor)


@router.get("/translations/{projectId}/{tabName}/versions/{versionId}")
async def read_version(
    access: ViewerOf, db: Read, screen: TabName, version_id: VersionId, against: Annotated[Against, Query()] = "draft"
) -> VersionDiff:
    """Compare a version with the draft (what rolling back would do), or with what was before it (what it changed). Pro tier."""
    found = await service.read_diff(db, access, TEXTS, f"screen/{screen}", version_id, against=against)
    screens_shown = cast("Sequence[ScreenDiff]", found.views["screens"])
    keys = [key for one in screens_shown for key in one.keys]
    shown = {"keys": keys, "missing_languages": found.missing_languages}
    return VersionDiff.model_validate({**dict(found.facts), **shown})


class RollBackBody(schemas.Body):
    """What was seen: the ``token`` of the comparison, or of the roll back to undo. Without it, any unpublished change is overwritten."""

    model_config = ConfigDict(json_schema_extra={"example": {"expected": "5f3a0c"}})

    expected: Annotated[str, StringConstraints(max_length=limits.TOKEN_CHARACTERS)] | None = None


@router.post("/translations/{projectId}/{tabName}/rollback/{versionId}", responses=errors(409))
async def roll_back(
    access: EditorOf,
    db: Write,
    screen: TabName,
    version_id: VersionId,
    body: Annotated[RollBackBody | None, Body()] = None,
) -> RolledBack:
    """Overwrite a screen's draft with a version; apps keep what they have until the next publish. The draft is kept as a version. Pro tier."""
    expected = body.expected if body else None
    outcome = await service.roll_back(db, access, TEXTS, f"screen/{screen}", version_id, expected=expected)
    keys = await list_keys(db, access.project.id, screen)
    return RolledBack.model_validate({**vars(outcome), "keys": keys})


@router.get("/stores/items/{itemId}/versions/{versionId}")
async def read_item_version(opened: ViewerOfItem, db: Read, version_id: VersionId) -> ItemVersionDiff:
    """Compare a version of an item with its draft and with what apps have: what rolling back would do. Pro tier."""
    return await items.read_diff(db, opened.access, opened.store, opened.item, version_id)


class RollItemBackBody(schemas.Body):
    """What was seen: the item's ``revision``. Without it, any unpublished change is overwritten. ``draftOnly`` publishes nothing."""

    model_config = ConfigDict(json_schema_extra={"example": {"expected": 3}})

    expected: Number | None = None
    draft_only: bool = False


@router.post("/stores/items/{itemId}/rollback/{versionId}", responses=errors(409))
async def roll_item_back(
    opened: PublisherOfItem,
    db: Write,
    version_id: VersionId,
    context: CurrentContext,
    body: Annotated[RollItemBackBody | None, Body()] = None,
) -> ItemRolledBack:
    """Overwrite an item's draft with a version. A version that apps had is published at once, without other drafts. Pro tier."""
    access, store, item = opened.access, opened.store, opened.item
    seen = body or RollItemBackBody()
    outcome = await items.roll_back(
        db, context.bus, access, store, item, version_id, expected=seen.expected, draft_only=seen.draft_only
    )
    record = await listing.record_of(db, access, store, item)
    return ItemRolledBack(message=outcome.message, published=outcome.is_published, item=record)


@router.get("/colors/{projectId}/versions")
async def list_color_versions(
    access: ViewerOf, db: Read, limit: PageSize = 50, cursor: NumberCursor = None
) -> Versions:
    """List the versions of the colours, newest first; ``cursor`` is the ``nextCursor`` of the answer before. Pro tier."""
    return await service.list_versions(db, access, COLORS, PLACE, limit=limit, before=cursor)


@router.get("/colors/{projectId}/versions/{colorVersionId}")
async def read_color_version(
    access: ViewerOf, db: Read, version_id: ColorVersionId, against: Annotated[Against, Query()] = "draft"
) -> ColorVersionDiff:
    """Compare a version with the draft (what rolling back would do), or with what was before it (what it changed). Pro tier."""
    found = await service.read_diff(db, access, COLORS, PLACE, version_id, against=against)
    return ColorVersionDiff.model_validate({**dict(found.facts), "colors": found.views["colors"]})


@router.post("/colors/{projectId}/rollback/{colorVersionId}", responses=errors(409))
async def roll_back_colors(
    access: EditorOf, db: Write, version_id: ColorVersionId, body: Annotated[RollBackBody | None, Body()] = None
) -> ColorsRolledBack:
    """Overwrite the colours' draft with a version; apps keep what they have until the next publish. The draft is kept as a version. Pro tier."""
    expected = body.expected if body else None
    outcome = await service.roll_back(db, access, COLORS, PLACE, version_id, expected=expected)
    found = await colors.list_colors(db, access.project.id)
    return ColorsRolledBack.model_validate({**vars(outcome), "colors": found})
