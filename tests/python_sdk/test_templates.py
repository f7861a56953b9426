"""Templates of Django and Jinja that read from Livery. The clients show bundles, and have no network."""

import warnings
from collections.abc import Iterator
from typing import Any

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.test.utils import override_settings
from django.utils import translation
from django.utils.translation import override, trans_real
from jinja2 import Environment

from livery_client import Livery
from livery_client.django import get_livery
from livery_client.jinja import install

IMAGE = {"url": "/media/prj_1/logo.png", "width": 64, "height": 32}


def bundle(language: str, title: str) -> dict[str, Any]:
    return {
        "projectId": "prj_1",
        "version": "e1.3",
        "language": language,
        "languages": ["en", "ar"],
        "texts": {"home": {"title": title}},
        "colors": {"brand": "#112233"},
        "images": {"logo": IMAGE},
        "stores": {},
    }


OPTIONS: dict[str, Any] = {
    "project_id": "prj_1",
    "key": "lvp_1",
    "base_url": "https://livery.test",
    "language": "en",
    "connection": "off",
    "cache": False,
    "fallback": [bundle("en", "Hello {name} <b>"), bundle("ar", "مرحبا {name}")],
}


@pytest.fixture(scope="module", autouse=True)
def configured() -> None:
    settings.configure(  # pyright: ignore[reportUnknownMemberType]  # Django has no types
        INSTALLED_APPS=["livery_client.django"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        LANGUAGE_CODE="en",
        LOGGING_CONFIG=None,
        USE_TZ=True,
    )
    with warnings.catch_warnings(action="ignore"):  # of Django itself
        django.setup()


@pytest.fixture
def livery() -> Iterator[Livery]:
    with Livery(**OPTIONS) as livery:
        yield livery


def render(source: str, **context: object) -> str:
    return Template("{% load livery %}" + source).render(Context(context))  # pyright: ignore[reportUnknownMemberType]  # Django has no types


def test_django_shows_the_language_of_the_request_and_escapes_it() -> None:
    title = '{% t "home.title" name=who %}'
    with override_settings(LIVERY=OPTIONS):
        assert render(title, who="<Ada>") == "Hello &lt;Ada&gt; &lt;b&gt;"
        with override("ar-eg"):
            assert render(title + " {% livery_direction %}", who="Ada") == "مرحبا Ada rtl"
        assert render('{% livery_color "brand" %} {% livery_color "none" "#000000" %}') == "#112233 #000000"
        assert render('{% t "home.none" %} {% t "home.none" "None" %}') == "home.none None"
        logo = '{% livery_image "logo" as logo %}{{ logo.url }} {{ logo.width }}x{{ logo.height }}'
        assert render(logo) == "https://livery.test/media/prj_1/logo.png 64x32"
        assert render('{% livery_items "none" as all %}{{ all|length }}') == "0"


def test_django_has_one_client_for_its_settings() -> None:
    with override_settings(LIVERY=OPTIONS):
        first = get_livery()
        assert get_livery() is first
    with override_settings(LIVERY={**OPTIONS, "language": "ar"}):
        assert get_livery() is not first
    assert first.state == "closed"


@pytest.mark.parametrize(
    ("value", "message"),
    [(None, "Set LIVERY"), ({"key": "lvp_1"}, "project_id"), ({**OPTIONS, "key": "lvs_1"}, "secret")],
)
def test_django_names_wrong_settings(value: object, message: str) -> None:
    with override_settings(LIVERY=value), pytest.raises(ImproperlyConfigured, match=message):
        get_livery()


def test_jinja_shows_the_language_of_the_page_and_escapes_it(livery: Livery) -> None:
    environment = Environment(autoescape=True)
    install(environment, livery)

    template = environment.from_string('{{ t("home.title", name=who) }} {{ livery_direction() }}')
    assert template.render(who="<Ada>") == "Hello &lt;Ada&gt; &lt;b&gt; ltr"
    assert template.render(who="Ada", language="ar") == "مرحبا Ada rtl"
    others = '{{ livery_color("brand") }} {{ livery_color("none", "#000000") }} {{ livery_image("logo").width }} {{ t("x", "X") }}'
    assert environment.from_string(others).render() == "#112233 #000000 64 X"


def test_jinja_takes_the_language_from_another_variable(livery: Livery) -> None:
    environment = Environment(autoescape=True)
    install(environment, livery, language="locale")

    assert environment.from_string('{{ t("home.title", name="Ada") }}').render(locale="ar") == "مرحبا Ada"


def test_the_translations_of_django_read_from_livery_first(monkeypatch: pytest.MonkeyPatch) -> None:
    words: Any = translation
    registry: Any = apps
    monkeypatch.setattr(trans_real, "DjangoTranslation", trans_real.DjangoTranslation)
    with override_settings(LIVERY=OPTIONS, LIVERY_GETTEXT=True):
        registry.get_app_config("livery").ready()
        try:
            with override("ar"):
                assert words.gettext("home.title") == "مرحبا {name}"
                assert words.pgettext("home", "title") == "مرحبا {name}"
                assert render('{% load i18n %}{% translate "home.title" %}') == "مرحبا {name}"
                assert words.ngettext("%d thing", "%d things", 2) == "%d things"
                assert words.npgettext("home", "a", "b", 2) == "b"
                assert words.gettext("Monday") == "الاثنين"
        finally:
            vars(trans_real)["_translations"].clear()
