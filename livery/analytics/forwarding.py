"""Sends page views to the service that the operator named, if any: Plausible or Umami.

Plausible: https://plausible.io/docs/events-api. Umami: https://umami.is/docs/api/sending-stats. Both need the browser's name and address to
distinguish people, and keep neither as it is. The server sends the views: a browser talks to nobody but Livery.
"""

from collections import deque
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import httpx2
import structlog

from livery.core.http_client import tls
from livery.core.settings import SettingsError

log = structlog.get_logger()

LONGEST_QUEUE = 200
TIMEOUT_SECONDS = 5.0
_ENDPOINTS = {"plausible": "/api/event", "umami": "/api/send"}


@dataclass(frozen=True)
class Target:
    """Where page views are sent. ``kind`` is ``plausible`` or ``umami``; ``site`` is Plausible's domain or Umami's website id."""

    kind: str
    url: str
    site: str


def parse_target(setting: str) -> Target | None:
    """Returns the target that ``plausible+https://host?site=…`` or ``umami+https://host?site=…`` names; ``None`` for an empty setting.

    Raises ``SettingsError``.
    """
    if not setting:
        return None
    parts = urlsplit(setting)
    kind, _, scheme = parts.scheme.partition("+")
    site = parse_qs(parts.query).get("site", [""])[0]
    endpoint = _ENDPOINTS.get(kind)
    if endpoint is None or scheme not in {"http", "https"} or not parts.netloc or not site:
        raise SettingsError(
            "LIVERY_ANALYTICS_URL must look like plausible+https://plausible.io?site=app.example.com "
            "or umami+https://umami.example.com?site=WEBSITE_ID."
        )
    return Target(kind, f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}{endpoint}", site)


@dataclass(frozen=True)
class _View:
    route: str
    user_agent: str
    address: str


class Forwarder:
    """The views that are to be sent. A service that is down or slow costs views, never a request of ours."""

    def __init__(self, target: Target | None, base_url: str) -> None:
        self._target = target
        self._base_url = base_url
        self._waiting: deque[_View] = deque(maxlen=LONGEST_QUEUE)

    def note(self, route: str, *, user_agent: str, address: str) -> None:
        """Queues a view. If the queue is full, the oldest view is dropped."""
        if self._target:
            self._waiting.append(_View(route, user_agent[:300], address))

    async def send(self) -> None:
        """Sends the queued views. If the service can't be reached, drops them and writes that to the log."""
        if not self._target or not self._waiting:
            return
        views = [self._waiting.popleft() for _ in range(len(self._waiting))]
        async with httpx2.AsyncClient(verify=tls(), timeout=TIMEOUT_SECONDS, follow_redirects=False) as client:
            for number, view in enumerate(views):
                headers = {"User-Agent": view.user_agent, "X-Forwarded-For": view.address}
                try:
                    answer = await client.post(
                        self._target.url, json=_payload(self._target, self._base_url, view.route), headers=headers
                    )
                except httpx2.HTTPError as error:
                    log.warning("analytics_away", dropped=len(views) - number, error=type(error).__name__)
                    return
                if answer.status_code >= 400:
                    log.warning("analytics_refused", status=answer.status_code)


def _payload(target: Target, base_url: str, route: str) -> dict[str, object]:
    if target.kind == "plausible":
        return {"name": "pageview", "domain": target.site, "url": base_url + route}
    payload = {"website": target.site, "hostname": urlsplit(base_url).hostname or "", "url": route}
    return {"type": "event", "payload": payload}
