"""The contract of payment providers, on all three: the sandbox by its own HTTP API, the others by servers that speak as they document."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from livery.billing.providers.btcpay import BtcPay
from livery.billing.providers.choice import open_providers
from livery.billing.providers.port import (
    BadSignature,
    Claim,
    OpenedInvoice,
    Order,
    PaymentProvider,
    ProviderDown,
    Question,
)
from livery.core import clock
from livery.core.settings import Settings
from tests.billing.purchases.conftest import EXTERNAL, PROVIDERS, Shop
from tests.support.payment_servers import FakeBtcPay, FakeNowPayments

pytestmark = pytest.mark.deep_on("postgresql")  # what is sent to a provider and by it does not depend on the database
ORDER = Order("inv_aaaaaaaaaaaaaaaa", 10, Decimal("10.00"), "USD")


@pytest.fixture(params=PROVIDERS)
def provider_name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def provider(shop: Shop) -> PaymentProvider:
    providers = open_providers(shop.context.settings)
    assert providers
    return providers.current


async def ask(provider: PaymentProvider, opened: OpenedInvoice) -> tuple[Claim, ...]:
    question = Question(ORDER.invoice_id, opened.provider_invoice_id, (), clock.now() - timedelta(minutes=1))
    return await provider.ask(question)


async def test_a_provider_has_the_name_of_its_setting(provider: PaymentProvider, provider_name: str) -> None:
    assert provider.name == provider_name


async def test_an_invoice_has_an_id_an_address_and_an_end(shop: Shop, provider: PaymentProvider) -> None:
    opened = await provider.open_invoice(ORDER)

    assert opened.provider_invoice_id == shop.provider_id(opened.url)
    assert opened.url.startswith(("http://", "https://"))
    assert opened.expires_at.tzinfo is not None


async def test_nothing_is_claimed_before_a_payment(provider: PaymentProvider) -> None:
    opened = await provider.open_invoice(ORDER)

    assert [claim.status for claim in await ask(provider, opened)] in ([], ["waiting"])


@pytest.mark.parametrize(
    ("percent", "status", "has_surplus"), [(100, "paid", False), (40, "partially_paid", False), (125, "paid", True)]
)
async def test_a_payment_is_claimed_for_our_order_its_price_and_its_currency(
    shop: Shop, provider: PaymentProvider, percent: int, status: str, has_surplus: bool
) -> None:
    opened = await provider.open_invoice(ORDER)
    await shop.till.pay(opened.provider_invoice_id, percent)

    (claim,) = await ask(provider, opened)

    assert (claim.status, claim.invoice_id, claim.price) == (status, ORDER.invoice_id, Decimal(10))
    assert claim.currency.upper() == "USD"
    assert claim.provider_invoice_id == opened.provider_invoice_id
    assert claim.paid
    assert (claim.surplus is not None) is has_surplus
    assert not claim.is_repeat


async def test_an_invoice_that_ends_without_a_payment_is_expired(shop: Shop, provider: PaymentProvider) -> None:
    opened = await provider.open_invoice(ORDER)
    await shop.till.expire(opened.provider_invoice_id)

    assert [claim.status for claim in await ask(provider, opened)] == ["expired"]


async def test_a_signed_notification_names_its_invoice(shop: Shop, provider: PaymentProvider) -> None:
    opened = await provider.open_invoice(ORDER)
    await shop.till.pay(opened.provider_invoice_id)

    notice = provider.read_notification(*await shop.till.notification(opened.provider_invoice_id))

    assert notice
    assert notice.provider_invoice_id == opened.provider_invoice_id


async def test_a_notification_with_a_wrong_signature_is_refused(shop: Shop, provider: PaymentProvider) -> None:
    opened = await provider.open_invoice(ORDER)
    await shop.till.pay(opened.provider_invoice_id)
    body, headers = await shop.till.notification(opened.provider_invoice_id)
    name = next(name for name in headers if "sig" in name.lower())
    signature = headers[name]
    flipped = signature[:-1] + ("0" if signature[-1] != "0" else "1")
    wrong: list[tuple[bytes, dict[str, str]]] = [
        (body, {}),
        *((body, {name: value}) for value in ("", "sha256=", "sha256", flipped, "é" * 64, signature * 2)),
        *((other, {name: signature}) for other in (body.replace(b":", b": 1", 1), b"", b"{}", b"[]", b"null", b"\xff")),
        *((body.replace(b"1", b"2", 1), {name: signature}) for _ in "x" if b"1" in body),
    ]

    for sent, with_headers in wrong:
        with pytest.raises(BadSignature):
            provider.read_notification(sent, with_headers)


@pytest.mark.parametrize("provider_name", EXTERNAL, indirect=True)
@pytest.mark.parametrize(("suffix", "is_right"), [("", True), ("-before", True), ("-before-that", False)])
async def test_the_previous_secret_is_accepted_while_a_secret_is_changed(
    shop: Shop, provider: PaymentProvider, suffix: str, is_right: bool
) -> None:
    opened = await provider.open_invoice(ORDER)
    await shop.till.pay(opened.provider_invoice_id)
    till: Any = shop.till
    payload: dict[str, Any] = {"storeId": getattr(till, "store_id", ""), "invoiceId": opened.provider_invoice_id}
    signed = till.signed({"payment_id": 1, "order_id": "inv_x", **payload}, secret=till.secret + suffix)

    if is_right:
        assert provider.read_notification(*signed)
    else:
        with pytest.raises(BadSignature):
            provider.read_notification(*signed)


BROKEN: dict[str, Response] = {
    "an error": JSONResponse({"message": "no"}, 500),
    "a refusal": JSONResponse({"message": "no"}, 403),
    "no json": PlainTextResponse("<html>"),
    "no object": JSONResponse([]),
    "nothing": JSONResponse({}),
    "not a number": PlainTextResponse('{"id": NaN}'),
    "a redirect": RedirectResponse("http://127.0.0.1:1/"),
    "far too much": PlainTextResponse(b'{"id": "' + b"x" * 2_000_000 + b'"}'),
    "an address of another kind": JSONResponse(
        {"id": "1", "invoice_url": "javascript:alert(1)", "checkoutLink": "javascript:alert(1)"}
    ),
}


@pytest.mark.parametrize("provider_name", EXTERNAL, indirect=True)
async def test_an_answer_that_makes_no_sense_is_a_provider_that_is_down(shop: Shop, provider: PaymentProvider) -> None:
    till: Any = shop.till

    for broken in BROKEN.values():
        till.answers.append(broken)

        with pytest.raises(ProviderDown) as down:
            await provider.open_invoice(ORDER)

        assert till.api_key not in str(down.value)
        assert till.answers == []


async def test_a_provider_that_is_not_there_is_down(provider_name: str, settings: Settings) -> None:
    gone = {"nowpayments_base_url": "http://127.0.0.1:1", "btcpay_url": "http://127.0.0.1:1", "port": 1}
    providers = open_providers(settings.model_copy(update=gone))
    assert providers

    with pytest.raises(ProviderDown):
        await providers.current.open_invoice(ORDER)


@pytest.mark.parametrize("provider_name", ["nowpayments"], indirect=True)
@pytest.mark.parametrize(
    ("status", "claimed"),
    [
        ("waiting", "waiting"),
        ("confirming", "confirming"),
        ("confirmed", "confirming"),
        ("sending", "confirming"),
        ("partially_paid", "partially_paid"),
        ("finished", "paid"),
        ("failed", "failed"),
        ("refunded", "failed"),
        ("expired", "expired"),
    ],
)
async def test_nowpayments_statuses_are_understood(
    provider: PaymentProvider, nowpayments: FakeNowPayments, status: str, claimed: str
) -> None:
    opened = await provider.open_invoice(ORDER)
    nowpayments.payment(opened.provider_invoice_id, status=status, paid=572.5)

    assert [claim.status for claim in await ask(provider, opened)] == [claimed]


@pytest.mark.parametrize("provider_name", ["nowpayments"], indirect=True)
async def test_nowpayments_finished_with_too_little_is_partial_and_a_later_deposit_is_a_repeat(
    provider: PaymentProvider, nowpayments: FakeNowPayments
) -> None:
    opened = await provider.open_invoice(ORDER)
    first = nowpayments.payment(opened.provider_invoice_id, status="finished", paid=500)
    nowpayments.payment(
        opened.provider_invoice_id, status="finished", paid=572.5, parent_payment_id=first["payment_id"]
    )

    claims = await ask(provider, opened)

    assert [(claim.status, claim.is_repeat) for claim in claims] == [("partially_paid", False), ("paid", True)]


@pytest.mark.parametrize("provider_name", ["nowpayments"], indirect=True)
async def test_nowpayments_notification_of_a_payout_is_of_no_payment(
    provider: PaymentProvider, nowpayments: FakeNowPayments
) -> None:
    payout = {"id": "123456789", "batch_withdrawal_id": "987654321", "status": "CREATING", "amount": "50", "fee": None}

    assert provider.read_notification(*nowpayments.signed(payout)) is None


@pytest.mark.parametrize("provider_name", ["btcpay"], indirect=True)
@pytest.mark.parametrize(
    ("status", "additional", "claimed"),
    [
        ("New", "None", "waiting"),
        ("New", "PaidPartial", "partially_paid"),
        ("Processing", "None", "confirming"),
        ("Processing", "PaidOver", "confirming"),
        ("Settled", "None", "paid"),
        ("Settled", "PaidOver", "paid"),
        ("Settled", "PaidLate", "paid"),
        ("Settled", "Marked", "paid"),
        ("Expired", "None", "expired"),
        ("Expired", "PaidLate", "expired"),
        ("Expired", "PaidPartial", "partially_paid"),
        ("Invalid", "None", "failed"),
        ("Invalid", "Marked", "failed"),
    ],
)
async def test_btcpay_statuses_are_understood(
    provider: PaymentProvider, btcpay: FakeBtcPay, status: str, additional: str, claimed: str
) -> None:
    opened = await provider.open_invoice(ORDER)
    btcpay.invoices[opened.provider_invoice_id] |= {"status": status, "additionalStatus": additional}

    assert [claim.status for claim in await ask(provider, opened)] == [claimed]


@pytest.mark.parametrize("provider_name", ["btcpay"], indirect=True)
async def test_btcpay_notifications_of_another_store_or_of_no_invoice_are_of_no_payment(
    provider: PaymentProvider, btcpay: FakeBtcPay
) -> None:
    assert isinstance(provider, BtcPay)
    for payload in ({"type": "InvoiceSettled", "storeId": "other", "invoiceId": "x"}, {"type": "PayoutCreated"}):
        assert provider.read_notification(*btcpay.signed(payload)) is None
