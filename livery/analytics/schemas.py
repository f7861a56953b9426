"""What a page view is, and which pages there are."""

from typing import Annotated

from pydantic import Field, StringConstraints

from livery.core import limits
from livery.core.schemas import Body

ROUTES = frozenset(
    {
        "/login",
        "/register",
        "/forgot-password",
        "/reset-password/:token",
        "/verify-email/:token",
        "/end-keys/:token",
        "/sso",
        "/invite/:token",
        "/terms",
        "/privacy",
        "/dashboard",
        "/projects",
        "/projects/create",
        "/projects/:projectId/colors",
        "/projects/:projectId/images",
        "/projects/:projectId/import-texts",
        "/projects/:projectId/stores",
        "/projects/:projectId/stores/:apiIdentifier",
        "/projects/:projectId/releases",
        "/projects/:projectId/settings",
        "/projects/:projectId/settings/audit",
        "/projects/:projectId/:tabName",
        "/settings",
        "/settings/activity",
        "/settings/receipts/:invoiceId",
        "*",
    }
)
"""The route templates of the dashboard (a test compares them with its routes); ``*`` stands for an address without a page."""


class PageViewBody(Body):
    """A page that was opened, as the template of its route."""

    path: Annotated[
        str, StringConstraints(max_length=limits.GIVEN_ROUTE_CHARACTERS), Field(examples=["/reset-password/:token"])
    ]
