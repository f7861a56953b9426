"""The Python code of the README compiles, and names members that exist."""

import ast
import re
from pathlib import Path

import livery_client
from livery_client import AsyncLivery, Livery, Store

README = (Path(__file__).parents[2] / "sdks/python/README.md").read_text()
BLOCKS = [ast.parse(block) for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL)]
OWNERS = {"livery": Livery, "products": Store}


def test_the_members_that_the_code_names_exist() -> None:
    nodes = [node for block in BLOCKS for node in ast.walk(block)]
    members = {
        (node.value.id, node.attr)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in OWNERS
    }
    imported = {
        name.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "livery_client"
        for name in node.names
    }

    assert len(members) >= 9
    assert [member for member in members if not hasattr(OWNERS[member[0]], member[1])] == []
    assert imported == {"Livery", "AsyncLivery", "load_snapshots"}
    assert imported <= set(livery_client.__all__)


def test_the_calls_in_its_text_exist() -> None:
    calls = set(re.findall(r"`(?:livery\.)?([a-z_]+)\(", README)) - {"with"}
    known = dir(AsyncLivery) + dir(Store)

    assert len(calls) >= 12
    assert sorted(calls.difference(known)) == []
