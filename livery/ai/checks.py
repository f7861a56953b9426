"""What an answer must be before it may take a text's place. Each check gives a sentence about what is wrong."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable

from livery.ai.masks import MARK, Unit, mark
from livery.content.text_checks import essence_of, malformed_warning, placeholder_warning, placeholders_of
from livery.core.messages import read, segments_of

LENGTH_FACTOR, LENGTH_EXTRA = 4, 200

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://\S*|\b(?:javascript|vbscript|mailto):\S+|\bdata:\w+/\S*|\bwww\.\S+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w-]+"
    r"|\b[\w-]{1,63}\.(?:com|net|org|info|biz|io|co|ai|app|dev|xyz|top|site|link|shop|online|ru|cn|me|ly|gg)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<\s*[!/?A-Za-z]|&#?[A-Za-z0-9]{1,32};")
_JOINERS = frozenset("\u200c\u200d")
_KEPT = frozenset("{}\u27e6\u27e7\\")
"""What code or apps may read: an answer has as many of each as the text."""


def problem_of(unit: Unit, answer: str, secrets: Iterable[str] = ()) -> str | None:
    """Why ``answer`` (masked) can't be used for ``unit``, with marks in it; ``None`` when it can. ``secrets`` must not be in it."""
    for check in _CHECKS:
        if problem := check(unit, answer):
            return problem
    leaked = next((secret for secret in secrets if secret in answer and secret not in unit.text), None)
    return "The answer repeats the instructions." if leaked else None


def _is_empty(_unit: Unit, answer: str) -> str | None:
    return None if any(map(str.isalpha, MARK.sub("", answer))) else "The answer is empty."


def _is_too_long(unit: Unit, answer: str) -> str | None:
    is_long = len(answer) > LENGTH_FACTOR * len(unit.text) + LENGTH_EXTRA
    return "The answer is far longer than the text." if is_long else None


def _has_hidden_characters(unit: Unit, answer: str) -> str | None:
    strange = {letter for letter in answer if _is_hidden(letter)} - set(unit.text)
    return "The answer has control or invisible characters." if strange else None


def _is_hidden(letter: str) -> bool:
    return letter not in _JOINERS and unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _has_other_marks(unit: Unit, answer: str) -> str | None:
    wanted, given = (Counter(map(int, MARK.findall(text))) for text in (unit.text, answer))
    if unit.own not in given:
        return f"The answer seems to belong to another text: the mark {mark(unit.own)} is missing."
    if missing := [mark(number) for number in wanted if wanted[number] > given[number]]:
        return f"The answer lost {' and '.join(missing)}."
    if twice := [mark(number) for number in given if given[number] > wanted[number] > 0]:
        return f"The answer repeats {' and '.join(twice)}."
    return "The answer has marks of other texts." if given - wanted else None


def _has_other_signs(unit: Unit, answer: str) -> str | None:
    kept = _KEPT | {"#"} if unit.is_plural else _KEPT
    wanted, given = (Counter(letter for letter in text if letter in kept) for text in (unit.text, answer))
    if wanted != given:
        return "The answer has braces or other signs that apps would read."
    new = Counter(placeholders_of(answer)) - Counter(placeholders_of(unit.text))
    return f"The answer has {next(iter(new))}, which is not in the text." if new else None


def _has_markup(unit: Unit, answer: str) -> str | None:
    is_more = len(_MARKUP.findall(answer)) > len(_MARKUP.findall(unit.text))
    return "The answer has markup that is not in the text." if is_more else None


def _has_addresses(unit: Unit, answer: str) -> str | None:
    known, given = (
        {one.casefold().rstrip(".,;:!?)") for one in _ADDRESS.findall(text)} for text in (unit.text, answer)
    )
    return "The answer has an address that is not in the text." if given - known else None


_CHECKS: tuple[Callable[[Unit, str], str | None], ...] = (
    _is_empty,
    _is_too_long,
    _has_hidden_characters,
    _has_other_marks,
    _has_other_signs,
    _has_markup,
    _has_addresses,
)


def problem_of_whole(source: str, text: str, limit: int) -> str | None:
    """Returns why a text that was put together can't take the place of ``source``, if it can't: the last look before it is stored."""
    if len(text) > limit:
        return "The answer is too long."
    if warning := malformed_warning(text) or placeholder_warning(source, text, "source"):
        return warning
    return "The answer closes a tag before it opens." if _is_nested(source) and not _is_nested(text) else None


_VOID = frozenset({"br", "hr", "img", "input", "wbr"})


def _is_nested(text: str) -> bool:
    """Whether every tag is closed after it was opened, in order."""
    waiting: list[str] = []
    tags = (one for one in segments_of(read(text)) if one.kind == "tag" and not one.source.endswith("/>"))
    for tag in map(essence_of, tags):
        name = tag.strip("<>/").lower()
        if name in _VOID:
            continue
        if not tag.startswith("</"):
            waiting.append(name)
        elif not waiting or waiting.pop() != name:
            return False
    return not waiting
