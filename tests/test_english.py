"""How we write: no sentence breaks a rule, and the program that finds such sentences sees them."""

import pytest

from scripts import english


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("It is read anew.", '"again" in place of "anew"'),
        ("The file is there. Of the draft the rows come first.", "begin with the subject"),
        ("- " + "word " * 26 + ".", "26 words: at most 25 in a sentence"),
        ("A release goes out\nat noon.", '"is published" in place of "goes out"'),
    ],
)
def test_a_sentence_that_breaks_a_rule_is_found(text: str, advice: str) -> None:
    assert [fault.advice for fault in english.faults_in(text)] == [advice]


@pytest.mark.parametrize(
    "text",
    [
        "The rows of the draft come first. Of course.",
        "It calls `anew()` and links to [the next page](anew.md).",
        "```\n" + "word " * 40 + "\n```",
        "word " * 15 + "\n\n" + "word " * 15,
        "| " + "word " * 40 + "|",
    ],
)
def test_code_tables_and_plain_sentences_are_left_alone(text: str) -> None:
    assert list(english.faults_in(text)) == []


def test_no_sentence_breaks_a_rule() -> None:
    found = english.faults(english.files())

    assert found == [], "\n".join(["", *found])
