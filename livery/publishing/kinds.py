"""The kinds of content, and what answers and rules have for single kinds. The only module of publishing that knows them.

The lists are explicit: a reader sees what publishing handles, and no kind registers itself.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import Field

from livery.colors.kind import Colors
from livery.colors.schemas import ColorChange
from livery.content.changes import Content
from livery.content.kind import Kind
from livery.content.parts import IMAGES, PartName
from livery.content.showing import Comparison, Section
from livery.content.states import Values
from livery.core.schemas import Moment, View
from livery.screens.kind import Texts
from livery.screens.outline import Outline
from livery.screens.schemas import LanguageDiff, ScreenDiff
from livery.stores.kind import Stores
from livery.stores.schemas import StoreChange


class ImageFacts(View):
    """A file: its SHA-256, its size on the screen in pixels, and its size in bytes."""

    hash: str
    width: int
    height: int
    bytes: int


class ImageChange(View):
    """An image that differs. ``old`` is null if it was added, ``new`` if it was removed. A restore does not change images."""

    key: str
    change: Literal["added", "changed", "removed"]
    by: str | None
    at: Moment
    old: ImageFacts | None
    new: ImageFacts | None


class Images(Kind):
    """The images of a project: one place, one part."""

    name = "images"
    entry = "image"
    is_live = True

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return IMAGES if part.holds == IMAGES else None

    def contents(self, values: Values) -> Mapping[str, Content]:
        """See ``Kind``."""
        return cast("Mapping[str, Content]", values.get(IMAGES, {}))

    async def section(self, comparison: Comparison) -> Section:
        """See ``Kind``."""
        views = [
            ImageChange(
                key=change.name,
                change=change.way,
                by=comparison.name_of(change),
                at=change.stamp.at,
                old=_facts(change.before),
                new=_facts(change.after),
            )
            for change in comparison.shown.get(IMAGES, ())
        ]
        return Section({"images": views, "images_total": len(comparison.changes.get(IMAGES, ()))})


def _facts(image: Mapping[str, Any] | None) -> ImageFacts | None:
    if image is None:
        return None
    return ImageFacts(hash=image["hash"], width=image["width"], height=image["height"], bytes=image["bytes"])


TEXTS, COLORS = Texts(), Colors()
KINDS: tuple[Kind, ...] = (Outline(), TEXTS, COLORS, Stores(), Images())
"""In the order in which people see their changes. What a kind needs (a screen, a language) comes before it."""


ReleaseKind = Literal["publish", "scheduled", "images", "item_rollback", "restore"]
"""What made a release: a publish (by hand or when its time came), images, an item that was rolled back, an older release brought back."""
LIVE_RELEASES: frozenset[str] = frozenset(["images"])
"""Kinds of releases with changes of one person only: the person who made the release."""
SECTION = r"^(screen|store)/[A-Za-z0-9_]{1,100}$"
"""The headings that a reader can ask for wholly."""
SECTIONS_EXPLAINED = "Sections to list wholly: `screen/{name}`, `store/{apiIdentifier}`."


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
    """The numbers of unpublished changes: in total (on the publish button), per screen, and of colours and stores."""

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
