"""Gathers every domain's background work. The only file that knows every ``jobs.py``."""

from livery.accounts import jobs as accounts
from livery.accounts.api_keys import KeyUses
from livery.core.context import Context
from livery.core.jobs import Sweeper
from livery.email import jobs as email
from livery.projects import jobs as projects
from livery.usage import jobs as usage
from livery.usage.meter import Meter


def sweeper(context: Context, meter: Meter, key_uses: KeyUses) -> Sweeper:
    """The background work of one process."""
    return Sweeper(
        [
            *accounts.sweeps(context, key_uses),
            *email.sweeps(context),
            *usage.sweeps(context, meter),
            *projects.sweeps(context, meter),
        ]
    )
