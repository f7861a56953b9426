"""Renews blocks of which texts changed. The only writer of its tables beside the triggers."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import CursorResult, delete, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core.db import Database, insert_for
from livery.projects import queries as projects
from livery.projects.models import Project
from livery.search import queries
from livery.search.blocks import Block, make_block, sign
from livery.search.folding import FORM
from livery.search.models import SearchBlock, SearchMark

BATCH = 16


async def renew(database: Database) -> int:
    """Makes the blocks of some marked texts again. Returns how many marks it saw. Any number of processes may do it at once."""
    async with database.read() as db:
        marks = await queries.some_marks(db, BATCH)
        texts = [await queries.texts_of(db, mark.project_id, mark.screen, mark.language) for mark in marks]
    for mark, rows in zip(marks, texts, strict=True):
        signed = await asyncio.to_thread(_sign, rows)
        async with database.write() as db:
            await keep(db, mark, *signed)
    return len(marks)


def _sign(rows: Sequence[tuple[str, str]]) -> tuple[Block, bytes]:
    block = make_block(rows)
    return block, sign(block.text)


async def keep(db: AsyncSession, mark: SearchMark, block: Block, signature: bytes) -> None:
    """Keep a block, unless its texts changed again since they were read: then the mark stays, with another stamp."""
    # Before the mark, as who writes a text does: a block refers to its project, and the two must not wait for each other.
    await projects.lock(db, mark.project_id)
    ended: CursorResult[Any] = await db.execute(  # pyright: ignore[reportAssignmentType]  # what a delete gives
        delete(SearchMark).where(
            SearchMark.project_id == mark.project_id,
            SearchMark.screen == mark.screen,
            SearchMark.language == mark.language,
            SearchMark.stamp == mark.stamp,
        )
    )
    if ended.rowcount == 0:
        return
    place = {"project_id": mark.project_id, "screen": mark.screen, "language": mark.language}
    if not block.key_ids:
        await db.execute(delete(SearchBlock).filter_by(**place))
        return
    content = {
        "form": FORM,
        "digest": block.digest(),
        "stamp": 1 + secrets.randbelow(2**31 - 1),
        "signature": signature,
        "text": block.text,
        "key_ids": " ".join(block.key_ids),
    }
    await db.execute(
        insert_for(db)(SearchBlock)
        .values(**place, **content)
        .on_conflict_do_update(index_elements=list(place), set_=content)
    )


async def mark_foreign_forms(db: AsyncSession) -> None:
    """Marks texts that a different version of the program or of Unicode folded differently."""
    old = (
        select(SearchBlock.project_id, SearchBlock.screen, SearchBlock.language, literal(0))
        .join(Project, Project.id == SearchBlock.project_id)
        .where(SearchBlock.form != FORM)
    )
    columns: Sequence[str] = ("project_id", "screen", "language", "stamp")
    await db.execute(insert_for(db)(SearchMark).from_select(columns, old).on_conflict_do_nothing())
