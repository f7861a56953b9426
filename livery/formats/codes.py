"""Codes of languages, as files and paths write them."""

import re
from functools import cache

from babel.core import Locale
from babel.localedata import locale_identifiers

from livery.core.spoken import locale_of

_CODE = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{1,8}){0,3}")
_LOCALE = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z]{4})?[-_]([A-Za-z]{2}|[0-9]{3})")
_ANDROID = re.compile(r"([a-z]{2,3})-r([A-Z]{2})")


@cache
def _languages() -> frozenset[str]:
    """Returns the languages of CLDR, and old codes. With every code of ISO 639, words like "map" and "new" would be languages."""
    return frozenset({name.split("_")[0] for name in locale_identifiers()} | {"iw", "in", "tl", "sh"})


@cache
def _regions() -> frozenset[str]:
    """Returns the countries and regions of CLDR."""
    return frozenset(Locale("en").territories)


def is_language(code: str) -> bool:
    """Whether ``code`` is a language, with its script and region if it has any: ``de``, ``pt_BR``, ``zh-Hant-TW``."""
    found = _CODE.fullmatch(code)
    return found is not None and found[1].lower() in _languages()


def is_locale(code: str) -> bool:
    """Whether ``code`` is a language with a region of the world: ``pt-BR``, ``zh_Hant_TW``, ``es-419``."""
    found = _LOCALE.fullmatch(code)
    return found is not None and is_language(found[1]) and found[2].upper() in _regions()


def normal(code: str) -> str:
    """Returns a code with hyphens, and each part in its usual case: ``pt_br`` is ``pt-BR``, ``zh_hant`` is ``zh-Hant``."""
    language, *rest = re.split("[-_]", code)
    return "-".join([language.lower(), *(_part(part) for part in rest)])


def _part(part: str) -> str:
    if len(part) == 4 and part.isalpha():
        return part.title()
    return part.upper() if len(part) <= 3 else part.lower()


def android_code(qualifiers: str) -> str | None:
    """Returns the language of a folder's qualifiers: ``pt-rBR`` is ``pt-BR``, ``b+sr+Latn`` is ``sr-Latn``. ``None`` for ``night``."""
    if qualifiers.startswith("b+"):
        code = qualifiers[2:].replace("+", "-")
    elif found := _ANDROID.match(qualifiers):
        code = f"{found[1]}-{found[2]}"
    else:
        code = qualifiers.partition("-")[0]
    return normal(code) if is_language(code) else None


@cache
def has_zero(language: str | None) -> bool:
    """Whether the plurals of a language have a category ``zero``. Elsewhere the ``zero`` of a file means exactly 0."""
    if language is None or not is_language(language):
        return False
    locale = locale_of(normal(language))
    return isinstance(locale, Locale) and "zero" in locale.plural_form.tags
