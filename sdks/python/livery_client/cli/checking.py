"""Compares the code with the texts of the project."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from livery_client.cli.contents import Draft, languages_of
from livery_client.cli.files import pattern_of
from livery_client.cli.parameters import parameters_of
from livery_client.cli.scanning import Scan
from livery_client.cli.uses import Use
from livery_client.content import Json

KINDS = ("unknown-key", "missing-parameter", "unused-key", "missing-language", "missing-translation")
_NEAR = 3
_SUGGESTIONS = 100


@dataclass(frozen=True)
class Finding:
    """What is wrong. It has a place where a line of the code is."""

    kind: str
    message: str
    key: str | None = None
    language: str | None = None
    file: str | None = None
    line: int | None = None

    @property
    def json(self) -> Json:
        """The finding without the fields that it lacks."""
        return {name: value for name, value in vars(self).items() if value is not None}


Texts = Mapping[str, Sequence[str]]
"""The texts of all languages by ``screen.key``."""


def texts_by_key(contents: Iterable[Json]) -> dict[str, list[str]]:
    """Returns the texts of all languages by ``screen.key``."""
    found: dict[str, list[str]] = {}
    for content in contents:
        for screen, keys in content["texts"].items():
            for key, text in keys.items():
                found.setdefault(f"{screen}.{key}", []).append(text)
    return found


def check_uses(uses: Iterable[Use], texts: Texts) -> list[Finding]:
    """Returns the unknown keys and the missing parameters of the code. The first hundred unknown keys come with a key that is like them."""
    found: list[Finding] = []
    unknown = 0
    for use in uses:
        if use.key is None:
            continue
        if use.key in texts:
            found += _missing(use, use.key, texts[use.key])
        else:
            unknown += 1
            near = nearest(use.key, texts) if unknown <= _SUGGESTIONS else None
            advice = f' Did you mean "{near}"?' if near else ""
            message = f'There is no text "{use.key}".{advice}'
            found.append(Finding("unknown-key", message, use.key, None, use.file, use.line))
    return found


def _missing(use: Use, key: str, texts: Sequence[str]) -> list[Finding]:
    given = use.params
    missing = [] if given is None else [name for name in parameters_of(texts) if name not in given]
    return [
        Finding("missing-parameter", f'"{key}" needs the parameter "{name}".', key, None, use.file, use.line)
        for name in missing
    ]


def find_unused(scan: Scan, typed: Mapping[str, tuple[str, str]], texts: Texts) -> list[Finding]:
    """Returns the keys that no code reads. A computed name uses every key that begins like it.

    ``typed`` has the names of each key in the module of typed keys: (``home``, ``title``) for ``home.title``.
    """
    used = {use.key for use in scan.uses}
    prefixes = tuple({use.prefix for use in scan.uses if use.prefix})
    return [
        Finding("unused-key", f'No code reads "{key}".', key)
        for key in texts
        if key not in used and not key.startswith(prefixes) and typed.get(key) not in scan.paths
    ]


def find_missing_languages(contents: Sequence[Json]) -> list[Finding]:
    """Returns the languages of the project that have no snapshot."""
    present = {content["language"] for content in contents}
    wanted = dict.fromkeys(language for content in contents for language in content.get("languages", []))
    return [
        Finding(
            "missing-language",
            f'There is no snapshot of the language "{language}". Run "livery-client pull".',
            language=language,
        )
        for language in wanted
        if language not in present
    ]


def find_untranslated(draft: Draft) -> list[Finding]:
    """Returns the texts of the default language that another language lacks. A regional language may leave texts to its parent."""
    others = [one for one in draft.project["languages"] if one != draft.project["defaultLanguage"]]
    return [
        Finding(
            "missing-translation",
            f'"{screen}.{key}" has no text in "{language}".',
            f"{screen}.{key}",
            language,
        )
        for screen, keys in draft.texts.items()
        for key, values in keys.items()
        for language in others
        if not any(values.get(one) for one in languages_of(language))
    ]


def leave_out(findings: Iterable[Finding], patterns: Iterable[str]) -> list[Finding]:
    """Leaves out the findings about keys that a pattern names, as in ``legacy.*``."""
    expressions = [pattern_of(pattern) for pattern in patterns]
    return [
        finding
        for finding in findings
        if finding.key is None or not any(one.fullmatch(finding.key) for one in expressions)
    ]


def nearest(key: str, keys: Iterable[str]) -> str | None:
    """Returns the key that differs in at most two characters."""
    best, least = None, _NEAR
    for known in keys:
        if abs(len(known) - len(key)) < least and (found := _distance(key, known, least)) < least:
            best, least = known, found
    return best


def _distance(left: str, right: str, limit: int) -> int:
    """How many characters differ; ``limit`` as soon as it can't be less. Cells of the table that are ``limit`` off its diagonal can't be less."""
    row = {j: j for j in range(limit)}
    for i, letter in enumerate(left, 1):
        following: dict[int, int] = {}
        for j in range(max(0, i - limit + 1), min(len(right), i + limit - 1) + 1):
            replaced = row.get(j - 1, limit) + (letter != right[j - 1]) if j else limit
            following[j] = min(replaced, row.get(j, limit) + 1, following.get(j - 1, limit) + 1)
        if min(following.values(), default=limit) >= limit:
            return limit
        row = following
    return min(row.get(len(right), limit), limit)
