"""The history of the colours. All colours of a project are one place, without a name."""

from collections.abc import Mapping, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.colors import contents, queries, service
from livery.colors.contents import KIND, Change, Content
from livery.content import parts
from livery.content.history import History, Plan
from livery.projects.queries import Access


class ColorHistory(History[Content, Change]):
    """Colours by key."""

    kind = KIND
    words = "colour", "colours"
    action = "colors.rolled_back"
    counted_as = "changedColors"

    def unpacked(self, value: object, /) -> Content:
        return contents.unpacked(value)

    def differences(self, before: Content, after: Content, /) -> list[Change]:
        return contents.differences(before, after)

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        """See ``Drafts``. Every project has colours."""

    async def plan(
        self, db: AsyncSession, access: Access, place: str, wanted: Content, *, is_whole: bool
    ) -> Plan[Change]:
        draft = await queries.read_draft(db, access.project.id)
        changes = contents.differences(draft.content, wanted, draft.rows)
        return Plan(changes, draft.is_changed, draft.top_revision, draft.packed)

    async def overwrite(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], *, floor: int, release: int
    ) -> None:
        await service.overwrite_draft(db, access, changes, floor=floor, release=release)

    def subject(self, place: str) -> Subject:
        return {}

    def parts(self, place: str) -> str:
        return parts.COLORS

    async def marks(self, db: AsyncSession, project_id: str, place: str) -> object:
        draft = await queries.read_draft(db, project_id)
        return {key: color.visible for key, color in draft.content.items()}

    async def released(
        self, db: AsyncSession, project_id: str, place: str, release: int, pieces: Mapping[str, object]
    ) -> Content:
        return contents.unpacked(pieces.get("", {}))
