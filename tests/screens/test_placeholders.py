"""The placeholder rules, by the list that the dashboard is held against too; and texts made to be slow."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from livery.screens.placeholders import placeholders_of, segments_of, warning_of

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "vectors" / "placeholders.json").read_text()
)


@pytest.mark.parametrize("case", VECTORS["placeholders"], ids=lambda case: case["text"])
def test_the_placeholders_of_a_text(case: dict[str, Any]) -> None:
    assert placeholders_of(case["text"]) == case["are"]
    assert "".join(segment.text for segment in segments_of(case["text"])) == case["text"]


@pytest.mark.parametrize("case", VECTORS["warnings"], ids=lambda case: f"{case['source']} > {case['target']}")
def test_what_is_wrong_with_a_translation(case: dict[str, Any]) -> None:
    assert warning_of(case["source"], case["target"], case["language"]) == case["is"]


@pytest.mark.parametrize(
    "text", ["{" * 20_000, "{" * 10_000 + "}" * 10_000, "{{" + " " * 19_000 + "}x}", "<a " * 6_000, "%" * 20_000]
)
def test_a_text_made_to_be_slow_is_not(text: str) -> None:
    begin = time.process_time()

    assert "".join(segment.text for segment in segments_of(text)) == text
    assert time.process_time() - begin < 1
