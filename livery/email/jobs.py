"""Background work of mails: send what is due, and come back to what could not be sent."""

import asyncio

import structlog

from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.email import queries, service
from livery.email.letters import write_letter
from livery.email.mailers import Mailer, MailNotSent, open_mailer
from livery.email.schemas import ClaimedMail

log = structlog.get_logger()


def sweeps(context: Context) -> list[Sweep]:
    """The sweep ``email``."""
    mailer = open_mailer(context.settings)

    async def send_due() -> None:
        while await _has_due(context):
            async with context.database.write() as db:
                claimed = await service.claim(db)
            async with asyncio.TaskGroup() as group:
                for mail in claimed:
                    group.create_task(_send(context, mailer, mail))

    return [Sweep(service.TOPIC, send_due)]


async def _has_due(context: Context) -> bool:
    async with context.database.read() as db:
        return await queries.has_due(db)


async def _send(context: Context, mailer: Mailer, mail: ClaimedMail) -> None:
    """Never raises for a mail: one that can't be sent must not hold up the others."""
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
