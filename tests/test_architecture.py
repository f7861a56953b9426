"""The rules of the house that an import graph can't express. Each rule is a function from source to findings, and each is seen to find."""

import ast
import builtins
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "livery"

READ_ONLY_LAYERS = {"routes", "jobs", "access", "auth", "queries", "export", "schemas", "models"}
VAGUE_NAMES = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
OUTSIDE_SYSTEMS = {
    "aiosmtplib": "livery.email",
    "obstore": "livery.core.blobs",
    "redis": "livery.core",
}


@dataclass(frozen=True)
class Module:
    """One parsed file of the package."""

    name: str
    tree: ast.Module
    source: str

    @property
    def domain(self) -> str:
        """The folder (or file) directly below the package."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""

    @property
    def layer(self) -> str:
        """The file (or folder) directly below the domain."""
        parts = self.name.split(".")
        return parts[2] if len(parts) > 2 else ""


Rule = Callable[[Module], Iterator[str]]


def parse(name: str, source: str) -> Module:
    return Module(name, ast.parse(source), source)


@cache
def package_modules() -> list[Module]:
    modules: list[Module] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules.append(parse(name, path.read_text()))
    return modules


def called_name(call: ast.Call) -> str:
    """The last name of what is called: ``db.commit()`` gives ``commit``."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def foreign_models(module: Module) -> dict[str, str]:
    """Names by which the tables of a domain can be reached here: local name to that domain."""
    found: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        match node.module.split("."):
            case ["livery", domain, "models", *_]:
                found |= {alias.asname or alias.name: domain for alias in node.names}
            case ["livery", domain]:
                found |= {alias.asname or alias.name: domain for alias in node.names if alias.name == "models"}
            case _:
                pass
    return found


def root_name(node: ast.expr) -> str:
    """The name an expression starts with: ``models.Key.id`` gives ``models``."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_class_name(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name[:1].isupper() and not name.isupper()


def written_tables(module: Module) -> Iterator[tuple[ast.Call, str]]:
    """Calls that write a table (insert, update, delete, or a new row), with the domain that owns it."""
    owners = foreign_models(module)
    for call in calls(module.tree):
        target = None
        verb = called_name(call.func) if isinstance(call.func, ast.Call) else called_name(call)
        if verb in {"insert", "insert_for", "update", "delete"} and call.args:
            target = call.args[0]
        elif is_class_name(call.func):
            target = call.func
        if target is not None and is_class_name(target) and (owner := owners.get(root_name(target))):
            yield call, owner


def imports(tree: ast.AST) -> Iterator[str]:
    """What is imported anywhere in here: ``from livery import colors`` gives ``livery.colors``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            package = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
            yield from (f"{package}{alias.name}" for alias in node.names)


def relationships_across_domains(module: Module) -> Iterator[str]:
    """A relationship to another domain's table would let one domain read and write through the other's back."""
    owners = foreign_models(module)
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.AnnAssign | ast.Assign):
            continue
        if not isinstance(node.value, ast.Call) or called_name(node.value) != "relationship":
            continue
        named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        texts = {
            part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }
        own = {part.name for part in ast.walk(module.tree) if isinstance(part, ast.ClassDef)}
        if any(owners.get(name, module.domain) != module.domain for name in named):
            yield f"{module.name}:{node.lineno} has a relationship to another domain's table"
        elif any(text.isidentifier() and text[:1].isupper() and text not in own for text in texts):
            yield f"{module.name}:{node.lineno} has a relationship to a table that is not in this file"


def commits_outside_the_one_place(module: Module) -> Iterator[str]:
    if module.name == "livery.core.db":
        return
    for call in calls(module.tree):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "commit":
            yield f"{module.name}:{call.lineno} commits; only livery.core.db does"


def writes_of_anothers_table(module: Module) -> Iterator[str]:
    if module.domain == "core":
        return
    for call, owner in written_tables(module):
        if owner != module.domain:
            yield f"{module.name}:{call.lineno} writes a table of {owner}; ask livery.{owner}.service to"


