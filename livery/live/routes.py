"""The stream of a project's changes, for the dashboard."""

from typing import Annotated, Any, cast

import structlog
from fastapi import Depends, Header, Request, Response
from starlette.types import Receive, Scope, Send

from livery.accounts.auth import IN_PERSON, SessionToken
from livery.core import limits
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.security import digest
from livery.core.streams import cutter, keep_open
from livery.live.hub import Hub
from livery.live.rooms import Watcher
from livery.projects.dependencies import check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access

log = structlog.get_logger()

router = Router(prefix="/api/projects", tags=["projects"], dependencies=[IN_PERSON])

EVENT_STREAM = "text/event-stream"


async def get_hub(request: Request) -> Hub:
    """Returns the rooms of the process that answers."""
    hub = request.app.state.live
    if not isinstance(hub, Hub):
        raise TypeError("app.state.live is not set")
    return hub


class EventStream(Response):
    """Serves one stream until its reader leaves or is sent away. With ``since``, what was missed comes first."""

    media_type = EVENT_STREAM

    def __init__(self, hub: Hub, *, project_id: str, person: tuple[str, str], session: str, since: int | None) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._hub = hub
        self._project_id = project_id
        self._person = person
        self._session = session
        self._since = since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; a reader that does not ask for a stream gets what there is, and the end."""
        accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
        watcher = Watcher(cast("Any", send), cutter(scope), self._project_id, *self._person, self._session)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._hub.open(watcher, self._since, stays=EVENT_STREAM in accept)
            await keep_open(watcher, receive)
        except Exception:
            log.exception("events_failed")
            watcher.cut()
        finally:
            self._hub.leave(watcher)


_EXAMPLE = """id: 1207
event: change
data: {"by":{"_id":"usr_k3v5mq7aw2xhb6td","name":"Jonas Weber"},"at":"2026-11-20T12:00:00Z","screens":{"home":{"title":5}}}

"""


@router.get(
    "/{projectId}/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events.",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": _EXAMPLE}},
        },
        **errors(429),
    },
)
async def watch_project(
    access: Annotated[Access, requires(Permission.READ, check_access)],
    token: SessionToken,
    hub: Annotated[Hub, Depends(get_hub)],
    last_event_id: Annotated[str, Header(max_length=limits.GIVEN_CODE_CHARACTERS)] = "",
) -> Response:
    """Hear of every change of a project and of who looks at it, as server-sent events.

    `hello` has the id of the project's last activity. Each `change` has the id of its activity and names what to read again. Keys and colours have
    their revision (null: gone). The other names are `project`, `members`, `keys`, `jobs`, `texts`, `images`, `stores`, `schedules`, `release` and
    `everything`. `presence` lists who
    is here.
    `Last-Event-ID` brings what was missed, or `reset` where that is too much. `bye` ends the stream.
    """
    hub.admit(access.actor.id)
    since = (
        int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) < 19 else None
    )
    return EventStream(
        hub,
        project_id=access.project.id,
        person=(access.actor.id, access.actor.name),
        session=digest(token),
        since=since,
    )
