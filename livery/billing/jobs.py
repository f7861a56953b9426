"""Background work of billing: look at notifications, ask about invoices that nothing was heard of, and send what the sandbox owes."""

import asyncio
from contextlib import suppress
from functools import partial

import structlog

from livery.billing import invoices
from livery.billing.invoices import Asked
from livery.billing.providers.choice import Providers, open_providers
from livery.billing.providers.port import ProviderDown
from livery.billing.sandbox import sender
from livery.billing.sandbox import service as sandbox
from livery.core.context import Context
from livery.core.errors import Unavailable
from livery.core.jobs import Sweep
from livery.core.queue import run_due

log = structlog.get_logger()

CHECK_SECONDS = 15.0
TIDY_SECONDS = 6 * 3600.0
_ANSWER_SECONDS = 25.0
"""Less than the lease of a notification, so that two processes don't ask the same at once."""


def sweeps(context: Context) -> list[Sweep]:
    """Returns the sweeps ``payment_callbacks``, ``invoice_checks`` and ``payment_tidying``; the sandbox's where it sells.

    Returns no sweep with billing off.
    """
    providers = open_providers(context.settings)
    if providers is None:
        return []

    ask = partial(_ask, context, providers)

    async def look_at_callbacks() -> None:
        await run_due(context.database, invoices.CALLBACKS, invoices.claim_callbacks, ask)

    async def check_invoices() -> None:
        await run_due(context.database, invoices.CHECKS, invoices.claim_checks, ask)

    async def tidy() -> None:
        await invoices.forget_old_callbacks(context.database)

    async def send_sandbox() -> None:
        await sender.send_due(context)

    found = [
        Sweep(invoices.CALLBACKS_TOPIC, look_at_callbacks),
        Sweep("invoice_checks", check_invoices, CHECK_SECONDS),
        Sweep("payment_tidying", tidy, TIDY_SECONDS),
    ]
    return [*found, Sweep(sandbox.TOPIC, send_sandbox)] if providers.find("sandbox") else found


async def _ask(context: Context, providers: Providers, asked: Asked) -> None:
    """Never raises for one invoice: it must not hold up the others."""
    try:
        provider = providers.find(asked.provider)
        if provider is None:
            raise ProviderDown(f"no keys for {asked.provider} are set")
        async with asyncio.timeout(_ANSWER_SECONDS):
            claims = await provider.ask(asked.question)
        async with context.database.write() as db:
            await invoices.settle(db, context.bus, context.vault, asked, claims)
    except (ProviderDown, TimeoutError) as error:
        reason = str(error) or "no answer in time"
        log.warning("provider_not_asked", provider=asked.provider, invoice=asked.question.invoice_id, reason=reason)
    except Unavailable as error:  # the database has a line of its own in the log
        reason = error.message
        log.warning("invoice_put_off", provider=asked.provider, invoice=asked.question.invoice_id)
    except Exception as error:
        reason = type(error).__name__
        log.exception("invoice_not_settled", provider=asked.provider, invoice=asked.question.invoice_id)
    else:
        return
    with suppress(Unavailable):  # without a database the lease ends by itself
        async with context.database.write() as db:
            await invoices.put_off(db, asked, reason=reason)
