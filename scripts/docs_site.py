"""Builds the documentation as pages: ``python -m scripts.docs_site FOLDER``. The server has them at ``/docs/``. Their only script is the search.

The sources are the Markdown files of the repository that ``docs/site/pages.toml`` lists. A link to a listed file becomes a link to its page.
A link to a different file of the repository stays as text. The build fails for a link to nothing.
"""

import json
import posixpath
import re
import shutil
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]  # its options have no types
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "site"
MINISEARCH = ROOT / "node_modules" / "minisearch" / "dist" / "es" / "index.js"
OUTSIDE = re.compile(r"[a-z]+:")
"""How a link to something else than a file of the repository begins."""


class BrokenLinkError(Exception):
    """A link that leads nowhere."""


@dataclass(frozen=True)
class Heading:
    """A heading of a page, which a link can lead to."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Page:
    """A Markdown file, and where its page is below ``/docs/``."""

    source: str
    path: str
    title: str
    tokens: Sequence[Token]
    headings: Sequence[Heading]


@dataclass(frozen=True)
class Section:
    """Pages under a title of the navigation."""

    title: str
    pages: Sequence[Page]


def parser() -> MarkdownIt:
    """Returns a parser of what our documents use. HTML in a document is text."""
    return MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")


def _highlighted(code: str, language: str, _: str) -> str:
    try:
        lexer: Any = get_lexer_by_name(language)
    except ClassNotFound:
        return ""
    return highlight(code, lexer, HtmlFormatter[str](nowrap=True))


def path_of(source: str) -> str:
    """Returns the path of a page: ``docs/formats.md`` is ``formats.html``, ``sdks/python/README.md`` is ``sdks/python.html``."""
    path = source.removeprefix("docs/").removesuffix(".md")
    return f"{path.removesuffix('/README')}.html"


def anchor_of(text: str) -> str:
    """Returns the anchor of a heading, as the sites of repositories make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _free_anchor(anchor: str, headings: Sequence[Heading]) -> str:
    """Returns the anchor, with a number if an earlier heading has it, as the sites of repositories number them."""
    taken = {heading.anchor for heading in headings}
    numbered = (f"{anchor}-{number}" for number in count(1))
    return anchor if anchor not in taken else next(one for one in numbered if one not in taken)


def read_page(source: str, title: str | None) -> Page:
    """Reads a Markdown file."""
    tokens = parser().parse((ROOT / source).read_text(encoding="utf-8"))
    headings: list[Heading] = []
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        text = "".join(child.content for child in inline.children or ())
        anchor = _free_anchor(anchor_of(text), headings)
        opening.attrSet("id", anchor)
        headings.append(Heading(int(opening.tag[1]), anchor, text))
    return Page(source, path_of(source), title or headings[0].text, tokens, headings)


def read_sections() -> list[Section]:
    """Reads all listed files."""
    listed = tomllib.loads((SITE / "pages.toml").read_text(encoding="utf-8"))
    return [
        Section(one["title"], [read_page(page["source"], page.get("title")) for page in one["pages"]])
        for one in listed["sections"]
    ]


def resolve(link: str, page: Page, pages: dict[str, Page]) -> str | None:
    """Returns where a link of a page leads; ``None`` for a file that is not on the site. Raises ``BrokenLinkError``."""
    if OUTSIDE.match(link):
        return link
    file, _, anchor = link.partition("#")
    source = posixpath.normpath(posixpath.join(posixpath.dirname(page.source), file)) if file else page.source
    found = pages.get(source) or pages.get(f"{source}/README.md")
    if not found:
        if not (ROOT / source).exists():
            raise BrokenLinkError(f"{page.source}: {link} leads to nothing")
        return None
    if anchor and anchor not in {heading.anchor for heading in found.headings}:
        raise BrokenLinkError(f"{page.source}: {link} names a heading that is not there")
    target = posixpath.relpath(found.path, posixpath.dirname(page.path) or ".") if file else ""
    return f"{target}#{anchor}" if anchor else target


def _with_links(page: Page, pages: dict[str, Page]) -> None:
    for block in page.tokens:
        children = block.children or []
        lost: list[bool] = []
        for token in children:
            if token.type == "link_open":
                target = resolve(str(token.attrs["href"]), page, pages)
                lost.append(target is None)
                if target is None:
                    token.type, token.tag, token.attrs = "link_open", "span", {}
                else:
                    token.attrs["href"] = target
            elif token.type == "link_close" and lost.pop():
                token.tag = "span"


def index_of(page: Page) -> list[dict[str, str]]:
    """Returns the parts of a page that a search finds: each heading with the text below it."""
    parts: list[dict[str, str]] = []
    headings = iter(page.headings)
    for token in page.tokens:
        if token.type == "heading_open":
            heading = next(headings)
            url = page.path if heading.level == 1 else f"{page.path}#{heading.anchor}"
            parts.append({"id": url, "url": url, "heading": heading.text, "title": page.title, "text": ""})
        elif parts and token.content and token.content != parts[-1]["heading"]:
            parts[-1]["text"] += f" {_plain(token)}"
    return [{**part, "text": " ".join(part["text"].split())} for part in parts]


def _plain(token: Token) -> str:
    return "".join(child.content or " " for child in token.children) if token.children else token.content


def build(target: Path) -> list[str]:
    """Writes all pages below ``target``. Returns their paths. Raises ``BrokenLinkError``."""
    sections = read_sections()
    pages = {page.source: page for section in sections for page in section.pages}
    environment = Environment(loader=FileSystemLoader(SITE), autoescape=select_autoescape(), undefined=StrictUndefined)
    template = environment.get_template("page.html")
    shutil.rmtree(target, ignore_errors=True)
    first = sections[0].pages[0]
    for page in pages.values():
        _with_links(page, pages)
        body = parser().renderer.render(page.tokens, parser().options, {})
        file = target / page.path
        file.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * page.path.count("/")
        file.write_text(template.render(page=page, sections=sections, body=body, up=up, first=first), encoding="utf-8")
    shutil.copy(target / first.path, target / "index.html")
    for file in (SITE / "site.css", SITE / "search.js"):
        shutil.copy(file, target / file.name)
    code = re.sub(r"^//# sourceMappingURL=.*$", "", MINISEARCH.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (target / "minisearch.js").write_text(f"/*! MiniSearch by Luca Ongaro, MIT License */\n{code}", encoding="utf-8")
    index = [part for page in pages.values() for part in index_of(page)]
    (target / "search.json").write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
    return [page.path for page in pages.values()]


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]))
    except BrokenLinkError as error:
        sys.exit(str(error))
