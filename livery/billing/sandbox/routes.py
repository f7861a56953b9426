"""The sandbox on the wire: the API that this server calls as its customer, and the page on which a person plays the payer."""

import hmac
import secrets
from typing import Annotated

from fastapi import Depends, Path, Request, Response, status
from fastapi.responses import HTMLResponse, RedirectResponse

from livery.billing.sandbox import protocol, service
from livery.billing.sandbox.schemas import OrderBody, StateView
from livery.core import limits
from livery.core.context import CurrentContext
from livery.core.errors import Unauthorized
from livery.core.http import content_policy
from livery.core.routing import Router
from livery.core.settings import Settings
from livery.core.templates import templates_of

router = Router(include_in_schema=False)

InvoiceToken = Annotated[str, Path(alias="invoiceToken", max_length=limits.ID_CHARACTERS)]


async def check_key(request: Request, context: CurrentContext) -> None:
    """Let only this server's own key through. Raises ``Unauthorized``."""
    expected = f"Bearer {protocol.api_key(context.settings.secret_key.get_secret_value())}"
    sent = request.headers.get("authorization", "")
    if not hmac.compare_digest(expected.encode(), sent.encode()):
        raise Unauthorized("This key does not open the sandbox.", code="invalid_key")


@router.post(protocol.API_PATH, status_code=status.HTTP_201_CREATED, dependencies=[Depends(check_key)])
async def open_sandbox_invoice(body: OrderBody, context: CurrentContext) -> StateView:
    """Open an invoice."""
    async with context.database.write() as db:
        return await service.open_invoice(db, order_id=body.order_id, price=body.price, currency=body.currency)


@router.get(protocol.API_PATH + "/{invoiceToken}", dependencies=[Depends(check_key)])
async def read_sandbox_invoice(invoice_token: InvoiceToken, context: CurrentContext) -> StateView:
    """Read what was paid into an invoice."""
    async with context.database.read() as db:
        return await service.read_state(db, invoice_token)


@router.get(protocol.PAGE_PATH + "/{invoiceToken}")
async def show_sandbox_page(invoice_token: InvoiceToken, context: CurrentContext) -> Response:
    """Show the page of an invoice."""
    async with context.database.read() as db:
        page = await service.read_page(db, invoice_token)
    template = templates_of("livery.billing.sandbox").get_template("page.html")
    shown = template.render(
        page=page,
        state=page.state,
        action=_page_of(context.settings, invoice_token),
        back=f"{context.settings.base_url}/dashboard?upgraded=true",
        delay_seconds=int(service.DELAY.total_seconds()),
        nonce=(nonce := secrets.token_urlsafe(16)),
    )
    return HTMLResponse(shown, headers={"Cache-Control": "no-store", "Content-Security-Policy": content_policy(nonce)})


@router.post(protocol.PAGE_PATH + "/{invoiceToken}/{action}")
async def press_sandbox_button(
    invoice_token: InvoiceToken,
    action: Annotated[str, Path(max_length=limits.GIVEN_CODE_CHARACTERS)],
    context: CurrentContext,
) -> Response:
    """Do what a button of the page names, and show the page again."""
    async with context.database.write() as db:
        await service.act(db, context.bus, invoice_token, action)
    return RedirectResponse(_page_of(context.settings, invoice_token), status.HTTP_303_SEE_OTHER)


def _page_of(settings: Settings, invoice_token: str) -> str:
    return f"{settings.base_path}{protocol.PAGE_PATH}/{invoice_token}"
