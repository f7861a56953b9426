"""A type of field has one file on the server and one file in the dashboard."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from livery.stores.field_types.known import TYPES
from livery.stores.schemas import FieldType

ROOT = Path(__file__).parents[2]
SERVER = [ROOT / "livery" / domain for domain in ("stores", "ai", "history", "publishing", "previews", "workspace")]
DASHBOARD = ROOT / "web/src"
OF_A_NEW_FIELD = "String"
"""New fields and fields that are gone have this type."""


def names_in_server(source: str) -> Iterator[str]:
    names = {*get_args(FieldType)} - {OF_A_NEW_FIELD}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in names:
            yield str(node.value)


def names_in_dashboard(source: str) -> list[str]:
    names = "|".join(name for name in get_args(FieldType) if name != OF_A_NEW_FIELD)
    return re.findall(rf"[\"']({names})[\"']", source)


def test_the_description_of_the_api_has_the_known_types() -> None:
    assert [known.name for known in TYPES] == list(get_args(FieldType))


def test_only_the_file_of_a_type_names_the_type() -> None:
    server = [path for folder in SERVER for path in folder.rglob("*.py") if path.parent.name != "field_types"]
    dashboard = [
        path
        for path in [*DASHBOARD.rglob("*.ts"), *DASHBOARD.rglob("*.tsx")]
        if not re.search(r"\.test\.|\.gen\.|/testing/|/lib/field-types/", path.as_posix())
    ]

    found = [
        (path.name, name) for path in server if path.name != "schemas.py" for name in names_in_server(path.read_text())
    ]
    found += [(path.name, name) for path in dashboard for name in names_in_dashboard(path.read_text())]

    assert (len(server) > 80, len(dashboard) > 200) == (True, True)
    assert found == []


def test_a_name_outside_its_file_is_found() -> None:
    assert list(names_in_server('if field.type == "RichText":\n    pass\n')) == ["RichText"]
    assert names_in_dashboard('if (type === "Media") return;') == ["Media"]
