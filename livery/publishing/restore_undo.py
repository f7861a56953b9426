"""Returns the edits to the draft that a restore took out of it. The restore kept them as entries of kind `draft`, all with one moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries as colors
from livery.colors.models import ColorVersion
from livery.core import clock
from livery.core.errors import Invalid
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.publishing import color_history, history, item_history
from livery.screens import queries as screens
from livery.screens import versions as screen_versions
from livery.screens.models import ScreenVersion
from livery.stores import queries as stores
from livery.stores import versions as item_versions
from livery.stores.models import ItemVersion

NOTHING_KEPT = "Nothing was kept at this moment, so there is nothing to bring back."


@dataclass(frozen=True)
class KeptEdits:
    """The drafts that a restore overwrote."""

    screens: Sequence[ScreenVersion]
    colors: ColorVersion | None
    items: Sequence[ItemVersion]


def moment() -> datetime:
    """Returns the present in whole milliseconds, as answers give moments: a later call names it to find what was kept then."""
    now = clock.now()
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


async def find(
    db: AsyncSession, access: Access, release: int | None, kept_at: str, *, field: str = "undo"
) -> KeptEdits:
    """Returns the drafts that were stored at ``kept_at`` (RFC 3339) by the restore of ``release``, or by a discard if that is ``None``.

    Raises ``Invalid``, about ``field``, if no draft was stored then.
    """
    project_id = access.project.id
    try:
        moment = datetime.fromisoformat(kept_at)
    except ValueError as error:
        raise Invalid.field(field, NOTHING_KEPT, code="nothing_kept") from error
    found = KeptEdits(
        await screen_versions.kept_by_restore(db, project_id, release, moment),
        await colors.kept_by_restore(db, project_id, release, moment),
        await item_versions.kept_by_restore(db, project_id, release, moment),
    )
    if not (found.screens or found.colors or found.items):
        raise Invalid.field(field, NOTHING_KEPT, code="nothing_kept")
    return found


async def bring_back(db: AsyncSession, access: Access, kept: KeptEdits) -> None:
    """Put the drafts in the place of the present ones. A draft with unpublished changes is kept in its history first.

    Leaves out what has no place any more: screens and items that are gone, texts in languages that the project no longer has.
    """
    present = await projects.screens_of(db, access.project.id)
    changed = await screens.changed_counts(db, access.project.id)
    for version in kept.screens:
        if version.screen in present:
            await history.bring_back(db, access, version, keeps_draft=version.screen in changed)
    if kept.colors:
        has_changes = await colors.count_changed(db, access.project.id) > 0
        await color_history.bring_back(db, access, kept.colors, keeps_draft=has_changes)
    for version in kept.items:
        found = await stores.find_item(db, version.item_id)
        if found and found[0].project_id == access.project.id:
            await item_history.bring_back(db, access, *found, version)
