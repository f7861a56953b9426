"""What each type of field takes: every other value is refused with its field named, and nothing hostile is ever stored."""

import re
from html.parser import HTMLParser
from typing import Any

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.factories.stores import TYPES, create_item, create_store, field, items_of

WRONG: dict[str, str] = {
    "String": "Enter a text.",
    "Number": "Enter a number.",
    "Boolean": "Choose yes or no.",
    "Date": "Enter a date like 2026-05-14.",
    "RichText": "Enter a text.",
    "Media": "Enter a web address (http or https), or choose an image of this project.",
}
OF_WRONG_TYPE: dict[str, list[object]] = {
    "String": [7, True, [], {}, {"en": "x"}],
    "Number": ["7", "", True, [], {}, "NaN", "1e5"],
    "Boolean": ["true", "", 0, 1, [], {}],
    "Date": [20260514, True, [], {}, 1.5],
    "RichText": [7, False, [], {}, {"en": "<p>x</p>"}],
    "Media": [7, True, [], {}],
}
BAD_DATES = [
    "2026-13-01", "2026-02-30", "2025-02-29", "2026-5-14", "14.05.2026", "2026/05/14", "2026-05-14T10:00:00Z", "2026-05-14 ", " 2026-05-14",
    "20260514", "2026-W20-4", "2026-134", "0000-01-01", "12026-05-14", "-2026-05-14", "\u0662\u0660\u0662\u0666-05-14", "today",
    "2026-05-14\n", "\uff12\uff10\uff12\uff16-05-14",
]  # fmt: skip
BAD_MEDIA = [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:image/svg+xml,<svg onload=alert(1)>",
    "vbscript:x", "file:///etc/passwd", "ftp://example.com/a.png", "blob:https://example.com/x", "//evil.example/x.png", "/\\evil.example",
    "/x.png", "x.png", "../x.png", "https:evil.example", "https:/evil.example/x", "https:///x", "http://", "https://", "https://?", "https://#a",
    "https://user@evil.example/x", "https://example.com:pw@evil.example/x", "https://exa mple.com/x", "https://example.com/a b",
    "https://example.com/\"onerror=alert(1)", "https://example.com/'x", "https://example.com/<script>", "https://example.com/\\x",
    "https://example.com/`x`", "https://example.com/{x}", "https://example.com/\nx", "https://example.com/\u202egnp.exe", "https://[::1",
    "https://example.com:99999/", "https://example.com:x/", "https://example.com/\u200b", "https://example.com/\u00a0x", "about:blank",
    "mailto:a@example.com", "https://" + "a" * 2_000, "HTTPS//example.com", "{url}", "&#106;avascript:alert(1)", "\u0000",
    "/media/{id}", "/media/{id}/", "/media/{id}/a/b", "/media/{id}/../x", "/media/{id}/%2e%2e", "/media/{id}/a?w=64", "/media/{id}/a#x",
    "/media/prj_aaaaaaaaaaaaaaaa/logo", "/media//logo", "media/{id}/logo", "//media/{id}/logo", "/media/{id}/1logo", "/media/{id}/lo go",
    "https://user:pw@example.com/",
]  # fmt: skip
GOOD_MEDIA = [
    "https://example.com/a.png", "http://example.com", "https://example.com:8080/a/b.jpg?w=64&h=32#top", "https://例え.jp/画像.png",
    "https://[2001:db8::1]/x.webp", "http://localhost:8000/media/x", "/media/{id}/logo", "/media/{id}/_hero.dark-2",
]  # fmt: skip
HOSTILE_HTML = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)></iframe>", "<a href=javascript:alert(1)>x</a>", "<a href=' javascript:alert(1)'>x</a>",
    "<a href='java&#10;script:alert(1)'>x</a>", "<a href='java\tscript:alert(1)'>x</a>", "<a href=//evil.example>x</a>",
    "<a href='\\\\evil.example'>x</a>", "<a href='/\\evil.example'>x</a>", "<a href=data:text/html,x>x</a>", "<a href=x onclick=alert(1)>x</a>",
    "<p onmouseover=alert(1)>x</p>", "<p style='background:url(//evil.example)'>x</p>", "<style>@import '//evil.example'</style>",
    "<link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content='0;url=//evil.example'>", "<base href=//evil.example>",
    "<form action=//evil.example><input><button>x</button></form>", "<object data=//evil.example></object>", "<embed src=//evil.example>",
    "<video src=//evil.example autoplay onplay=alert(1)></video>", "<details open ontoggle=alert(1)>x</details>",
    "<math><mi//xlink:href='data:x,<script>alert(4)</script>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>", "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>", "<xmp><img src=x onerror=alert(1)></xmp>", "<textarea><img src=x onerror=alert(1)></textarea>",
    "<title><img src=x onerror=alert(1)></title>", "<!--><img src=x onerror=alert(1)>-->", "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>", "<b id=__proto__ class=x data-x=1>x</b>", "<a name=getElementById href=https://a.example>x</a>",
    "<a href=https://a.example target=_blank rel=opener ping=//evil.example>x</a>", "<img srcset='//evil.example 1x'>",
    "<body onload=alert(1)>", "<marquee onstart=alert(1)>x</marquee>", "<isindex type=image src=1 onerror=alert(1)>", "<x/onclick=alert(1)>x</x>",
    "<a href='https://a.example' style='position:fixed;inset:0'>x</a>", "<h1 contenteditable onfocus=alert(1) autofocus>x</h1>",
    "<<script>alert(1)//<</script>",
    "<a href=\"https://a.example/?q=<script>alert(1)</script>\">x</a>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<li value=javascript:1>x</li>", "<ol start=1 type='javascript:alert(1)'><li>x</ol>", "<blockquote cite=javascript:alert(1)>x</blockquote>",
    "<a xlink:href=javascript:alert(1)>x</a>", "<select><style></select><img src=x onerror=alert(1)></style>", "<p>" * 400, "<a href=mailto:>x</a>",
    "<a href='mailto:a@example.com?subject=x'>x</a>", "<a href='HTTPS://A.example'>x</a>", "<p title='x'>x</p>", "\u202e<b>x</b>",
]  # fmt: skip


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


