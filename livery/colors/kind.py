"""Colours as one kind of content: their unpublished changes, published, discarded and settled. With ``service`` it writes the table of colours."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import cast

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.colors import contents, queries, service
from livery.colors.contents import ColorContent, unpacked
from livery.colors.models import Color
from livery.colors.section import section_of
from livery.content import entries
from livery.content.changes import Change, Content, Stamp
from livery.content.kind import HistoryWords, Kind, Operation, RestoredRelease, keep_draft
from livery.content.parts import COLORS, Meta, Part, PartName, encode_part
from livery.content.showing import Comparison, Section, Touched
from livery.content.states import Frame, ReadParts, Values
from livery.core import clock
from livery.core.portions import portions
from livery.projects.queries import Access

KIND = "color"
PLACE = COLORS


class Colors(Kind):
    """The colours of a project: one place, one part, one history. The values of a colour are its ``value`` and its ``nickname``."""

    name = "colors"
    entry = KIND
    words = HistoryWords("colour", "colours", "colors.rolled_back", "changedColors")
    kept_forms = MappingProxyType({contents.KIND: unpacked})

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """See ``Kind``."""
        count = await queries.count_changed(db, frame.project_id)
        return {PLACE: count} if count else {}

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. The changes are in the order of their keys. The value and the nickname of a colour are published together."""
        query = select(Color).where(Color.project_id == frame.project_id, Color.is_changed).order_by(Color.key)
        rows = (await db.scalars(query.execution_options(populate_existing=True))).all()
        renamed = {row.renamed_from: row.key for row in rows if row.renamed_from and row.removed_at is None}
        return [_change(row, renamed) for row in rows]

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        """See ``Kind``. No mark is equal to another: the part is read every time."""
        return {COLORS: object()} if await queries.count_changed(db, project_id) else {}

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        """See ``Kind``."""
        return await queries.draft_part(db, project_id)

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return PLACE if part.holds == COLORS else None

    def contents(self, values: Values) -> Mapping[str, Content]:
        """See ``Kind``."""
        return _as_part(unpacked(values.get(COLORS, {})))

    async def draft(self, db: AsyncSession, project_id: str, place: str) -> Mapping[str, Content]:
        """See ``Kind``."""
        return await queries.draft_part(db, project_id)

    def kept(self, body: object) -> Mapping[str, Content]:
        """See ``Kind``."""
        return _as_part(unpacked(body))

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """See ``Kind``."""
        if not changes:
            return {}
        colors = _as_part(unpacked((await read([COLORS])).get(COLORS, {})))
        for change in changes:
            if change.after is None:
                colors.pop(change.id, None)
            else:
                colors[change.id] = dict(change.after)
        return {COLORS: encode_part(colors) if colors else None}

    async def touched(
        self, db: AsyncSession, project_id: str, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Touched]:
        """See ``Kind``."""
        edits = await queries.last_edits(db, project_id, [change.name for change in changes])
        return {name: Touched(edit) for name, edit in edits.items()}

    async def section(self, comparison: Comparison) -> Section:
        """See ``Kind``."""
        return section_of(comparison)

    async def record(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        release: int,
        restored: int | None = None,
    ) -> None:
        """See ``Kind``."""
        await service.record_version(db, access, release=release, changes=len(changes))

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: RestoredRelease | None = None,
    ) -> None:
        """See ``Kind``. A colour that the draft lacks becomes a tombstone."""
        project_id = access.project.id
        rows = await _rows(db, project_id, [change.id for change in changes])
        gone = {change.id for change in changes if change.after is None and _is_removed(rows.get(change.id))}
        await _delete(db, project_id, sorted(gone))
        coming = [change.id for change in changes if change.after is not None and change.id not in rows]
        placed: Mapping[str, datetime] = {}
        if restored:
            placed = await entries.created(db, project_id, COLORS, coming, until=restored.release)
        for change in changes:
            row, apps = rows.get(change.id), _content(change.after)
            if row is None and apps is not None:
                db.add(_tombstone(access, change.id, apps, placed.get(change.id)))
            elif row is not None and change.id not in gone:
                row.published_value, row.published_nickname = apps.visible if apps else ("", "")
                published = (row.published_value, row.published_nickname)
                row.is_changed = _is_removed(row) or (row.value, row.nickname) != published
        await service.forget_renames(db, project_id)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        """See ``Kind``. The whole draft is kept."""
        draft = await queries.read_draft(db, access.project.id)
        wanted = {change.id: _content(change.before) for change in changes}
        for key, content in wanted.items():
            if content is not None and key in draft.rows and operation.source is None:
                draft.rows[key].renamed_from = None  # apps know it by this key
        if any(map(operation.keeps, changes)):
            await keep_draft(db, access, place, draft, len(wanted), operation)
        kept = contents.packed({key: draft.content.get(key) for key in wanted})
        await service.overwrite_draft(db, access, draft, wanted, release=operation.origin)
        return kept

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
        """See ``Kind``."""
        before, draft = unpacked(kept), await queries.read_draft(db, access.project.id)
        wanted = {
            key: before.get(key)
            for key in cast("dict[str, object]", kept)
            if _visible(before.get(key)) != _visible(draft.content.get(key))
        }
        if not wanted:
            return
        if draft.is_changed or operation.keeps_all:
            await keep_draft(db, access, place, draft, len(wanted))
        await service.overwrite_draft(db, access, draft, wanted, release=operation.source or operation.release)

    async def problems(self, db: AsyncSession) -> AsyncGenerator[str]:
        """See ``Kind``. Finds marks that contradict what a publish changes, and renamed colours without a tombstone of the former key."""
        differs = (Color.value != Color.published_value) | (Color.nickname != Color.published_nickname)
        rows = select(Color.project_id, Color.key)
        marked_wrongly = rows.where(Color.is_changed != (differs | Color.removed_at.is_not(None)))
        for project_id, key in await db.execute(marked_wrongly):
            yield f"{project_id}: colour {key} is marked wrongly"
        former = aliased(Color)
        renamed = rows.outerjoin(former, (former.project_id == Color.project_id) & (former.key == Color.renamed_from))
        renamed = renamed.where(Color.renamed_from.is_not(None), Color.removed_at.is_(None))
        for project_id, key in await db.execute(renamed.where(former.removed_at.is_(None))):
            yield f"{project_id}: {key} was renamed from a name without an unpublished removal"

    async def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        """See ``Kind``."""
        is_published = Color.published_value != ""
        columns = (Color.key, Color.published_value, Color.published_nickname)
        for project_id in await db.scalars(select(Color.project_id).where(is_published).distinct()):
            rows = await db.execute(select(*columns).where(Color.project_id == project_id, is_published))
            yield project_id, COLORS, {key: _values(value, nickname) for key, value, nickname in rows}


