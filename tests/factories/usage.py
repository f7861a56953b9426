"""Usage that was written earlier, or by another process."""

from livery.core import clock
from livery.core.context import Context
from livery.usage import service


async def add_usage(context: Context, project_id: str, *, calls: int = 0, size_bytes: int = 0) -> None:
    """Count so much for today (UTC)."""
    async with context.database.write() as db:
        await service.add(db, {(project_id, clock.now().date()): (calls, size_bytes)})
