"""The check of the specification's coverage sees a requirement without a test, a marker that is wrong, and a page that is out of date."""

from pathlib import Path

import pytest

from scripts.spec_coverage import ARROW, PAGE, ROOT, page_of, problems_of
from scripts.spec_proof import with_another_text
from scripts.spec_rows import REQUIREMENTS, markers_of, requirements_of, rows_of

HEAD = "# What it asks for\n\nA paragraph for people.\n\n- A list for people\n\n## Login\n\n"
LOGIN = "web/src/login.test.tsx"
SERVER = "tests/test_login.py"
SOURCE = r"""
// it's no marker: spec: login-9
// spec: login-1
test("a login that fails says so", async () => {
  expect(screen.getByText('Screen "home" added!')).toBeVisible();
  expect(screen.getByText("It is \"quoted\", isn't it?")).toBeVisible();
});
// spec: login-2, login-3
// spec: login-4
test.each([
  ["(", /\)"'/.source, `a ${"b"}`], // an apostrophe's comment
])("the name '%s' is refused", (name) => {});
describe("themes", () => {
  // spec: login-1
  test.each<[string, Partial<Theme>]>([
    ["a", {}],
  ])(`every page in ${theme}`, () => {});
});
"""
PYTHON = """
@pytest.mark.spec("login-5", "login-1")
@pytest.mark.parametrize("name", ["a"])
async def test_a_login() -> None: ...
class TestLogout:
    @pytest.mark.spec("login-4")
    def test_a_logout(self) -> None: ...
"""


def lines(*requirements: str) -> str:
    return HEAD + "".join(f"- {requirement}\n" for requirement in requirements)


LIST = lines("login-1: One", "login-2: Two", "login-3: Three", "login-4: Four", "login-5: Five")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in {REQUIREMENTS: LIST, LOGIN: SOURCE, SERVER: PYTHON}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_the_coverage_of_the_project_holds() -> None:
    assert problems_of(ROOT) == []


def test_the_page_has_the_tests_of_each_requirement(root: Path) -> None:
    (root / REQUIREMENTS).write_text(LIST + "\n## Another section\n\n- other-1: Either | or\n")
    (root / "web/src/other.test.ts").write_text("// spec: other-1\nit('is a | b', () => {});\n")
    rows, problems = rows_of(root)

    page = page_of(rows)

    assert problems == []
    assert page[page.index("## ") :].replace(f" {ARROW} ", " > ") == (
        "## Login\n\n"
        "| id | what the specification says | tests |\n"
        "| --- | --- | --- |\n"
        f"| login-1 | One | {LOGIN} > a login that fails says so<br>{LOGIN} > every page in ${{theme}}<br>{SERVER} > test_a_login |\n"
        f"| login-2 | Two | {LOGIN} > the name '%s' is refused |\n"
        f"| login-3 | Three | {LOGIN} > the name '%s' is refused |\n"
        f"| login-4 | Four | {LOGIN} > the name '%s' is refused<br>{SERVER} > TestLogout::test_a_logout |\n"
        f"| login-5 | Five | {SERVER} > test_a_login |\n"
        "\n"
        "## Another section\n\n"
        "| id | what the specification says | tests |\n"
        "| --- | --- | --- |\n"
        "| other-1 | Either \\| or | web/src/other.test.ts > is a \\| b |\n"
    )


def test_a_page_that_is_missing_or_out_of_date_is_a_problem(root: Path) -> None:
    before = problems_of(root)
    (root / PAGE).write_text(page_of(rows_of(root)[0]))
    when_written = problems_of(root)
    (root / SERVER).write_text(PYTHON.replace("test_a_login", "test_a_refusal"))

    after = problems_of(root)

    assert [len(before), len(when_written), len(after)] == [1, 0, 1]
    assert after[0].startswith(f"{PAGE}: out of date. Write it with ")


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        ("", "the list has no requirement"),
        (LIST + "- login-6 without a colon\n", ":14: a requirement is a line"),
        (LIST + "  that goes on\n", ":14: a requirement is a line"),
        (LIST + "- login-5: Five\n", ":14: the id login-5 is there twice"),
    ],
)
def test_a_list_that_can_not_be_read_is_a_problem(listed: str, problem: str) -> None:
    (only,) = requirements_of(listed)[1]

    assert only.startswith(REQUIREMENTS)
    assert problem in only


