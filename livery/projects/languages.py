"""The languages that content can be in: names, direction and plural categories from CLDR, never typed by hand.

``languages.json`` has the data of CLDR about the supported languages. ``python -m scripts.languages`` writes the file. Babel would take 0.3 s
to load all of them, in which the server answers nobody, and would keep 70 MB.
"""

import json
from functools import cache
from pathlib import Path
from typing import cast

from babel import Locale
from babel.core import get_global, parse_locale
from babel.languages import get_territory_language_info

from livery.core import limits
from livery.core.errors import Invalid
from livery.core.spoken import language_name, locale_of, spoken_language
from livery.projects.schemas import LanguageView

SUPPORTED = (
    "en fr de es it ar ur pt ru zh ja ko hi tr pl nl sv cs el ro hu th he id vi no da fi "
    "bg hr sk sl et lv lt uk sr mk sq bs ca eu gl is ga mt cy fa bn ta te ml kn mr gu pa ms fil sw af am hy az ka kk uz ne km"
).split()
TABLE = Path(__file__).with_name("languages.json")
_SUPPORTED = frozenset(SUPPORTED)
_SYNONYMS = {"tl": "fil", "iw": "he", "in": "id", "nb": "no"}
_PLURAL_ORDER = ("zero", "one", "two", "few", "many", "other")
UNSUPPORTED = "Not a directly supported language. Please use ISO code or full name."


def canonical(code: str) -> str | None:
    """Returns the only spelling of a supported language, with its script and region if given (``PT-br`` is ``pt-BR``), else ``None``."""
    if len(code) > limits.LANGUAGE_CODE_CHARACTERS or not code.isascii():
        return None
    try:
        language, region, script, variant, *modifier = parse_locale(code.strip().replace("_", "-"), sep="-")
    except ValueError:
        return None
    language = _SYNONYMS.get(language, language)
    names = Locale("en")
    is_known = (script is None or script in names.scripts) and (region is None or region in names.territories)
    if language not in _SUPPORTED or variant or any(modifier) or not is_known:
        return None
    return "-".join(part for part in (language, script, region) if part)


def resolve(name_or_code: str, *, field: str = "language") -> str:
    """Returns the code of a language given by code or by English or native name. Raises ``Invalid``, naming ``field``, when it is not supported."""
    wanted = name_or_code.strip()
    code = canonical(wanted) or _by_name().get(wanted.casefold())
    if not code:
        raise Invalid.field(field, UNSUPPORTED, code="unsupported_language")
    return code


@cache
def _by_name() -> dict[str, str]:
    return {name.casefold(): view.code for view in all_languages() for name in (view.native_name, view.name)}


@cache
def all_languages() -> tuple[LanguageView, ...]:
    """Every supported language, in the order of the product's list."""
    return tuple(describe(code) for code in SUPPORTED)


@cache
def describe(code: str) -> LanguageView:
    """What people and SDKs need to know of a (canonical) language."""
    return _listed().get(code) or describe_by_cldr(code)


@cache
def _listed() -> dict[str, LanguageView]:
    rows = json.loads(TABLE.read_bytes())
    return {row["code"]: LanguageView(**row) for row in rows}


def describe_by_cldr(code: str) -> LanguageView:
    """Returns what CLDR knows of a (canonical) language. Babel keeps the whole locale."""
    locale = locale_of(code)
    plurals = {*locale.plural_form.tags, "other"}
    return LanguageView(
        code=code,
        name=spoken_language(code),
        native_name=language_name(code, locale),
        direction="rtl" if locale.character_order == "right-to-left" else "ltr",
        flag=_flag(code),
        plurals=[category for category in _PLURAL_ORDER if category in plurals],
    )


def _flag(code: str) -> str:
    """Returns the flag of the region that ``code`` names, else of the region where the language is most likely spoken, by CLDR's likely subtags.

    Empty for a language without a country of its own. CLDR has it as an official language of parts of a country only, or not at all.
    """
    parts = code.split("-")
    likely = cast("dict[str, str]", get_global("likely_subtags"))
    home = likely.get(parts[0], "_").split("_")[-1]
    spoken = cast("dict[str, dict[str, str | None]]", get_territory_language_info(home))
    if spoken.get(parts[0], {}).get("official_status") not in ("official", "de_facto_official"):
        return ""
    region = (
        next((part for part in parts[1:] if len(part) == 2), None)
        or likely.get("_".join(parts), f"_{home}").split("_")[-1]
    )
    return "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in region)
