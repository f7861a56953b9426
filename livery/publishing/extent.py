"""How much of a comparison is listed: of long lists the first 200 changes, unless all of one is asked for."""

import re
from collections.abc import Iterable
from typing import Annotated

from fastapi import Query
from pydantic import StringConstraints

SHOWN = 200
SECTION = r"^(screen|store)/[A-Za-z0-9_]{1,100}$"

Whole = Annotated[
    list[Annotated[str, StringConstraints(pattern=SECTION)]] | None,
    Query(max_length=100, description="Sections to list wholly: `screen/{name}`, `store/{apiIdentifier}`."),
]


class Extent:
    """Of the sections ``whole`` (``screen/{name}``, ``store/{apiIdentifier}``) everything is listed."""

    def __init__(self, whole: Iterable[str] = ()) -> None:
        self._whole = frozenset(whole)

    def limit_of_unpublished(self, section: str) -> int | None:
        """Returns the limit of a section in a review: what nobody can ask for wholly is listed wholly, so that all of it can be chosen."""
        return self.limit_of(section) if re.fullmatch(SECTION, section) else None

    def limit_of(self, section: str) -> int | None:
        """Returns the greatest number of changes of a section to list; ``None`` for all of them."""
        return None if section in self._whole else SHOWN


ALL_BOUNDED = Extent()
