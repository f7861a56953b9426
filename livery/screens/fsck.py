"""What is wrong with keys and texts, and which texts the drafts remember as published, for ``livery admin fsck``."""

from collections.abc import AsyncGenerator

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.content.parts import text_part
from livery.screens.models import TextKey, TextValue

_IS_OF_KEY = (TextValue.project_id == TextKey.project_id) & (TextValue.key_id == TextKey.id)


async def problems(db: AsyncSession) -> AsyncGenerator[str]:
    """Yields each text and key whose mark contradicts what a publish changes, and each renamed key without a tombstone of its former name."""
    is_wrong = TextValue.is_changed != (TextValue.value != TextValue.published_value)
    texts = select(TextValue.project_id, TextValue.key_id, TextValue.language).where(is_wrong)
    has_changed = select(TextValue.key_id).where(_IS_OF_KEY, TextValue.is_changed).exists()
    is_wrong = TextKey.is_changed != (has_changed | TextKey.removed_at.is_not(None))
    keys = select(TextKey.project_id, TextKey.id).where(is_wrong)
    former = aliased(TextKey)
    is_former = (former.project_id == TextKey.project_id) & (former.screen == TextKey.screen)
    renamed = select(TextKey.project_id, TextKey.name).where(
        TextKey.renamed_from.is_not(None), TextKey.removed_at.is_(None)
    )
    renamed = renamed.outerjoin(former, is_former & (former.name == TextKey.renamed_from))
    for query, problem in (
        (texts, "text {} in {} is marked wrongly"),
        (keys, "key {} is marked wrongly"),
        (renamed.where(former.removed_at.is_(None)), "{} was renamed from a name without an unpublished removal"),
    ):
        for project_id, *place in await db.execute(query):
            yield f"{project_id}: {problem.format(*place)}"


async def published(db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
    """Yields the published texts of each screen in each language."""
    is_published = TextValue.published_value != ""
    places = select(TextValue.project_id, TextValue.screen, TextValue.language).where(is_published).distinct()
    texts = select(TextKey.name, TextValue.published_value).join(TextKey, _IS_OF_KEY).where(is_published)
    for project_id, screen, language in await db.execute(places):
        rows = await db.execute(
            texts.where(TextValue.project_id == project_id, TextValue.screen == screen, TextValue.language == language)
        )
        yield project_id, text_part(screen, language), dict(rows.all())
