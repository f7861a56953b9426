"""The page of events has every event that the server sends, and every member of a change of a project."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from livery.live.schemas import PARTS, Change, News

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/reference/events.md").read_text()
EVENT = re.compile(r"^\| `(\w+)` \| (?:absent|the version|of (?:the|the last) activity) \| (.*?) \|", re.MULTILINE)
RELEASES, DASHBOARD = (
    PAGE[PAGE.index("## The stream of releases") : PAGE.index("## The stream of the dashboard")],
    PAGE[PAGE.index("## The stream of the dashboard") :],
)


def sent_by(package: str) -> Iterator[str]:
    """The names of the events that a package sends."""
    for path in (ROOT / "livery" / package).rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if call.func.id == "bye_event":
                yield "bye"
            if call.func.id == "event_bytes" and isinstance(call.args[0], ast.Constant):
                yield str(call.args[0].value)


def test_the_page_has_the_events_of_each_stream() -> None:
    assert {name for name, _ in EVENT.findall(RELEASES)} == set(sent_by("delivery"))
    assert {name for name, _ in EVENT.findall(DASHBOARD)} == set(sent_by("live"))


def members_of(function: ast.AST) -> Iterator[str]:
    """The members of all objects that a function writes."""
    for node in ast.walk(function):
        if isinstance(node, ast.Dict):
            yield from (str(key.value) for key in node.keys if isinstance(key, ast.Constant))


def test_the_page_has_the_members_of_the_events_of_releases() -> None:
    functions = [
        node
        for path in [*(ROOT / "livery/delivery").glob("*.py"), ROOT / "livery/core/streams.py"]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (
            node.name == "_standing"
            or re.search(r"\bevent_bytes\(\"(hello|release|bye)\"", ast.unparse(node).replace("'", '"'))
        )
    ]
    named = {word for _, data in EVENT.findall(RELEASES) for word in re.findall(r"`(\w+)", data)}

    assert {member for function in functions for member in members_of(function)} == named | {"draft"}


def test_the_page_has_every_member_of_a_change() -> None:
    change = Change(1, "prj", "usr", "x", "now", keys=(("home", "title"),), colors=("primary",), release=1)
    sent = News([change], {}, {}, {}).data_of(change)
    members = set(re.findall(r"^\| `(\w+)` \| (?:by|each|a number|`true`)", DASHBOARD, re.MULTILINE))

    parts = {part for found in PARTS.values() for part in found}
    assert members | {"by", "at"} == sent.keys() | parts
