"""The unpublished changes as people review them: the draft against the last release, with a token that names what was reviewed."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.content.changes import Change
from livery.content.states import Frame
from livery.content.warnings import PlaceWarnings
from livery.core.errors import Conflict
from livery.core.schemas import View
from livery.projects.models import Project
from livery.publishing import comparing
from livery.publishing.comparing import ALL_BOUNDED, Differences, Extent
from livery.publishing.kinds import KINDS, Losses, Sections, Unpublished
from livery.publishing.unpublished import UnpublishedChanges, read_frame, read_unpublished

STALE = "The draft changed since you reviewed it. Please look at what would be published now."


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


class Stale(Conflict):
    """The draft differs from the draft that was reviewed. The answer has the present diff, too."""

    code = "stale_diff"


async def review(db: AsyncSession, project: Project, extent: Extent = ALL_BOUNDED) -> Diff:
    """Compares the draft of ``project`` with its last release, and adds warnings. Long lists always have the entries with grave warnings.

    The ``token`` is the same whatever the ``extent``.
    """
    unpublished = await read_unpublished(db, project)
    frame = unpublished.frame
    found = [await kind.warnings(db, frame, unpublished.of(kind), extent.limit_of) for kind in KINDS]
    warnings = [place for places in found for place in places if place.counts]
    differences = Differences(frame, unpublished.groups)
    grave = {place.section: place.grave_ids for place in warnings}
    shown = await comparing.show(db, differences, extent, first=grave)
    return Diff(
        token=token_of(unpublished),
        total=differences.count,
        release=project.release_number,
        is_first=project.release_number == 0,
        losses=Losses.model_validate(shown.losses),
        warnings=warnings,
        people=_people(unpublished, shown.names),
        **cast("dict[str, Any]", shown.views),
    )


def check_reviewed(unpublished: UnpublishedChanges, expected: str | None) -> None:
    """Raises ``Stale`` when ``expected`` is given and is not the token of the diff of these changes."""
    if expected is not None and token_of(unpublished) != expected:
        raise Stale(STALE)


async def count_unpublished(db: AsyncSession, project: Project) -> Unpublished:
    """Returns the sums of ``review`` without its texts: read from indexes of what changed."""
    return await count_changes(db, await read_frame(db, project))


async def count_changes(db: AsyncSession, frame: Frame) -> Unpublished:
    """Returns the sums of the changes of a draft with this outline."""
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


def token_of(unpublished: UnpublishedChanges) -> str:
    """Returns a digest of all that would change, so that a publish can check that it is what was reviewed. Who changed it is not in the digest."""
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
