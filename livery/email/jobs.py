"""Background work of mails: send what is due, and come back to what could not be sent."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import structlog

from livery.core import clock
from livery.core.context import Context
from livery.core.jobs import PRUNE_SECONDS, Sweep
from livery.core.queue import run_due
from livery.email import service
from livery.email.letters import write_letter
from livery.email.mailers import Mailer, MailNotSent, file_prefix, open_mailer
from livery.email.models import OutboxMail
from livery.email.service import OUTBOX

log = structlog.get_logger()


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweeps ``email`` and ``old_mails``."""
    mailer = open_mailer(context.settings)

    async def send_due() -> None:
        await run_due(context.database, OUTBOX, OUTBOX.claim, partial(_send, context, mailer))

    async def prune() -> None:
        before = clock.now() - timedelta(days=context.settings.keep_mails_days)
        await OUTBOX.prune(context.database, OutboxMail.created_at < before)
        await asyncio.to_thread(_delete_files, context.settings.outbox_dir, before)

    return [Sweep(service.TOPIC, send_due), Sweep("old_mails", prune, PRUNE_SECONDS)]


def _delete_files(folder: Path, before: datetime) -> None:
    """Delete the mails whose name begins with an earlier moment: the server's clock may be another than that of the disk."""
    first_kept = file_prefix(before)
    for path in folder.glob("[0-9]*Z-*.eml"):
        if path.name < first_kept:
            path.unlink(missing_ok=True)


async def _send(context: Context, mailer: Mailer, mail: OutboxMail) -> None:
    """Sends a mail. Never raises for it: a mail that can't be sent must not hold up the others."""
    try:
        letter = write_letter(
            mail_id=mail.id,
            recipient=mail.recipient,
            kind=mail.kind,
            context=context.vault.open(mail.sealed_context),
            base_url=context.settings.base_url,
            created_at=mail.created_at,
        )
        await mailer.send(letter)
    except MailNotSent as error:
        reason = str(error)
    except Exception as error:
        log.exception("mail_not_written", mail=mail.id, kind=mail.kind)
        reason = type(error).__name__
    else:
        async with context.database.write() as db:
            await service.mark_sent(db, mail)
        return
    log.warning("mail_not_sent", mail=mail.id, kind=mail.kind, attempt=mail.attempts, reason=reason)
    async with context.database.write() as db:
        await service.mark_failed(db, mail, error=reason)
