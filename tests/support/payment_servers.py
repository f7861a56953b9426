"""Payment providers on this machine: servers that speak the protocols as NOWPayments and BTCPay document them, with a hand on their till."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from livery.core import clock
from tests.support.live_server import PromptServer, free_port

Json = dict[str, Any]
Notification = tuple[bytes, dict[str, str]]
JSON_TYPE = {"Content-Type": "application/json"}


class Till(Protocol):
    """What a payer and the passing time do at a provider."""

    async def pay(self, invoice_id: str, percent: int = 100) -> None:
        """Pay a part of the price, at once confirmed."""
        ...

    async def expire(self, invoice_id: str) -> None:
        """Let the time run out."""
        ...

    async def notification(self, invoice_id: str) -> Notification:
        """What the provider would send now, signed: the body and its headers."""
        ...


class _FakeServer(PromptServer):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Closes all connections at once: nobody waits for an answer any more."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncGenerator[str]:
    """The address at which ``app`` answers."""
    with free_port() as listener:
        server = _FakeServer(uvicorn.Config(app, lifespan="off", ws="none", log_level="warning", access_log=False))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.end()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def _as_javascript(value: Any) -> Any:
    """``value`` with whole numbers as such: JavaScript knows no 10.0."""
    if isinstance(value, dict):
        return {key: _as_javascript(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]  # the value is JSON
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass
class FakeNowPayments:
    """Invoices in which each chosen coin is a payment of its own. ``status`` of a payment may be set to anything."""

    secret: str = "ipn-secret"
    api_key: str = "np-key"
    login: tuple[str, str] = ("shop@example.com", "np-password")
    invoices: dict[str, Json] = field(default_factory=dict[str, Json])
    payments: dict[str, Json] = field(default_factory=dict[str, Json])
    answers: list[Response] = field(default_factory=list[Response])
    calls: list[str] = field(default_factory=list[str])

    def app(self) -> ASGIApp:
        routes = [
            Route("/v1/invoice", self._open, methods=["POST"]),
            Route("/v1/auth", self._log_in, methods=["POST"]),
            Route("/v1/payment/", self._list),
            Route("/v1/payment/{payment_id}", self._read),
        ]
        return Starlette(routes=routes)

    def _refusal(self, request: Request) -> Response | None:
        self.calls.append(f"{request.method} {request.url.path}")
        if self.answers:
            return self.answers.pop(0)
        if request.headers.get("x-api-key") != self.api_key:
            return JSONResponse({"message": "Invalid api key"}, 403)
        return None

    async def _open(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        asked = await request.json()
        number = str(4_000_000_000 + len(self.invoices))
        self.invoices[number] = asked
        made = {
            "id": number,
            "token_id": "5266143",
            "order_id": asked["order_id"],
            "price_amount": str(asked["price_amount"]),
            "price_currency": asked["price_currency"],
            "pay_currency": None,
            "ipn_callback_url": asked["ipn_callback_url"],
            "invoice_url": f"https://nowpayments.io/payment/?iid={number}",
            "created_at": "2026-11-20T12:00:00.000Z",
        }
        return JSONResponse(made)

    async def _log_in(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        asked = await request.json()
        is_right = (asked["email"], asked["password"]) == self.login
        return JSONResponse({"token": "jwt"}) if is_right else JSONResponse({"message": "no"}, 401)

    async def _list(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        if request.headers.get("authorization") != "Bearer jwt":
            return JSONResponse({"message": "Bearer JWTtoken is required"}, 401)
        limit, page = int(request.query_params["limit"]), int(request.query_params["page"])
        rows = list(self.payments.values())
        shown = rows[page * limit : (page + 1) * limit]
        return JSONResponse({"data": shown, "limit": limit, "page": page, "pagesCount": 1, "total": len(rows)})

    async def _read(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        payment = self.payments.get(request.path_params["payment_id"])
        return JSONResponse(payment) if payment else JSONResponse({"message": "Payment not found"}, 404)

    def payment(self, invoice_id: str, *, status: str = "waiting", paid: float = 0, **changes: object) -> Json:
        """A new payment of an invoice, for which it asks 57.25 TRX for each dollar."""
        asked = self.invoices[invoice_id]
        number = 5_000_000_000 + len(self.payments)
        payment: Json = {
            "payment_id": number,
            "parent_payment_id": None,
            "invoice_id": int(invoice_id),
            "payment_status": status,
            "pay_address": "TNDFkiSmBQorNFacb3735q8MnT29sn8BLn",
            "payin_extra_id": None,
            "price_amount": asked["price_amount"],
            "price_currency": asked["price_currency"],
            "pay_amount": asked["price_amount"] * 57.25,
            "actually_paid": paid,
            "actually_paid_at_fiat": 0,
            "pay_currency": "trx",
            "order_id": asked["order_id"],
            "order_description": asked["order_description"],
            "purchase_id": "4944856743",
            "outcome_amount": paid * 0.995,
            "outcome_currency": "trx",
            "payment_extra_ids": None,
            "fee": {"currency": "btc", "depositFee": 0.09853637216235617, "withdrawalFee": 0, "serviceFee": 0},
        }
        self.payments[str(number)] = {**payment, **changes}
        return self.payments[str(number)]

    def last_payment(self, invoice_id: str) -> Json:
        """The newest payment of an invoice."""
        return [payment for payment in self.payments.values() if payment["invoice_id"] == int(invoice_id)][-1]

    async def pay(self, invoice_id: str, percent: int = 100) -> None:
        """Pay in one go."""
        asked = self.invoices[invoice_id]["price_amount"] * 57.25
        self.payment(invoice_id, status="finished" if percent >= 100 else "partially_paid", paid=asked * percent / 100)

    async def expire(self, invoice_id: str) -> None:
        """A coin was chosen, and never sent."""
        self.payment(invoice_id, status="expired")

    async def notification(self, invoice_id: str) -> Notification:
        """The notification of the newest payment."""
        return self.signed(self.last_payment(invoice_id))

    def signed(self, payload: Json, *, secret: str = "") -> Notification:
        """Any notification, signed as documented: keys sorted all the way down, and numbers as JavaScript prints them."""
        payload = _as_javascript(payload)
        text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        signature = hmac.new((secret or self.secret).encode(), text.encode(), hashlib.sha512).hexdigest()
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        return body, {**JSON_TYPE, "x-nowpayments-sig": signature}


@dataclass
class FakeBtcPay:
    """A store whose invoices add up what is paid into them."""

    secret: str = "webhook-secret"
    api_key: str = "greenfield-key"
    store_id: str = "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776"
    invoices: dict[str, Json] = field(default_factory=dict[str, Json])
    answers: list[Response] = field(default_factory=list[Response])
    calls: list[str] = field(default_factory=list[str])
    deliveries: int = 0

    def app(self) -> ASGIApp:
        base = "/api/v1/stores/{store_id}/invoices"
        return Starlette(routes=[Route(base, self._open, methods=["POST"]), Route(base + "/{invoice_id}", self._read)])

    def _refusal(self, request: Request) -> Response | None:
        self.calls.append(f"{request.method} {request.url.path}")
        if self.answers:
            return self.answers.pop(0)
        if request.headers.get("authorization") != f"token {self.api_key}":
            return JSONResponse({"code": "unauthenticated", "message": "Authentication is required"}, 401)
        if request.path_params["store_id"] != self.store_id:
            return JSONResponse({"code": "store-not-found", "message": "The store was not found"}, 404)
        return None

    async def _open(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        asked = await request.json()
        invoice_id = f"Gc3nVr8z{len(self.invoices):014}"
        now = int(clock.now().timestamp())
        self.invoices[invoice_id] = {
            "id": invoice_id,
            "storeId": self.store_id,
            "amount": asked["amount"],
            "paidAmount": "0",
            "currency": asked["currency"],
            "type": "Standard",
            "checkoutLink": f"https://btcpay.example.com/i/{invoice_id}",
            "createdTime": now,
            "expirationTime": now + 900,
            "monitoringExpiration": now + 87_300,
            "status": "New",
            "additionalStatus": "None",
            "metadata": asked["metadata"],
            "checkout": asked["checkout"],
        }
        return JSONResponse(self.invoices[invoice_id])

    async def _read(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        invoice = self.invoices.get(request.path_params["invoice_id"])
        return JSONResponse(invoice) if invoice else JSONResponse({"code": "invoice-not-found"}, 404)

    async def pay(self, invoice_id: str, percent: int = 100) -> None:
        """Pay into the invoice."""
        invoice = self.invoices[invoice_id]
        paid = float(invoice["paidAmount"]) + float(invoice["amount"]) * percent / 100
        invoice["paidAmount"] = f"{paid:.2f}"
        if paid >= float(invoice["amount"]):
            over = paid > float(invoice["amount"])
            invoice |= {"status": "Settled", "additionalStatus": "PaidOver" if over else "None"}
        else:
            invoice["additionalStatus"] = "PaidPartial"

    async def expire(self, invoice_id: str) -> None:
        """Its time is over."""
        self.invoices[invoice_id]["status"] = "Expired"

    async def notification(self, invoice_id: str) -> Notification:
        """The delivery of the event that fits the invoice."""
        events = {"New": "InvoiceReceivedPayment", "Processing": "InvoiceProcessing", "Settled": "InvoiceSettled"}
        status = self.invoices[invoice_id]["status"]
        self.deliveries += 1
        delivery = {
            "deliveryId": f"delivery-{self.deliveries}",
            "webhookId": "webhook-1",
            "originalDeliveryId": f"delivery-{self.deliveries}",
            "isRedelivery": False,
            "type": events.get(status, f"Invoice{status}"),
            "timestamp": int(clock.now().timestamp()),
            "storeId": self.store_id,
            "invoiceId": invoice_id,
            "metadata": self.invoices[invoice_id]["metadata"],
        }
        return self.signed(delivery)

    def signed(self, payload: Json, *, secret: str = "") -> Notification:
        """Any delivery, signed as documented: HMAC-SHA256 of the body's bytes."""
        body = json.dumps(payload, indent=2).encode()
        signature = hmac.new((secret or self.secret).encode(), body, hashlib.sha256).hexdigest()
        return body, {**JSON_TYPE, "BTCPay-Sig": f"sha256={signature}"}
