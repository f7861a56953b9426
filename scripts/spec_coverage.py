"""Makes docs/spec-coverage.md from docs/spec-requirements.md and the markers of tests, and checks all three.

    python scripts/spec_coverage.py            fail if a requirement has no test, or if the page is out of date
    python scripts/spec_coverage.py --write    write the page

A quoted text of a requirement has to be in one of the files of its tests. `--prove` takes longer and goes further. In a copy of the dashboard
it changes each quoted text in turn and runs the tests of the requirement. If they still pass, they do not check what they claim.
`--prove login-3 shell-1` does so for these requirements only. Run it when the tests pass.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from scripts.spec_proof import prove
from scripts.spec_rows import Row, rows_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/spec-coverage.md"
COMMAND = ".venv/bin/python scripts/spec_coverage.py --write"
ARROW = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
HEAD = f"""\
# What the specification asks for, and the tests that hold us to it

Generated from [spec-requirements.md](spec-requirements.md) and the markers of tests by `{COMMAND}`.
Don't edit this page: change the requirement, or the marker at the test. A test whose title has `%s` runs for each case of its table.
"""


def page_of(rows: Sequence[Row]) -> str:
    """Returns the page: a table for each section, with a row for each requirement and its tests."""
    return "\n".join([HEAD, *_tables(rows)])


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    for section, members in groupby(rows, lambda row: row.requirement.section):
        yield f"## {section}\n\n| id | what the specification says | tests |\n| --- | --- | --- |"
        for row in members:
            tests = "<br>".join(_cell(f"{test.path} {ARROW} {test.title}") for test in row.tests)
            yield f"| {row.requirement.id} | {_cell(row.requirement.text)} | {tests} |"
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def problems_of(root: Path) -> list[str]:
    """Returns what is wrong, a line for each: with the list, with the markers, or with the page if list and markers are right."""
    rows, problems = rows_of(root)
    return problems or _problems_of_page(root, rows)


def _problems_of_page(root: Path, rows: Sequence[Row]) -> list[str]:
    page = root / PAGE
    is_current = page.is_file() and page.read_text() == page_of(rows)
    return [] if is_current else [f"{PAGE}: out of date. Write it with {COMMAND}"]


def main() -> int:
    """Returns 1 if something is wrong, or if `--prove` finds a text that no test checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--prove", action="store_true", help="change each quoted text and see whether tests notice")
    parser.add_argument("ids", nargs="*", help="with --prove: only these requirements")
    options = parser.parse_args()
    rows, problems = rows_of(ROOT)
    if options.write and not problems:
        (ROOT / PAGE).write_text(page_of(rows))
    if problems := problems or _problems_of_page(ROOT, rows):
        print("\n".join(problems))
        return 1
    print(f"{len(rows)} requirements, {len({test for row in rows for test in row.tests})} tests")
    if not options.prove:
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the copy goes, however this ends
    wanted: list[str] = options.ids
    return 1 if prove([row for row in rows if not wanted or row.requirement.id in wanted]) else 0


if __name__ == "__main__":
    sys.exit(main())
