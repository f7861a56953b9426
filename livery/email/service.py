"""The verbs of the outbox, and its only writer: enqueue, claim, and settle what became of a mail."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.security import Vault
from livery.email.models import OutboxMail
from livery.email.queries import is_due
from livery.email.schemas import ClaimedMail, MailKind

TOPIC = "email"
LEASE = timedelta(minutes=2)
RETRIES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
_BATCH = 10


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
        leased_until=None,
        created_at=now,
        sent_at=None,
        last_error=None,
    )
    db.add(mail)
    announce(db, bus, TOPIC, mail.id)


async def claim(db: AsyncSession) -> list[ClaimedMail]:
    """Lease up to ten due mails to the caller, in the order they were written; no other process gets them until the lease ends."""
    lease = clock.now() + LEASE
    due = (
        select(OutboxMail.id)
        .where(is_due())
        .order_by(OutboxMail.due_at)
        .limit(_BATCH)
        .with_for_update(skip_locked=True)
    )
    taking = (
        update(OutboxMail).where(OutboxMail.id.in_(due)).values(leased_until=lease, attempts=OutboxMail.attempts + 1)
    )
    columns = (
        OutboxMail.id,
        OutboxMail.recipient,
        OutboxMail.kind,
        OutboxMail.sealed_context,
        OutboxMail.attempts,
        OutboxMail.created_at,
    )
    rows = (await db.execute(taking.returning(*columns))).all()
    return sorted((ClaimedMail(*row, leased_until=lease) for row in rows), key=lambda mail: mail.created_at)


async def mark_sent(db: AsyncSession, mail: ClaimedMail) -> None:
    """The mail is out; its content is wiped."""
    await db.execute(
        update(OutboxMail)
        .where(OutboxMail.id == mail.id)
        .values(state="sent", sent_at=clock.now(), leased_until=None, sealed_context="", last_error=None)
    )


async def mark_failed(db: AsyncSession, mail: ClaimedMail, *, error: str) -> None:
    """Wait for the next try; after the last one the mail is ``failed`` and its content wiped. A lease that was lost changes nothing."""
    mine = update(OutboxMail).where(
        OutboxMail.id == mail.id, OutboxMail.state == "pending", OutboxMail.leased_until == mail.leased_until
    )
    if mail.attempts > len(RETRIES):
        await db.execute(mine.values(state="failed", leased_until=None, sealed_context="", last_error=error[:300]))
    else:
        due_at = clock.now() + RETRIES[mail.attempts - 1]
        await db.execute(mine.values(due_at=due_at, leased_until=None, last_error=error[:300]))


async def prune(db: AsyncSession, before: datetime, *, limit: int) -> int:
    """Delete mails that were sent or given up and are older than ``before``, at most ``limit``. Returns how many."""
    old = select(OutboxMail.id).where(OutboxMail.state != "pending", OutboxMail.created_at < before).limit(limit)
    return len((await db.scalars(delete(OutboxMail).where(OutboxMail.id.in_(old)).returning(OutboxMail.id))).all())
