"""The call that reports which page was opened."""

from typing import Annotated

from fastapi import Depends, Request, Response, status

from livery.analytics.counter import PageViews
from livery.analytics.forwarding import Forwarder
from livery.analytics.schemas import PageViewBody
from livery.core.routing import Router

router = Router(prefix="/api/analytics", tags=["analytics"])


async def get_page_views(request: Request) -> PageViews:
    """Returns the counter of this process."""
    views = request.app.state.page_views
    if not isinstance(views, PageViews):
        raise TypeError("app.state.page_views is not set")
    return views


async def get_forwarder(request: Request) -> Forwarder:
    """Returns what sends the page views of this process to a different service."""
    forwarder = request.app.state.forwarder
    if not isinstance(forwarder, Forwarder):
        raise TypeError("app.state.forwarder is not set")
    return forwarder


@router.post("/page-view", status_code=status.HTTP_204_NO_CONTENT, response_class=Response)
async def count_page_view(
    body: PageViewBody,
    request: Request,
    views: Annotated[PageViews, Depends(get_page_views)],
    forwarder: Annotated[Forwarder, Depends(get_forwarder)],
) -> None:
    """Count a page that was opened, by its route template. What is no template of the dashboard is forgotten at once."""
    if views.note(body.path):
        address = request.client.host if request.client else ""
        forwarder.note(body.path, user_agent=request.headers.get("user-agent", ""), address=address)
