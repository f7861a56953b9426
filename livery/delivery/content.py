"""The content of a release in one language: fallbacks resolved, and the merge patch between two releases. Pure functions."""

import re
from collections.abc import Mapping
from typing import cast

from livery.content.parts import COLORS, IMAGES, STORE, text_part
from livery.core import limits
from livery.publishing.schemas import PlaceState, ReleaseState

Json = dict[str, object]
SHARED = (COLORS, IMAGES)
"""The parts that are the same in every language."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,6}")


def is_well_formed(language: str) -> bool:
    """Whether this looks like a BCP 47 tag."""
    return len(language) <= limits.LANGUAGE_CODE_CHARACTERS and _LANGUAGE.fullmatch(language) is not None


def served_language(state: ReleaseState, asked: str | None) -> str:
    """Returns the language an app gets: the asked language, else its nearest parent that the project has, else the default language."""
    parts = asked.split("-") if asked else []
    by_lower = {code.lower(): code for code in state.meta.languages}
    for count in range(len(parts), 0, -1):
        if code := by_lower.get("-".join(parts[:count]).lower()):
            return code
    return state.meta.default_language


def fallback_chain(state: ReleaseState, language: str) -> list[str]:
    """Returns the languages that texts come from: default language, parents, the language. A later language overwrites an earlier language."""
    parts = language.split("-")
    nearest_first = ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return list(dict.fromkeys([state.meta.default_language, *reversed(nearest_first)]))


def hashes_of_screens(state: ReleaseState, language: str, screens: tuple[str, ...]) -> list[str]:
    """Returns the hashes of the bodies that the texts of these screens are made of."""
    chain = fallback_chain(state, language)
    names = (text_part(screen, code) for screen in screens for code in chain)
    return [state.parts[name] for name in names if name in state.parts]


def hashes_of_content(state: ReleaseState, language: str) -> list[str]:
    """Every body that the content in ``language`` is made of."""
    shared = [state.parts[name] for name in SHARED if name in state.parts]
    return hashes_of_screens(state, language, state.meta.screens) + shared


def compose(state: ReleaseState, language: str, version: str, bodies: Mapping[str, object]) -> Json:
    """Composes the whole answer of ``content``. Nothing in it is null: an absent value is left out."""
    texts = {screen: _texts(state, language, screen, bodies) for screen in state.meta.screens}
    return {
        "projectId": state.project_id,
        "version": version,
        "release": state.release,
        "language": language,
        "languages": list(state.meta.languages),
        "texts": {screen: keys for screen, keys in texts.items() if keys},
        "colors": _colors(state, bodies),
        "images": _images(state, bodies),
        "stores": _stores(state),
    }


def tag(state: ReleaseState, language: str) -> str:
    """Returns what names the content in an ETag. The project is in it: two tenants never share an ETag, however equal their content is."""
    return f"{state.version}-{language}-{state.project_id.removeprefix('prj_')}"


def touched_screens(old: ReleaseState, new: ReleaseState, language: str) -> tuple[str, ...]:
    """Returns the screens whose texts in ``language`` may differ between two states."""
    chain = fallback_chain(new, language)
    return tuple(
        screen
        for screen in dict.fromkeys((*old.meta.screens, *new.meta.screens))
        if any(old.parts.get(text_part(screen, code)) != new.parts.get(text_part(screen, code)) for code in chain)
    )


def patch(
    old: ReleaseState, new: ReleaseState, language: str, screens: tuple[str, ...], bodies: Mapping[str, object]
) -> Json:
    """Returns the JSON Merge Patch (RFC 7396) from the content of ``old`` to that of ``new``, ``version`` and ``release`` aside.

    Both must be served in ``language``, and ``screens`` must be their ``touched_screens``.
    """
    result: Json = {}
    texts: Json = {}
    for screen in screens:
        before, after = _texts(old, language, screen, bodies), _texts(new, language, screen, bodies)
        if difference := _difference(before, after):
            texts[screen] = difference if after else None
    if texts:
        result["texts"] = texts
    for name, read in ((COLORS, _colors), (IMAGES, _images)):
        if old.parts.get(name) != new.parts.get(name) and (
            difference := _difference(read(old, bodies), read(new, bodies))
        ):
            result[name] = difference
    if stores := _difference(_stores(old), _stores(new)):
        result["stores"] = stores
    if old.meta.languages != new.meta.languages:
        result["languages"] = list(new.meta.languages)
    return result


def _texts(state: ReleaseState, language: str, screen: str, bodies: Mapping[str, object]) -> dict[str, str]:
    if screen not in state.meta.screens:
        return {}
    merged: dict[str, str] = {}
    for code in fallback_chain(state, language):
        if part_hash := state.parts.get(text_part(screen, code)):
            merged.update(cast("dict[str, str]", bodies[part_hash]))
    return merged


def _colors(state: ReleaseState, bodies: Mapping[str, object]) -> dict[str, str]:
    if COLORS not in state.parts:
        return {}
    colors = cast("dict[str, dict[str, str]]", bodies[state.parts[COLORS]])
    return {key: color["value"] for key, color in colors.items()}


def _images(state: ReleaseState, bodies: Mapping[str, object]) -> Json:
    """Each image under an address that never changes what it answers; of what is kept of it, what a layout needs."""
    if IMAGES not in state.parts:
        return {}
    images = cast("dict[str, Json]", bodies[state.parts[IMAGES]])
    return {
        key: {
            "url": f"/media/{state.project_id}/{key}/{image['hash']}",
            **{name: image[name] for name in ("width", "height", "thumbhash")},
        }
        for key, image in images.items()
    }


def stores_of(state: ReleaseState) -> Mapping[str, PlaceState]:
    """Returns the stores of a release by API identifier, in their order."""
    places = state.places(STORE)
    return {name: places[store_id] for store_id, name in state.meta.stores if store_id in places}


def _stores(state: ReleaseState) -> dict[str, str]:
    return {api_identifier: store.digest for api_identifier, store in stores_of(state).items()}


def _difference(before: Mapping[str, object], after: Mapping[str, object]) -> Json:
    changed: Json = {key: value for key, value in after.items() if before.get(key) != value}
    changed.update({key: None for key in before if key not in after})
    return changed
