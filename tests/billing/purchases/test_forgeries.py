"""Notifications that are forged, twisted or honest about a different matter: no such notification buys a credit."""

import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select

from livery.billing.models import PaymentCallback
from livery.core.context import Context
from tests.billing.purchases.conftest import Shop
from tests.factories.accounts import create_logged_in
from tests.support.payment_servers import FakeBtcPay, FakeNowPayments, Json, Notification


async def kept(context: Context) -> int:
    """How many notifications were kept."""
    async with context.database.read() as db:
        return await db.scalar(select(func.count()).select_from(PaymentCallback)) or 0


def with_header(notification: Notification, name: str, value: str) -> Notification:
    return notification[0], {**notification[1], name: value}


def hmac_of(algorithm: str, secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, getattr(hashlib, algorithm)).hexdigest()


SIG = "x-nowpayments-sig"
Forgery = Callable[[FakeNowPayments, Json], Notification]

UNSIGNED: dict[str, Forgery] = {
    "no signature": lambda np, pay: (np.signed(pay)[0], {"Content-Type": "application/json"}),
    "an empty signature": lambda np, pay: with_header(np.signed(pay), SIG, ""),
    "a signature of zeros": lambda np, pay: with_header(np.signed(pay), SIG, "0" * 128),
    "a cut signature": lambda np, pay: with_header(np.signed(pay), SIG, np.signed(pay)[1][SIG][:-1]),
    "a longer signature": lambda np, pay: with_header(np.signed(pay), SIG, np.signed(pay)[1][SIG] + "0"),
    "two signatures": lambda np, pay: with_header(np.signed(pay), SIG, "0" * 128 + "," + np.signed(pay)[1][SIG]),
    "a flipped signature": lambda np, pay: with_header(np.signed(pay), SIG, np.signed(pay)[1][SIG][::-1]),
    "a prefixed signature": lambda np, pay: with_header(np.signed(pay), SIG, "sha512=" + np.signed(pay)[1][SIG]),
    "another secret": lambda np, pay: np.signed(pay, secret="guessed"),
    "no secret": lambda np, pay: with_header(np.signed(pay), SIG, hmac_of("sha512", "", np.signed(pay)[0])),
    "the api key as secret": lambda np, pay: np.signed(pay, secret=np.api_key),
    "a plain hash": lambda np, pay: with_header(np.signed(pay), SIG, hashlib.sha512(np.signed(pay)[0]).hexdigest()),
    "another algorithm": lambda np, pay: with_header(
        np.signed(pay), SIG, hmac_of("sha256", np.secret, np.signed(pay)[0])
    ),
    "the signature under another name": lambda np, pay: (
        np.signed(pay)[0],
        {"Content-Type": "application/json", "BTCPay-Sig": np.signed(pay)[1][SIG]},
    ),
    "another status": lambda np, pay: (
        np.signed(pay)[0].replace(b'"finished"', b'"confirmed"'),
        np.signed(pay)[1],
    ),
    "another price": lambda np, pay: (
        np.signed(pay)[0].replace(b'"price_amount":10', b'"price_amount":1000'),
        np.signed(pay)[1],
    ),
    "another order": lambda np, pay: (np.signed(pay)[0].replace(b"inv_", b"inw_"), np.signed(pay)[1]),
    "one more field": lambda np, pay: (np.signed(pay)[0][:-1] + b',"x":1}', np.signed(pay)[1]),
    "one field less": lambda np, pay: (np.signed(pay)[0].replace(b'"payment_extra_ids":null,', b""), np.signed(pay)[1]),
    "null become false": lambda np, pay: (np.signed(pay)[0].replace(b":null", b":false", 1), np.signed(pay)[1]),
    "a number become text": lambda np, pay: (
        np.signed(pay)[0].replace(b'"price_amount":10', b'"price_amount":"10"'),
        np.signed(pay)[1],
    ),
    "a nested field": lambda np, pay: (
        np.signed(pay)[0].replace(b'"withdrawalFee":0', b'"withdrawalFee":1'),
        np.signed(pay)[1],
    ),
    "a list around it": lambda np, pay: (b"[" + np.signed(pay)[0] + b"]", np.signed(pay)[1]),
    "only text": lambda np, pay: (json.dumps("finished").encode(), np.signed(pay)[1]),
    "null": lambda np, pay: (b"null", np.signed(pay)[1]),
    "true": lambda np, pay: (b"true", np.signed(pay)[1]),
    "an empty object": lambda np, pay: (b"{}", np.signed(pay)[1]),
    "nothing": lambda np, pay: (b"", np.signed(pay)[1]),
    "a number": lambda np, pay: (b"1", np.signed(pay)[1]),
}
"""Answered with 401 and not even kept."""

