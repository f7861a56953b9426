"""The Python code of the README compiles, and names members that exist."""

import ast
import re
from pathlib import Path

import pytest

import livery_client
from livery_client import AsyncLivery, Livery, Store
from livery_client.cli.run import COMMANDS, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "sdks/python/README.md").read_text()
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


def test_each_command_of_a_document_is_a_command_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "sdks").glob("**/README.md")]
    calls = [
        (document.name, *found)
        for document in documents
        if "node_modules" not in document.parts
        for found in re.findall(r"livery-client ([a-z]+)((?: [^\n`#|&]+)?)", document.read_text())
    ]

    faults: list[str] = []
    for name, command, rest in calls:
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        help_text = capsys.readouterr().out
        if end.value.code:
            faults.append(f"{name}: there is no command {command}")
        faults += [f"{name}: {command} has no {one}" for one in re.findall("--[a-z-]+", rest) if one not in help_text]

    assert len(calls) > 10
    assert faults == []


def test_the_table_has_each_command() -> None:
    table = README.partition("| Command | Does |")[2].partition("\n\n")[0]
    named = {
        name for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall("`([a-z]+)`", cell)
    }

    assert named == {command.name for command in COMMANDS}
