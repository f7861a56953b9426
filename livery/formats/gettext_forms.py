"""Plural forms of gettext, which have numbers, and those of CLDR, which have names."""

import gettext
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.plural import PluralRule, to_gettext

from livery.formats.forms import FORMS

_SAMPLES = range(211)
"""Every rule of CLDR for whole numbers shows its forms here, apart from those for millions."""
_MOST_FORMS = 6
_HEADER = re.compile(r"\s*nplurals\s*=\s*([1-9])\s*;\s*plural\s*=\s*([^;]+);?\s*")
_USUAL = (
    "0",
    "n != 1",
    "n > 1",
    "n%10!=1 || n%100==11",
    "n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2",
    "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2",
    "n==1 ? 0 : n>=2 && n<=4 ? 1 : 2",
    "n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2",
    "n==1 ? 0 : n==2 ? 1 : 2",
    "n==1 ? 0 : n==2 ? 1 : n>2 && n<7 ? 2 : n>6 && n<11 ? 3 : 4",
    "n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2",
    "n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3",
    "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5",
)
"""The formulas that tools know. A language has the formula that gives the forms of CLDR for all samples."""


@dataclass(frozen=True)
class PluralForms:
    """The formula of a file. ``forms`` has a name for each ``msgstr`` number; ``None`` for a number that no form needs."""

    expression: str
    forms: tuple[str | None, ...]

    @property
    def header(self) -> str:
        """The value of ``Plural-Forms``."""
        return f"nplurals={len(self.forms)}; plural=({self.expression});"


def forms_of_header(value: str, language: str | None) -> PluralForms | None:
    """Returns the forms of a ``Plural-Forms`` value; ``None`` if it is no valid formula."""
    found = _HEADER.fullmatch(value[:1_200])
    if not found or int(found[1]) > _MOST_FORMS:
        return None
    indexes = _evaluate(found[2].strip(), int(found[1]))
    return PluralForms(found[2].strip(), _name_forms(indexes, int(found[1]), language)) if indexes else None


@lru_cache(maxsize=256)
def standard_forms(language: str) -> PluralForms:
    """Returns the usual formula of a language; that of English for a language that CLDR does not know."""
    rule = _rule_of(language)
    if rule is None:
        return PluralForms("n != 1", ("one", "other"))
    names = [rule(number) for number in _SAMPLES]
    used = tuple(form for form in FORMS if form in names)
    wanted = [used.index(name) for name in names]
    for expression in _USUAL:
        if _evaluate(expression, len(used)) == wanted:
            return PluralForms(expression, used)
    value = to_gettext(rule)
    own = tuple(form for form in FORMS if form in rule.tags or form == "other")
    return PluralForms(value.partition("plural=")[2].rstrip(";"), own)


def _evaluate(expression: str, count: int) -> list[int] | None:
    """Returns the number of the form for each sample; ``None`` if the formula is not valid. ``c2py`` bounds its length and depth."""
    try:
        formula: Callable[[int], int] = gettext.c2py(expression)
        indexes = [int(formula(number)) for number in _SAMPLES]
    except (ValueError, ArithmeticError, RecursionError, MemoryError, SyntaxError):
        return None
    return indexes if all(0 <= index < count for index in indexes) else None


def _name_forms(indexes: Sequence[int], count: int, language: str | None) -> tuple[str | None, ...]:
    """Returns the name of the form that each number means for most samples. No name is there twice: the number for more samples has it."""
    rule = _rule_of(language) if language else None
    votes: list[Counter[str]] = [Counter() for _ in range(count)]
    for number, index in zip(_SAMPLES, indexes, strict=True):
        votes[index][rule(number) if rule else "one" if number == 1 else "other"] += 1
    names: list[str | None] = [None] * count
    for index in sorted(range(count), key=lambda index: -votes[index].total()):
        found = [(-times, FORMS.index(form)) for form, times in votes[index].items()]
        if found and (name := FORMS[min(found)[1]]) not in names:
            names[index] = name
    return tuple(names)


def _rule_of(language: str) -> PluralRule | None:
    parts = language.partition("@")[0].partition(".")[0].replace("-", "_")
    for code in (parts, parts.partition("_")[0]):
        try:
            return Locale.parse(code).plural_form
        except (UnknownLocaleError, ValueError, TypeError):
            continue
    return None