NO_JSON: dict[str, Forgery] = {
    "a key twice": lambda np, pay: (np.signed(pay)[0][:-1] + b',"payment_status":"finished"}', np.signed(pay)[1]),
    "a key twice below": lambda np, pay: (
        np.signed(pay)[0].replace(b'"serviceFee":0', b'"serviceFee":0,"serviceFee":0'),
        np.signed(pay)[1],
    ),
    "not a number": lambda np, pay: (np.signed(pay)[0].replace(b":57", b":NaN, 57", 1) + b"x", np.signed(pay)[1]),
    "infinity": lambda np, pay: (b'{"price_amount": Infinity}', np.signed(pay)[1]),
    "far too large a number": lambda np, pay: (b'{"price_amount": 1e999}', np.signed(pay)[1]),
    "other characters": lambda np, pay: (np.signed(pay)[0].decode().encode("utf-16"), np.signed(pay)[1]),
    "a byte order mark": lambda np, pay: (b"\xef\xbb\xbf" + np.signed(pay)[0], np.signed(pay)[1]),
    "a cut body": lambda np, pay: (np.signed(pay)[0][:-1], np.signed(pay)[1]),
    "two bodies": lambda np, pay: (np.signed(pay)[0] * 2, np.signed(pay)[1]),
    "far too deep": lambda np, pay: (b'{"a":' * 70 + b"1" + b"}" * 70, np.signed(pay)[1]),
    "a nul": lambda np, pay: (b'{"a": "\\u0000"}', np.signed(pay)[1]),
    "half a character": lambda np, pay: (b'{"a": "\\ud800"}', np.signed(pay)[1]),
}
"""Answered with 400: no provider writes this."""


@pytest.mark.parametrize("provider_name", ["nowpayments"])
async def test_forged_notifications_are_refused_and_not_kept(shop: Shop, nowpayments: FakeNowPayments) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)  # even though it is paid: whoever can't sign learns and moves nothing
    payment = nowpayments.last_payment(bought)
    assert len(UNSIGNED) + len(NO_JSON) >= 40

    for status, forgeries in ((401, UNSIGNED), (400, NO_JSON)):
        for name, forge in forgeries.items():
            body, headers = forge(nowpayments, payment)
            answer = await shop.send((body, {key: value for key, value in headers.items() if value.isascii()}))
            assert answer.status_code == status, (name, answer.text)
    await shop.work("payment_callbacks")

    assert await shop.credits() == 0
    assert await kept(shop.context) == 0


@pytest.mark.parametrize("provider_name", ["nowpayments"])
async def test_notifications_of_other_kinds_and_sizes_are_refused(shop: Shop, nowpayments: FakeNowPayments) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    payment = nowpayments.last_payment(bought)
    signed = nowpayments.signed(payment)

    for status, notification in (
        (415, with_header(signed, "Content-Type", "text/plain")),
        (415, with_header(signed, "Content-Type", "application/x-www-form-urlencoded")),
        (415, with_header(signed, "Content-Encoding", "gzip")),
        (413, nowpayments.signed({**payment, "order_description": "x" * 65_536})),
        (413, nowpayments.signed({**payment, "order_description": "x" * 1_100_000})),
    ):
        assert (await shop.send(notification)).status_code == status
    for name in ("btcpay", "sandbox", "other", "..", "x" * 33):
        assert (await shop.send(signed, to=name)).status_code in (404, 405, 422), name
    await shop.work("payment_callbacks")

    assert await shop.credits() == 0
    assert await kept(shop.context) == 0


Lie = Callable[[Json], dict[str, Any]]

LIES: dict[str, Lie] = {
    "another order": lambda pay: {"order_id": "inv_bbbbbbbbbbbbbbbb"},
    "no order": lambda pay: {"order_id": None},
    "an order of another case": lambda pay: {"order_id": pay["order_id"].upper()},
    "another invoice": lambda pay: {"invoice_id": 4_999_999_999},
    "a lower price": lambda pay: {"price_amount": 1},
    "a higher price": lambda pay: {"price_amount": 1000},
    "a price that is nearly right": lambda pay: {"price_amount": 9.999999999},
    "a price in text that is another": lambda pay: {"price_amount": "10.01"},
    "a negative price": lambda pay: {"price_amount": -10},
    "no price": lambda pay: {"price_amount": None},
    "a price that is a word": lambda pay: {"price_amount": "ten"},
    "a true price": lambda pay: {"price_amount": True},
    "another currency": lambda pay: {"price_currency": "eur"},
    "a coin as currency": lambda pay: {"price_currency": "trx"},
    "no currency": lambda pay: {"price_currency": None},
    "another payment": lambda pay: {"payment_id": 1},
    "no payment": lambda pay: {"payment_id": None},
    "a status of another case": lambda pay: {"payment_status": "FINISHED"},
    "an unknown status": lambda pay: {"payment_status": "paid"},
    "a status that is a list": lambda pay: {"payment_status": ["finished"]},
    "no status": lambda pay: {"payment_status": None},
    "waiting": lambda pay: {"payment_status": "waiting"},
    "confirmed": lambda pay: {"payment_status": "confirmed"},
    "sending": lambda pay: {"payment_status": "sending"},
    "partial": lambda pay: {"payment_status": "partially_paid"},
    "refunded": lambda pay: {"payment_status": "refunded"},
    "hardly anything paid": lambda pay: {"actually_paid": 0.0001},
    "nothing paid": lambda pay: {"actually_paid": 0},
    "a negative payment": lambda pay: {"actually_paid": -572.5},
    "a payment that is a word": lambda pay: {"actually_paid": "much"},
    "a later deposit": lambda pay: {"parent_payment_id": 4_111_111_111},
}
"""What the provider answers when it is asked, though its notification was 'finished'."""