@pytest.fixture
async def item(desk: Desk) -> dict[str, Any]:
    """An empty item with a field of each type, and one of each by language."""
    fields = [field(one, one) for one in TYPES] + [field(f"{one}s", one, isTranslatable=True) for one in TYPES]
    return await create_item(desk, await create_store(desk, "Everything", *fields))


async def put(desk: Desk, item: dict[str, Any], name: str, value: object) -> httpx2.Response:
    return await desk.put(f"/stores/items/{item['_id']}", {"data": {name: value}})


async def kept(desk: Desk, item: dict[str, Any], name: str, value: object) -> object:
    """What is stored when ``value`` is sent."""
    response = await put(desk, item, name, value)
    assert response.status_code == 200, (value, response.text)
    return response.json()["data"].get(name)


async def refusal(desk: Desk, item: dict[str, Any], name: str, value: object) -> str:
    """Why ``value`` is refused, alone and in a language; the reason names its field."""
    alone, in_language = await put(desk, item, name, value), await put(desk, item, f"{name}s", {"de": value})
    assert (alone.status_code, in_language.status_code) == (422, 422), repr(value)
    message = alone.json()["message"]
    assert alone.json()["fields"] == {f"data.{name}": message}
    assert in_language.json()["fields"] == {f"data.{name}s.de": message}
    return message


@pytest.mark.parametrize("type_name", TYPES)
async def test_a_value_of_another_type_is_refused(desk: Desk, item: dict[str, Any], type_name: str) -> None:
    for value in OF_WRONG_TYPE[type_name]:
        if value != "" or type_name in {"Number", "Boolean"}:
            assert await refusal(desk, item, type_name, value) == WRONG[type_name], repr(value)


@pytest.mark.parametrize("type_name", TYPES)
async def test_a_translatable_field_refuses_a_value_without_languages(
    desk: Desk, item: dict[str, Any], type_name: str
) -> None:
    values: list[object] = ["x", 7, True, []]
    for value in values:
        response = await put(desk, item, f"{type_name}s", value)
        assert response.status_code == 422, repr(value)
        assert response.json()["fields"] == {
            f"data.{type_name}s": "Send the values of a translatable field by language."
        }


async def test_texts_are_kept_as_they_are_up_to_their_limit(desk: Desk, item: dict[str, Any]) -> None:
    for text in (
        "a\nb\tc",
        "<script>alert(1)</script>",
        "{name} %s",
        "مرحبا",
        "\u202ex",
        "x" * 20_000,
        "💥" * 20_000,
        "'; --",
        " x ",
    ):
        assert await kept(desk, item, "String", text) == text
    assert await refusal(desk, item, "String", "x" * 20_001) == "Use at most 20,000 characters."


async def test_every_accepted_number_is_read_exactly_by_apps(desk: Desk, item: dict[str, Any]) -> None:
    for sent, stored in (
        (0, 0),
        (-0.0, 0),
        (1.0, 1),
        (-7, -7),
        (0.1, 0.1),
        (1e300, 1e300),
        (2**53 - 1, 2**53 - 1),
        (5e-324, 5e-324),
    ):
        value = await kept(desk, item, "Number", sent)
        assert (value, type(value)) == (stored, type(stored))
    for value in (2**53, -(2**53), 10**30, 10**400):
        assert "apps can read exactly" in await refusal(desk, item, "Number", value)


async def test_yes_and_no(desk: Desk, item: dict[str, Any]) -> None:
    assert await kept(desk, item, "Boolean", True) is True
    assert await kept(desk, item, "Boolean", False) is False
    assert await kept(desk, item, "Boolean", None) is None


