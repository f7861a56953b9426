"""The operator's documents name what the product has: metrics, log events, settings, commands, and files that exist."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.main import get_command

from livery.app import create_app
from livery.cli import app as livery
from livery.core import limits
from livery.core.limits import Rate
from livery.core.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parent.parent
OPERATIONS = ROOT / "docs" / "operations"
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "SECURITY.md", ROOT / "README.md"]
REGISTERING = {"gauge", "counter", "Counter", "Gauge", "GaugeMetricFamily", "Histogram"}
SUFFIXES = {"Counter": ("_total",), "counter": ("_total",), "Histogram": ("", "_bucket", "_sum", "_count")}
METRIC = re.compile(r"\blivery_[a-z_]+")
COMMAND_ROW = re.compile(r"^\| `(livery(?: [a-z][a-z-]*)+)([^`]*)` \|", re.MULTILINE)
EVENT_ROW = re.compile(r"^\| (`[a-z_`, ]+`) \| (?:critical|error|warning|error, warning) \|", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@cache
def source() -> list[ast.AST]:
    """Every node of the product's code."""
    files = sorted((ROOT / "livery").rglob("*.py"))
    return [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]


@cache
def strings_of_the_source() -> frozenset[str]:
    return frozenset(node.value for node in source() if isinstance(node, ast.Constant) and isinstance(node.value, str))


def registered() -> Iterator[tuple[str, str]]:
    """The function and the name of each metric that the source registers."""
    for node in source():
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        name = node.args[0]
        if called in REGISTERING and isinstance(name, ast.Constant) and METRIC.fullmatch(str(name.value)):
            yield called, str(name.value)


def metrics_of_the_product() -> dict[str, set[str]]:
    """Each metric's series, by the name that the documents have: a counter's ends with ``_total``."""
    found: dict[str, set[str]] = {}
    for called, name in registered():
        series = {f"{name}{suffix}" for suffix in SUFFIXES.get(called, ("",))}
        found[min(series, key=len)] = series
    return found


def expressions(value: Any) -> Iterator[str]:
    """Each query of a dashboard."""
    if isinstance(value, dict):
        for key, child in cast("dict[str, Any]", value).items():
            if key in {"expr", "definition", "query"} and isinstance(child, str):
                yield child
            yield from expressions(child)
    elif isinstance(value, list):
        for child in cast("list[Any]", value):
            yield from expressions(child)


def commands(command: Any, *words: str) -> dict[str, set[str]]:
    """Each command below ``command`` with its options."""
    children = cast("dict[str, Any]", getattr(command, "commands", {}))
    if not children:
        return {" ".join(words): {option for parameter in command.params for option in parameter.opts}}
    return {
        path: options for name, child in children.items() for path, options in commands(child, *words, name).items()
    }


def prose(page: Path) -> str:
    """The text of a page without its code."""
    without_blocks = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", without_blocks)


def anchors(page: Path) -> set[str]:
    """The fragments under which a page's headings can be reached."""
    titles = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_an_application_has_only_metrics_that_the_source_names(tmp_path: Path) -> None:
    text = create_app(load_settings(data_dir=tmp_path)).metrics.text().decode()

    shown = {family.name for family in text_string_to_metric_families(text) if family.name.startswith("livery_")}
    assert shown
    assert shown <= {name.removesuffix("_total") for name in metrics_of_the_product()}


@pytest.mark.parametrize("name", ["monitoring.md", "limits.md", "incidents.md", "grafana-dashboard.json", "alerts.yml"])
def test_every_metric_of_the_documents_exists(name: str) -> None:
    named = set(METRIC.findall((OPERATIONS / name).read_text(encoding="utf-8")))

    assert named
    assert named <= {name for series in metrics_of_the_product().values() for name in series}


def test_every_metric_of_the_product_is_in_the_table() -> None:
    page = (OPERATIONS / "monitoring.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)

    assert set(METRIC.findall(" ".join(rows))) == metrics_of_the_product().keys()


def test_every_event_in_the_table_of_the_log_is_in_the_source() -> None:
    rows = EVENT_ROW.findall((OPERATIONS / "monitoring.md").read_text(encoding="utf-8"))
    events = {event for row in rows for event in re.findall(r"`([a-z_]+)`", row)}

    assert len(events) > 30
    assert events <= strings_of_the_source()


def events_of_the_source() -> Iterator[str]:
    """The name of each line of the log that may call for a person."""
    for node in source():
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"warning", "error", "critical", "exception"}:
            named = node.args[:1] if isinstance(node.func.value, ast.Name) and node.func.value.id == "log" else []
        else:
            named = [keyword.value for keyword in node.keywords if keyword.arg in {"begun", "over"}]
        for name in named:
            if isinstance(name, ast.Constant):
                yield str(name.value)


