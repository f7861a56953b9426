"""How a release is written: its row, the bodies that are new, and from when to when each part has which."""

from collections.abc import Iterable, Mapping

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries as colors
from livery.core import clock
from livery.core.db import insert_for
from livery.core.errors import Invalid
from livery.projects.queries import Access
from livery.publishing import differing
from livery.publishing.models import PartBody, Release, ReleasePart
from livery.publishing.schemas import KeptPart, Part, ReleaseKind
from livery.screens import queries as screens
from livery.stores import queries as stores
from livery.stores.schemas import CHUNK_SIZE

NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to publish."
RELEASE_TOPIC = "release"
CHUNK_LIMIT_BYTES = 10 * 1024 * 1024
"""What a chunk of a store may hold in all its languages: apps get one or two at a time, in one of them."""


def check_chunk(store: str, chunk: int, part: Part | None) -> None:
    """Raises ``Invalid`` when the items of a chunk are more than apps should get at once."""
    if part and part.size_bytes > CHUNK_LIMIT_BYTES:
        first, last = chunk * CHUNK_SIZE + 1, (chunk + 1) * CHUNK_SIZE
        size = part.size_bytes / 1024 / 1024
        raise Invalid(
            f'The items {first:,} to {last:,} of "{store}" are {size:.1f} MB; apps can load at most 10 MB of them. Shorten or remove some.',
            code="content_too_large",
        )


async def top_removed_revision(db: AsyncSession, project_id: str) -> int | None:
    """The highest revision of what a publish is about to take out of the draft; ``None`` when there is nothing."""
    found = [
        await screens.top_removed_revision(db, project_id),
        await colors.top_removed_revision(db, project_id),
        await stores.top_removed_revision(db, project_id),
    ]
    return max((revision for revision in found if revision), default=None)


async def keep_bodies(db: AsyncSession, project_id: str, parts: Iterable[Part]) -> None:
    """Keep the bodies of parts. Idempotent."""
    insert = insert_for(db)
    for part in {part.hash: part for part in parts}.values():
        row = {"project_id": project_id, "hash": part.hash, "body": part.compressed}
        await db.execute(insert(PartBody).values(row).on_conflict_do_nothing())


async def write(
    db: AsyncSession,
    access: Access,
    number: int,
    current: Mapping[str, tuple[str, int]],
    changed: Mapping[str, KeptPart | None],
    *,
    kind: ReleaseKind,
    restored: int | None = None,
    top_revision: int | None = None,
) -> None:
    """Add the release ``number`` that gives the parts in ``changed`` another body (``None``: takes them away); ``current`` has those of now.

    The project's row must be locked and its number advanced. The changes are counted as the release's comparison shows them. Bodies that are
    there already are used again. ``restored`` is the release that a restore brings back, ``top_revision`` the highest revision of what this
    release takes out of the draft.
    """
    project_id = access.project.id
    release = Release(
        project_id=project_id,
        number=number,
        kind=kind,
        restored_release=restored,
        changes=0,
        top_revision=top_revision,
        created_at=clock.now(),
        created_by=access.actor.id,
    )
    db.add(release)
    await db.flush()
    await keep_bodies(db, project_id, [part for part in changed.values() if isinstance(part, Part)])
    replaced = sorted(changed.keys() & current.keys())
    for start in range(0, len(replaced), 500):
        await db.execute(
            update(ReleasePart)
            .where(
                ReleasePart.project_id == project_id,
                ReleasePart.until_release.is_(None),
                ReleasePart.part.in_(replaced[start : start + 500]),
            )
            .values(until_release=number)
        )
    for name, part in changed.items():
        if part:
            db.add(
                ReleasePart(
                    project_id=project_id,
                    part=name,
                    since_release=number,
                    until_release=None,
                    hash=part.hash,
                    size_bytes=part.size_bytes,
                )
            )
    await db.flush()
    release.changes = await differing.count(db, access.project, number)
    await db.flush()
