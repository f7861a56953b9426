"""A shop: the application on a real socket, a payment provider on this machine, and a person who buys.

``provider_name`` selects the provider; a test module parametrizes it. Background work runs when a test starts it.
"""

import hashlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from livery.app import Application
from livery.billing import jobs
from livery.core.context import Context
from livery.core.db import Database
from livery.core.settings import Settings
from livery.workspace.fsck import check_all
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.support.live_server import LiveServer, free_port, live_server
from tests.support.payment_servers import (
    JSON_TYPE,
    FakeBtcPay,
    FakeNowPayments,
    Notification,
    Till,
    serving,
)

EXTERNAL = ("nowpayments", "btcpay")
PROVIDERS = ("sandbox", *EXTERNAL)


@pytest.fixture
def provider_name() -> str:
    return "btcpay"


@pytest.fixture
def has_login() -> bool:
    """Whether the server may list payments at NOWPayments."""
    return True


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with free_port() as listener:
        yield listener


@pytest.fixture
def nowpayments() -> FakeNowPayments:
    return FakeNowPayments()


@pytest.fixture
def btcpay() -> FakeBtcPay:
    return FakeBtcPay()


@pytest.fixture
async def settings_overrides(
    provider_name: str, has_login: bool, listener: socket.socket, nowpayments: FakeNowPayments, btcpay: FakeBtcPay
) -> AsyncIterator[dict[str, object]]:
    own: dict[str, object] = {"public_url": "", "port": listener.getsockname()[1], "rate_limits": "off"}
    if provider_name == "sandbox":
        yield own
        return
    own["payments"] = provider_name
    async with serving(nowpayments.app() if provider_name == "nowpayments" else btcpay.app()) as url:
        if provider_name == "nowpayments":
            yield own | {
                "nowpayments_base_url": url,
                "nowpayments_api_key": nowpayments.api_key,
                "nowpayments_ipn_secret": nowpayments.secret,
                "nowpayments_ipn_secret_previous": "ipn-secret-before",
                "nowpayments_email": nowpayments.login[0] if has_login else "",
                "nowpayments_password": nowpayments.login[1] if has_login else "",
            }
        else:
            yield own | {
                "btcpay_url": url + "/",
                "btcpay_api_key": btcpay.api_key,
                "btcpay_store_id": btcpay.store_id,
                "btcpay_webhook_secret": btcpay.secret,
                "btcpay_webhook_secret_previous": "webhook-secret-before",
            }


@pytest.fixture
async def live(app: Application, listener: socket.socket) -> AsyncIterator[LiveServer]:
    async with live_server(app, listener) as server:
        yield server


class SandboxTill:
    """Presses the buttons of the sandbox's page."""

    def __init__(self, client: httpx2.AsyncClient, settings: Settings) -> None:
        self._client = client
        self._secret_key = settings.secret_key.get_secret_value()
        self._sent = 0

    async def press(self, invoice_id: str, button: str) -> httpx2.Response:
        return await self._client.post(f"/sandbox-pay/{invoice_id}/{button}")

    async def pay(self, invoice_id: str, percent: int = 100) -> None:
        buttons = {40: "pay-less", 100: "pay", 125: "pay-more"}
        assert (await self.press(invoice_id, buttons[percent])).status_code == 303

    async def expire(self, invoice_id: str) -> None:
        assert (await self.press(invoice_id, "expire")).status_code == 303

    async def notification(self, invoice_id: str) -> Notification:
        self._sent += 1
        return self.signed({"id": f"ntf_{self._sent}", "event": "invoice.updated", "invoiceId": invoice_id})

    def signed(self, payload: dict[str, Any], *, secret: str = "") -> Notification:
        derived = hmac.new(self._secret_key.encode(), b"livery sandbox webhook", hashlib.sha256).hexdigest()
        body = json.dumps(payload).encode()
        signature = hmac.new((secret or derived).encode(), body, hashlib.sha256).hexdigest()
        return body, {**JSON_TYPE, "X-Sandbox-Signature": f"sha256={signature}"}


@dataclass
class Shop:
    """A person who buys here, the provider's till, and the server's background work."""

    context: Context
    client: httpx2.AsyncClient
    person: LoggedIn
    provider_name: str
    till: Till

    @property
    def database(self) -> Database:
        return self.context.database

    async def order(self, amount: object = 10, *, key: str | None = None) -> httpx2.Response:
        """Ask for an invoice."""
        headers = {**self.person.headers, **({"Idempotency-Key": key} if key else {})}
        return await self.client.post("/api/payments/create-invoice", headers=headers, json={"months": amount})

    async def buy(self, amount: int = 10) -> str:
        """Ask for an invoice; the provider's id of it."""
        response = await self.order(amount)
        assert response.status_code == 201, response.text
        return self.provider_id(response.json()["invoice"]["url"])

    @staticmethod
    def provider_id(url: str) -> str:
        """The provider's id of an invoice, as its address ends."""
        return url.replace("=", "/").rsplit("/", 1)[1]

    async def notify(self, provider_invoice_id: str) -> httpx2.Response:
        """Has the provider send its notification about an invoice."""
        return await self.send(await self.till.notification(provider_invoice_id))

    async def send(self, notification: Notification, *, to: str = "") -> httpx2.Response:
        body, headers = notification
        path = f"/api/payments/webhooks/{to or self.provider_name}"
        return await self.client.post(path, content=body, headers=headers)

    async def work(self, *names: str) -> None:
        """Do the background work that is due: all, or that of these names."""
        for sweep in reversed(jobs.sweeps(self.context)):  # the sandbox sends before notifications are looked at
            if not names or sweep.name in names:
                await sweep.run()

    async def news(self, provider_invoice_id: str) -> None:
        """A notification, and what follows from it."""
        assert (await self.notify(provider_invoice_id)).status_code == 200
        await self.work()

    async def credits(self) -> int:
        return (await self._get("/api/user/me"))["credits"]

    async def invoices(self) -> list[dict[str, Any]]:
        return (await self._get("/api/payments/invoices"))["invoices"]

    async def invoice(self) -> dict[str, Any]:
        """The newest invoice."""
        return (await self.invoices())[0]

    async def purchases(self) -> list[int]:
        """The amounts of the ledger's purchases."""
        entries = (await self._get("/api/payments/credits?limit=100"))["entries"]
        return [entry["amount"] for entry in entries if entry["kind"] == "purchase"]

    async def _get(self, path: str) -> dict[str, Any]:
        response = await self.client.get(path, headers=self.person.headers)
        assert response.status_code == 200, response.text
        return response.json()

    async def check_books(self) -> None:
        """Every invariant of the data holds."""
        async with self.database.read() as db:
            assert await check_all(db) == []


@pytest.fixture
async def shop(
    context: Context, live: LiveServer, provider_name: str, nowpayments: FakeNowPayments, btcpay: FakeBtcPay
) -> Shop:
    tills: dict[str, Till] = {
        "sandbox": SandboxTill(live.client, context.settings),
        "nowpayments": nowpayments,
        "btcpay": btcpay,
    }
    return Shop(context, live.client, await create_logged_in(context), provider_name, tills[provider_name])


@pytest.fixture
async def shop_of_nothing(context: Context, client: httpx2.AsyncClient) -> Shop:
    """A server that sells no credits."""
    return Shop(context, client, await create_logged_in(context), "sandbox", FakeBtcPay())
