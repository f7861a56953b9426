"""The outbox: a mail is sent if its change is durable, survives failures, and leaves no secret behind."""

import asyncio
import json
from html import unescape
from pathlib import Path
from typing import get_args

import pytest
import structlog
from sqlalchemy import select

from livery.core.context import Context
from livery.core.db import Database
from livery.email import jobs, service
from livery.email.letters import write_letter
from livery.email.models import OutboxMail
from livery.email.schemas import MailKind
from tests.support.clock import Clock
from tests.support.mails import Mails

CANARY = "canary-token-1234567890"


async def enqueue(
    context: Context, *, to: str = "mara@example.com", kind: MailKind = "reset", then_fails: bool = False
) -> None:
    async with context.database.write() as db:
        paths = {"path": f"/reset-password/{CANARY}"}
        await service.enqueue(db, context.bus, context.vault, to=to, kind=kind, context=paths)
        if then_fails:
            raise ZeroDivisionError


def listen(context: Context) -> list[str | None]:
    """The subjects of the topic that wakes the sender, from now on."""
    heard: list[str | None] = []
    context.bus.subscribe(lambda topic, subject: heard.append(subject) if topic == service.TOPIC else None)
    return heard


async def read_rows(database: Database) -> list[OutboxMail]:
    async with database.read() as db:
        return list((await db.scalars(select(OutboxMail).order_by(OutboxMail.created_at))).all())


def break_outbox(context: Context) -> Path:
    """A file where the folder should be: every attempt fails until it is gone."""
    folder = context.settings.outbox_dir
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("")
    return folder


async def test_a_change_that_is_rolled_back_sends_no_mail(context: Context, mails: Mails) -> None:
    heard = listen(context)

    with pytest.raises(ZeroDivisionError):
        await enqueue(context, then_fails=True)

    assert await mails.sent() == []
    assert heard == []


async def test_a_change_that_is_durable_wakes_the_sender(context: Context, mails: Mails) -> None:
    heard = listen(context)

    await enqueue(context)

    assert set(heard) == {row.id for row in await read_rows(context.database)}  # a wake-up may come twice
    assert service.TOPIC in [sweep.name for sweep in jobs.sweeps(context)]
    assert (await mails.last()).link == f"http://testserver/reset-password/{CANARY}"


async def test_a_sent_mail_is_wiped_and_never_sent_again(context: Context, database: Database, mails: Mails) -> None:
    await enqueue(context)
    assert CANARY not in (await read_rows(database))[0].sealed_context

    assert len(await mails.sent()) == 1
    assert len(await mails.sent()) == 1

    (row,) = await read_rows(database)
    assert (row.state, row.attempts, row.sealed_context) == ("sent", 1, "")
    assert row.sent_at is not None


async def test_a_mail_is_tried_after_1_5_30_minutes_and_2_hours_and_then_given_up(
    context: Context, database: Database, mails: Mails, clock: Clock
) -> None:
    break_outbox(context)
    await enqueue(context)

    for attempt, minutes in enumerate([1, 5, 30, 120], start=1):
        await mails.sweep()
        clock.advance(minutes=minutes, seconds=-1)
        await mails.sweep()
        (row,) = await read_rows(database)
        assert (row.state, row.attempts) == ("pending", attempt)
        clock.advance(seconds=1)
    await mails.sweep()

    (row,) = await read_rows(database)
    assert (row.state, row.attempts, row.sealed_context) == ("failed", 5, "")
    assert row.last_error == "FileExistsError: File exists"


async def test_a_mail_is_sent_when_the_mail_server_answers_again(context: Context, mails: Mails, clock: Clock) -> None:
    obstacle = break_outbox(context)
    await enqueue(context)
    await mails.sweep()

    obstacle.unlink()
    clock.advance(minutes=1)

    assert len(await mails.sent()) == 1


async def test_a_mail_whose_sender_died_is_taken_again_when_the_lease_ends(
    context: Context, mails: Mails, clock: Clock
) -> None:
    await enqueue(context)
    async with context.database.write() as db:
        assert len(await service.OUTBOX.claim(db)) == 1

    assert await mails.sent() == []
    clock.advance(seconds=service.LEASE.total_seconds())

    assert len(await mails.sent()) == 1


async def test_a_late_failure_does_not_undo_what_another_sender_did(
    context: Context, database: Database, mails: Mails, clock: Clock
) -> None:
    await enqueue(context)
    async with context.database.write() as db:
        (slow,) = await service.OUTBOX.claim(db)
    clock.advance(minutes=3)
    await mails.sweep()

    async with context.database.write() as db:
        await service.mark_failed(db, slow, error="too late")

    assert (await read_rows(database))[0].state == "sent"


async def test_parallel_senders_send_each_mail_once(context: Context, database: Database) -> None:
    for number in range(25):
        await enqueue(context, to=f"p{number}@example.com")

    await asyncio.gather(*(sweep.run() for _ in range(4) for sweep in jobs.sweeps(context)))

    assert {(row.state, row.attempts) for row in await read_rows(database)} == {("sent", 1)}
    assert len(list(context.settings.outbox_dir.glob("*.eml"))) == 25


async def test_a_mail_that_can_not_be_written_holds_up_no_other(
    context: Context, database: Database, mails: Mails
) -> None:
    async with context.database.write() as db:
        await service.enqueue(
            db, context.bus, context.vault, to="broken@example.com", kind="verify", context={"path": "/no-other-path"}
        )
    await enqueue(context)

    assert [mail.to for mail in await mails.sent()] == ["mara@example.com"]
    assert (await read_rows(database))[0].last_error == "UndefinedError"


async def test_the_log_names_neither_the_link_nor_at_info_the_recipient(context: Context, mails: Mails) -> None:
    await enqueue(context)

    with structlog.testing.capture_logs() as logs:
        await mails.sweep()

    (written,) = [entry for entry in logs if entry["event"] == "mail_written"]
    assert CANARY not in str(logs)
    assert written["folder"] == str(context.settings.outbox_dir)
    assert "mara@example.com" not in str([entry for entry in logs if entry["log_level"] != "debug"])


WORDS = """inviter owner project role name tier quota limit used end renews served_until day credits noun price balance invoice time reason
went_out event""".split()


@pytest.mark.parametrize("kind", get_args(MailKind))
def test_every_kind_of_mail_escapes_what_it_is_given(kind: MailKind, clock: Clock) -> None:
    letter = write_letter(
        mail_id="mail_x",
        recipient="o'<b>hara&co</b>@example.com",
        kind=kind,
        context=json.dumps(
            {
                "path": '/x/"><script>alert(1)</script>',
                "not_me_path": "/y",
                "moment": "2026-11-23 22:10 UTC",
                **dict.fromkeys(WORDS, "<b>&co"),
            }
        ),
        base_url="https://livery.example",
        created_at=clock(),
    )

    assert letter.subject
    assert "\n" not in letter.subject
    assert "<script" not in letter.html
    assert "<b>" not in letter.html
    assert letter.subject in unescape(letter.html)
    assert "color-scheme" in letter.html
    assert "https://livery.example/x/" in letter.text
    assert max(len(line) for line in letter.text.splitlines() if "http" not in line) <= 78
