"""Which browser began a login at the provider: a random value in a cookie of ten minutes, and nothing else.

Without it, a stranger could have somebody finish the stranger's login, and so work in the stranger's account.
"""

import re

from starlette.requests import Request
from starlette.responses import Response

from livery.core import limits
from livery.core.security import new_token
from livery.core.settings import Settings

COOKIE = "livery_sso"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""With this prefix, no other host and no page without TLS can set it."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def find(request: Request, settings: Settings) -> str:
    """Returns the value of the browser that asks; empty if it sent no valid value."""
    value = request.cookies.get(_name(settings), "")
    return value if _TOKEN.fullmatch(value) else ""


def find_or_make(request: Request, settings: Settings) -> str:
    """Returns the value of the browser that asks, or a new value. One browser may have several logins under way, in several tabs."""
    return find(request, settings) or new_token()


def keep(response: Response, settings: Settings, browser: str) -> None:
    """Have the browser keep its value for as long as a login may take."""
    response.set_cookie(
        _name(settings),
        browser,
        max_age=int(limits.SSO_ATTEMPT_LIFE.total_seconds()),
        path="/",
        secure=_has_tls(settings),
        httponly=True,
        samesite="lax",
    )


def _name(settings: Settings) -> str:
    return SECURE_COOKIE if _has_tls(settings) else COOKIE


def _has_tls(settings: Settings) -> bool:
    return settings.base_url.startswith("https:")
