"""The history of releases: its entries, and comparisons of a release with a different release or with the draft."""

from typing import Annotated, Any, Literal, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import names_of
from livery.billing.plans import WITH_HISTORY, plan_of
from livery.content.changes import Stamp
from livery.core import limits
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.schemas import Moment, View
from livery.projects.queries import Access
from livery.publishing import comparing, queries
from livery.publishing.comparing import ALL_BOUNDED, Extent, Scope
from livery.publishing.kinds import LIVE_RELEASES, ReleaseKind, Sections
from livery.publishing.models import Release

RELEASE_NOT_FOUND = "There is no such release."
DAMAGED = "This release can't be read any more. Please choose a different release."

Against = Literal["previous", "draft"]
Number = Annotated[int, Field(ge=1, le=limits.LARGEST_NUMBER)]


class ReleaseView(View):
    """An entry of the history. ``changes`` counts what it changed; ``restored`` is the release that a restore brought back, else null."""

    number: int
    timestamp: Moment
    by: str = Field(description="The name of who did it.", examples=["Ada Lovelace"])
    kind: ReleaseKind
    changes: int
    restored: int | None
    is_current: bool = Field(description="Whether apps have it now.")


class Releases(View):
    """The releases of a project, newest first. ``nextCursor`` gives the releases before these, and is null when there are no more."""

    releases: list[ReleaseView]
    next_cursor: int | None


class ReleaseDiff(Sections):
    """What ``release`` has that ``against`` has not, ``total`` changes; beside the draft, what the draft has that the release has not."""

    total: int
    release: int
    against: Against | int


def check_has_history(access: Access) -> None:
    """Raises ``Forbidden`` where the plan has no history."""
    if not access.tier.has_history:
        raise Forbidden(
            f'Version history is part of the "{WITH_HISTORY.name}". This project is on "{plan_of(access.tier.id).name}".',
            code="tier_feature",
        )


async def list_releases(db: AsyncSession, access: Access, *, limit: int, before: int | None) -> Releases:
    """Returns the releases of a project."""
    found = await queries.list_releases(db, access.project.id, limit=limit + 1, before=before)
    names = await names_of(db, [release.created_by for release in found])
    shown = [_view(release, names, current=access.project.release_number) for release in found[:limit]]
    return Releases(releases=shown, next_cursor=shown[-1].number if len(found) > limit else None)


async def find(db: AsyncSession, access: Access, number: int) -> Release:
    """Returns the release of this number. Raises ``NotFound``."""
    release = await queries.find_release(db, access.project.id, number)
    if release is None:
        raise NotFound(RELEASE_NOT_FOUND, code="release_not_found")
    return release


async def read_diff(
    db: AsyncSession, access: Access, number: int, *, against: Against | int, extent: Extent = ALL_BOUNDED
) -> ReleaseDiff:
    """Compares a release with the release before it, with any other release, or with the draft. Raises ``NotFound`` for an unknown number.

    The editor of a change is whoever made it last for ``number``, as the releases know it. In a comparison with the draft, it is whoever touched
    the entry last there. If the release does not know the editor, the draft does, unless somebody edited the entry since.
    """
    release = await find(db, access, number)
    project = access.project
    if isinstance(against, int):
        await find(db, access, against)
    try:
        if against == "draft":
            before = number
            differences = await comparing.with_draft(db, project, number)
            release = await find(db, access, project.release_number)
        else:
            before = number - 1 if against == "previous" else against
            differences = await comparing.between_releases(db, project, before, number)
        is_of_one = release.kind in LIVE_RELEASES and against == "previous"
        unknown = Stamp(release.created_by if is_of_one else None, release.created_at)
        older = before if before <= number else 0
        scope = Scope(older, release.number, unknown, is_draft=against == "draft")
        shown = await comparing.show(db, differences, extent, scope=scope)
    except ValueError as error:
        raise Conflict(DAMAGED, code="release_damaged") from error
    views = cast("dict[str, Any]", shown.views)
    return ReleaseDiff(release=number, against=against, total=differences.count, **views)


def _view(release: Release, names: dict[str, str], *, current: int) -> ReleaseView:
    return ReleaseView.model_validate(
        {
            "number": release.number,
            "timestamp": release.created_at,
            "by": names.get(release.created_by or "", release.author_name or DELETED_NAME),
            "kind": release.kind,
            "changes": release.changes,
            "restored": release.restored_release,
            "isCurrent": release.number == current,
        }
    )
