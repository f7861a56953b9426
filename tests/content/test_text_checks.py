"""The checks of texts, by the cases that the dashboard is held to as well."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from livery.content.text_checks import (
    malformed_warning,
    placeholder_warning,
    placeholders_of,
    plural_warning,
    style_warning,
)

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[2] / "sdks" / "spec" / "messages.json").read_text()
)


def test_the_placeholders_of_texts() -> None:
    found = {case["text"]: placeholders_of(case["text"]) for case in VECTORS["placeholders"]}

    assert found == {case["text"]: case["are"] for case in VECTORS["placeholders"]}


def test_malformed_texts_are_reported() -> None:
    found = {case["text"]: malformed_warning(case["text"]) for case in VECTORS["malformed"]}

    assert found == {case["text"]: case["problem"] for case in VECTORS["malformed"]}


def test_plurals_have_the_forms_of_their_language() -> None:
    found = [
        {
            **case,
            "is": malformed_warning(text)
            or style_warning(text)
            or plural_warning(text, case["forms"], case["language"]),
        }
        for case in VECTORS["plurals"]
        for text in [case["text"]]
    ]

    assert found == VECTORS["plurals"]


def test_each_form_of_a_translation_has_the_placeholders_of_its_source() -> None:
    found = [
        {**case, "is": placeholder_warning(case["source"], case["target"], case["language"])}
        for case in VECTORS["warnings"]
    ]

    assert found == VECTORS["warnings"]


@pytest.mark.parametrize(
    "text",
    [
        "{n, plural, one {{a} <b>x</b>} other {# %s}}" * 200,
        "".join(f"{{{number}}}" for number in range(2_500))
        + "{n, plural, "
        + "".join(f"={number} {{}} " for number in range(60))
        + "other {x}}",
        "{a}<b>" * 3_000,
        "<b {a}> " * 2_000,
    ],
)
def test_a_text_made_to_be_slow_is_checked_quickly(text: str) -> None:
    begin = time.process_time()

    assert placeholder_warning(text, text, "English") is None
    assert time.process_time() - begin < 1
