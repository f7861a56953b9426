"""Writes the reference of the SDKs and of their command lines, from their code: ``python -m scripts.sdk_reference``.

A change of what apps can call so becomes a change of ``docs/reference``, which a reviewer sees. The npm packages must be built.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference"
CLIENT = ROOT / "sdks" / "python" / "livery_client"
CLI = ROOT / "sdks" / "typescript" / "cli" / "dist" / "livery-cli.js"
EXAMPLE = re.compile(r"[:.]?\n+(?:```.*?```|\.\. code-block::.*?(?=\n\S|\Z))\n*", re.DOTALL)
"""A block of code in a doc comment, which the page leaves out."""
METHOD = re.compile(r"^\w+(?=[(<])")
OPTION = re.compile(r"^ {2}(--[a-z-]+)((?: [A-Z]+| -)?) +(.+)$", re.MULTILINE)
FLAGS = re.compile(r"^ +(?:-h, )?(--[a-z-]+)", re.MULTILINE)


@dataclass(frozen=True)
class Member:
    """Something that an app can call, read or set."""

    signature: str
    doc: str


@dataclass(frozen=True)
class Export:
    """A name that a module exports, with the members of its objects."""

    name: str
    signatures: Sequence[str]
    doc: str
    members: Sequence[Member]


@dataclass(frozen=True)
class Entry:
    """A module that apps import."""

    name: str
    doc: str
    exports: Sequence[Export]


def typescript_entries() -> list[Entry]:
    """Returns the entries of all npm packages."""
    printed = subprocess.run(["node", "scripts/sdk-members.mjs"], cwd=ROOT, check=True, capture_output=True).stdout
    return [
        Entry(entry["name"], _without_name(entry["doc"]), sorted(map(_export_of, entry["exports"]), key=_is_type))
        for package in json.loads(printed)
        for entry in package["entries"]
    ]


def _is_type(export: Export) -> bool:
    """For an order with what can be called first."""
    return export.signatures[0].startswith(("type ", "interface "))


def _without_name(doc: str) -> str:
    sentence = re.sub(r"^@livery/[\w/-]+: ", "", doc)
    return sentence[:1].upper() + sentence[1:]


def _export_of(raw: dict[str, Any]) -> Export:
    members = [Member(member["signature"], member["doc"]) for member in raw["members"]]
    return Export(raw["name"], raw["signatures"], raw["doc"], members)


def python_entries() -> list[Entry]:
    """Returns the modules of ``livery-client`` that apps import."""
    package = _parsed("__init__.py")
    sources = {
        alias.name: f"{(statement.module or '').rpartition('.')[2]}.py"
        for statement in package.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    names = ["Livery", "AsyncLivery", *sorted(sources.keys() - {"Livery", "AsyncLivery"})]
    shared = _exported(_parsed("livery.py"), "Reading")  # the base class of both clients, with their options
    exports = [shared, *(_exported(_parsed(sources[name]), name) for name in names)]
    return [
        Entry("livery_client", _doc(package), exports),
        _module("livery_client.jinja", "jinja.py", ["install"]),
        _module("livery_client.django", "django/__init__.py", ["get_livery", "get_client"]),
        _module("Tags of Django", "django/templatetags/livery.py", _functions("django/templatetags/livery.py")),
        _module("livery_client.translations", "translations.py", ["LiveryTranslations"]),
    ]


def _parsed(path: str) -> ast.Module:
    return ast.parse((CLIENT / path).read_text(encoding="utf-8"))


def _functions(path: str) -> list[str]:
    return [one.name for one in _parsed(path).body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]


def _module(name: str, path: str, names: Sequence[str]) -> Entry:
    module = _parsed(path)
    return Entry(name, _doc(module), [_exported(module, one) for one in names])


def _exported(module: ast.Module, name: str) -> Export:
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            begin = _beginning(node)
            signature = f"{name}({_arguments(begin)})" if begin else f"class {name}"
            doc = "\n\n".join([_doc(node), *([_doc(begin)] if begin else [])])
            return Export(name, [signature], doc, list(_members(module, node)))
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Export(name, [_signature(node)], _doc(node), [])
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return Export(name, [ast.unparse(node)], _doc_after(module.body, node), [])
    raise ValueError(f"livery_client exports {name}, which its module lacks")


def _beginning(node: ast.ClassDef) -> ast.FunctionDef | None:
    return next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)


def _members(module: ast.Module, node: ast.ClassDef) -> Iterator[Member]:
    """The members of a class, and of its private base classes in the same module."""
    bases = {ast.unparse(base).partition("[")[0] for base in node.bases}
    for base in module.body:
        if isinstance(base, ast.ClassDef) and base.name in bases and base.name.startswith("_"):
            yield from _members(module, base)
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and not one.name.startswith("_"):
            if any(ast.unparse(decorator) == "overload" for decorator in one.decorator_list):
                continue
            is_property = any(ast.unparse(decorator) == "property" for decorator in one.decorator_list)
            returned = f": {ast.unparse(one.returns)}" if one.returns else ""
            yield Member(f"{one.name}{returned}" if is_property else _signature(one), _doc(one))
        elif isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_"):
            yield Member(f"{ast.unparse(one.target)}: {ast.unparse(one.annotation)}", _doc_after(node.body, one))


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    begin = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{begin}{node.name}({_arguments(node)}){returned}"


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return re.sub(r"^self(, |$)", "", re.sub(r"^self: \w+(, |$)", "self, ", ast.unparse(node.args)))


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return (ast.get_docstring(node) or "").replace("``", "`")


def _doc_after(body: Sequence[ast.stmt], node: ast.stmt) -> str:
    place = body.index(node) + 1
    after = body[place] if place < len(body) else None
    is_doc = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return str(ast.literal_eval(after.value)).replace("``", "`") if is_doc and isinstance(after, ast.Expr) else ""


def page_of(title: str, first: str, entries: Sequence[Entry]) -> str:
    """Returns a page of Markdown."""
    blocks = [f"# {title}", first]
    for entry in entries:
        if not entry.exports:
            continue
        blocks += [f"## {entry.name}", EXAMPLE.sub(".\n\n", entry.doc)]
        for export in entry.exports:
            blocks += [
                f"### {export.name}",
                *(_code(one) for one in export.signatures),
                EXAMPLE.sub(".\n\n", export.doc),
            ]
            blocks.append(_table(export.members))
    return "\n\n".join(block.strip() for block in blocks if block.strip()) + "\n"


def _table(members: Sequence[Member]) -> str:
    if not any(member.doc for member in members):
        return ", ".join(_code(member.signature) for member in members)
    rows: list[str] = []
    before: list[str] = []
    for member in members:
        method = METHOD.findall(member.signature)
        meaning = _cell(member.doc) or ("as above" if method and method == before else "")
        rows.append(f"| {_code(member.signature, in_table=True)} | {meaning} |")
        before = method
    return "\n".join(["| Member | Meaning |", "| --- | --- |", *rows])


def _code(text: str, *, in_table: bool = False) -> str:
    ticks = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    shown = text.replace("|", r"\|") if in_table else text
    return f"{ticks}{space}{shown}{space}{ticks}"


def _cell(doc: str) -> str:
    return " ".join(EXAMPLE.sub(" ", doc).split()).replace("|", r"\|")


def typescript_page() -> str:
    """Returns the page of the npm packages."""
    first = (
        "What the npm packages export. The guide is the page of "
        "[JavaScript and TypeScript](../../sdks/typescript/client/README.md); each framework has its own."
    )
    return page_of("SDK members: TypeScript", first, typescript_entries())


def python_page() -> str:
    """Returns the page of ``livery-client``."""
    first = "What `livery-client` has for apps. The guide is the page of [Python, Django, Jinja](../../sdks/python/README.md)."
    return page_of("SDK members: Python", first, python_entries())


def cli_page() -> str:
    """Returns the page of both command lines."""
    first = (
        "# Command line\n\n"
        "`npx @livery/cli` and `livery-client` (Python) have the same commands and options. "
        "The guide is [command line and CI](../../sdks/typescript/cli/README.md).\n\n"
        "The exit status is 0 if all is fine, and 1 for findings. It is 2 for misuse, and for a server that can't be reached or refuses."
    )
    blocks = [first]
    for name in re.findall(r"^ {2}([a-z]+) {2,}", _help("node", str(CLI)), re.MULTILINE):
        blocks += _command(name)
    return "\n\n".join(blocks) + "\n"


def _command(name: str) -> Iterator[str]:
    text = _help("node", str(CLI), name)
    usage, summary, *_ = (part.strip() for part in text.split("\n\n"))
    notes = text.partition("Options:")[2].partition("\n\n")[2].partition("Exit status")[0]
    options = OPTION.findall(text)
    takes = usage.removeprefix("Usage: livery-cli ").removesuffix(" [options]")
    rows = [f"| `{option}{value}` | {meaning} |" for option, value, meaning in options]
    yield f"## {name}"
    yield f"`{takes}`"
    yield summary
    yield "\n".join(["| Option | Meaning |", "| --- | --- |", *rows])
    if notes.strip():
        yield notes.strip()
    others = set(FLAGS.findall(_help(sys.executable, "-m", "livery_client", name)))
    names = {option for option, _, _ in options}
    if names - others:
        yield f"`npx @livery/cli` alone has {_listed(names - others)}."
    if others - names:
        yield f"`livery-client` alone has {_listed(others - names)}: `livery-client {name} --help`."


def _listed(options: set[str]) -> str:
    return ", ".join(f"`{option}`" for option in sorted(options))


def _help(*command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(CLIENT.parent), "NO_COLOR": "1", "COLUMNS": "200"}
    run = subprocess.run([*command, "--help"], env=environment, check=True, capture_output=True, text=True)
    return run.stdout


PAGES = {"typescript.md": typescript_page, "python.md": python_page, "command-line.md": cli_page}

if __name__ == "__main__":
    for file, make in PAGES.items():
        (FOLDER / file).write_text(make(), encoding="utf-8")
