"""The rule that maps the names of other tools to screens and keys (``sdks/spec/names.md``)."""

import json
from pathlib import Path

from livery.core.names import OF_EVERY_OBJECT, RESERVED_SCREENS
from livery.core.text_names import TextName, map_name

SPEC = Path(__file__).parent.parent / "sdks" / "spec"


def test_every_shared_case_of_names_holds():
    wrong: list[str] = []
    for case in json.loads((SPEC / "names.json").read_text()):
        gives = case["gives"]
        expected = TextName(gives["screen"], gives["key"]) if gives else None
        found = map_name(case["name"], namespace=case.get("namespace"), screen=case.get("screen"))
        if found != expected:
            wrong.append(f"{case['name']!r}: {found}, not {expected}")

    assert not wrong, "\n".join(wrong)


def test_the_rule_names_every_reserved_word():
    rule = (SPEC / "names.md").read_text()

    assert not [name for name in RESERVED_SCREENS | OF_EVERY_OBJECT if f"`{name}`" not in rule]
