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
        ("The page says that it is late.", '"shows, writes, reports, means" in place of "says"'),
        ("A mail tells the owner why.", '"shows, reports, describes, asks" in place of "tells"'),
        ("Apps are told of a release.", '"shows, reports, describes, asks" in place of "told"'),
        ("One edit waits.", '"is unpublished, is queued, pauses" in place of "waits"'),
        ("Edits that waited come back.", '"is unpublished, is queued, pauses" in place of "waited"'),
        ("The number stands beside the name.", '"is, is shown, is written" in place of "stands"'),
        ("The list has none.", '"no … (name the noun)" in place of "none"'),
        ("The old texts and the new ones are shown.", '"the … (name the noun)" in place of "ones"'),
        ("A key is read like the one before.", '"the … (name the noun)" in place of "one"'),
        ("The draft has one.", '"the … (name the noun)" in place of "one"'),
    ],
)
def test_a_sentence_that_breaks_a_rule_is_found(text: str, advice: str) -> None:
    assert [fault.advice for fault in english.faults_in(text)] == [advice]


def test_these_words_are_accepted_where_they_mean_something_else() -> None:
    text = "It waits for the lock. At most one of them runs, one for each core, one by one. `none` stands for no value."

    assert list(english.faults_in(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The rows of the draft come first. Of course.",
        "It calls `anew()` and links to [the next page](anew.md).",
        "```\n" + "word " * 40 + "\n```",
        "word " * 15 + "\n\n" + "word " * 15,
        "| " + "word " * 40 + "|",
        "The page shows that it is late. `says()` and `tell` are names.",
        "A mail informs the owner. Apps hear of a release.",
        "It waits for the edit, waits until noon, waits at most a minute, and can wait and see.",
        "`await` is a word. The row is waiting.",
        "SDK stands for software development kit. It understands the standing order.",
        "The list has no key. ``None`` is a value.",
        "The old texts and the new texts are shown. Zones have clocks.",
        "A key is read like the key before. One key is enough.",
        "The price is more than one, at least one, at most one, one to one, and one by one.",
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
