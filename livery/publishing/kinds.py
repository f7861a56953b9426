"""The kinds of content. These lists are explicit: a reader sees what publishing handles, and no kind registers itself."""

from collections import defaultdict
from collections.abc import Mapping

from pydantic import Field

from livery.colors.kind import Colors
from livery.colors.schemas import ColorChange
from livery.content.kind import Kind
from livery.core.schemas import View
from livery.publishing.images import ImageChange, Images
from livery.screens.kind import Texts
from livery.screens.outline import Outline
from livery.screens.schemas import LanguageDiff, ScreenDiff
from livery.stores.kind import Stores
from livery.stores.schemas import StoreChange

TEXTS, COLORS = Texts(), Colors()
KINDS: tuple[Kind, ...] = (Outline(), TEXTS, COLORS, Stores(), Images())
"""In the order in which people see their changes. What a kind needs (a screen, a language) comes before it."""


class Sections(View):
    """What differs, kind by kind.

    A screen or a store that is not asked for wholly has at most 200 of its changes. So have the colours and the images of a release.
    """

    screens: list[ScreenDiff]
    colors: list[ColorChange]
    stores: list[StoreChange]
    languages: list[LanguageDiff]
    images: list[ImageChange]
    colors_total: int
    images_total: int


class Losses(View):
    """What apps lose with a publish: counts of keys, colours and items, names of the rest.

    A renamed key or colour is lost under its old name.
    """

    screens: list[str]
    texts: int
    colors: int
    stores: list[str] = Field(description="API identifiers.")
    fields: list[str] = Field(
        description="Of stores that stay: `destinations.price`.", examples=[["destinations.price"]]
    )
    items: int
    languages: list[str]


class Unpublished(View):
    """How much waits: the number on the publish button, per screen, and of colours and stores."""

    total: int
    screens: dict[str, int]
    colors: int
    stores: int

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Unpublished":
        """Reads the numbers of changes by place."""
        by_kind: dict[str, dict[str, int]] = defaultdict(dict)
        for place, count in counts.items():
            kind, _, name = place.partition("/")
            by_kind[kind][name] = count
        colors, stores = (sum(by_kind[kind].values()) for kind in ("colors", "store"))
        return cls(total=sum(counts.values()), screens=by_kind["screen"], colors=colors, stores=stores)
