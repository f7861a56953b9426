"""The language and the namespace that the path of a file shows."""

import pytest

from livery.formats.paths import language_of, namespace_of


@pytest.mark.parametrize(
    ("path", "language", "namespace"),
    [
        ("pt-BR.json", "pt-BR", None),
        ("locales/fr_CA.json", "fr-CA", None),
        ("zh-TW.yml", "zh-TW", None),
        ("zh-Hant-TW.json", "zh-Hant-TW", None),
        ("es-419.json", "es-419", None),
        ("cart.pt-BR.json", "pt-BR", "cart"),
        ("app_zh_TW.arb", "zh-TW", None),
    ],
)
def test_a_code_with_a_region_is_a_language_as_a_whole(path: str, language: str, namespace: str | None):
    assert (language_of(path), namespace_of(path)) == (language, namespace)


@pytest.mark.parametrize(
    ("path", "language", "namespace"),
    [("my-ui.json", None, "my-ui"), ("my-app.json", None, "my-app"), ("locales/en/my-in.json", "en", "my-in")],
)
def test_words_with_a_hyphen_are_no_code(path: str, language: str | None, namespace: str):
    assert (language_of(path), namespace_of(path)) == (language, namespace)