def writes_outside_the_service(module: Module) -> Iterator[str]:
    if module.layer not in READ_ONLY_LAYERS:
        return
    for call, _ in written_tables(module):
        yield f"{module.name}:{call.lineno} writes a table in '{module.layer}'; the domain's service does that"


def imports_inside_functions(module: Module) -> Iterator[str]:
    """An import inside a function hides a cycle. The CLI may: a command imports only what it needs."""
    if module.domain == "cli":
        return
    for function in ast.walk(module.tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if any(name.split(".")[0] == "livery" for name in imports(function)):
            yield f"{module.name}:{function.lineno} imports inside '{function.name}'"


def outside_systems_entered_elsewhere(module: Module) -> Iterator[str]:
    for name in imports(module.tree):
        door = OUTSIDE_SYSTEMS.get(name.split(".")[0])
        if door and module.name != door and not module.name.startswith(f"{door}."):
            yield f"{module.name} imports {name}; it enters through {door}"


def kinds_that_fsck_knows(module: Module) -> Iterator[str]:
    """``livery admin fsck`` reaches the drafts through the list of kinds alone."""
    if not module.name.startswith("livery.workspace.fsck"):
        return
    packages = tuple(contract("no-drafts-in-delivery")["forbidden_modules"])
    for name in imports(module.tree):
        if name.startswith(packages):
            yield f"{module.name} imports {name}; a kind checks its own rows (Kind.problems, Kind.published)"


KIND_WORDS = {"color", "colour", "screen", "store", "image"}


def kinds_that_publishing_knows(module: Module) -> Iterator[str]:
    """Publishing handles kinds of content through the port: only its list of kinds has their words. (The values of a column may be among them.)"""
    if module.domain != "publishing" or module.layer == "kinds":
        return
    for number, line in enumerate(module.source.splitlines(), 1):
        if "CheckConstraint(" in line:
            continue
        words = (word.lower().removesuffix("s") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", line))
        for word in KIND_WORDS.intersection(words):
            yield f"{module.name}:{number} has the word '{word}'; only livery.publishing.kinds knows kinds"


def _names(tree: ast.Module) -> Counter[str]:
    names = Counter(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=found) | ast.ImportFrom(names=found):
                names.update(alias.name for alias in found)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names[name] += 1
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                names[name] += 1
            case _:
                pass
    return names


def imports_renamed_without_need(module: Module) -> Iterator[str]:
    """An import has a new name where two things of the file share a name, or where a package's module gets the package's name."""
    names = _names(module.tree)
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        package = ((node.module if isinstance(node, ast.ImportFrom) else None) or "").split(".")[-1]
        for alias in node.names:
            if alias.asname in {None, package} or alias.name == "sqlalchemy" or names[alias.name] > 1:
                continue
            yield f"{module.name}:{node.lineno} renames {alias.name} to {alias.asname}, and nothing else has that name"


RULES: dict[Rule, tuple[str, str]] = {
    relationships_across_domains: (
        "livery.screens.models",
        "from livery.projects.models import Project\nclass Key:\n    project: Mapped[Project] = relationship()",
    ),
    commits_outside_the_one_place: ("livery.screens.service", "async def create(db):\n    await db.commit()"),
    writes_of_anothers_table: (
        "livery.workspace.service",
        "from livery.screens import models\nasync def go(db):\n    await db.execute(delete(models.Key).where(models.Key.id == 1))",
    ),
    writes_outside_the_service: (
        "livery.screens.queries",
        "from livery.screens.models import Key\nasync def go(db):\n    db.add(Key(name='a'))",
    ),
    imports_inside_functions: ("livery.screens.service", "def go():\n    from livery.projects import service"),
    outside_systems_entered_elsewhere: ("livery.accounts.service", "import aiosmtplib"),
    kinds_that_fsck_knows: ("livery.workspace.fsck_releases", "from livery.screens.models import TextKey"),
    kinds_that_publishing_knows: ("livery.publishing.service", "def publish_screens():\n    pass"),
    imports_renamed_without_need: ("livery.screens.service", "from livery.projects import queries as project_queries"),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: Rule) -> None:
    modules = package_modules()

    findings = [finding for module in modules for finding in rule(module)]

    assert len(modules) > 1
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rule_finds_a_breach(rule: Rule) -> None:
    name, source = RULES[rule]

    assert list(rule(parse(name, source)))


@pytest.mark.parametrize(
    ("rule", "name", "source"),
    [
        (
            writes_of_anothers_table,
            "livery.projects.service",
            "from livery.accounts.models import User\nasync def go(db):\n    await insert_for(db)(User).values(id=1)",
        ),
        (
            writes_of_anothers_table,
            "livery.projects.service",
            "from livery.accounts.models import User as Person\ndef go(db):\n    db.add(Person(name='a'))",
        ),
        (
            relationships_across_domains,
            "livery.screens.models",
            "class Key:\n    project: Mapped['Project'] = relationship('Project')",
        ),
        (kinds_that_fsck_knows, "livery.workspace.fsck", "from livery import stores"),
    ],
)
def test_the_rule_finds_other_spellings(rule: Rule, name: str, source: str) -> None:
    assert list(rule(parse(name, source)))


def test_a_domains_own_service_may_write_and_others_may_read() -> None:
    source = "from livery.screens.models import Key\nasync def go(db):\n    db.add(Key(name='a'))"
    reading = "from livery.screens.models import Key\nasync def go(db):\n    return await db.execute(select(Key.id))"

    assert not list(writes_outside_the_service(parse("livery.screens.service", source)))
    assert not list(writes_of_anothers_table(parse("livery.screens.service", source)))
    assert not list(writes_of_anothers_table(parse("livery.publishing.service", reading)))


def contract(name: str) -> dict[str, list[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return next(contract for contract in settings["tool"]["importlinter"]["contracts"] if contract["id"] == name)


def test_a_new_domain_is_in_every_import_contract_that_lists_domains() -> None:
    folders = {f"livery.{path.parent.name}" for path in PACKAGE.glob("*/__init__.py")}
    drafting = {f"livery.{path.parent.name}" for path in PACKAGE.glob("*/kind.py")} - {"livery.content"}

    assert folders - {"livery.cli", "livery.core", "livery.migrations"} == set(contract("inside")["containers"])
    assert drafting == set(contract("no-drafts-in-delivery")["forbidden_modules"])


def source_files() -> Iterator[Path]:
    for folder in ("livery", "tests", "scripts", "bench", "sdks", "web", "examples"):
        for path in (ROOT / folder).rglob("*"):
            left_out = {"node_modules", "dist", "static", "__pycache__", "test-results"} & set(path.parts)
            if path.suffix in {".py", ".ts", ".tsx", ".mjs", ".css"} and not left_out:
                yield path


def test_no_file_has_a_vague_name() -> None:
    files = list(source_files())

    vague = [str(path.relative_to(ROOT)) for path in files if VAGUE_NAMES & {path.name.split(".")[0], path.parent.name}]

    assert len(files) > 1
    assert not vague


def test_no_test_is_switched_off() -> None:
    switched_off = (
        "pytest.mark." + "skip",
        "pytest." + "skip(",
        "pytest.mark." + "xfail",
        "test." + "skip(",
        "test." + "only(",
        "it." + "only(",
    )

    found = [
        str(path.relative_to(ROOT)) for path in source_files() if any(word in path.read_text() for word in switched_off)
    ]

    assert not found


def test_no_group_of_a_pattern_is_possessive() -> None:
    """Python 3.11.0 to 3.11.4 goes on at a wrong place after such a group (CPython issue 106052). Debian 12 has Python 3.11.2."""
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+[^+]")
    assert possessive.search("(?:ab?c)*" + "+d")

    files = [path for path in source_files() if path.suffix == ".py"]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if possessive.search(line)
    ]

    assert len(files) > 1
    assert not found
