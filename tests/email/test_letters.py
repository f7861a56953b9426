"""The subject of a mail carries names that strangers chose: cut, on one line, and without links."""

import json

import pytest

from livery.core.clock import now
from livery.email.letters import SUBJECT_VALUE_LENGTH, write_letter

CONTEXT = {"inviter": "Noor", "role": "editor", "path": "/invite/x", "name": "Mara"}


def subject_for(project: str) -> str:
    letter = write_letter(
        mail_id="mail_1",
        recipient="mara@example.com",
        kind="invitation",
        context=json.dumps({**CONTEXT, "project": project}),
        base_url="https://livery.example.com",
        created_at=now(),
    )
    return letter.subject.removeprefix("Noor invites you to ")


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
