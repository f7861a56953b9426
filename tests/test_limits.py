"""Every limit has its number in ``livery/core/limits.py`` alone: no message, schema or page of the dashboard types a limit again."""

import ast
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from livery.core import limits
from livery.core.settings import Settings
from tests.support.api import api_of

ROOT = Path(__file__).parents[1]
BOUNDS = ("maxLength", "maxItems", "maxProperties", "maximum")
IN_WORDS = re.compile(
    r"\b(at most|at least|over|up to|maximum|more than|larger than|longer than|limit of|works for|once and for|last) \d"
    r"|\b\d(?:[\d,_]*\d)? ?(characters|megapixels|(?-i:KB|MB))\b",
    re.IGNORECASE,
)
IN_CODE = re.compile(r"maxLength(?:=\{|: \{ value: |\()\s*\d\d|\{0,127\}")
A_CONSTANT = re.compile(r"^(?:export )?const \w*(?:MOST|LONGEST|LARGEST|LIMIT|MAX)\w* = ([\d_]+)\b", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*|(?<=[;{,(]) //[^\n]*", re.DOTALL | re.MULTILINE)


def typed_in_server(source: str) -> Iterator[str]:
    """The texts of a module, without its docstrings, that have a limit in digits."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in prose else None
        if isinstance(text, str) and IN_WORDS.search(text):
            yield text


def bounds_in_server(source: str) -> Iterator[str]:
    """The keyword arguments of a module that type the length of a value."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg == "max_length" and isinstance(node.value, ast.Constant):
            yield f"max_length={node.value.value}"


def typed_in_dashboard(source: str) -> Iterator[str]:
    """The limits that a file of the dashboard types, with the words around them."""
    code = COMMENT.sub("", source)
    yield from (match[0] for pattern in (IN_WORDS, IN_CODE) for match in pattern.finditer(code))
    known = set(limits.published().values())
    yield from (match[0] for match in A_CONSTANT.finditer(code) if int(match[1].replace("_", "")) in known)


def bounds_in(document: object) -> Iterator[int]:
    """Every largest length, count and number of an API description."""
    yield from (int(number) for number in re.findall(rf'"(?:{"|".join(BOUNDS)})": (\d+)', json.dumps(document)))


def test_every_bound_of_the_api_is_a_limit(settings: Settings) -> None:
    document = api_of(settings).openapi()

    assert document["x-livery-limits"] == limits.published()
    assert set(bounds_in(document)) <= set(limits.published().values())


def test_a_span_of_time_is_published_in_seconds() -> None:
    assert limits.published()["INVITATION_LIFE_SECONDS"] == timedelta(days=14).total_seconds()


def test_no_text_of_the_server_types_a_limit() -> None:
    own = ROOT / "livery/core/limits.py"
    files = [path for path in (ROOT / "livery").rglob("*.py") if path != own and "migrations" not in path.parts]

    found = {
        (path.relative_to(ROOT).as_posix(), typed) for path in files for typed in typed_in_server(path.read_text())
    }

    assert len(files) > 200
    assert found == set()


def test_no_schema_and_no_route_types_a_length() -> None:
    files = list((ROOT / "livery").rglob("*.py"))

    assert [(path.name, typed) for path in files for typed in bounds_in_server(path.read_text())] == []


def test_no_file_of_the_dashboard_types_a_limit() -> None:
    own = {"lib/kept-text.ts"}  # what a device keeps: the server knows nothing of it
    source = ROOT / "web/src"
    files = [
        path
        for path in [*source.rglob("*.ts"), *source.rglob("*.tsx")]
        if ".test." not in path.name and ".gen." not in path.name and "testing" not in path.parts
    ]

    found = [
        (name, typed)
        for path in files
        if (name := path.relative_to(source).as_posix()) not in own
        for typed in typed_in_dashboard(path.read_text())
    ]

    assert len(files) > 200
    assert found == []


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        ("const MOST_ITEMS = 10_000;", ["const MOST_ITEMS = 10_000"]),
        ("<Input maxLength={64} />", ["maxLength={64"]),
        ('z.maxLength(100, "Use at most 100 characters.")', ["at most 1", "maxLength(10"]),
        ("const KEY = /^[a-z]{0,127}$/;", ["{0,127}"]),
        ("<Text lineH={21} mb={2}>up to 10MB</Text>", ["up to 1"]),
        ("const look = { lineH: 21, mb: 2 };", []),
        ("/** At most 30 characters. */\nconst shown = 5; // up to 5", []),
    ],
)
def test_a_limit_in_the_dashboard_is_found(source: str, typed: list[str]) -> None:
    assert sorted(typed_in_dashboard(source)) == sorted(typed)


def test_a_limit_in_a_message_of_the_server_is_found() -> None:
    source = (
        '"""At most 5 MB."""\nraise Invalid("Use at most 64 characters.", f"Use at most {limits.PASSKEYS} keys.")\n'
    )

    assert list(typed_in_server(source)) == ["Use at most 64 characters."]
