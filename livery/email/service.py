"""The verbs of the outbox, and its only writer: enqueue a mail, and settle what became of it. ``OUTBOX`` claims and prunes mails."""

import json
from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.queue import Queue
from livery.core.security import Vault
from livery.email.models import OutboxMail
from livery.email.schemas import MailKind

TOPIC = "email"
LEASE = timedelta(minutes=2)
OUTBOX = Queue(
    OutboxMail,
    todo=OutboxMail.state == "pending",
    due_at=OutboxMail.due_at,
    attempts=OutboxMail.attempts,
    lease=LEASE,
    retries=(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2)),
)


async def enqueue(
    db: AsyncSession, bus: Bus, vault: Vault, *, to: str, kind: MailKind, context: Mapping[str, str]
) -> None:
    """Send a mail once the transaction of ``db`` is committed; never when it is rolled back.

    ``to`` is a canonical email. ``context`` fills the templates of ``kind``; its ``path`` (``/login``) becomes the link of the mail, under
    the public address. It is sealed, and wiped when the mail is sent or given up.
    """
    now = clock.now()
    mail = OutboxMail(
        id=new_id("mail"),
        recipient=to,
        kind=kind,
        sealed_context=vault.seal(json.dumps(dict(context))),
        state="pending",
        attempts=0,
        due_at=now,
        created_at=now,
        sent_at=None,
        last_error=None,
    )
    db.add(mail)
    announce(db, bus, TOPIC, mail.id)


async def mark_sent(db: AsyncSession, mail: OutboxMail) -> None:
    """Marks a mail as sent, and wipes its content."""
    sent = update(OutboxMail).where(OutboxMail.id == mail.id)
    await db.execute(sent.values(state="sent", sent_at=clock.now(), sealed_context="", last_error=None))


async def mark_failed(db: AsyncSession, mail: OutboxMail, *, error: str) -> None:
    """Lets a claimed mail be tried again. After the last attempt it is ``failed`` and its content wiped. A lost lease changes nothing."""
    given_up = {"state": "failed", "sealed_context": ""}
    await OUTBOX.put_off(db, mail, noting={"last_error": error[:300]}, giving_up=given_up)