@pytest.mark.parametrize(
    ("path", "source", "problem"),
    [
        (LOGIN, "// spec: login-1, login-9\ntest('a', () => {});\n", ":1: the marker names 'login-9', which"),
        (LOGIN, "// spec: login-1,\ntest('a', () => {});\n", ":1: the marker names '', which"),
        (LOGIN, "// spec: login-1\n\ntest('a', () => {});\n", ":1: the marker stands at no test"),
        (LOGIN, "\n//Spec: login-1\ndescribe('a', () => {});\n", ":2: the marker stands at no test"),
        (LOGIN, "// spec: login-1\ntest(title, () => {});\n", ":1: the marker stands at no test"),
        (LOGIN, "// spec: login-1\n// spec: login-1\ntest('a', () => {});\n", ":1: the test names login-1 twice"),
        (SERVER, "@pytest.mark.spec('login-9')\ndef test_a(): ...\n", ":1: the marker names 'login-9', which"),
        (SERVER, "@pytest.mark.spec(LOGIN)\ndef test_a(): ...\n", ":1: the marker names '', which"),
        (SERVER, "@pytest.mark.spec('login-1')\ndef helper(): ...\n", ":1: the marker stands at no test"),
        (SERVER, "pytestmark = pytest.mark.spec('login-1')\n", ":1: the marker stands at no test"),
        (SERVER, "@pytest.mark.spec('login-1', 'login-1')\ndef test_a(): ...\n", ":1: the test names login-1 twice"),
    ],
)
def test_a_marker_that_is_wrong_is_a_problem(tmp_path: Path, path: str, source: str, problem: str) -> None:
    for name, text in {REQUIREMENTS: lines("login-1: One"), path: source}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    found = [problem for problem in problems_of(tmp_path) if problem.startswith(path)]

    assert len(found) == 1
    assert found[0].startswith(path + problem)


def test_a_requirement_without_a_marker_is_a_problem(root: Path) -> None:
    (root / REQUIREMENTS).write_text(LIST + "- login-6: Six\n")

    assert problems_of(root) == [f"{REQUIREMENTS}:14: login-6 has no test: no marker names it"]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("A login can fail", None),
        ("Says 'Screen \"{name}\" added!'", None),
        ("Says 'It is \"quoted\", isn't it?' and nobody's name", None),
        ("Kept under `'not a text'`, and 'abc' is too short", None),
        ("Says 'Login failed'", "Login failed"),
        ("Says 'Screen \"{name}\" deleted!'", 'Screen "{name}" deleted!'),
    ],
)
def test_a_quoted_text_has_to_be_in_a_file_of_the_tests(root: Path, text: str, missing: str | None) -> None:
    (root / REQUIREMENTS).write_text(LIST.replace("One", text))

    assert rows_of(root)[1] == (
        [f"{REQUIREMENTS}:9: login-1 quotes what no file of its tests has: '{missing}'"] if missing else []
    )


def test_a_quoted_text_may_be_in_any_of_the_files(root: Path) -> None:
    (root / REQUIREMENTS).write_text(LIST.replace("One", "Says 'Login failed'"))
    (root / SERVER).write_text(PYTHON + 'LOGIN_FAILED = "Login failed"\n')

    assert rows_of(root)[1] == []


def test_markers_and_titles_are_those_of_tests_only() -> None:
    assert [(marker.title, marker.ids) for marker in markers_of(LOGIN, SOURCE)] == [
        ("a login that fails says so", ("login-1",)),
        ("the name '%s' is refused", ("login-2", "login-3", "login-4")),
        ("every page in ${theme}", ("login-1",)),
    ]
    assert [(marker.title, marker.ids) for marker in markers_of(SERVER, PYTHON)] == [
        ("test_a_login", ("login-5", "login-1")),
        ("TestLogout::test_a_logout", ("login-4",)),
    ]


@pytest.mark.parametrize(
    ("source", "quote", "changed"),
    [
        ('say("Login failed")', "Login failed", 'say("Zzyzx")'),
        ("say(`Screen ${name} was added!`)", "Screen {name} was added!", "say(`Screen ${name}Zzyzx`)"),
        ("<p>\n  Ask for\n  more.\n</p>", "Ask for more.", "<p>\n  Zzyzx\n</p>"),
        ("<Published /> isPublished", "Published", "<Published /> isPublished"),
    ],
)
def test_proving_changes_a_text_where_it_is_quoted(source: str, quote: str, changed: str) -> None:
    assert with_another_text(source, quote) == changed
