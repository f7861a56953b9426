"""The uses of texts in templates of Django (``{% t "home.title" %}``) and Jinja (``{{ t("home.title") }}``)."""

import ast
import re
from collections.abc import Iterator

from livery_client.cli.uses import Use, full_key, full_prefix

_COMMENT = re.compile(r"\{#.*?#\}|\{%-?\s*(comment|raw|verbatim)\b.*?%\}.*?\{%-?\s*end\1\b.*?%\}", re.DOTALL)
_TAG = re.compile(r"\{%-?\s*t\s+((?:\"[^\"]*\"|'[^']*'|[^%\"']|%(?!\}))*)%\}")
_PART = re.compile(r"""(?:(\w+)=)?("[^"]*"|'[^']*'|[^\s"'|]+)(\S*)""")
_BLOCK = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_CALL = re.compile(r"(?<![\w.])t\(\s*")
_TOKEN = re.compile(r"""\s+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\w+|==|.""", re.DOTALL)
_OPEN = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def read_template(file: str, text: str) -> list[Use]:
    """Returns the uses of texts in a template."""
    plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    uses = [use for tag in _TAG.finditer(plain) for use in _of_tag(file, _line(plain, tag.start()), tag[1])]
    for block in _BLOCK.finditer(plain):
        for call in _CALL.finditer(block[0]):
            line = _line(plain, block.start() + call.start())
            uses += _of_call(file, line, block[0][call.end() :])
    return uses


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _string(token: str) -> str | None:
    """The text of a token; ``None`` if the token is no string."""
    if token[:1] not in {'"', "'"}:
        return None
    try:
        value: object = ast.literal_eval(token)
    except (SyntaxError, ValueError):
        return token[1:-1]
    return value if isinstance(value, str) else None


def _use(file: str, line: int, name: str | None, fallback: str | None, params: list[str]) -> Use:
    if name is None:
        return Use(file, line, None, "", fallback or "", tuple(params))
    return Use(file, line, full_key(name), None, fallback or "", tuple(params))


def _of_tag(file: str, line: int, inside: str) -> Iterator[Use]:
    """The use of a Django tag: ``"home.title" name=user.name default="…" as title``."""
    parts = [(part[1], _string(part[2]) if not part[3].startswith("|") else None) for part in _PART.finditer(inside)]
    if not parts:
        return
    named = {name: value for name, value in parts if name}
    first = next((value for name, value in parts if not name), None) if not parts[0][0] else named.get("key")
    params = [name for name in named if name not in {"default", "key"}]
    yield _use(file, line, first, named.get("default"), params)


def _of_call(file: str, line: int, rest: str) -> Iterator[Use]:
    """The use of a Jinja call. ``rest`` is the template after its bracket."""
    arguments = _arguments(rest)
    if not arguments:
        return
    tokens = arguments[0]
    text = _string(tokens[0]) if tokens else None
    named = {tokens[0]: tokens[2:] for tokens in arguments[1:] if tokens[1:2] == ["="]}
    has_computed = any(tokens[:2] == ["*", "*"] for tokens in arguments)
    default = named.get("default", [])
    fallback = _string(default[0]) if len(default) == 1 else None
    params = [name for name in named if name != "default"]
    if len(tokens) == 1 and text is not None:
        found = _use(file, line, text, fallback, params)
    else:
        found = Use(file, line, None, full_prefix(text or ""), fallback or "", tuple(params))
    yield Use(found.file, found.line, found.key, found.prefix, found.fallback, None if has_computed else found.params)


def _arguments(rest: str) -> list[list[str]]:
    """The tokens of each argument, up to the bracket that ends the call."""
    found: list[list[str]] = [[]]
    depth = 0
    for part in _TOKEN.findall(rest):
        depth += _OPEN.get(part, 0)
        if depth < 0:
            break
        if part == "," and depth == 0:
            found.append([])
        elif part.strip():
            found[-1].append(part)
    return [tokens for tokens in found if tokens]
