"""Gathers every domain's background work. The only file that knows every ``jobs.py``."""

from livery.accounts import jobs as accounts
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.activity import jobs as activity
from livery.ai import jobs as ai
from livery.analytics import jobs as analytics
from livery.analytics.counter import PageViews
from livery.analytics.forwarding import Forwarder
from livery.billing import jobs as billing
from livery.core.context import Context
from livery.core.jobs import Sweeper
from livery.email import jobs as email
from livery.images import jobs as images
from livery.projects import jobs as projects
from livery.publishing import jobs as publishing
from livery.schedules import jobs as schedules
from livery.search import jobs as search
from livery.usage import jobs as usage
from livery.usage.meter import Meter


def sweeper(
    context: Context,
    *,
    meter: Meter,
    key_uses: KeyUses,
    failed_logins: FailedLogins,
    page_views: PageViews,
    forwarder: Forwarder,
) -> Sweeper:
    """The background work of one process."""
    return Sweeper(
        [
            *accounts.sweeps(context, key_uses, failed_logins),
            *billing.sweeps(context),
            *ai.sweeps(context),
            *email.sweeps(context),
            *activity.sweeps(context),
            *usage.sweeps(context, meter),
            *analytics.sweeps(context, page_views, forwarder),
            *projects.sweeps(context, meter),
            *publishing.sweeps(context),
            *schedules.sweeps(context),
            *search.sweeps(context),
            *images.sweeps(context),
        ]
    )
