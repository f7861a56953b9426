"""Gathers every domain's background work. The only file that knows every ``jobs.py``."""

import livery.accounts.jobs
import livery.activity.jobs
import livery.ai.jobs
import livery.analytics.jobs
import livery.billing.jobs
import livery.cdn.jobs
import livery.email.jobs
import livery.images.jobs
import livery.imports.jobs
import livery.projects.jobs
import livery.publishing.jobs
import livery.schedules.jobs
import livery.sdks.jobs
import livery.search.jobs
import livery.usage.jobs
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.analytics.counter import PageViews
from livery.analytics.forwarding import Forwarder
from livery.core.context import Context
from livery.core.jobs import Sweeper
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
    """Returns the background work of one process."""
    return Sweeper(
        [
            *livery.accounts.jobs.sweeps(context, key_uses, failed_logins),
            *livery.billing.jobs.sweeps(context),
            *livery.ai.jobs.sweeps(context),
            *livery.email.jobs.sweeps(context),
            *livery.activity.jobs.sweeps(context),
            *livery.usage.jobs.sweeps(context, meter),
            *livery.analytics.jobs.sweeps(context, page_views, forwarder),
            *livery.projects.jobs.sweeps(context, meter),
            *livery.publishing.jobs.sweeps(context),
            *livery.schedules.jobs.sweeps(context),
            *livery.search.jobs.sweeps(context),
            *livery.sdks.jobs.sweeps(context),
            *livery.images.jobs.sweeps(context),
            *livery.imports.jobs.sweeps(context),
            *livery.cdn.jobs.sweeps(context),
        ]
    )
