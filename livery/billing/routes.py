"""The public list of plans."""

from fastapi import APIRouter, Response

from livery.billing.schemas import PLANS, PlansAnswer
from livery.core.context import CurrentContext

router = APIRouter(prefix="/api/plans", tags=["plans"])

_BYTES = PLANS.model_dump_json(by_alias=True).encode()
_BYTES_WITH_BILLING_OFF = PLANS.model_copy(update={"plans": []}).model_dump_json(by_alias=True).encode()


@router.get("", response_model=PlansAnswer)
async def list_plans(context: CurrentContext) -> Response:
    """List the tiers that can be chosen, with prices and limits. With billing off there are none."""
    body = _BYTES if context.settings.billing == "credits" else _BYTES_WITH_BILLING_OFF
    return Response(body, media_type="application/json", headers={"Cache-Control": "public, max-age=300"})
