"""Checks the invariants of releases, of the versions that histories keep, and of what the drafts remember as published."""

from collections.abc import AsyncGenerator, Callable
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import entries, versions
from livery.content.models import ReleasedEntry, Version, VersionBody
from livery.content.parts import IMAGES, META, DecodedPart, decode_part, encode_part
from livery.projects.models import Project
from livery.publishing import discards
from livery.publishing.kinds import KINDS
from livery.publishing.models import PartBody, PushedPart, Release, ReleasePart

PUSHED_PARTS = (IMAGES,)


async def check_release_numbers(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that the releases of a project are numbered from 1 without a gap, up to the project's release."""
    counts = select(Release.project_id, func.count().label("count"), func.max(Release.number).label("top"))
    numbered = counts.group_by(Release.project_id).subquery()
    rows = await db.execute(
        select(Project.id, Project.release_number, numbered.c.count, numbered.c.top).outerjoin(
            numbered, numbered.c.project_id == Project.id
        )
    )
    for project_id, release, count, top in rows:
        if (count or 0) != release or (top or 0) != release:
            yield f"{project_id}: is at release {release} but has {count or 0} releases, the last {top or 0}"


async def check_parts(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that each part has at most one body at a time, that every release has its meta part, and every body its hash.

    The parts of a deleted project are deleted after some time (``releases.forget_deleted``), so it may lack some.
    """
    rows = await db.stream(
        select(ReleasePart.project_id, ReleasePart.part, ReleasePart.since_release, ReleasePart.until_release).order_by(
            ReleasePart.project_id, ReleasePart.part, ReleasePart.since_release
        )
    )
    before: tuple[str, str, int | None] | None = None
    async for project_id, part, since, until in rows:
        if before and before[:2] == (project_id, part) and (before[2] is None or before[2] > since):
            yield f"{project_id}: part {part} has two bodies at release {since}"
        if until is not None and until <= since:
            yield f"{project_id}: part {part} ends at release {until}, before it starts"
        before = (project_id, part, until)
    has_meta = select(ReleasePart.project_id).where(ReleasePart.part == META, ReleasePart.until_release.is_(None))
    living = (Project.release_number > 0) & Project.deleted_at.is_(None)
    missing = select(Project.id).where(living, Project.id.not_in(has_meta))
    for project_id in (await db.execute(missing)).scalars():
        yield f"{project_id}: its release has no meta part"
    bodies = await db.stream(select(PartBody.project_id, PartBody.hash, PartBody.body))
    async for project_id, part_hash, body in bodies:
        if _decoded(part_hash, body) is None:
            yield f"{project_id}: body {part_hash} is damaged"


def _decoded(part_hash: str, body: bytes) -> DecodedPart | None:
    try:
        return decode_part(part_hash, body)
    except ValueError:
        return None


def _reads(read: Callable[[Any], object], value: object) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True


async def check_pushed_parts(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that a pushed part has its body, and that the last release, if there is a release, has exactly what was pushed."""
    is_body = (PartBody.project_id == PushedPart.project_id) & (PartBody.hash == PushedPart.hash)
    pushed = select(PushedPart.project_id, PushedPart.part, PushedPart.hash, PushedPart.size_bytes, PartBody.body)
    for project_id, part, part_hash, size, body in await db.execute(pushed.outerjoin(PartBody, is_body)):
        decoded = _decoded(part_hash, body) if part_hash and body else None
        if bool(part_hash) != bool(decoded) or size != (decoded.size_bytes if decoded else 0):
            yield f"{project_id}: what was pushed as {part} is not there or not of its size"
    is_current = (
        (ReleasePart.project_id == PushedPart.project_id)
        & (ReleasePart.part == PushedPart.part)
        & ReleasePart.until_release.is_(None)
    )
    differing = (
        select(PushedPart.project_id, PushedPart.part)
        .join(Project, Project.id == PushedPart.project_id)
        .outerjoin(ReleasePart, is_current)
        .where(
            Project.release_number > 0,
            Project.deleted_at.is_(None),
            func.coalesce(PushedPart.hash, "") != func.coalesce(ReleasePart.hash, ""),
        )
    )
    unknown = (
        select(ReleasePart.project_id, ReleasePart.part)
        .outerjoin(PushedPart, is_current)
        .join(Project, Project.id == ReleasePart.project_id)
        .where(Project.deleted_at.is_(None))
        .where(ReleasePart.until_release.is_(None), ReleasePart.part.in_(PUSHED_PARTS), PushedPart.project_id.is_(None))
    )
    for query in (differing, unknown):
        for project_id, part in await db.execute(query):
            yield f"{project_id}: the release has other {part} than were pushed"


async def check_entries(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that what releases know of entries is kept of releases that exist, and can be read."""
    columns = (ReleasedEntry.project_id, ReleasedEntry.place, ReleasedEntry.name, ReleasedEntry.since_release)
    has_release = Project.release_number >= ReleasedEntry.since_release
    query = select(*columns, ReleasedEntry.edits, has_release).join(Project, Project.id == ReleasedEntry.project_id)
    async for project_id, place, name, number, edits, is_there in await db.stream(query):
        entry = f"{project_id}: what release {number} knows of {place} {name}".rstrip()
        if not is_there:
            yield f"{entry} is kept, but there is no such release"
        if not _reads(entries.decode, edits):
            yield f"{entry} is damaged"


async def check_versions(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that the versions of each place are numbered from 1 without a gap and name a release that exists.

    What they keep is there and can be read. A draft keeps its content, and so does each version of a kind that is not read from releases. No
    other body is kept.
    """
    readers: dict[str, Callable[[object], object]] = {versions.UNDO: discards.unpacked}
    for kind in KINDS:
        readers |= kind.kept_forms
    wholly_kept = [name for kind in KINDS if kind.keeps_releases for name in kind.kept_forms]
    releases = {row[0]: row[1] for row in (await db.execute(select(Project.id, Project.release_number)))}
    place = (Version.project_id, Version.kind, Version.place)
    numbered = select(*place, func.count(), func.max(Version.number), func.max(Version.release_number)).group_by(*place)
    for project_id, kind, name, count, top, release in await db.execute(numbered):
        if count != top or release > releases[project_id]:
            yield f"{project_id}: versions of {f'{kind} {name}'.strip()} have a gap or name a release that is not there"
    has_content = (Version.entry == "draft") | Version.kind.in_(wholly_kept)
    lost = select(Version.id).where(has_content, Version.body_hash.is_(None))
    for version_id in (await db.execute(lost)).scalars():
        yield f"{version_id}: the content that it stands for was not kept"
    is_named = (Version.project_id == VersionBody.project_id) & (Version.body_hash == VersionBody.hash)
    missing = select(Version.id).outerjoin(VersionBody, is_named).where(Version.body_hash.is_not(None))
    for version_id in (await db.execute(missing.where(VersionBody.hash.is_(None)))).scalars():
        yield f"{version_id}: what it keeps is not there"
    uses = (
        select(Version.project_id, Version.body_hash, Version.kind, has_content.label("has_content"))
        .distinct()
        .subquery()
    )
    is_used = (uses.c.project_id == VersionBody.project_id) & (uses.c.body_hash == VersionBody.hash)
    columns = (VersionBody.project_id, VersionBody.hash, VersionBody.body, uses.c.kind, uses.c.has_content)
    async for project_id, body_hash, body, kind, is_content in await db.stream(
        select(*columns).outerjoin(uses, is_used)
    ):
        decoded = _decoded(body_hash, body)
        if kind is None:
            yield f"{project_id}: body {body_hash} is kept for no version"
        elif decoded is None or (is_content and not _reads(readers[kind], decoded.value)):
            yield f"{project_id}: body {body_hash} of a version is damaged"


async def check_published_forms(db: AsyncSession) -> AsyncGenerator[str]:
    """Checks that what the drafts remember as published is what the release holds, part by part. Equal content has one hash."""
    parts = await db.execute(
        select(ReleasePart.project_id, ReleasePart.part, ReleasePart.hash)
        .join(PartBody, (PartBody.project_id == ReleasePart.project_id) & (PartBody.hash == ReleasePart.hash))
        .where(ReleasePart.until_release.is_(None), ReleasePart.part.not_in([META, *PUSHED_PARTS]))
    )
    hashes = {(project_id, part): part_hash for project_id, part, part_hash in parts}
    living = set(await db.scalars(select(Project.id).where(Project.deleted_at.is_(None))))
    for kind in KINDS:
        async for project_id, part, value in kind.published(db):
            part_hash = hashes.get((project_id, part))
            if part_hash is None and project_id in living:
                yield f"{project_id}: the draft remembers part {part}, which the release does not have"
            elif part_hash == encode_part(value).hash:
                del hashes[project_id, part]
    for project_id, part in hashes:
        yield f"{project_id}: part {part} of the release differs from what the draft remembers"


RELEASE_CHECKS = (
    check_release_numbers,
    check_parts,
    check_pushed_parts,
    check_entries,
    check_versions,
    check_published_forms,
)
