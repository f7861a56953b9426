"""Which format a file has, and what its path shows."""

import re
from pathlib import Path

import pytest

from livery.formats.names import name_of
from livery.formats.paths import language_of, namespace_of
from livery.formats.registry import FORMATS, detect, format_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


@pytest.mark.parametrize(
    ("name", "data", "form_id"),
    [
        ("a.json", '{"a": {"b": "Hi {name}"}}', "json"),
        ("a.json", '{"a": "Hi"}', "json"),
        ("a.json", '{"a.b": "Hi"}', "json_flat"),
        ("a.json", '{"a": "Hi {{name}}"}', "i18next"),
        ("a.json", '{"a": "$t(b)"}', "i18next"),
        ("a.json", '{"a": "{n, plural, other {#}}", "b": "{d, date}", "c": "as in {{name}}"}', "icu_json"),
        ("a.json", '{"a": "{{n, number}}", "b": "$t(c)", "c": "{n, plural, other {#}}"}', "i18next"),
        ("a.json", '{"a_one": "x", "a_other": "y"}', "i18next"),
        ("a.json", '{"a_one": "x"}', "json"),
        ("a.json", '{"a": "{n, plural, other {#}}"}', "icu_json"),
        ("a.json", '{"a": "{n, date}"}', "icu_json"),
        ("a.json", "{broken", "json"),
        ("A.JSON", "{}", "json"),
        ("lib/l10n/app_de.arb", "", "arb"),
        ("de.yml", "", "yaml"),
        ("de.yaml", "", "yaml"),
        ("x_de.properties", "", "properties"),
        ("x.csv", "", "csv"),
        ("x.tsv", "", "csv"),
        ("x.xlsx", "", "xlsx"),
        ("x.docx", "", None),
        ("json", "", None),
    ],
)
def test_formats_are_recognised_by_extension_and_content(name: str, data: str, form_id: str | None) -> None:
    found = detect(name, data.encode())

    assert (found.id if found else None) == form_id


def test_formats_have_an_order_and_ids_of_their_own() -> None:
    ids = [form.id for form in FORMATS]

    assert len(set(ids)) == len(ids)
    assert [format_of(form_id) for form_id in ids] == list(FORMATS)
    assert format_of("none") is None
    assert all(extension.startswith(".") and extension.islower() for form in FORMATS for extension in form.extensions)


def test_the_document_has_a_row_for_each_format() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(), re.MULTILINE)

    assert [form.id for form in FORMATS if form.id not in rows] == []


@pytest.mark.parametrize(
    ("path", "language", "namespace"),
    [
        ("de.json", "de", None),
        ("locales/de/common.json", "de", "common"),
        ("locales/de/translation.json", "de", None),
        ("locales/pt_br/Checkout.json", "pt-BR", "Checkout"),
        ("public/locales/zh-Hant-TW/sign_in.json", "zh-Hant-TW", "sign_in"),
        ("src/i18n/de.json", "de", None),
        ("app/src/main/res/values-pt-rBR/strings.xml", "pt-BR", None),
        ("res/values-b+sr+Latn/strings.xml", "sr-Latn", None),
        ("res/values-de-night/strings.xml", "de", None),
        ("res/values-night/strings.xml", None, None),
        ("res/values/strings.xml", None, None),
        ("App/de.lproj/Localizable.strings", "de", None),
        ("App/pt-BR.lproj/Menu.strings", "pt-BR", "Menu"),
        ("App/Base.lproj/Localizable.strings", None, None),
        ("messages_de.properties", "de", None),
        ("messages_pt_BR.properties", "pt-BR", None),
        ("messages.properties", None, None),
        ("ValidationMessages_fr.properties", "fr", "ValidationMessages"),
        ("app_de.arb", "de", None),
        ("lib/l10n/intl_zh_Hant.arb", "zh-Hant", None),
        ("config/locales/de.yml", "de", None),
        ("config/locales/devise.pt-BR.yml", "pt-BR", "devise"),
        ("fr_FR.po", "fr-FR", None),
        ("es-419.json", "es-419", None),
        ("locale/de/LC_MESSAGES/django.po", "de", "django"),
        ("locales\\de\\common.json", "de", "common"),
        ("locales/de/admin/common.json", "de", "common"),
        ("my/project/texts.csv", None, "texts"),
        ("texts.csv", None, "texts"),
        ("Localizable.xcstrings", None, None),
        ("de.json.bak", "de", None),
        ("", None, None),
    ],
)
def test_a_path_shows_language_and_namespace(path: str, language: str | None, namespace: str | None) -> None:
    assert (language_of(path), namespace_of(path)) == (language, namespace)


def test_names_of_texts_have_their_screen_unless_it_is_general() -> None:
    assert name_of("cart", "title", {"cart", "general"}) == "cart.title"
    assert name_of("general", "title", {"cart", "general"}) == "title"
    assert name_of("general", "cart", {"cart", "general"}) == "general.cart"
    assert name_of("general", "general", {"general"}) == "general.general"


def test_the_list_shows_what_each_format_is() -> None:
    for listed in FORMATS:
        found = listed.load()
        shown = (listed.id, listed.label, listed.extensions, listed.has_many_languages)
        assert shown == (found.id, found.label, found.extensions, found.has_many_languages)
