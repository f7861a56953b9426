"""Apps with gettext keep their calls: what Livery has comes in the syntax of the message, and everything else from the app's own files."""

import gettext
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from livery_client import Livery
from livery_client.names import map_name
from livery_client.translations import LiveryTranslations, as_template

NAMES = json.loads((Path(__file__).parents[2] / "sdks/spec/names.json").read_text())
TEXTS = {
    "general": {
        "Saved_Go_on_": "Gesichert. Weiter?",
        "Hello_name_s_": "Hallo {name}, 100%",
        "_num_d_day": "{num, plural, one {# Tag für {who}} other {# Tage für {who}}}",
    },
    "menu": {"Save": "Sichern"},
}


def bundle(language: str) -> dict[str, Any]:
    rest: dict[str, Any] = {"colors": {}, "images": {}, "stores": {}}
    return {"language": language, "languages": ["de"], "texts": TEXTS, **rest}


@pytest.fixture
def livery() -> Iterator[Livery]:
    options: dict[str, Any] = {"connection": "off", "cache": False, "fallback": [bundle("de")], "language": "de"}
    with Livery("prj_1", "lvp_1", "https://livery.test", **options) as livery:
        yield livery


def own_files() -> gettext.GNUTranslations:
    """The translations of the app, as its compiled file has them."""
    catalog = Catalog(locale="de")
    catalog.add("Cancel", "Abbrechen")
    catalog.add(("%(n)d file", "%(n)d files"), ("%(n)d Datei", "%(n)d Dateien"))
    catalog.add("Open", "Öffnen", context="menu")
    file = io.BytesIO()
    write_mo(file, catalog)
    file.seek(0)
    return gettext.GNUTranslations(file)


def test_names_are_mapped_as_the_server_maps_them() -> None:
    found = [map_name(case["name"], case.get("namespace"), case.get("screen")) for case in NAMES]

    assert found == [case["gives"] and (case["gives"]["screen"], case["gives"]["key"]) for case in NAMES]
    assert len(found) > 50


def test_what_livery_has_comes_first_and_the_rest_from_the_files_of_the_app(livery: Livery) -> None:
    translations = LiveryTranslations(livery, fallback=own_files())

    assert translations.gettext("Saved. Go on?") == "Gesichert. Weiter?"
    assert translations.gettext("Hello %(name)s!") % {"name": "Ada"} == "Hallo Ada, 100%"
    assert translations.pgettext("menu", "Save") == "Sichern"
    days = [translations.ngettext("%(num)d day", "%(num)d days", n) for n in (1, 2)]
    assert [day % {"num": 3, "who": "Ada"} for day in days] == ["3 Tag für Ada", "3 Tage für Ada"]
    assert translations.gettext("Cancel") == "Abbrechen"
    assert translations.pgettext("menu", "Open") == "Öffnen"
    assert translations.ngettext("%(n)d file", "%(n)d files", 2) == "%(n)d Dateien"
    assert translations.npgettext("menu", "a", "b", 2) == "b"
    assert LiveryTranslations(lambda: livery).gettext("Unknown") == "Unknown"


@pytest.mark.parametrize(
    ("text", "message", "template"),
    [
        ("Hallo {name}", "Hello {name}", "Hallo {name}"),
        ("100%", "100%", "100%"),
        ("{0} von 100%", "%s of 100%%", "%s von 100%%"),
        ("{n, number, integer} %", "%(n)d %%", "%(n)d %%"),
        ("{0, number, integer}", "%d", "%d"),
        ("{n, plural, other {# von {m}}}", "%(n)s of %(m)05.1f", "%(n)s von %(m)05.1f"),
        ("{1} {0}", "%s %s", None),
        ("{g, select, f {sie} other {sie alle: {g}}}", "%(g)s", "sie alle: %(g)s"),
        ("{n, plural, =2 {zwei} other {#}}", "%d", "zwei"),
        ("{n, plural, one {#}", "%d", "{n, plural, one {#}"),
    ],
)
def test_placeholders_come_in_the_syntax_of_the_message(text: str, message: str, template: str | None) -> None:
    assert as_template(text, message, "de", 2) == template
