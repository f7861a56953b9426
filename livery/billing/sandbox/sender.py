"""Sends the sandbox's notifications: a real HTTP call to this server's own webhook, signed."""

import asyncio
import ssl
from functools import cache, partial

import httpx2

from livery.billing.sandbox import protocol, service
from livery.billing.sandbox.models import SandboxNotification
from livery.billing.sandbox.service import NOTIFICATIONS
from livery.core.context import Context
from livery.core.queue import run_due

_TIMEOUT_SECONDS = 10.0


@cache
def _no_tls() -> ssl.SSLContext:
    """Trusts nobody: this server is reached without TLS, and reading all authorities for that would take 70 ms."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def send_due(context: Context) -> None:
    """Send what is due until nothing is; what gets no 2xx comes again later."""
    await run_due(context.database, NOTIFICATIONS, NOTIFICATIONS.claim, partial(_send, context))


async def _send(context: Context, notification: SandboxNotification) -> None:
    body = notification.body.encode()
    secret = protocol.webhook_secret(context.settings.secret_key.get_secret_value())
    headers = {"Content-Type": "application/json", protocol.SIGNATURE_HEADER: protocol.sign(secret, body)}
    url = context.settings.own_url + protocol.WEBHOOK_PATH
    try:
        async with (
            asyncio.timeout(_TIMEOUT_SECONDS),
            httpx2.AsyncClient(
                verify=_no_tls(), timeout=_TIMEOUT_SECONDS, follow_redirects=False, trust_env=False
            ) as client,
        ):
            response = await client.post(url, content=body, headers=headers)
        is_accepted, answer = response.is_success, str(response.status_code)
    except (httpx2.HTTPError, TimeoutError) as error:
        is_accepted, answer = False, type(error).__name__
    async with context.database.write() as db:
        await service.mark(db, notification, is_accepted=is_accepted, answer=answer)
