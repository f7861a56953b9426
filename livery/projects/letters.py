"""Writes to a project's owner, and writes amounts as mails show them."""

from collections.abc import Mapping

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import find_user
from livery.core.events import Bus
from livery.core.security import Vault
from livery.email import service as email
from livery.email.schemas import MailKind
from livery.projects.models import Project

_STEP = 1024


async def write_to_owner(
    db: AsyncSession, bus: Bus, vault: Vault, project: Project, *, kind: MailKind, context: Mapping[str, str]
) -> None:
    """Send the owner a mail about a project; its link leads to the project's settings."""
    owner = await find_user(db, project.owner_id)
    if owner is None:
        raise LookupError("a project has an owner")
    path = f"/projects/{project.id}/settings"
    await email.enqueue(
        db, bus, vault, to=owner.email, kind=kind, context={**context, "project": project.name, "path": path}
    )


def spoken_bytes(size: int) -> str:
    """``14.2 GB``, in steps of 1024."""
    value = float(size)
    for unit in ("bytes", "KB", "MB", "GB"):
        if value < _STEP:
            return f"{value:,.0f} {unit}" if value == int(value) else f"{value:,.1f} {unit}"
        value /= _STEP
    return f"{value:,.1f} TB"
