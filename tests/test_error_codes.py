"""The page of error codes has every code that the server answers, with its statuses, and no other code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from livery.cli import refusals
from livery.core import errors
from livery.core.errors import Gone, Invalid, LiveryError
from livery.images import darkroom
from livery.projects import invitations
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
    """The codes that a module gives to an error, in place or by a constant, with the status of the error's class."""
    constants = {ast.unparse(node.targets[0]): node.value for node in module.body if isinstance(node, ast.Assign)}
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func).removesuffix(".field")
        code = next((word.value for word in call.keywords if word.arg == "code"), None)
        code = constants.get(ast.unparse(code), code) if code else None
        if name in CLASSES and isinstance(code, ast.Constant):
            yield str(code.value), CLASSES[name].status


def kinds_of(kind: type[LiveryError]) -> Iterator[type[LiveryError]]:
    for found in kind.__subclasses__():
        yield found
        yield from kinds_of(found)


def test_every_code_that_is_raised_is_documented_with_its_status() -> None:
    raised = {pair for module in sources() for pair in raised_in(module)}
    raised |= {(found.code, found.status) for found in (LiveryError, *kinds_of(LiveryError))}
    raised |= {(found.code, found.status) for found in vars(refusals).values() if isinstance(found, refusals.Refusal)}
    raised |= {(code, Invalid.status) for code, _ in darkroom.REFUSALS.values()}
    raised |= {(code, Gone.status) for code in invitations.DEAD}

    assert len(raised) > 150
    assert raised - documented_codes() == set()


def test_every_documented_code_is_in_the_server() -> None:
    words = {
        node.value
        for module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    assert {code for code, _ in documented_codes()} - words == set()


def test_no_code_is_documented_twice() -> None:
    page = (ROOT / "docs/reference/error-codes.md").read_text()
    codes = re.findall(r"^\| `(\w+)` \| \d", page, re.MULTILINE)

    assert sorted(codes) == sorted(set(codes))
