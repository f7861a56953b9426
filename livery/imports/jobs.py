"""The background work of imports: old imports go."""

from livery.core import clock, limits
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep, prune_rows
from livery.imports.models import Import


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweep ``imports``, which deletes imports of more than seven days ago with their files. Their texts stay."""

    async def prune() -> None:
        await prune_rows(context.database, Import, Import.created_at < clock.now() - limits.IMPORT_KEPT)

    return [Sweep("imports", prune, PRUNE_SECONDS)]