@pytest.mark.parametrize("provider_name", ["nowpayments"])
@pytest.mark.parametrize("has_login", [False])
async def test_a_signed_notification_that_the_provider_contradicts_buys_nothing(
    shop: Shop, nowpayments: FakeNowPayments
) -> None:
    for name, lie in LIES.items():
        bought = await shop.buy()
        await shop.till.pay(bought)
        payment = nowpayments.last_payment(bought)
        notification = nowpayments.signed(dict(payment))
        payment |= lie(payment)

        assert (await shop.send(notification)).status_code == 200, name
        await shop.work("payment_callbacks")

        assert await shop.credits() == 0, name
    await shop.check_books()


@pytest.mark.parametrize("provider_name", ["nowpayments"])
@pytest.mark.parametrize("has_login", [False])
async def test_one_payment_does_not_pay_two_invoices(
    context: Context, shop: Shop, nowpayments: FakeNowPayments
) -> None:
    """A provider whose answer moves with the notification, or whoever can make it so."""
    first, second = await shop.buy(), await shop.buy()
    await shop.till.pay(first)
    payment = nowpayments.last_payment(first)
    await shop.news(first)
    assert await shop.credits() == 10

    payment |= {"invoice_id": int(second), "order_id": nowpayments.invoices[second]["order_id"]}
    await shop.send(nowpayments.signed(dict(payment)))
    await shop.work("payment_callbacks")

    assert await shop.purchases() == [10]
    await shop.check_books()


@pytest.mark.parametrize("provider_name", ["btcpay"])
async def test_a_paid_invoice_of_a_stranger_credits_the_stranger(context: Context, shop: Shop) -> None:
    stranger = await create_logged_in(context, email="stranger@example.com")
    theirs = await shop.client.post("/api/payments/create-invoice", headers=stranger.headers, json={"months": 7})
    await shop.buy(10)
    bought = shop.provider_id(theirs.json()["invoice"]["url"])
    await shop.till.pay(bought)

    await shop.news(bought)

    assert await shop.credits() == 0
    assert (await shop.client.get("/api/user/me", headers=stranger.headers)).json()["credits"] == 7


@pytest.mark.parametrize("provider_name", ["btcpay"])
async def test_an_invoice_that_the_store_made_for_something_else_buys_nothing(shop: Shop, btcpay: FakeBtcPay) -> None:
    """The store may sell other things too."""
    bought = await shop.buy()
    shirt = {**btcpay.invoices[bought], "id": "another", "metadata": {"orderId": "shirt-1"}, "status": "Settled"}
    btcpay.invoices["another"] = shirt

    oddities: list[Any] = [{"orderId": "shirt-1"}, {}, None, [], "inv"]
    for metadata in oddities:
        btcpay.invoices["another"]["metadata"] = metadata
        await shop.send(btcpay.signed({"storeId": btcpay.store_id, "type": "InvoiceSettled", "invoiceId": "another"}))
    lies: list[dict[str, Any]] = [
        {"metadata": {"orderId": "shirt-1"}},
        {"metadata": None},
        {"metadata": []},
        {"amount": "1.00"},
        {"amount": None},
        {"currency": "EUR"},
        {"currency": "BTC"},
        {"id": "another"},
        {"status": "settled"},
        {"status": "Processing"},
    ]
    for changes in lies:
        before = dict(btcpay.invoices[bought])
        btcpay.invoices[bought] |= {"status": "Settled", **changes}
        await shop.news(bought)
        btcpay.invoices[bought] = before
        assert await shop.credits() == 0, changes

    await shop.check_books()


@pytest.mark.parametrize("provider_name", ["btcpay"])
async def test_signed_notifications_of_odd_shape_are_taken_and_change_nothing(shop: Shop, btcpay: FakeBtcPay) -> None:
    for payload in (
        {},
        {"storeId": btcpay.store_id},
        {"storeId": btcpay.store_id, "invoiceId": None},
        {"storeId": btcpay.store_id, "invoiceId": ["x"]},
        {"storeId": btcpay.store_id, "invoiceId": {"$ne": ""}},
        {"storeId": btcpay.store_id, "invoiceId": True},
        {"storeId": btcpay.store_id, "invoiceId": "x" * 5_000},
        {"storeId": btcpay.store_id, "invoiceId": "__test__4a0d", "type": "InvoiceSettled"},
        {"storeId": btcpay.store_id, "invoiceId": "../../other/invoices/1"},
    ):
        assert (await shop.send(btcpay.signed(payload))).status_code == 200, payload
    await shop.work()

    assert await shop.credits() == 0
    assert btcpay.calls == []
