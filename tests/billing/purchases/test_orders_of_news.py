"""News come twice, late and in any order; in the end the ledger has what was confirmed, once."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from livery.core.context import Context
from tests.billing.purchases.conftest import Shop
from tests.factories.projects import create_project
from tests.support.clock import Clock
from tests.support.payment_servers import FakeBtcPay, FakeNowPayments
from tests.support.tier import amount

ONE_FOR_ALL = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
NOWPAYMENTS = [
    "waiting",
    "confirming",
    "confirmed",
    "sending",
    "partially_paid",
    "finished",
    "failed",
    "refunded",
    "expired",
]
SHOWN = {"waiting": 0, "confirming": 1, "expired": 2, "failed": 3, "partially_paid": 4, "paid": 5}


@pytest.mark.parametrize("provider_name", ["nowpayments"])
@pytest.mark.parametrize("has_login", [False])
@settings(max_examples=amount(main=8, deep=60), deadline=None, suppress_health_check=ONE_FOR_ALL)
@given(sequence=st.lists(st.sampled_from(NOWPAYMENTS), min_size=1, max_size=8))
async def test_any_sequence_of_statuses_credits_once_if_the_payment_was_finished(
    shop: Shop, nowpayments: FakeNowPayments, sequence: list[str]
) -> None:
    """The provider itself goes back and forth here, which is worse than notifications that overtake each other."""
    before = len(await shop.purchases())
    bought = await shop.buy(3)
    payment = nowpayments.payment(bought, paid=3 * 57.25)
    highest = "waiting"

    for status in sequence:
        payment["payment_status"] = status
        await shop.news(bought)
        shown = (await shop.invoice())["status"]
        assert SHOWN[shown] >= SHOWN[highest], "a status went back"
        highest = shown

    assert len(await shop.purchases()) - before == ("finished" in sequence)
    assert (highest == "paid") is ("finished" in sequence)


@pytest.mark.parametrize("provider_name", ["nowpayments"])
@pytest.mark.parametrize("has_login", [False])
@settings(max_examples=amount(main=5, deep=40), deadline=None, suppress_health_check=ONE_FOR_ALL)
@given(order=st.permutations(range(5)), copies=st.lists(st.integers(0, 4), max_size=4))
async def test_notifications_that_overtake_each_other_end_in_the_same_ledger_and_status(
    shop: Shop, nowpayments: FakeNowPayments, order: list[int], copies: list[int]
) -> None:
    life = ["waiting", "confirming", "confirmed", "sending", "finished"]
    before = len(await shop.purchases())
    bought = await shop.buy(3)
    payment = nowpayments.payment(bought, paid=3 * 57.25)
    written = [nowpayments.signed({**payment, "payment_status": status}) for status in life]
    payment["payment_status"] = "finished"

    for number in (*copies, *order, *copies):
        assert (await shop.send(written[number])).status_code == 200
        await shop.work("payment_callbacks")

    assert len(await shop.purchases()) - before == 1
    assert (await shop.invoice())["status"] == "paid"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["buy", "buy", "pay", "pay", "pay less", "replay", "activate", "renew", "expire", "check", "hours"]
        ),
        st.integers(0, 3),
    ),
    min_size=4,
    max_size=16,
)


@settings(max_examples=amount(main=6, deep=40), deadline=None, suppress_health_check=ONE_FOR_ALL)
@given(steps=STEPS)
async def test_any_life_of_a_buyer_keeps_the_books_right(
    context: Context, shop: Shop, btcpay: FakeBtcPay, clock: Clock, steps: list[tuple[str, int]]
) -> None:
    project_id = await create_project(context, shop.person.actor, name=f"P{clock.moment.timestamp()}", tier="none")
    bought: list[str] = []
    sent: list[Any] = []

    for step, number in steps:
        target = bought[number % len(bought)] if bought else None
        match step:
            case "buy":
                bought.append(await shop.buy((5, 19, 38, 69)[number]))
            case "pay" | "pay less" if target:
                await shop.till.pay(target, 100 if step == "pay" else 40)
                sent.append(await shop.till.notification(target))
                if number:  # now and then the notification is lost
                    await shop.send(sent[-1])
            case "replay" if sent:
                await shop.send(sent[number % len(sent)])
            case "expire" if target and btcpay.invoices[target]["status"] == "New":
                await shop.till.expire(target)
                await shop.notify(target)
            case "activate" | "renew":
                body = {"projectId": project_id, "tierId": "starter", "months": 1}
                headers = {**shop.person.headers, "Idempotency-Key": f"{project_id}-{number}"}
                answer = await shop.client.post("/api/projects/assign-credits", headers=headers, json=body)
                assert answer.status_code in (200, 402)
            case "hours":
                clock.advance(hours=number * 6)
            case _:
                clock.advance(minutes=3)
        await shop.work()

    clock.advance(hours=4)  # what no notification reported is asked for
    await shop.work()
    response = await shop.client.get("/api/payments/invoices?limit=100", headers=shop.person.headers)
    listed = {shop.provider_id(invoice["url"]): invoice["status"] for invoice in response.json()["invoices"]}
    for invoice_id in bought:
        assert (listed[invoice_id] == "paid") is (btcpay.invoices[invoice_id]["status"] == "Settled")
    await shop.check_books()
