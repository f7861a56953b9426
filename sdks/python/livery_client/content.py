"""Content from outside made safe to read, and the merge patches that lead from a release to the next."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard, TypeVar

from livery_client.versions import parse_version

Value = TypeVar("Value")
Json = dict[str, Any]
_COLOR = re.compile("#[0-9a-f]{6}", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Image:
    """An image. ``url`` is absolute where an app reads it; ``width`` and ``height`` are in pixels."""

    url: str
    width: float
    height: float
    thumbhash: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """One language of one release, whole. ``version`` is ``None`` in a bundle that was typed by hand. Don't change its maps."""

    project_id: str | None = None
    version: str | None = None
    release: int = 0
    language: str = ""
    languages: tuple[str, ...] = ()
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    colors: Mapping[str, str] = field(default_factory=dict[str, str])
    images: Mapping[str, Image] = field(default_factory=dict[str, Image])
    stores: Mapping[str, str] = field(default_factory=dict[str, str])

    def to_json(self) -> Json:
        """Returns the body of the content call that has this content."""
        images: Json = {}
        for key, image in self.images.items():
            images[key] = {"url": image.url, "width": image.width, "height": image.height}
            if image.thumbhash is not None:
                images[key]["thumbhash"] = image.thumbhash
        return {
            "projectId": self.project_id,
            "version": self.version,
            "release": self.release,
            "language": self.language,
            "languages": list(self.languages),
            "texts": self.texts,
            "colors": self.colors,
            "images": images,
            "stores": self.stores,
        }


def is_object(value: object) -> TypeGuard[Json]:
    """Whether a value read from JSON is an object."""
    return isinstance(value, dict)


def parse_json(data: str | bytes) -> Any:
    """Returns the value of a JSON document. Raises ``ValueError``, also for ``NaN`` and for documents nested too deeply."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        return json.loads(text.removeprefix("\ufeff"), parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("the document is nested too deeply") from error


def _keep(source: object, read: Callable[[object], Value | None]) -> dict[str, Value]:
    kept: dict[str, Value] = {}
    for key, given in source.items() if is_object(source) else ():
        value = read(given)
        if value is not None:
            kept[read_text(key) or ""] = value
    return kept


def read_text(value: object) -> str | None:
    """Returns a string that any program can write out: half a surrogate pair becomes U+FFFD. ``None`` if the value is no string."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read_color(value: object) -> str | None:
    return value if isinstance(value, str) and _COLOR.fullmatch(value) else None


def _read_screen(value: object) -> dict[str, str] | None:
    return _keep(value, read_text) if is_object(value) else None


def _read_image(value: object) -> Image | None:
    if not is_object(value):
        return None
    url, width, height = value.get("url"), value.get("width"), value.get("height")
    if not isinstance(url, str) or not is_number(width) or not is_number(height):
        return None
    return Image(url, width, height, read_text(value.get("thumbhash")))


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value read from JSON is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_content(source: object) -> Content | None:
    """Takes the known fields in their known types; what has another type is left out, as if it were missing."""
    if not is_object(source):
        return None
    version = parse_version(source.get("version"))
    language = read_text(source.get("language")) or ""
    given: object = source.get("languages")
    languages = tuple(one for one in given if isinstance(one, str)) if isinstance(given, list) else ()  # pyright: ignore[reportUnknownVariableType]  # JSON
    return Content(
        project_id=read_text(source.get("projectId")),
        version=source["version"] if version else None,
        release=version.release if version else 0,
        language=language,
        languages=languages or ((language,) if language else ()),
        texts=_keep(source.get("texts"), _read_screen),
        colors=_keep(source.get("colors"), _read_color),
        images=_keep(source.get("images"), _read_image),
        stores=_keep(source.get("stores"), read_text),
    )


def read_body(source: object, project_id: str) -> Content | None:
    """Returns the content of a body of the content call of this project. ``None`` if it is no such body: nothing half-read is applied."""
    if not is_object(source) or source.get("projectId") != project_id:
        return None
    if not is_object(source.get("texts")) or not is_object(source.get("colors")):
        return None
    if not isinstance(source.get("language"), str):
        return None
    content = read_content(source)
    return content if content and content.version is not None else None


def merge_patch(target: object, patch: object) -> Any:
    """Applies a merge patch (RFC 7396). Changes neither argument."""
    if not is_object(patch):
        return patch
    merged: Json = dict(target) if is_object(target) else {}
    for key, change in patch.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), change)
    return merged


def patch_content(content: Content, patch: Json, version: str) -> Content | None:
    """Returns ``content`` after ``patch``. Project and version are the caller's, whatever the patch has for them."""
    merged: Json = merge_patch(content.to_json(), patch)
    merged |= {"projectId": content.project_id, "version": version}
    return read_body(merged, content.project_id or "")


def is_same_content(one: Content, other: Content) -> bool:
    """Whether all that an app can read is equal; versions are not looked at."""
    return replace(one, version="", release=0) == replace(other, version="", release=0)
