"""Images as a kind of content, as apps get them. A change is live at once, so a draft has none, and no release brings one back."""

from collections.abc import Mapping
from typing import Any, Literal, cast

from livery.content.changes import Content
from livery.content.kind import Kind
from livery.content.parts import IMAGES, PartName
from livery.content.showing import Comparison, Section
from livery.content.states import Values
from livery.core.schemas import Moment, View


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
