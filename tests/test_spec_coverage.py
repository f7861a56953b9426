"""The check of docs/spec-coverage.md sees a row that claims more than its tests do."""

from pathlib import Path

import pytest

from scripts.spec_coverage import ARROW, ROOT, TABLE, problems_of, rows_of, titles_of, with_another_text

HEAD = "| id | what the specification says | tests |\n| --- | --- | --- |\n"
LOGIN = "web/login.test.tsx"
SOURCE = r"""
// it's no test: test("in a comment only")
test("a login that fails says so", async () => {
  expect(screen.getByText('Screen "home" added!')).toBeVisible();
  expect(screen.getByText("It is \"quoted\", isn't it?")).toBeVisible();
});
test.each([
  ["(", /\)"'/.source, `a ${"b"}`], // an apostrophe's comment
])("the name '%s' is refused", (name) => {});
test(`every page in ${theme}`, () => {});
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "web").mkdir()
    (tmp_path / LOGIN).write_text(SOURCE)
    (tmp_path / "test_login.py").write_text("async def test_a_login() -> None: ...\ndef helper() -> None: ...\n")
    return tmp_path


def row(name: str, text: str, *tests: str) -> str:
    return f"| {name} | {text} | {'<br>'.join(tests).replace(' > ', f' {ARROW} ')} |\n"


def test_the_table_of_the_project_holds() -> None:
    assert problems_of(TABLE.read_text(), ROOT) == []


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("A login can fail", f"{LOGIN} > a login that fails says so"),
        ("Says 'Screen \"{name}\" added!'", f"{LOGIN} > a login that fails says so"),
        ("Says 'It is \"quoted\", isn't it?' and nobody's name", f"{LOGIN} > the name '%s' is refused"),
        ("Kept under `'not a text'`, and 'abc' is too short", f"{LOGIN} > every page in {{theme}}"),
        ("The server decides", "test_login.py > test_a_login"),
    ],
)
def test_a_row_that_is_true_passes(root: Path, text: str, test: str) -> None:
    assert problems_of(HEAD + row("login-1", text, test), root) == []


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("", "the table has no rows"),
        (row("login-1", "Says so"), "names no test"),
        ("| login-1 | Says so |\n", "names no test"),
        (row("login-1", "Says so", f"{LOGIN} > a login"), f"names a test that is not in {LOGIN}: a login"),
        (row("login-1", "Says so", f"{LOGIN} > in a comment"), "names a test that is not in"),
        (row("login-1", "Says so", LOGIN), "names a test that is not in"),
        (row("login-1", "Says so", "web/gone.test.tsx > a login"), "names a file that is not there: web/gone.test.tsx"),
        (row("login-1", "Says so", "test_login.py > helper"), "names a test that is not in test_login.py: helper"),
        (
            row("login-1", "Says 'Login failed'", f"{LOGIN} > a login that fails says so"),
            "quotes what none of its tests' files has: 'Login failed'",
        ),
        (
            row("login-1", "Says 'Screen \"{name}\" deleted!'", f"{LOGIN} > a login that fails says so"),
            "quotes what none of its tests' files has",
        ),
        (row("login-1", "A login", "test_login.py > test_a_login") * 2, "the id login-1 is there twice"),
    ],
)
def test_a_row_that_is_not_true_is_told(root: Path, table: str, problem: str) -> None:
    problems = problems_of(HEAD + table, root)

    assert len(problems) == 1
    assert problem in problems[0]


def test_a_text_may_stand_in_any_of_the_named_files(root: Path) -> None:
    (root / "web/other.test.tsx").write_text('it("is another", () => getByText("Login failed"));')
    tests = f"{LOGIN} > a login that fails says so", "web/other.test.tsx > is another"

    assert problems_of(HEAD + row("login-1", "Says 'Login failed'", *tests), root) == []


def test_titles_are_those_of_tests_only() -> None:
    assert titles_of(LOGIN, SOURCE) == {
        "a login that fails says so",
        "the name '%s' is refused",
        "every page in {}",
    }


def test_a_cell_may_hold_a_bar() -> None:
    (only,) = rows_of(HEAD + row("login-1", r"Either \| or", f"{LOGIN} > one"))

    assert (only.text, len(only.tests)) == ("Either | or", 1)


@pytest.mark.parametrize(
    ("source", "quote", "changed"),
    [
        ('say("Login failed")', "Login failed", 'say("Zzyzx")'),
        ("say(`Screen ${name} was added!`)", "Screen {name} was added!", "say(`Screen ${name}Zzyzx`)"),
        ("<p>\n  Ask for\n  more.\n</p>", "Ask for more.", "<p>\n  Zzyzx\n</p>"),
        ("<Published /> isPublished", "Published", "<Published /> isPublished"),
    ],
)
def test_proving_changes_a_text_where_it_is_said(source: str, quote: str, changed: str) -> None:
    assert with_another_text(source, quote) == changed
