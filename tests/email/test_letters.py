"""The subject of a mail carries names that strangers chose: cut, on one line, and without links. The text shows how long its link works."""

import json

import pytest

from livery.core.clock import now
from livery.email.letters import SUBJECT_VALUE_LENGTH, write_letter
from livery.email.schemas import Letter, MailKind

CONTEXT = {
    "inviter": "Noor",
    "role": "editor",
    "path": "/invite/x",
    "name": "Mara",
    "moment": "now",
    "not_me_path": "/y",
}


def letter_of(kind: MailKind, project: str) -> Letter:
    return write_letter(
        mail_id="mail_1",
        recipient="mara@example.com",
        kind=kind,
        context=json.dumps({**CONTEXT, "project": project}),
        base_url="https://livery.example.com",
        created_at=now(),
    )


def subject_for(project: str) -> str:
    return letter_of("invitation", project).subject.removeprefix("Noor invites you to ")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Aurora Travel", "Aurora Travel"),
        ("J.Smith & Co.", "J.Smith & Co."),
        ("Version 2.10", "Version 2.10"),
        ("Ask noor@example.com", "Ask noor@example.com"),
        ("Win at https://evil.example/now !", "Win at … !"),
        ("www.evil.example", "…"),
        ("Go to evil.com/prize, now", "Go to …, now"),
        ("EVIL.COM", "…"),
        ("ftp://x", "…"),
        ("two\nlines\r\nBcc: x@y.example", "two lines Bcc: x@y.example"),
        ("عطلة ٢٠٢٦", "عطلة ٢٠٢٦"),
    ],
)
def test_a_name_in_a_subject(name: str, shown: str) -> None:
    assert subject_for(name) == shown


def test_a_long_name_is_cut() -> None:
    assert subject_for("word " * 100) == ("word " * 100)[: SUBJECT_VALUE_LENGTH - 1].rstrip() + "…"


@pytest.mark.parametrize(("kind", "span"), [("verify", "for 24 hours"), ("invitation", "for 14 days")])
def test_a_mail_states_how_long_its_link_works(kind: MailKind, span: str) -> None:
    letter = letter_of(kind, "Aurora Travel")

    assert (span in letter.text, span in letter.html) == (True, True)
