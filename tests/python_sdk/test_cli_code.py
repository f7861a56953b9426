"""What the command line of the Python SDK reads in Python code, in templates and in patterns of files."""

from pathlib import Path

import pytest

from livery_client.cli.files import find_files, pattern_of, to_json, write_if_changed
from livery_client.cli.python_source import paths_in, read_python
from livery_client.cli.templates import read_template
from livery_client.cli.uses import Use

Row = tuple[str | None, str | None, tuple[str, ...] | None]
PYTHON: dict[str, list[Row]] = {
    't("a.b")': [("a.b", None, ())],
    'livery.t("title", name=1)': [("general.title", None, ("name",))],
    'livery.in_language("de").t("a.b", {"x": 1}, y=2)': [("a.b", None, ("y", "x"))],
    't("a.b", default="A", **more)': [("a.b", None, None)],
    't("a.b", values)': [("a.b", None, None)],
    't("a.b", None)': [("a.b", None, ())],
    't("a.b", {**more})': [("a.b", None, None)],
    't(key="a.b", params={"x": 1})': [("a.b", None, ("x",))],
    't("a.b" if x else "a.c")': [("a.b", None, ()), ("a.c", None, ())],
    't(f"errors.{code}")': [(None, "errors.", ())],
    't(f"{screen}.title")': [(None, "", ())],
    't("errors." + code)': [(None, "errors.", ())],
    't("a." + "b")': [("a.b", None, ())],
    't("er" f"rors.{code}.x")': [(None, "errors.", ())],
    't("errors" + code)': [(None, "", ())],
    "t(name)": [(None, "", ())],
    "t(1)": [],
    "t()": [],
    "t(*names)": [],
    "test('a.b')": [],
    "# t('a.b')": [],
}
TEMPLATES: dict[str, list[Row]] = {
    '{% t "a.b" %}': [("a.b", None, ())],
    "{% t 'title' name=user.name|title default='A %} B' as x %}": [("general.title", None, ("name",))],
    "{%- t name %}": [(None, "", ())],
    "{% t 'a.b'|add:x %}": [(None, "", ())],
    "{% trans 'a.b' %}": [],
    '{{ t("a.b") }}': [("a.b", None, ())],
    "{{ t('title', name=user.get('x', 1), n=[1, 2]) | upper }}": [("general.title", None, ("name", "n"))],
    '{{ t("a.b", x == y, z=1) }}': [("a.b", None, ("z",))],
    '{{ t("a.b", **more) }}': [("a.b", None, None)],
    '{{ t("errors." ~ code) }}': [(None, "errors.", ())],
    "{{ t(name) }}": [(None, "", ())],
    '{% if t("a.b") == t("a.c") %}': [("a.b", None, ()), ("a.c", None, ())],
    '{{ first("a.b") }} t("a.b")': [],
    '{# {% t "a.b" %} #}{% comment %}{{ t("a.b") }}{% endcomment %}': [],
}


def rows(uses: list[Use]) -> list[Row]:
    return [(use.key, use.prefix, use.params) for use in uses]


def test_calls_in_python_code() -> None:
    found = {code: rows(read_python("a.py", code.encode())) for code in PYTHON}

    assert {code: found[code] for code in PYTHON if found[code] != PYTHON[code]} == {}


STATEMENTS = """import os

@cached(t("a.decorator"))
@other
def plain(x=t("a.argument")):
    def inner():
        return [t("a.inner") for _ in x]
    return 1

class Page(t("a.base")):
    title = lambda self: self.t("a.attribute")

    async def load(self):
        async with x, t("a.with"):
            pass
        try:
            pass
        except Error:
            t("a.handler")
        match x:
            case 1:
                t("a.case")
        return (livery
                .t
                ("a.lines"))
x = 1; t("a.semicolon")
"""


