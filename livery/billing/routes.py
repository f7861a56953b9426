"""The public list of plans; buying credits, and what a person bought and spent; the address that providers notify."""

from typing import Annotated

import structlog
from fastapi import Depends, Header, Path, Query, Request, Response, status

from livery.accounts.auth import CurrentThrottles, CurrentUser, VerifiedUser
from livery.billing import invoices, queries
from livery.billing.providers.choice import Providers, open_providers
from livery.billing.providers.port import BadSignature, ProviderDown
from livery.billing.schemas import (
    PLANS,
    BuyBody,
    CreditHistory,
    EntryView,
    InvoiceAnswer,
    InvoiceList,
    InvoiceView,
    MonthView,
    PlansAnswer,
    PurchaseReceipt,
)
from livery.core import limits
from livery.core.context import CurrentContext, Read
from livery.core.errors import Forbidden, NotFound, TooLarge, Unauthorized
from livery.core.paths import PageSize
from livery.core.reference.statuses import errors
from livery.core.routing import Router

log = structlog.get_logger()

router = Router(prefix="/api/plans", tags=["plans"])
payments_router = Router(prefix="/api/payments", tags=["payments"])

_BYTES = PLANS.model_dump_json(by_alias=True).encode()
_BYTES_WITH_BILLING_OFF = PLANS.model_copy(update={"plans": []}).model_dump_json(by_alias=True).encode()


@router.get("", response_model=PlansAnswer)
async def list_plans(context: CurrentContext) -> Response:
    """List the tiers that can be chosen, with prices and limits. With billing off the list is empty."""
    body = _BYTES if context.settings.billing == "credits" else _BYTES_WITH_BILLING_OFF
    return Response(body, media_type="application/json", headers={"Cache-Control": "public, max-age=300"})


async def get_providers(request: Request, context: CurrentContext) -> Providers:
    """Returns the payment providers of this application, made on first use. Raises ``Forbidden`` with billing off."""
    found = getattr(request.app.state, "payment_providers", None) or open_providers(context.settings)
    if found is None:
        raise Forbidden("Plans are turned off on this server: every project has everything.", code="billing_off")
    request.app.state.payment_providers = found
    return found


CurrentProviders = Annotated[Providers, Depends(get_providers)]


@payments_router.post(
    "/create-invoice", status_code=status.HTTP_201_CREATED, responses=errors(403, rates=[limits.INVOICES_PER_PERSON])
)
async def create_invoice(
    body: BuyBody,
    user: VerifiedUser,
    context: CurrentContext,
    throttles: CurrentThrottles,
    providers: CurrentProviders,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=limits.IDEMPOTENCY_KEY_CHARACTERS)] = None,
) -> InvoiceAnswer:
    """Open an invoice for credits at the payment provider. The credits arrive once the payment is confirmed."""
    amount = invoices.check_amount(body.months)
    await throttles.buy(user.id)
    invoice = await invoices.buy(
        context.database, providers.current, user, amount=amount, idempotency_key=idempotency_key
    )
    return InvoiceAnswer(invoice=InvoiceView.of(invoice))


@payments_router.get("/invoices")
async def list_invoices(
    user: CurrentUser,
    db: Read,
    limit: PageSize = 20,
    cursor: Annotated[str | None, Query(max_length=limits.ID_CHARACTERS)] = None,
) -> InvoiceList:
    """List your invoices, newest first; ``cursor`` is the ``nextCursor`` of the page before."""
    found = await queries.invoices_of(db, user.id, limit=limit + 1, before_id=cursor)
    shown = [InvoiceView.of(invoice) for invoice in found[:limit]]
    return InvoiceList(invoices=shown, next_cursor=shown[-1].id if len(found) > limit else None)


@payments_router.get("/invoices/{invoiceId}/receipt")
async def read_receipt(
    invoice_id: Annotated[
        str, Path(alias="invoiceId", max_length=limits.ID_CHARACTERS, examples=["inv_k3v5mq7aw2xhb6td"])
    ],
    user: CurrentUser,
    db: Read,
) -> PurchaseReceipt:
    """Read the receipt of a paid purchase."""
    invoice = await queries.find_invoice_of(db, user.id, invoice_id)
    if invoice is None or invoice.credited_at is None:
        raise NotFound("There is no receipt for this purchase: it is not paid, or not yours.", code="receipt_not_found")
    return PurchaseReceipt.of(invoice, user)


@payments_router.get("/credits")
async def list_credits(
    user: CurrentUser,
    db: Read,
    limit: PageSize = 20,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> CreditHistory:
    """List what changed your credits, newest first; ``cursor`` is the ``nextCursor`` of the page before."""
    found = await queries.entries(db, user.id, limit=limit + 1, before_id=cursor)
    totals = await queries.month_totals(db, user.id, {queries.month_of(entry.created_at) for entry in found[:limit]})
    shown = [EntryView.of(entry) for entry in found[:limit]]
    months = [MonthView(month=month, received=got, spent=spent) for month, (got, spent) in sorted(totals.items())]
    return CreditHistory(entries=shown, months=months[::-1], next_cursor=shown[-1].id if len(found) > limit else None)


@payments_router.post("/webhooks/{provider}", responses=errors(401, 403))
async def receive_notification(
    name: Annotated[str, Path(alias="provider", max_length=limits.GIVEN_PROVIDER_CHARACTERS, examples=["nowpayments"])],
    request: Request,
    context: CurrentContext,
    providers: CurrentProviders,
) -> dict[str, str]:
    """Take a provider's notification: kept first, looked at after the answer. Only a right signature gets 200."""
    provider = providers.find(name)
    if provider is None:
        raise NotFound("There is nothing at this address.")
    body = await request.body()
    if len(body) > limits.CALLBACK_BYTES:
        raise TooLarge(f"The notification is over {limits.kilobytes(limits.CALLBACK_BYTES)}.")
    try:
        notice = provider.read_notification(body, request.headers)
    except BadSignature as error:
        raise Unauthorized("The signature is wrong.", code="invalid_signature") from error
    except ProviderDown:  # signed, but of no shape that we know: keep it, and do nothing
        notice = None
    await invoices.take_callback(context.database, context.bus, provider.name, body, notice)
    return {"status": "received"}
