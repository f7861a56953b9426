"""Buying credits, from the button to the ledger, with each provider."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import quote

import httpx2
import pytest
import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import JSONResponse

from livery.app import create_app
from livery.billing import jobs
from livery.core import limits
from livery.core.context import Context
from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.settings import Settings
from tests.billing.purchases.conftest import EXTERNAL, PROVIDERS, Shop
from tests.factories.accounts import PASSWORD, create_logged_in
from tests.factories.billing import give_credits
from tests.support.clock import Clock
from tests.support.mails import Mails
from tests.support.payment_servers import FakeBtcPay, FakeNowPayments
from tests.support.tier import amount

# The protocol of a provider has no SQL. The sandbox has tables of its own.
ON_POSTGRESQL = {"nowpayments": [pytest.mark.deep_on("postgresql")]}


@pytest.fixture(params=[pytest.param(name, marks=ON_POSTGRESQL.get(name, [])) for name in PROVIDERS])
def provider_name(request: pytest.FixtureRequest) -> str:
    return request.param


only_one_provider = pytest.mark.parametrize("provider_name", ["btcpay"], indirect=True)


async def test_an_invoice_has_an_address_an_amount_and_an_end(shop: Shop) -> None:
    response = await shop.order(25)

    assert response.status_code == 201
    invoice = response.json()["invoice"]
    assert invoice["_id"].startswith("inv_")
    assert invoice["url"].startswith("http")
    assert (invoice["credits"], invoice["amount"], invoice["currency"]) == (25, "25.00", "USD")
    assert (invoice["status"], invoice["overpaid"], invoice["creditedAt"]) == ("waiting", None, None)
    assert invoice["expiresAt"].endswith("Z")
    assert await shop.invoices() == [invoice]


async def test_an_invoice_and_its_payment_are_in_the_buyers_audit_log(shop: Shop) -> None:
    bought = await shop.buy(25)
    await shop.till.pay(bought)
    await shop.news(bought)
    await shop.news(bought)

    answer = await shop.client.get("/api/user/audit", headers=shop.person.headers)

    paid, made, registered = answer.json()
    assert registered["code"] == "accounts.registered"
    assert (made["code"], made["action"], made["address"]) == (
        "billing.invoice_made",
        "Opened an invoice for 25 credits",
        "127.0.0.1",
    )
    assert made["after"]["price"] == "25.00 USD"
    assert (paid["code"], paid["address"], paid["before"]) == ("billing.invoice_paid", None, {"credits": 0})
    assert (paid["after"]["credits"], paid["after"]["invoice"]) == (25, made["after"]["invoice"])


async def test_credits_arrive_once_the_payment_is_confirmed(shop: Shop, mails: Mails) -> None:
    heard: list[tuple[str, str | None]] = []
    shop.context.bus.subscribe(lambda topic, subject: heard.append((topic, subject)))
    bought = await shop.buy(25)
    assert await shop.credits() == 0

    await shop.till.pay(bought)
    assert await shop.credits() == 0
    await shop.news(bought)

    assert await shop.credits() == 25
    invoice = await shop.invoice()
    assert (invoice["status"], invoice["overpaid"]) == ("paid", None)
    assert invoice["creditedAt"]
    assert ("credits", shop.person.actor.id) in heard
    receipt = await mails.last(to=shop.person.actor.email, kind="credits_arrived")
    assert receipt.subject == "Your 25 credits arrived"
    for text in (receipt.text, receipt.html):
        assert all(word in text for word in ("25 credits", "25.00 USD", invoice["_id"], "Mara"))
    assert receipt.link.endswith(f"/settings#email={quote(receipt.to)}")
    await shop.check_books()


async def test_a_notification_alone_buys_nothing(shop: Shop) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought, 40)

    await shop.news(bought)

    assert await shop.credits() == 0
    assert (await shop.invoice())["status"] == "partially_paid"


async def test_an_overpayment_is_noted_and_buys_nothing(shop: Shop) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought, 125)

    await shop.news(bought)

    assert await shop.credits() == 10
    assert (await shop.invoice())["overpaid"] in ("2.5 USD", "143.125 TRX")


async def test_a_second_payment_is_noted_and_buys_nothing(shop: Shop) -> None:
    bought = await shop.buy()
    for _ in range(2):
        await shop.till.pay(bought)
        await shop.news(bought)

    assert await shop.credits() == 10
    assert (await shop.invoice())["overpaid"] in ("10 USD", "572.5 TRX")
    await shop.check_books()


async def test_a_payment_after_the_end_still_counts(shop: Shop) -> None:
    bought = await shop.buy()
    await shop.till.expire(bought)
    await shop.news(bought)
    assert (await shop.invoice())["status"] == "expired"

    await shop.till.pay(bought)
    await shop.news(bought)

    assert await shop.credits() == 10
    assert (await shop.invoice())["status"] == "paid"


@only_one_provider
async def test_many_copies_of_a_notification_buy_once(shop: Shop, mails: Mails) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    notification = await shop.till.notification(bought)

    for _ in range(amount(main=4, deep=50)):
        answers = await asyncio.gather(*(shop.send(notification) for _ in range(20)))
        assert {answer.status_code for answer in answers} == {200}
        await shop.work()

    assert await shop.purchases() == [10]
    assert len(await mails.sent(kind="credits_arrived")) == 1
    await shop.check_books()


async def test_many_notifications_at_once_buy_once(shop: Shop, mails: Mails) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    notifications = [await shop.till.notification(bought) for _ in range(amount(main=40, deep=100))]

    await asyncio.gather(*(shop.send(notification) for notification in notifications), *(shop.work() for _ in range(5)))
    await asyncio.gather(*(shop.work() for _ in range(5)))

    assert await shop.purchases() == [10]
    assert await shop.credits() == 10
    assert len(await mails.sent(kind="credits_arrived")) == 1
    await shop.check_books()


class BusyDatabase(Database):
    """Has no room for the second write."""

    writes = 0

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        self.writes += 1
        if self.writes == 2:
            raise Unavailable("The database is busy.")
        async with super().write() as db:
            yield db


@only_one_provider
async def test_an_answer_that_the_database_has_no_room_for_is_asked_for_again(shop: Shop, clock: Clock) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    await shop.send(await shop.till.notification(bought))
    database = BusyDatabase(shop.database.url)
    sweeps = jobs.sweeps(replace(shop.context, database=database))

    with structlog.testing.capture_logs() as logs:
        await next(sweep for sweep in sweeps if sweep.name == "payment_callbacks").run()
    await database.close()

    assert [(line["event"], line["log_level"]) for line in logs] == [("invoice_put_off", "warning")]
    assert await shop.credits() == 0
    clock.advance(hours=1)
    await shop.work()
    assert await shop.credits() == 10
    await shop.check_books()


async def test_a_payment_whose_notification_was_lost_is_found(shop: Shop, clock: Clock) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    await shop.work("invoice_checks")
    assert await shop.credits() == 0

    clock.advance(minutes=2)
    await shop.work("invoice_checks")

    assert await shop.credits() == 10
    await shop.check_books()


@pytest.mark.parametrize("provider_name", EXTERNAL, indirect=True)
async def test_an_invoice_that_nobody_pays_is_given_up_after_two_weeks(
    shop: Shop, nowpayments: FakeNowPayments, btcpay: FakeBtcPay, clock: Clock
) -> None:
    await shop.buy()

    for _ in range(16):
        clock.advance(days=1)
        await shop.work()

    assert (await shop.invoice())["status"] == "expired"
    nowpayments.calls.clear()
    btcpay.calls.clear()
    clock.advance(days=1)
    await shop.work()
    assert (nowpayments.calls, btcpay.calls) == ([], [])


@only_one_provider
async def test_less_than_one_credit_is_refused_in_the_words_of_the_form(shop: Shop) -> None:
    message = "Please enter a valid number of credits (minimum 1)."

    for too_few in (0, -1, -(10**30)):
        response = await shop.order(too_few)

        assert response.status_code == 422, too_few
        assert response.json() == {"message": message, "code": "invalid_credits", "fields": {"months": message}}
    assert await shop.invoices() == []


NO_NUMBERS: list[object] = [limits.CREDITS_AT_ONCE + 1, 10**30, True, False, "10", 1.0, 1.5, None, [], [10], {}]


@only_one_provider
async def test_an_invalid_number_of_credits_is_refused(shop: Shop) -> None:
    answers = [(value, await shop.order(value)) for value in NO_NUMBERS]

    assert [value for value, answer in answers if answer.status_code != 422] == []
    assert [value for value, answer in answers if set(answer.json()["fields"]) != {"months"}] == []
    assert await shop.invoices() == []


@only_one_provider
async def test_the_least_and_the_most_can_be_bought(shop: Shop) -> None:
    for number, price in ((1, "1.00"), (limits.CREDITS_AT_ONCE, "100000.00")):
        bought = await shop.buy(number)
        assert (await shop.invoice())["amount"] == price
        await shop.till.pay(bought)
        await shop.news(bought)

    assert await shop.credits() == limits.CREDITS_AT_ONCE + 1


@only_one_provider
async def test_the_same_request_twice_is_one_invoice(shop: Shop) -> None:
    answers = [await shop.order(10, key="try-1") for _ in range(3)]
    parallel = await asyncio.gather(*(shop.order(10, key="try-2") for _ in range(10)))

    assert {answer.status_code for answer in (*answers, *parallel)} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert len({answer.text for answer in parallel}) == 1
    assert len(await shop.invoices()) == 2


@only_one_provider
async def test_a_key_that_comes_back_for_another_amount_is_refused(shop: Shop) -> None:
    await shop.order(10, key="try-1")

    response = await shop.order(11, key="try-1")

    assert (response.status_code, response.json()["code"]) == (409, "idempotency_key_reused")
    assert len(await shop.invoices()) == 1


@only_one_provider
async def test_keys_of_two_people_are_two_invoices(context: Context, shop: Shop) -> None:
    await shop.order(10, key="try-1")
    other = await create_logged_in(context, email="other@example.com")

    response = await shop.client.post(
        "/api/payments/create-invoice", headers={**other.headers, "Idempotency-Key": "try-1"}, json={"months": 7}
    )

    assert response.status_code == 201
    theirs = (await shop.client.get("/api/payments/invoices", headers=other.headers)).json()["invoices"]
    assert [invoice["credits"] for invoice in theirs] == [7]
    assert [invoice["credits"] for invoice in await shop.invoices()] == [10]


async def test_an_order_while_the_provider_is_down_is_503_and_changes_nothing(shop: Shop) -> None:
    gone = shop.context.settings.model_copy(
        update={"nowpayments_base_url": "http://127.0.0.1:1", "btcpay_url": "http://127.0.0.1:1", "port": 1}
    )
    app = create_app(gone)
    transport = httpx2.ASGITransport(app=app)
    async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://testserver") as client:
        response = await client.post(
            "/api/payments/create-invoice",
            headers={**shop.person.headers, "Idempotency-Key": "try-1"},
            json={"months": 10},
        )

    assert (response.status_code, response.json()["code"]) == (503, "payment_provider_unavailable")
    assert "payment provider" in response.json()["message"]
    assert await shop.invoices() == []
    assert (await shop.order(10, key="try-1")).status_code == 201


@only_one_provider
async def test_a_provider_that_is_down_when_asked_is_asked_again(shop: Shop, btcpay: FakeBtcPay, clock: Clock) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    btcpay.answers = [JSONResponse({"message": "out of order"}, 502) for _ in range(2)]

    await shop.news(bought)
    assert await shop.credits() == 0
    clock.advance(seconds=5)
    await shop.work()
    assert await shop.credits() == 0
    clock.advance(seconds=30)
    await shop.work()

    assert await shop.credits() == 10


@pytest.mark.parametrize("settings_overrides", [{"port": 1}])  # nobody answers there
async def test_a_person_can_not_ask_a_provider_without_end(context: Context, client: httpx2.AsyncClient) -> None:
    person = await create_logged_in(context)
    body = {"months": 10}

    statuses = [
        (await client.post("/api/payments/create-invoice", headers=person.headers, json=body)).status_code
        for _ in range(31)
    ]

    assert statuses[-1] == 429
    assert 429 not in statuses[:30]


@only_one_provider
async def test_invoices_and_entries_come_in_pages_newest_first(shop: Shop) -> None:
    for number in range(1, 6):
        bought = await shop.buy(number)
        await shop.till.pay(bought)
        await shop.news(bought)

    assert await pages(shop, "invoices", "credits") == [[5, 4], [3, 2], [1]]
    assert await pages(shop, "credits", "amount", named="entries") == [[5, 4], [3, 2], [1]]
    entry = (await shop.client.get("/api/payments/credits?limit=1", headers=shop.person.headers)).json()["entries"][0]
    names = {"projectId", "projectName", "tierName"}
    assert set(entry) == {"_id", "kind", "amount", "balanceAfter", "months", "createdAt", *names}
    assert (entry["kind"], entry["balanceAfter"]) == ("purchase", 15)
    assert {entry[name] for name in names} == {None}


@only_one_provider
async def test_a_paid_purchase_has_a_receipt_for_its_buyer(context: Context, shop: Shop) -> None:
    bought = await shop.buy(7)
    waiting = await shop.invoice()
    url = f"/api/payments/invoices/{waiting['_id']}/receipt"
    assert (await shop.client.get(url, headers=shop.person.headers)).status_code == 404
    await shop.till.pay(bought)
    await shop.news(bought)

    receipt = (await shop.client.get(url, headers=shop.person.headers)).json()

    paid = await shop.invoice()
    assert receipt == {
        "number": paid["_id"],
        "buyerName": shop.person.actor.name,
        "buyerEmail": shop.person.actor.email,
        "credits": 7,
        "amount": "7.00",
        "currency": "USD",
        "provider": shop.provider_name,
        "providerReference": bought,
        "orderedAt": paid["createdAt"],
        "paidAt": paid["creditedAt"],
    }
    other = await create_logged_in(context, email="other@example.com")
    assert (await shop.client.get(url, headers=other.headers)).status_code == 404


async def pages(shop: Shop, path: str, field: str, *, named: str = "") -> list[list[int]]:
    """A list, read two at a time."""
    found: list[list[int]] = []
    cursor = ""
    while True:
        url = f"/api/payments/{path}?limit=2" + (f"&cursor={cursor}" if cursor else "")
        body = (await shop.client.get(url, headers=shop.person.headers)).json()
        found.append([row[field] for row in body[named or path]])
        cursor = body["nextCursor"]
        if cursor is None:
            return found


@only_one_provider
async def test_nobody_sees_what_another_bought_or_spent(context: Context, shop: Shop) -> None:
    await shop.order(10)
    await give_credits(shop.database, shop.person.actor.id, 5)
    mine = (await shop.invoice())["_id"]
    other = await create_logged_in(context, email="other@example.com")

    for path in ("invoices", f"invoices?cursor={mine}", "credits", "credits?cursor=999999"):
        body = (await shop.client.get(f"/api/payments/{path}", headers=other.headers)).json()
        assert [body.get("invoices"), body.get("entries")] in ([[], None], [None, []])


@only_one_provider
async def test_a_closed_account_gets_no_receipt_and_no_error(shop: Shop, mails: Mails) -> None:
    bought = await shop.buy()
    closed = await shop.client.request(
        "DELETE", "/api/user/me", headers=shop.person.headers, json={"password": PASSWORD}
    )
    assert closed.status_code == 200
    await shop.till.pay(bought)
    await shop.news(bought)

    assert await mails.sent(kind="credits_arrived") == []
    await shop.check_books()


@only_one_provider
async def test_money_for_an_invoice_of_the_provider_before_still_arrives(shop: Shop) -> None:
    bought = await shop.buy()
    await shop.till.pay(bought)
    now = {"payments": "nowpayments", "nowpayments_api_key": "k", "nowpayments_ipn_secret": "s"}
    merged = Settings(**{**shop.context.settings.model_dump(), **now})  # pyright: ignore[reportArgumentType]  # pydantic checks them
    app = create_app(merged)
    transport = httpx2.ASGITransport(app=app)
    body, headers = await shop.till.notification(bought)
    async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://testserver") as client:
        answer = await client.post("/api/payments/webhooks/btcpay", content=body, headers=headers)
        for sweep in jobs.sweeps(app.context):
            await sweep.run()

    assert answer.status_code == 200
    assert await shop.credits() == 10
