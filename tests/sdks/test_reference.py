"""The pages of the SDKs and of the command line are what the code gives, and every export is described."""

from collections.abc import Callable

import pytest

from scripts import sdk_reference
from scripts.sdk_reference import Entry


@pytest.mark.parametrize("file", sdk_reference.PAGES)
def test_the_page_is_that_of_the_code(file: str) -> None:
    page = sdk_reference.PAGES[file]()

    assert (sdk_reference.FOLDER / file).read_text() == page, "run: python -m scripts.sdk_reference"


@pytest.mark.parametrize("entries", [sdk_reference.typescript_entries, sdk_reference.python_entries])
def test_every_export_is_described(entries: Callable[[], list[Entry]]) -> None:
    found = entries()
    exports = [(entry, export) for entry in found for export in entry.exports]

    assert len(exports) > 20
    assert [entry.name for entry in found if not entry.doc] == []
    assert [f"{entry.name} {export.name}" for entry, export in exports if not export.doc] == []
