"""The page of error codes has every code that the server answers, with its statuses, and no other code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from livery.core import errors
from tests.support.error_codes import documented_codes

ROOT = Path(__file__).parents[1]
CLASSES: dict[str, type[errors.LiveryError]] = {
    name: found
    for name, found in vars(errors).items()
    if isinstance(found, type) and issubclass(found, errors.LiveryError)
}


def sources() -> Iterator[ast.Module]:
    for path in (ROOT / "livery").rglob("*.py"):
        if "migrations" not in path.parts:
            yield ast.parse(path.read_text())


def raised_in(module: ast.Module) -> Iterator[tuple[str, int]]:
    """The codes that a module gives to an error by name, with the status of the error's class."""
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func).removesuffix(".field")
        code = next((word.value for word in call.keywords if word.arg == "code"), None)
        if name in CLASSES and isinstance(code, ast.Constant):
            yield str(code.value), CLASSES[name].status


def test_every_code_that_is_raised_is_documented_with_its_status() -> None:
    raised = {pair for module in sources() for pair in raised_in(module)}
    raised |= {(found.code, found.status) for found in CLASSES.values()}

    assert len(raised) > 150
    assert raised - documented_codes() == set()


def test_every_documented_code_is_in_the_server() -> None:
    words = {
        node.value
        for module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = {f"invitation_{ending}" for ending in ("accepted", "withdrawn", "replaced", "expired")}

    assert {code for code, _ in documented_codes()} - words - made == set()


def test_no_code_is_documented_twice() -> None:
    page = (ROOT / "docs/reference/error-codes.md").read_text()
    codes = re.findall(r"^\| `(\w+)` \| \d", page, re.MULTILINE)

    assert sorted(codes) == sorted(set(codes))
