"""Messages in which apostrophes quote: the cases of ``sdks/spec/apostrophes.json``."""

import json
from pathlib import Path

from livery_client import Livery, format_icu_message

CASES = json.loads((Path(__file__).parents[2] / "sdks/spec/apostrophes.json").read_text())


def test_apostrophes_quote_as_the_cases_have_it() -> None:
    wrong = [
        (case["text"], found)
        for case in CASES
        if (found := format_icu_message(case["text"], case["params"], "en")) != case["gives"]
    ]

    assert wrong == []
    assert len(CASES) > 20


def test_a_client_formats_its_texts_with_the_option() -> None:
    bundle = {"language": "en", "texts": {"home": {"title": "'{'{name}'}' isn''t"}}, "colors": {}}
    with Livery(
        "prj_1",
        "lvp_1",
        "http://localhost:1",
        fallback=bundle,
        connection="off",
        cache=False,
        formatter=format_icu_message,
    ) as livery:
        assert livery.t("home.title", name="Ada") == "{Ada} isn't"
