"""The sandbox: its page, what each button does to the buyer, its API, and where it refuses to run."""

import re
from pathlib import Path

import httpx2
import pytest

from livery.app import create_app
from livery.billing.providers.choice import check_payments
from livery.core.settings import Settings, SettingsError
from tests.billing.purchases.conftest import SandboxTill, Shop
from tests.support.clock import Clock
from tests.support.server_process import run_command, server_environment


@pytest.fixture
def provider_name() -> str:
    return "sandbox"


async def press(shop: Shop, bought: str, *buttons: str) -> None:
    """Presses buttons of an invoice's page; the sandbox then sends its notifications, and the server acts on them."""
    assert isinstance(shop.till, SandboxTill)
    for button in buttons:
        assert (await shop.till.press(bought, button)).status_code == 303
        await shop.work()


@pytest.mark.parametrize(
    ("buttons", "credits_then", "status", "overpaid"),
    [
        (["pay"], 10, "paid", None),
        (["pay-less"], 0, "partially_paid", None),
        (["pay-less", "pay"], 10, "paid", None),
        (["pay-less", "pay-less", "pay-less"], 10, "paid", "2 USD"),
        (["pay-more"], 10, "paid", "2.5 USD"),
        (["pay-twice"], 10, "paid", "10 USD"),
        (["pay", "pay"], 10, "paid", "10 USD"),
        (["expire"], 0, "expired", None),
        (["expire", "pay"], 10, "paid", None),
        (["expire", "pay-less"], 0, "partially_paid", None),
        (["notify-again"], 0, "waiting", None),
        (["pay", "notify-again", "notify-again"], 10, "paid", None),
        (["pay", "expire"], 10, "paid", None),
    ],
)
async def test_each_button_has_the_effect_of_its_name(
    shop: Shop, buttons: list[str], credits_then: int, status: str, overpaid: str | None
) -> None:
    bought = await shop.buy()

    await press(shop, bought, *buttons)

    invoice = await shop.invoice()
    assert (await shop.credits(), invoice["status"], invoice["overpaid"]) == (credits_then, status, overpaid)
    await shop.check_books()


async def test_a_late_notification_comes_after_its_time(shop: Shop, clock: Clock) -> None:
    bought = await shop.buy()

    await press(shop, bought, "pay-and-notify-later")
    assert await shop.credits() == 0
    clock.advance(seconds=29)
    await shop.work()
    assert await shop.credits() == 0
    clock.advance(seconds=1)
    await shop.work()

    assert await shop.credits() == 10


async def test_the_page_is_plain_and_safe_and_leads_back(shop: Shop) -> None:
    bought = await shop.buy()

    page = await shop.client.get(f"/sandbox-pay/{bought}")

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-store"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "form-action 'self'" in policy
    (nonce,) = re.findall(r"style-src 'self' 'nonce-([\w-]{22})'", policy)
    assert page.text.count("<style") == page.text.count(f'<style nonce="{nonce}">') == 1
    assert "<script" not in page.text
    assert "10.00 USD" in page.text
    assert "Waiting for payment" in page.text
    assert f'href="{shop.context.settings.base_url}/dashboard?upgraded=true"' in page.text
    for label in (
        "Pay less",
        "Pay more",
        "Pay twice",
        "Let it expire",
        "Send the notification again",
        "Pay, notify later",
    ):
        assert label in page.text


async def test_the_page_shows_what_was_paid_and_sent(shop: Shop) -> None:
    bought = await shop.buy()
    await press(shop, bought, "pay-less")

    page = (await shop.client.get(f"/sandbox-pay/{bought}")).text

    assert "Partially paid" in page
    assert "Paid so far: 4.00 USD" in page
    assert "Pay 6.00 USD" in page
    assert "Sent, answered 200" in page


async def test_an_unknown_invoice_or_button_is_not_there(shop: Shop) -> None:
    bought = await shop.buy()

    for method, path in (
        ("GET", "/sandbox-pay/sbx_unknown"),
        ("POST", "/sandbox-pay/sbx_unknown/pay"),
        ("POST", f"/sandbox-pay/{bought}/refund"),
        ("POST", f"/sandbox-pay/{bought}/__class__"),
    ):
        assert (await shop.client.request(method, path)).status_code == 404, path


async def test_an_invoice_can_be_paid_often_but_not_without_end(shop: Shop) -> None:
    bought = await shop.buy()
    assert isinstance(shop.till, SandboxTill)

    answers = [(await shop.till.press(bought, "pay")).status_code for _ in range(22)]
    notified = [(await shop.till.press(bought, "notify-again")).status_code for _ in range(90)]

    assert answers == [303] * 20 + [409] * 2
    assert set(notified) == {303, 409}


