"""Background work of projects: whoever verified their email joins the projects that invited them."""

from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.projects import invitations, queries

LOOK_SECONDS = 10.0
"""Even without a wake-up this often: one may be lost when the process dies in which the email was verified."""
_BATCH = 50


def sweeps(context: Context) -> list[Sweep]:
    """The sweep ``user_verified``, which that event wakes."""

    async def join_verified() -> None:
        last = ""
        while True:
            async with context.database.read() as db:
                waiting = await queries.invitations_of_verified(db, _BATCH, last)
            for invitation in waiting:
                async with context.database.write() as db:
                    await invitations.join_verified(db, context.settings, invitation_id=invitation.id)
            if len(waiting) < _BATCH:
                return
            last = waiting[-1].id

    return [Sweep(invitations.VERIFIED_TOPIC, join_verified, LOOK_SECONDS)]
