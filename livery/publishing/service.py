"""The verbs that make releases: of a whole draft, all of it or nothing; and of images, which are live at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.service import record
from livery.colors import export as colors_export
from livery.colors import queries as colors
from livery.colors import service as colors_service
from livery.core import clock
from livery.core.errors import Conflict, Invalid, PaymentRequired
from livery.core.events import Bus, announce
from livery.projects.models import Project
from livery.projects.queries import Access
from livery.projects.service import advance_release, forget_removed_screens
from livery.publishing import editors, history, pushed, queries, releases
from livery.publishing.diff import compute_diff, draft_meta, review
from livery.publishing.releases import NO_PLAN, RELEASE_TOPIC
from livery.publishing.schemas import COLORS, IMAGES, META, ImagePart, Meta, Part, encode_part, store_part, text_part
from livery.screens import export as screens_export
from livery.screens import queries as screens
from livery.screens import service as screens_service
from livery.stores import export as stores_export
from livery.stores import service as stores_service
from livery.stores import versions as item_versions

CONTENT_LIMIT_BYTES = 10 * 1024 * 1024
IMAGES_LIMIT_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True)
class Published:
    """The outcome: ``is_new`` is false when the draft held nothing that apps don't have."""

    release: int
    is_new: bool


async def publish(
    db: AsyncSession,
    bus: Bus,
    access: Access,
    *,
    expected: str | None = None,
    kind: Literal["publish", "scheduled"] = "publish",
) -> Published:
    """Make the next release of everything in the draft; apps are told after the commit.

    Work and stored bytes are proportional to what changed. A draft without changes makes no release, except the first. Raises
    ``PaymentRequired`` without an active plan, ``Conflict`` with the present diff when ``expected`` is no longer what waits.
    """
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN)
    project = access.project
    if expected is not None:
        diff = await compute_diff(db, project)
        if diff.token != expected:
            raise Conflict(
                "The draft changed since you reviewed it. Please look at what would go out now.",
                code="stale_diff",
                extra={"diff": (await review(db, project)).model_dump(mode="json", by_alias=True)},
            )
    meta = await draft_meta(db, project)
    current = await queries.current_part_hashes(db, project.id)
    changed = {
        name: part
        for name, part in (await _export(db, project, meta, current)).items()
        if current.get(name, (None,))[0] != (part.hash if part else None)
    }
    text_counts = await screens.changed_counts(db, project.id)
    color_count = await colors.count_changed(db, project.id)
    is_new = bool(changed) or project.release_number == 0
    if is_new:
        _check_sizes(meta, current, changed)
        number = await advance_release(db, project)
        top = await releases.top_removed_revision(db, project.id)
        await releases.write(db, access, number, current, changed, kind=kind, top_revision=top)
        await editors.keep(db, project.id, number, await editors.waiting(db, project.id))
        for screen in sorted({name.split("/")[1] for name in changed if name.startswith("text/")}):
            await history.record_release(db, access, screen, release=number, changes=text_counts.get(screen, 0))
        if COLORS in changed:
            await colors_service.record_version(db, access, release=number, changes=color_count)
        item_count = await item_versions.record_changed(db, access, release=number)
        await record(
            db,
            project_id=project.id,
            actor_id=access.actor.id,
            action="publishing.published",
            target=str(number),
            before={"release": number - 1},
            after={
                "release": number,
                "keys": sum(text_counts.values()),
                "colors": color_count,
                "items": item_count,
                "parts": len(changed),
            },
        )
        announce(db, bus, RELEASE_TOPIC, project.id)
    await screens_service.mark_published(db, project.id, release=project.release_number)
    await colors_service.mark_published(db, project.id, release=project.release_number)
    await stores_service.mark_published(db, project.id)
    await forget_removed_screens(db, project.id)
    return Published(project.release_number, is_new)


