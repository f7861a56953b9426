"""Preview links: an hour of one project's draft for every person with the link. Only the digest of its token is kept."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock, limits
from livery.core.errors import Conflict, Invalid
from livery.core.ids import new_id
from livery.core.schemas import Moment, View, rfc3339
from livery.core.security import digest, new_key
from livery.previews.models import PreviewLink
from livery.projects.acts import record_act
from livery.projects.models import Project
from livery.projects.permissions import PERMISSIONS, Permission
from livery.projects.queries import Access, find_role
from livery.publishing.schemas import PREVIEW_PREFIX

PARAMETER = "livery-preview"
"""What an SDK looks for in the address of its page."""

_ADDRESS = re.compile(r"https?://[^\s/?#@\\<>^|%]+(?:[/?#][^\s\\]*)?", re.IGNORECASE)


class PreviewLinkView(View):
    """The app's address with the token in it, or without an app that of the draft itself; the token alone, which is not shown again."""

    url: str = Field(examples=["https://app.example.com/?livery-preview=lvd_Zk3v5mq7aw2xhb6td"])
    token: str = Field(examples=["lvd_Zk3v5mq7aw2xhb6td"])
    expires_at: Moment


@dataclass(frozen=True)
class Grant:
    """The project that a living link opens."""

    project_id: str
    is_deleted: bool


async def make_link(db: AsyncSession, access: Access, *, base_url: str, app_url: str | None) -> PreviewLinkView:
    """A new link, for an hour. Raises ``Invalid`` for an address that is no web page's, ``Conflict`` when fifty links live already."""
    moment = clock.now()
    mine = PreviewLink.project_id == access.project.id
    await db.execute(delete(PreviewLink).where(mine, PreviewLink.expires_at <= moment))
    living = await db.scalar(select(func.count()).select_from(PreviewLink).where(mine))
    if (living or 0) >= limits.PREVIEW_LINKS:
        message = f"This project has {limits.PREVIEW_LINKS} preview links that work. Use one of them, or wait until a link has ended."
        raise Conflict(message, code="too_many_preview_links")
    token = new_key(PREVIEW_PREFIX.removesuffix("_"))
    url = (
        f"{base_url}/sdk/v1/{access.project.id}/content?channel=draft&preview={token}"
        if app_url is None
        else _with_token(app_url.strip(), token)
    )
    db.add(
        PreviewLink(
            id=new_id("pvl"),
            project_id=access.project.id,
            token_digest=digest(token),
            made_by=access.actor.id,
            created_at=moment,
            expires_at=moment + limits.PREVIEW_LINK_LIFE,
        )
    )
    await record_act(
        db, access, "publishing.preview_link_made", after={"until": rfc3339(moment + limits.PREVIEW_LINK_LIFE)}
    )
    return PreviewLinkView(url=url, token=token, expires_at=moment + limits.PREVIEW_LINK_LIFE)


async def find_grant(db: AsyncSession, token: str) -> Grant | None:
    """What a token opens right now; ``None`` when it is unknown, past its hour, or its maker may not publish there any more."""
    row = (
        await db.execute(
            select(Project, PreviewLink.made_by)
            .join(PreviewLink, PreviewLink.project_id == Project.id)
            .where(PreviewLink.token_digest == digest(token), PreviewLink.expires_at > clock.now())
        )
    ).one_or_none()
    if row is None:
        return None
    project, made_by = row
    role = await find_role(db, project, made_by)
    if role is None or Permission.PUBLISH not in PERMISSIONS[role]:
        return None
    return Grant(project.id, project.deleted_at is not None)


def _with_token(app_url: str, token: str) -> str:
    try:
        parts = urlsplit(app_url) if _ADDRESS.fullmatch(app_url) else None
        is_web_page = parts is not None and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a broken IPv6 address
        parts, is_web_page = None, False
    if parts is None or not is_web_page:
        raise Invalid.field("appUrl", "Enter the address of your app, like https://app.example.com.")
    kept = [piece for piece in parts.query.split("&") if piece and piece.partition("=")[0] != PARAMETER]
    return urlunsplit(parts._replace(query="&".join([*kept, f"{PARAMETER}={token}"])))
