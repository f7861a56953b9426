"""The documentation as a site: every page is there, no link leads to nothing, and no document is forgotten."""

import json
import re
from pathlib import Path

import pytest

from scripts import docs_site

NOT_ON_THE_SITE = {
    "docs/spec-coverage.md",
    "docs/spec-requirements.md",
    "docs/testing.md",
}
"""For people who work on Livery itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    docs_site.build(folder)
    return folder


def test_every_document_has_a_page_or_a_reason_not_to() -> None:
    listed = {page.source for section in docs_site.read_sections() for page in section.pages}
    root = docs_site.ROOT
    there = {
        str(file.relative_to(root))
        for folder in ("docs", "docs/guides", "docs/operations")
        for file in (root / folder).glob("*.md")
    }

    assert there - listed == NOT_ON_THE_SITE
    assert len(listed) > 30


def test_the_search_finds_the_text_below_each_heading(site: Path) -> None:
    parts = {part["url"]: part for part in json.loads((site / "search.json").read_text())}
    pages = [page for section in docs_site.read_sections() for page in section.pages]

    assert len(parts) == sum(len(page.headings) for page in pages)
    part = parts["sdks/python.html#a-server-with-many-languages"]
    assert (part["title"], part["heading"]) == ("Python, Django, Jinja", "A server with many languages")
    assert part["text"].startswith('livery.in_language("pt-BR") is a client of that language')
    assert "INSTALLED_APPS" not in part["text"]  # it is below the next heading
    assert {"search.js", "minisearch.js"} <= {file.name for file in site.iterdir()}


def test_links_between_pages_lead_to_files_and_headings(site: Path) -> None:
    broken: list[str] = []
    for file in site.rglob("*.html"):
        for link in re.findall(r'href="([^"]+)"', file.read_text()):
            target, _, anchor = link.partition("#")
            if re.match("[a-z]+:|/", target) or (
                target.startswith("../") and not (file.parent / target).resolve().is_relative_to(site)
            ):
                continue
            page = (file.parent / target).resolve() if target else file
            if not page.is_file() or (anchor and f'id="{anchor}"' not in page.read_text()):
                broken.append(f"{file.relative_to(site)}: {link}")

    assert broken == []


def test_a_page_has_its_code_its_tables_and_its_headings_in_the_navigation(site: Path) -> None:
    page = (site / "quickstart.html").read_text()

    assert '<a href="quickstart.html" aria-current="page">Quickstart</a>' in page
    assert '<li><a href="#3-connect-the-app">3. Connect the app</a></li>' in page
    assert '<h2 id="3-connect-the-app">' in page
    assert '<span class="kn">from</span>' in page
    assert "<table>" in (site / "formats.html").read_text()
    plain = re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert re.findall("<script.*", plain) == ['<script type="module" src="search.js"></script>']


@pytest.mark.parametrize(
    ("link", "fault"), [("gone.md", "leads to nothing"), ("formats.md#no-such-heading", "a heading that is not there")]
)
def test_a_link_to_nothing_fails_the_build(link: str, fault: str) -> None:
    pages = {page.source: page for section in docs_site.read_sections() for page in section.pages}

    with pytest.raises(docs_site.BrokenLinkError, match=fault):
        docs_site.resolve(link, pages["docs/archive.md"], pages)


def test_the_dashboard_links_to_pages_that_exist(site: Path) -> None:
    dialog = (docs_site.ROOT / "web/src/features/connect/connect-dialog.tsx").read_text()
    pages = re.search(r"const PAGES: Record<Tab, string> = \{(.*?)\}", dialog, re.DOTALL)

    assert pages
    paths = re.findall(r'"(.+?)"', pages[1])
    assert len(paths) >= 6
    assert [path for path in paths if not (site / "sdks" / f"{path}.html").is_file()] == []


def test_a_file_outside_the_site_stays_as_text(site: Path) -> None:
    pages = {page.source: page for section in docs_site.read_sections() for page in section.pages}
    page = pages["docs/releases.md"]

    assert docs_site.resolve("../livery/core/limits.py", page, pages) is None
    assert docs_site.resolve("https://example.com/x", page, pages) == "https://example.com/x"
    assert docs_site.resolve("operations/README.md", page, pages) == "operations.html"
