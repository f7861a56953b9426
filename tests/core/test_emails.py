"""The rule for email addresses. The forms of the dashboard have the same: web/src/lib/email.test.ts reads the same list."""

import json
from pathlib import Path

import pytest

from livery.core.errors import Invalid
from livery.core.schemas import canonical_email

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "emails.json").read_text())


def is_accepted(typed: str) -> bool:
    try:
        canonical_email(typed)
    except Invalid:
        return False
    return True


def test_addresses_are_accepted_in_one_spelling() -> None:
    assert [typed for typed in VECTORS["accepted"] if not is_accepted(typed)] == []
    assert canonical_email(" Name@Example.COM ") == "name@example.com"


def test_other_texts_are_refused() -> None:
    assert [typed for typed in VECTORS["refused"] if is_accepted(typed)] == []


def test_a_character_that_becomes_a_letter_by_lower_casing_is_refused() -> None:
    """The lower case of the Kelvin sign is the letter k."""
    with pytest.raises(Invalid) as wrong:
        canonical_email("\u212arow@example.com")
    with pytest.raises(Invalid) as other:
        canonical_email("no address")
    assert (wrong.value.code, wrong.value.fields) == (other.value.code, other.value.fields)