def test_every_event_of_the_source_that_may_call_for_a_person_is_in_the_table() -> None:
    page = (OPERATIONS / "monitoring.md").read_text(encoding="utf-8")
    table = page[page.index("Events worth an alert") :]
    events = set(events_of_the_source())

    assert len(events) > 30
    assert events - set(re.findall(r"`([a-z_]+)`", table)) == set()


def test_the_table_of_rates_has_each_limit_of_people() -> None:
    page = (OPERATIONS / "limits.md").read_text(encoding="utf-8")
    rates = page[page.index("## Rates") : page.index("## Streams")]
    windows = {60: "a minute", 900: "in 15 minutes", 3_600: "an hour", 86_400: "a day"}
    found = [value for value in vars(limits).values() if isinstance(value, Rate)]

    assert len(found) > 15
    phrases = {(rate.times, windows[int(rate.within.total_seconds())]) for rate in found}
    absent = [phrase for phrase in phrases if not re.search(rf"\b{phrase[0]} (calls )?{phrase[1]}", rates)]
    assert absent == []


def test_every_setting_in_the_documents_exists() -> None:
    pages = [page for page in PAGES if page.parent == OPERATIONS or page.name == "SECURITY.md"]
    named = {name for page in pages for name in re.findall(r"\bLIVERY_([A-Z_]+)\b", page.read_text(encoding="utf-8"))}

    assert {name.lower() for name in named} <= Settings.model_fields.keys()


def test_the_table_of_commands_has_all_commands_and_only_their_options() -> None:
    existing = commands(get_command(livery), "livery")
    rows: list[tuple[str, str]] = COMMAND_ROW.findall((OPERATIONS / "README.md").read_text(encoding="utf-8"))
    documented = {path: set(re.findall(r"--[a-z-]+", arguments)) for path, arguments in rows}

    assert documented.keys() == existing.keys()
    for path, options in documented.items():
        assert options <= existing[path], path


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    dead: list[str] = []
    for page in PAGES:
        for link in LINK.findall(prose(page)):
            path, _, fragment = link.partition("#")
            target = page.parent / path if path else page
            if re.match(r"[a-z]+:", link):
                continue
            if not target.exists() or (fragment and fragment not in anchors(target)):
                dead.append(f"{page.relative_to(ROOT)}: {link}")

    assert dead == []


def test_the_index_names_every_page() -> None:
    links = LINK.findall(prose(OPERATIONS / "README.md"))

    assert {path.name for path in OPERATIONS.iterdir()} - {"README.md"} <= set(links)


def test_the_dashboard_can_be_imported() -> None:
    dashboard = json.loads((OPERATIONS / "grafana-dashboard.json").read_text(encoding="utf-8"))
    panels = dashboard["panels"]
    queries = "\n".join(expressions(dashboard))
    variables = {variable["name"] for variable in dashboard["templating"]["list"]} | {"__rate_interval"}

    assert len({panel["id"] for panel in panels}) == len(panels)
    assert {panel["datasource"]["uid"] for panel in panels if panel["type"] != "row"} == {"${datasource}"}
    assert set(re.findall(r"\$(\w+)", queries)) <= variables
    for opening, closing in ("()", "{}", "[]"):
        assert queries.count(opening) == queries.count(closing)


def test_the_alert_rules_are_whole() -> None:
    """By regular expressions: no parser of YAML is among the dependencies."""
    text = (OPERATIONS / "alerts.yml").read_text(encoding="utf-8")
    rules = text.split("      - alert: ")[1:]

    assert "\t" not in text
    names = [rule.splitlines()[0] for rule in rules]
    assert len(set(names)) == len(names)
    for name, rule in zip(names, rules, strict=True):
        assert re.search(r"^ {8}expr: (\||\S+)", rule, re.MULTILINE), name
        assert re.search(r"^ {10}severity: (critical|warning|info)$", rule, re.MULTILINE), name
        assert re.search(r'^ {10}summary: ".+"$', rule, re.MULTILINE), name
        for opening, closing in ("()", "{}", "[]"):
            assert rule.count(opening) == rule.count(closing), name