async def test_its_api_opens_with_this_servers_key_alone(shop: Shop) -> None:
    bought = await shop.buy()
    api = "/sandbox-pay/api/v1/invoices"

    for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer x"}, shop.person.headers):
        order = {"orderId": "inv_x", "price": "1.00", "currency": "USD"}
        assert (await shop.client.post(api, headers=headers, json=order)).status_code == 401
        assert (await shop.client.get(f"{api}/{bought}", headers=headers)).status_code == 401


async def test_a_notification_that_is_not_taken_comes_again(shop: Shop, clock: Clock) -> None:
    bought = await shop.buy()
    assert isinstance(shop.till, SandboxTill)
    await shop.till.press(bought, "pay")
    gone = create_app(shop.context.settings.model_copy(update={"port": 1}))
    other = Shop(gone.context, shop.client, shop.person, "sandbox", shop.till)
    async with gone.running():
        await other.work("sandbox_notifications")
    assert "last answer: ConnectError" in (await shop.client.get(f"/sandbox-pay/{bought}")).text

    clock.advance(seconds=5)
    await shop.work()

    assert await shop.credits() == 10


ELSEWHERE: dict[str, object] = {
    "payments": "btcpay",
    "btcpay_url": "http://127.0.0.1:1",
    "btcpay_api_key": "k",
    "btcpay_store_id": "s",
    "btcpay_webhook_secret": "w",
}


@pytest.mark.parametrize("settings_overrides", [ELSEWHERE])
async def test_where_another_provider_sells_the_sandbox_is_not_there(client: httpx2.AsyncClient) -> None:
    assert "plays the payment provider" not in (await client.get("/sandbox-pay/sbx_x")).text
    assert (await client.post("/sandbox-pay/sbx_x/pay")).status_code in (404, 405)
    assert (await client.post("/sandbox-pay/api/v1/invoices", json={})).status_code in (404, 405)
    assert (await client.post("/api/payments/webhooks/sandbox", json={"invoiceId": "x"})).status_code == 404


PUBLIC = [
    "https://livery.example.com",
    "https://example.org:8443",
    "http://8.8.8.8",
    "https://[2606:4700::1]/x",
    "https://a.b",
]
PRIVATE = [
    "", "http://localhost:8000", "http://127.0.0.1", "http://[::1]:1", "http://192.168.1.7", "http://10.0.0.1:8000", "http://livery",
    "http://dev.localhost", "http://nas.local", "https://shop.test", "http://app.internal",
]  # fmt: skip


@pytest.mark.parametrize("url", PUBLIC)
def test_it_refuses_to_give_credits_away_at_a_public_address(url: str) -> None:
    with pytest.raises(SettingsError, match=r"LIVERY_PUBLIC_URL.*LIVERY_SANDBOX_PUBLIC"):
        check_payments(Settings(public_url=url))

    check_payments(Settings(public_url=url, sandbox_public=True))
    check_payments(Settings(public_url=url, billing="off"))


@pytest.mark.parametrize("url", PRIVATE)
def test_it_runs_where_only_the_house_reaches_it(url: str) -> None:
    check_payments(Settings(public_url=url))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"payments": "nowpayments"},
            "LIVERY_PAYMENTS=nowpayments needs LIVERY_NOWPAYMENTS_API_KEY and LIVERY_NOWPAYMENTS_IPN_SECRET.",
        ),
        (
            {
                "payments": "btcpay",
                "btcpay_url": "https://pay.example.com",
                "btcpay_api_key": "k",
                "btcpay_store_id": "s",
            },
            "LIVERY_PAYMENTS=btcpay needs LIVERY_BTCPAY_WEBHOOK_SECRET.",
        ),
        ({"public_url": "https://livery.example.com"}, "The payment sandbox gives credits away"),
    ],
)
def test_a_provider_whose_keys_are_missing_is_refused_by_name(settings: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        check_payments(Settings(**settings))  # pyright: ignore[reportArgumentType]  # pydantic checks them

    assert str(refused.value).startswith(sentence)


def test_a_server_without_a_payment_secret_does_not_start_and_names_the_setting(tmp_path: Path) -> None:
    environment = server_environment(tmp_path / "data", payments="nowpayments", nowpayments_api_key="k")

    result = run_command(environment, "serve", "--port", "0")

    assert (result.returncode, result.stderr) == (
        1,
        "LIVERY_PAYMENTS=nowpayments needs LIVERY_NOWPAYMENTS_IPN_SECRET.\n",
    )
    assert not (tmp_path / "data" / "livery.db").exists()


@pytest.mark.parametrize("settings_overrides", [{"billing": "off"}])
async def test_with_billing_off_nothing_is_sold(shop_of_nothing: Shop) -> None:
    for method, path, body in (
        ("POST", "/api/payments/create-invoice", {"months": 10}),
        ("POST", "/api/payments/webhooks/sandbox", {"invoiceId": "x"}),
    ):
        answer = await shop_of_nothing.client.request(method, path, headers=shop_of_nothing.person.headers, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "billing_off")
    assert await shop_of_nothing.invoices() == []
    await shop_of_nothing.work()
