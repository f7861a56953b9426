"""The verbs of colours. With ``kind`` the only writer of their tables; the project's row is locked by every caller."""

from collections.abc import Mapping

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.accounts.queries import name_of
from livery.activity.subjects import Subject
from livery.colors import queries
from livery.colors.contents import KIND, ColorContent, Draft
from livery.colors.models import Color
from livery.colors.schemas import ColorRecord, UpdateColorBody, check_key, check_value
from livery.content import entries, versions
from livery.content.parts import COLORS
from livery.content.versions import Kept
from livery.core import clock, limits
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.names import check_new_name
from livery.core.stale import stale_revision
from livery.projects.acts import record_change, touch
from livery.projects.queries import Access


async def create_color(db: AsyncSession, access: Access, *, key: str, value: str, nickname: str) -> ColorRecord:
    """Add a colour. Raises ``Conflict`` when the key is taken, ``Invalid`` for a bad key or value, and ``Forbidden`` when there is no room."""
    key, value = check_key(key), check_value(value)
    check_new_name(key)
    existing = await db.get(Color, (access.project.id, key))
    if existing is not None and existing.removed_at is None:
        raise _taken(key)
    await check_room(db, access, 1)
    color = existing or Color(project_id=access.project.id, key=key, published_value="", published_nickname="")
    if existing is None:
        db.add(color)
    color.created_at = clock.now()
    color.removed_at = color.renamed_from = None
    _change(access, color, value=value, nickname=nickname)
    if existing is not None:
        await forget_renames(db, access.project.id)
    await record_change(db, access, "colors.color_added", {"color": key}, after=_look(value, nickname))
    return queries.record_of(color)


async def check_room(db: AsyncSession, access: Access, more: int) -> None:
    """Raises ``Forbidden`` where the draft can't have so many colours more."""
    if more > 0 and await queries.count_colors(db, access.project.id) + more > limits.COLORS:
        raise Forbidden(f"A project can have at most {limits.COLORS:,} colours.", code="color_limit")


async def update_color(db: AsyncSession, access: Access, key: str, body: UpdateColorBody) -> ColorRecord:
    """Change a colour; a new key renames it. Raises ``Conflict`` with the current record and its editor when ``revision`` is stale."""
    color = await _present(db, access, key)
    if body.revision is not None and body.revision != color.revision:
        raise stale_revision("colour", queries.record_of(color), await name_of(db, color.updated_by))
    value = color.value if body.value is None else check_value(body.value)
    nickname = color.nickname if body.nickname is None else body.nickname
    new_key = key if body.key is None else check_key(body.key)
    if new_key != key:
        check_new_name(new_key)
        return await _rename(db, access, color, new_key, value=value, nickname=nickname)
    if (value, nickname) == (color.value, color.nickname):
        return queries.record_of(color)
    before = _look(color.value, color.nickname)
    _change(access, color, value=value, nickname=nickname)
    await record_change(db, access, "colors.color_changed", {"color": key}, before=before, after=_look(value, nickname))
    return queries.record_of(color)


async def remove_color(db: AsyncSession, access: Access, key: str) -> None:
    """Take a colour out of the draft; apps keep it until the next publish."""
    color = await _present(db, access, key)
    before = _look(color.value, color.nickname)
    await _discard(db, access, color)
    await record_change(db, access, "colors.color_removed", {"color": key}, before=before)


async def record_version(db: AsyncSession, access: Access, *, release: int, changes: int) -> None:
    """Adds the version of a release that changed colours."""
    await versions.record(db, access, KIND, {"": Kept(changes)}, entry="release", release=release)


async def overwrite_draft(
    db: AsyncSession,
    access: Access,
    draft: Draft,
    wanted: Mapping[str, ColorContent | None],
    *,
    release: int,
) -> None:
    """Makes the colours of the ``draft`` what they are in ``wanted``; ``None`` takes a colour out. Apps keep what they have.

    A colour that comes back gets the place that it had in ``release``, as far as that is known.
    """
    moment = clock.now()
    coming = [key for key, content in wanted.items() if content and key not in draft.rows]
    placed = await entries.created(db, access.project.id, COLORS, coming, until=release)
    for key, content in wanted.items():
        color = draft.rows.get(key)
        if content is None:
            if color is not None:
                await _discard(db, access, color)
            continue
        if color is None:
            color = Color(project_id=access.project.id, key=key, published_value="", published_nickname="")
            color.created_at = content.created_at or placed.get(key, moment)
            db.add(color)
        elif color.removed_at is not None:
            color.removed_at = None
        _change(access, color, value=content.value, nickname=content.nickname)
    await forget_renames(db, access.project.id)
    await touch(db, access)


async def forget_renames(db: AsyncSession, project_id: str) -> None:
    """Forgets under which key apps had a colour if that key has no unpublished removal: it came back."""
    await db.flush()
    removed = aliased(Color)
    is_removed = (
        select(removed.key)
        .where(
            removed.project_id == Color.project_id, removed.key == Color.renamed_from, removed.removed_at.is_not(None)
        )
        .exists()
    )
    renamed = (Color.project_id == project_id) & Color.renamed_from.is_not(None)
    await db.execute(
        update(Color).where(renamed, ~is_removed).values(renamed_from=None),
        execution_options={"synchronize_session": "fetch"},
    )


async def _rename(
    db: AsyncSession, access: Access, color: Color, new_key: str, *, value: str, nickname: str
) -> ColorRecord:
    target = await db.get(Color, (access.project.id, new_key))
    if target is not None and target.removed_at is None:
        raise _taken(new_key)
    old_key, created_at = color.key, color.created_at
    known_as = old_key if color.published_value else color.renamed_from
    before = {"key": old_key, **_look(color.value, color.nickname)}
    await _discard(db, access, color)
    if target is None:
        target = Color(project_id=access.project.id, key=new_key, published_value="", published_nickname="")
        db.add(target)
    target.created_at, target.removed_at = created_at, None
    target.renamed_from = None if known_as == new_key else known_as
    _change(access, target, value=value, nickname=nickname)
    await forget_renames(db, access.project.id)
    after = {"key": new_key, **_look(value, nickname)}
    subject: Subject = {"color": old_key, "newColor": new_key}
    await record_change(db, access, "colors.color_changed", subject, before=before, after=after)
    return queries.record_of(target)


async def _present(db: AsyncSession, access: Access, key: str) -> Color:
    color = await db.get(Color, (access.project.id, key[: limits.KEY_CHARACTERS]))
    if color is None or color.removed_at is not None:
        raise NotFound(f'There is no colour "{key[: limits.KEY_CHARACTERS]}" in this project.', code="color_not_found")
    return color


async def _discard(db: AsyncSession, access: Access, color: Color) -> None:
    if color.published_value:
        color.removed_at = clock.now()
        color.updated_by = access.actor.id
        color.is_changed = True
        color.revision = access.next_revision()
    else:
        await db.delete(color)


def _change(access: Access, color: Color, *, value: str, nickname: str) -> None:
    color.value, color.nickname = value, nickname
    color.is_changed = (value, nickname) != (color.published_value, color.published_nickname)
    color.revision = access.next_revision()
    color.updated_at = clock.now()
    color.updated_by = access.actor.id


def _look(value: str, nickname: str) -> dict[str, str]:
    return {"value": value, "nickname": nickname}


def _taken(key: str) -> Conflict:
    message = f'Color key "{key}" already exists.'
    return Conflict(message, code="color_exists", fields={"key": message})