async def push_images(db: AsyncSession, bus: Bus, access: Access, images: Mapping[str, ImagePart]) -> int | None:
    """Give apps ``images`` (all of the project's, by key) at once: the number of the release that does so.

    ``None`` when there is none: before the first publish they wait for it, and images that apps have already are no change. Drafts stay drafts.
    The project's row must be locked. Raises ``Invalid`` when the list itself grows over 2 MB.
    """
    project = access.project
    value = {key: image.as_part() for key, image in images.items()}
    part = encode_part(value) if value else None
    before = await pushed.find(db, project.id, IMAGES)
    known = (before.hash, before.size_bytes) if before and before.hash else None
    if part and part.size_bytes > max(IMAGES_LIMIT_BYTES, known[1] if known else 0):
        raise Invalid("These are more images than apps can be told of. Delete some first.", code="too_many_images")
    if (known[0] if known else None) == (part.hash if part else None):
        return None
    old = await pushed.value(db, before)
    await pushed.put(db, project, IMAGES, part)
    if project.release_number == 0:
        return None
    number = await advance_release(db, project)
    changed = [key for key in old.keys() | value.keys() if old.get(key) != value.get(key)]
    current = {IMAGES: known} if known else {}
    await releases.write(db, access, number, current, {IMAGES: part}, kind="images")
    edit = (access.actor.id, clock.now())
    await editors.keep(
        db, project.id, number, {editors.IMAGES_SECTION: {key: {editors.WHOLE: edit} for key in changed}}
    )
    announce(db, bus, RELEASE_TOPIC, project.id)
    return number


async def _export(
    db: AsyncSession, project: Project, meta: Meta, current: Mapping[str, tuple[str, int]]
) -> dict[str, Part | None]:
    """Every part that may have changed, encoded; ``None`` for one that is empty now."""
    project_id = project.id
    parts: dict[str, Part | None] = {META: encode_part(meta.as_part())}
    for screen, language in await screens_export.changed_parts(db, project_id):
        texts = await screens_export.texts(db, project_id, screen, language)
        parts[text_part(screen, language)] = encode_part(texts) if texts else None
    if await colors.count_changed(db, project_id):
        exported = await colors_export.colors(db, project_id)
        parts[COLORS] = encode_part(exported) if exported else None
    parts.update(await _export_stores(db, project_id, current))
    parts.update(await pushed.waiting(db, project))
    return parts


async def _export_stores(
    db: AsyncSession, project_id: str, current: Mapping[str, tuple[str, int]]
) -> dict[str, Part | None]:
    draft = {store.id: store for store in await stores_export.stores(db, project_id)}
    parts: dict[str, Part | None] = {
        name: None for name in current if name.startswith("store/") and name.split("/")[1] not in draft
    }
    for store in draft.values():
        if store.is_changed:
            parts[store_part(store.id)] = encode_part(store.as_part())
    for store_id, chunk in await stores_export.changed_chunks(db, project_id):
        items = await stores_export.chunk(db, project_id, store_id, chunk)
        part = encode_part(items) if items else None
        releases.check_chunk(draft[store_id].name, chunk, part)
        parts[store_part(store_id, chunk)] = part
    return parts


def _check_sizes(meta: Meta, current: Mapping[str, tuple[str, int]], changed: Mapping[str, Part | None]) -> None:
    """Refuse a language whose texts, with the default language's in place of missing screens, would be over 10 MB."""
    sizes = {name: size for name, (_, size) in current.items()}
    sizes.update({name: part.size_bytes if part else 0 for name, part in changed.items()})
    for language in meta.languages:
        total = sum(
            max(sizes.get(text_part(screen, language), 0), sizes.get(text_part(screen, meta.default_language), 0))
            for screen in meta.screens
        )
        if total > CONTENT_LIMIT_BYTES:
            raise Invalid(
                f'The texts in "{language}" are {total / 1024 / 1024:.1f} MB; apps can load at most 10 MB. Shorten or remove some.',
                code="content_too_large",
            )