def _change(row: Color, renamed: Mapping[str, str]) -> Change:
    before = _values(row.published_value, row.published_nickname) if row.published_value else None
    after = None if row.removed_at else _values(row.value, row.nickname)
    former_name = row.renamed_from if after else None
    new_name = None if after else renamed.get(row.key)
    renamed_key = former_name or (row.key if new_name else None)
    slots = [slot for slot in ("value", "nickname") if (before or {}).get(slot) != (after or {}).get(slot)]
    return Change(
        kind=KIND,
        id=row.key,
        name=row.key,
        before=before,
        after=after,
        stamp=Stamp(row.updated_by, row.removed_at or row.updated_at),
        tie=f"rename:{KIND}:{renamed_key}" if renamed_key else None,
        slot_ties=dict.fromkeys(slots, f"{KIND}:{row.key}"),
        former_name=former_name,
        new_name=new_name,
        is_draft=True,
        created_at=row.created_at,
    )


def _values(value: str, nickname: str) -> dict[str, str]:
    return {"value": value, "nickname": nickname}


def _content(values: Content | None) -> ColorContent | None:
    return None if values is None else ColorContent(values["value"], values["nickname"])


def _visible(color: ColorContent | None) -> tuple[str, str] | None:
    return color.visible if color else None


def _as_part(colors: contents.Content) -> dict[str, dict[str, str]]:
    return {key: _values(color.value, color.nickname) for key, color in colors.items()}


def _is_removed(row: Color | None) -> bool:
    return row is not None and row.removed_at is not None


async def _rows(db: AsyncSession, project_id: str, keys: Sequence[str]) -> dict[str, Color]:
    found: dict[str, Color] = {}
    for some in portions(keys):
        query = select(Color).where(Color.project_id == project_id, Color.key.in_(some))
        rows = await db.scalars(query.execution_options(populate_existing=True))
        found |= {row.key: row for row in rows}
    return found


async def _delete(db: AsyncSession, project_id: str, keys: Sequence[str]) -> None:
    """Deletes tombstones."""
    for some in portions(keys):
        await db.execute(delete(Color).where(Color.project_id == project_id, Color.key.in_(some)))


def _tombstone(access: Access, key: str, apps: ColorContent, created_at: datetime | None) -> Color:
    moment = clock.now()
    return Color(
        project_id=access.project.id,
        key=key,
        value=apps.value,
        nickname=apps.nickname,
        published_value=apps.value,
        published_nickname=apps.nickname,
        is_changed=True,
        revision=access.next_revision(),
        created_at=created_at or moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=moment,
        renamed_from=None,
    )