def test_calls_are_found_in_all_statements_whatever_ends_a_line() -> None:
    names = ["decorator", "argument", "base", "inner", "attribute", "semicolon", "with", "handler", "case", "lines"]

    found = [read_python("a.py", STATEMENTS.replace("\n", end).encode()) for end in ("\n", "\r\n", "\r")]

    assert [sorted(use.key or "" for use in uses) for uses in found] == 3 * [sorted(f"a.{name}" for name in names)]
    assert {use.key: use.line for use in found[2]}["a.case"] == 22


def test_tags_and_calls_in_templates() -> None:
    found = {text: rows(read_template("a.html", text)) for text in TEMPLATES}

    assert {text: found[text] for text in TEMPLATES if found[text] != TEMPLATES[text]} == {}


def test_a_use_has_its_line_and_its_default_text() -> None:
    template = '\n\n{% t "a.b" default="A" %}{#\n#}\n{{ x and\n t("a.c", default="C") }}'

    python = read_python("a.py", b'\nt("a.b",\n  default="A")')
    uses = [(use.line, use.fallback) for use in [*python, *read_template("a.html", template)]]

    assert uses == [(2, "A"), (3, "A"), (6, "C")]


def test_code_has_the_encoding_that_it_names() -> None:
    codes = ["\ufefft('a.b', default='é')".encode(), "# coding: latin-1\nt('a.b', default='é')".encode("latin-1")]

    assert [read_python("a.py", code)[0].fallback for code in codes] == ["é", "é"]


def test_attributes_are_found_for_typed_keys() -> None:
    assert paths_in(b"Keys(livery).home.title(name=1)") == {("home", "title")}
    assert paths_in(b"home = keys.home\nhome .title()\na.b.c") == {
        ("keys", "home"),
        ("home", "title"),
        ("a", "b"),
        ("b", "c"),
    }


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("src/**/*.{py,html}", ["src/a.py", "src/b/c.html"], ["src/a.js", "a.py", "src/a.py.bak"]),
        ("src/*.py", ["src/a.py"], ["src/b/a.py", "src/aXpy"]),
        ("a?.(x)/**", ["ab.(x)/c/d"], ["a.(x)/c", "ab.x/c"]),
        ("{language}/a.{language}", ["de/a.de"], ["de/a.en", "d/a.d"]),
    ],
)
def test_a_pattern_matches_whole_paths(pattern: str, matching: list[str], others: list[str]) -> None:
    expression = pattern_of(pattern, {"language": "[a-z]{2}"})

    assert [path for path in matching + others if expression.fullmatch(path)] == matching


def test_files_are_found_in_order_without_environments_and_links(tmp_path: Path) -> None:
    for path in ("src/b.py", "src/a/c.py", "src/.venv/d.py", "src/node_modules/e.py", "lib/f.py", "src/g.css"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "src/loop").symlink_to(tmp_path)

    assert find_files(tmp_path, ["./src/**/*.py", "{src,lib}/*.py"]) == ["lib/f.py", "src/a/c.py", "src/b.py"]
    assert find_files(tmp_path, ["none/**"]) == []


def test_json_has_its_keys_in_the_order_of_javascript() -> None:
    assert to_json({"b": [{"d": 1, "c": "é\u2028"}], "10": 1, "9": None, "01": 2, "\ufb00": 1, "\U0001f600": 2}) == (
        '{\n  "9": null,\n  "10": 1,\n  "01": 2,\n  "b": [\n    {\n      "c": "é\u2028",\n      "d": 1\n    }\n  ],\n'
        '  "\U0001f600": 2,\n  "\ufb00": 1\n}\n'
    )


def test_a_file_is_written_only_when_it_differs(tmp_path: Path) -> None:
    file = tmp_path / "deep/er/file"

    assert [write_if_changed(file, "a", 0o600), write_if_changed(file, "a"), write_if_changed(file, "b")] == [
        True,
        False,
        True,
    ]
    assert [path.name for path in file.parent.iterdir()] == ["file"]
