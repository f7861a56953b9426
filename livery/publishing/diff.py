"""The unpublished changes as people review them: the draft against the last release, with a token that names what was reviewed."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.content.changes import Change
from livery.core.schemas import View
from livery.projects.models import Project
from livery.publishing import comparing
from livery.publishing.checks import PlaceWarnings, check_draft, grave_ids
from livery.publishing.comparing import Differences
from livery.publishing.extent import ALL_BOUNDED, Extent
from livery.publishing.kinds import KINDS, Losses, Sections, Unpublished
from livery.publishing.unpublished import UnpublishedChanges, read_frame, read_unpublished


class PersonDiff(View):
    """A person who made the last edit of ``total`` unpublished changes. ``id`` is null for deleted accounts."""

    id: str | None
    name: str
    total: int


class Diff(Sections):
    """Everything a publish would change, and what is worth a second look in it. ``expected`` of a publish takes the ``token``."""

    token: str = Field(examples=["5f3a…"])
    total: int
    release: int
    is_first: bool
    losses: Losses
    warnings: list[PlaceWarnings]
    people: list[PersonDiff] = Field(default_factory=list[PersonDiff], description="Most changes first.")


async def compute_diff(
    db: AsyncSession, project: Project, warnings: Sequence[PlaceWarnings] = (), extent: Extent = ALL_BOUNDED
) -> Diff:
    """The draft of ``project`` against its last release. Of long lists, what has grave ``warnings`` is always in.

    The ``token`` is the same whatever the ``extent``.
    """
    unpublished = await read_unpublished(db, project)
    differences = Differences(unpublished.frame, unpublished.groups)
    grave = {place.section: grave_ids(place) for place in warnings}
    shown = await comparing.show(db, differences, extent, first=grave)
    return Diff(
        token=_token(unpublished),
        total=differences.count,
        release=project.release_number,
        is_first=project.release_number == 0,
        losses=Losses.model_validate(shown.losses),
        warnings=list(warnings),
        people=_people(unpublished, shown.names),
        **cast("dict[str, Any]", shown.views),
    )


async def review(db: AsyncSession, project: Project, extent: Extent = ALL_BOUNDED) -> Diff:
    """The diff with its warnings, as people are shown it."""
    new: Collection[str] = ()
    if project.release_number:
        frame = await read_frame(db, project)
        new = [language for language in frame.after.languages if language not in frame.before.languages]
    return await compute_diff(db, project, await check_draft(db, project, new, extent), extent)


async def count_unpublished(db: AsyncSession, project: Project) -> Unpublished:
    """The sums of ``compute_diff`` without its texts: read from indexes of what changed."""
    frame = await read_frame(db, project)
    counts: dict[str, int] = {}
    for kind in KINDS:
        counts |= await kind.counts(db, frame)
    return Unpublished.of(counts)


def _people(changes: Iterable[Change], names: Mapping[str, str]) -> list[PersonDiff]:
    counts = Counter(change.stamp.by if change.stamp.by in names else None for change in changes if change.stamp.by)
    return [
        PersonDiff(id=user_id, name=names.get(user_id or "", DELETED_NAME), total=count)
        for user_id, count in counts.most_common()
    ]


def _token(unpublished: UnpublishedChanges) -> str:
    """Returns a digest of all that would change, so that a publish can tell whether it is what was reviewed. Who changed it is no part of that."""
    frame = unpublished.frame
    reviewed = [
        frame.release,
        frame.before.as_part(),
        frame.after.as_part(),
        [
            [group.place, [[change.ref, change.name, change.before, change.after] for change in group.changes]]
            for group in unpublished.groups
        ],
    ]
    return hashlib.sha256(json.dumps(reviewed, sort_keys=True).encode()).hexdigest()
