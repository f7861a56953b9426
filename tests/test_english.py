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
    ("text", "word"),
    [
        ("It says where the file is.", "says"),
        ("The row tells which key it is.", "tells"),
        ("A change waits in the draft.", "waits"),
        ("The mark stands beside it.", "stands"),
        ("The old key and the new one are shown.", "one"),
        ("Later ones are shown.", "ones"),
        ("There are none.", "none"),
    ],
)
def test_a_word_in_place_of_the_noun_is_found_in_strict_files(text: str, word: str) -> None:
    found = [fault.advice for fault in english.faults_in(text, is_strict=True)]

    assert len(found) == 1
    assert found[0].endswith(f'in place of "{word}"')
    assert list(english.faults_in(text)) == []


def test_these_words_are_accepted_where_they_mean_something_else() -> None:
    text = "It waits for the lock. At most one of them runs, one for each core, one by one. `none` stands for no value."

    assert list(english.faults_in(text, is_strict=True)) == []


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


def test_the_texts_that_people_see_are_read() -> None:
    """In the code of the server, of the dashboard and in mails."""
    names = [
        "livery/publishing/restore.py",
        "web/src/features/releases/words.ts",
        "web/src/features/legal/terms-page.tsx",
    ]

    texts = {(name, text) for name, _, text in english.shown_texts(names)}

    stale = "Another release was published since you looked. Please look at what would change now."
    assert {(names[0], stale), (names[1], stale)} <= texts
    assert any(name == names[2] and text.startswith("These terms are between you") for name, text in texts)
    assert any(
        "was late" in text for _, text in english.texts_of(english.ROOT / "livery/email/templates/schedule_late.txt")
    )


@pytest.mark.parametrize(
    ("subject", "faults"),
    [
        ("screens: Reject a key that differs only by case.", []),
        ("email, ai: Claim due rows by the queue.", []),
        ("Reject a key", ["write it as: area: Imperative sentence."]),
        ("nowhere: Reject a key.", ["nowhere is no folder"]),
        (f"docs: Describe {'every ' * 10}word.", ["80 characters: at most 72"]),
        ("stores: Send a release again that goes out.", ['"is published" in place of "goes out"']),
    ],
)
def test_the_subject_of_a_commit_has_one_form(subject: str, faults: list[str]) -> None:
    assert english.subject_faults(subject) == faults


def test_the_subjects_of_the_last_commits_have_it() -> None:
    wrong = {subject: faults for subject in english.last_subjects(20) if (faults := english.subject_faults(subject))}

    assert wrong == {}


def test_no_sentence_breaks_a_rule() -> None:
    found = english.faults(english.files())

    assert found == [], "\n".join(["", *found])
