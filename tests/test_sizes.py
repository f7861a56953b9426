"""The check of sizes measures files and functions, and sees each size and each exception that does not hold."""

import ast
from pathlib import Path

import pytest

from scripts.sizes import (
    EXCEPTIONS,
    FUNCTION_LIMIT,
    ROOT,
    Size,
    exceptions_of,
    functions_in,
    problems_of,
    sizes_of,
)

PYTHON = '''
@decorated
def outer():
    """Two lines
    of documentation."""
    def inner():
        return 1
    return inner


class Store:
    """Documented."""

    async def read(
        self,
    ): ...
'''
SCRIPT = """
export function Page({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    load();
  }, []);
  const close = () => {
    onClose();
  };
  return <Dialog onClose={() => close()} />;
}
export const listCache = (path: string) => ({ put: () => path });
class Reader {
  read<T>(value: T) {
    return `{${value}`; // a bracket in a comment: {
  }
}
export default () => null;
"""


def test_python_functions_are_measured_without_decorators_and_documentation() -> None:
    assert dict(functions_in(ast.parse(PYTHON))) == {"outer": 4, "outer.inner": 2, "Store.read": 3}


def test_the_functions_of_scripts_are_measured_and_named_for_where_they_are(tmp_path: Path) -> None:
    page = tmp_path / "web/src/page.tsx"
    page.parent.mkdir(parents=True)
    page.write_text(SCRIPT)

    sizes = {size.name.removeprefix("web/src/page.tsx"): size.lines for size in sizes_of(tmp_path)}

    assert sizes == {
        "": 17,
        "::Page": 8,
        "::Page.useEffect": 3,
        "::Page.close": 3,
        "::Page.onClose": 1,
        "::listCache": 1,
        "::listCache.put": 1,
        "::Reader.read": 3,
        "::function": 1,
    }


def test_tests_generated_files_and_migrations_are_not_measured(tmp_path: Path) -> None:
    paths = ("livery/a.py", "livery/migrations/versions/0001_a.py", "web/src/a.test.tsx", "web/src/api.gen.ts")
    for path in (*paths, "tests/test_a.py", "sdks/typescript/client/tests/a.ts"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("\n")

    assert [size.name for size in sizes_of(tmp_path)] == ["livery/a.py"]


@pytest.mark.parametrize(
    ("lines", "allowed", "problem"),
    [
        (50, None, None),
        (51, None, "a.py::f: 51 lines, the limit is 50."),
        (60, 60, None),
        (59, 60, None),
        (61, 60, "a.py::f: 61 lines, its exception is 60."),
        (50, 60, f"{EXCEPTIONS}: a.py::f is no longer over its limit"),
    ],
)
def test_a_size_is_compared_with_its_limit_or_its_exception(
    lines: int, allowed: int | None, problem: str | None
) -> None:
    exceptions = {} if allowed is None else {"a.py::f": (allowed, "A reason")}

    found = problems_of([Size("a.py::f", lines, FUNCTION_LIMIT)], exceptions)

    assert len(found) == (0 if problem is None else 1)
    assert not problem or found[0].startswith(problem)


def test_an_exception_needs_a_reason_and_something_to_excuse() -> None:
    exceptions = exceptions_of('[files]\n"a.py" = [500, " "]\n[functions]\n"gone.py::f" = [60, "A reason"]\n')

    assert problems_of([Size("a.py", 450, 400)], exceptions) == [
        f"{EXCEPTIONS}: a.py has no reason",
        f"{EXCEPTIONS}: gone.py::f is no longer over its limit, or no longer there. Remove its line",
    ]


def test_the_sizes_of_the_project_hold() -> None:
    assert problems_of(sizes_of(ROOT), exceptions_of((ROOT / EXCEPTIONS).read_text())) == []