async def test_dates_are_days_that_exist(desk: Desk, item: dict[str, Any]) -> None:
    for good in ("2026-05-14", "2024-02-29", "0001-01-01", "9999-12-31"):
        assert await kept(desk, item, "Date", good) == good
    for bad in BAD_DATES:
        assert await refusal(desk, item, "Date", bad) == WRONG["Date"], repr(bad)
    assert await kept(desk, item, "Date", "") is None


async def test_media_are_plain_web_addresses_or_images_of_the_project(desk: Desk, item: dict[str, Any]) -> None:
    for good in GOOD_MEDIA:
        address = good.replace("{id}", desk.project_id)
        assert await kept(desk, item, "Media", f" {address} ") == address
    for bad in BAD_MEDIA:
        address = bad.replace("{id}", desk.project_id)
        if "\0" in address:
            assert (await put(desk, item, "Media", address)).status_code == 400
        else:
            assert await refusal(desk, item, "Media", address) == WRONG["Media"], repr(bad)
    assert await kept(desk, item, "Media", "  ") is None


FORMATTED = (
    "<h2>Lofoten</h2><p>Red <strong>huts</strong>, <em>white</em> beaches<br>and <u>cod</u>.</p>"
    "<ul><li>one</li></ul><ol><li>two</li></ol><blockquote><p>three</p></blockquote><pre><code>four</code></pre><hr><p><s>five</s></p>"
)


async def test_plain_formatting_stays_and_links_are_made_safe(desk: Desk, item: dict[str, Any]) -> None:
    assert await kept(desk, item, "RichText", FORMATTED) == FORMATTED
    assert await kept(desk, item, "RichText", "no tags at all & no harm") == "no tags at all &amp; no harm"
    link = await kept(desk, item, "RichText", '<a href="https://example.com/?a=1&b=2" title="x" target="_blank">go</a>')
    assert link == '<a href="https://example.com/?a=1&amp;b=2" title="x" rel="noopener noreferrer nofollow">go</a>'


async def test_nothing_hostile_is_left_of_formatted_text_and_what_is_stored_is_stored_again_as_it_is(
    desk: Desk, item: dict[str, Any]
) -> None:
    assert len(HOSTILE_HTML) >= 60
    for html in HOSTILE_HTML:
        stored = await kept(desk, item, "RichText", f"<p>safe</p>{html}")
        assert isinstance(stored, str), html
        assert stored.startswith("<p>safe</p>"), html
        assert harm_in(stored) == [], (html, stored)
        assert await kept(desk, item, "RichText", stored) == stored, html


PLAIN = frozenset("a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup u ul".split())
LINK = re.compile(r"https?://[a-z0-9]|mailto:[a-z0-9]", re.IGNORECASE)


def harm_in(html: str) -> list[str]:
    """Everything but the plainest tags, and a link's own attributes."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.harm


class Reader(HTMLParser):
    """Reads tags as a browser would, more or less, knowing nothing of the cleaner."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.harm: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in PLAIN:
            self.harm.append(tag)
        for name, value in attrs:
            is_link = tag == "a" and name == "href" and bool(LINK.match(value or ""))
            if not is_link and not (tag == "a" and name in {"rel", "title"}):
                self.harm.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        self.harm.append(data)

    def handle_decl(self, decl: str) -> None:
        self.harm.append(decl)

    def handle_pi(self, data: str) -> None:
        self.harm.append(data)


async def test_formatted_text_without_anything_to_see_is_no_value(desk: Desk, item: dict[str, Any]) -> None:
    for blank in (
        "",
        " ",
        "<p></p>",
        "<p><br></p>",
        "<p> &nbsp; </p>",
        "<script>x</script>",
        "<p>\u00a0</p>",
        "<ul><li></li></ul>",
    ):
        assert await kept(desk, item, "RichText", blank) is None, blank
    assert await kept(desk, item, "RichText", "<hr>") == "<hr>"


async def test_formatted_text_has_its_limit_after_cleaning(desk: Desk, item: dict[str, Any]) -> None:
    assert await kept(desk, item, "RichText", "x" * 20_000) == "x" * 20_000
    assert await refusal(desk, item, "RichText", "<b>" * 13_000 + "x") == "Use at most 20,000 characters."
    assert await refusal(desk, item, "RichText", "x" * 20_001) == "Use at most 20,000 characters."
    assert await refusal(desk, item, "RichText", "&" * 5_000) == "Use at most 20,000 characters."


async def test_a_refused_value_leaves_nothing_behind(desk: Desk, item: dict[str, Any]) -> None:
    for type_name in TYPES:
        await refusal(desk, item, type_name, [])

    store = (await desk.get("/stores/{id}/everything")).json()
    assert await items_of(desk, store) == [item]
