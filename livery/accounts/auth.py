"""Who calls: FastAPI dependencies that turn a bearer token into an ``Actor``, and the throttles."""

from contextlib import suppress
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Request, Security, params
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from livery.accounts import queries, service
from livery.accounts.failed_logins import FailedLogins
from livery.accounts.oidc.configuration import forced_domains, oidc_of
from livery.accounts.oidc.provider import Provider
from livery.accounts.schemas import Actor
from livery.accounts.throttle import Throttles
from livery.core import clock, limits
from livery.core.context import CurrentContext
from livery.core.errors import Forbidden, Unauthorized, Unavailable
from livery.core.security import digest

PROGRAM_PREFIX = "lvt_"
"""How a project token begins."""
_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="session",
    description="The token that logging in answers. A project token works, too, where its scopes allow the call.",
)
_TOUCH_AFTER = timedelta(hours=1)


async def get_session_token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    """Returns the bearer token of the request. Raises ``Unauthorized`` if it has no token."""
    if credentials is None or not credentials.credentials or len(credentials.credentials) > limits.BEARER_CHARACTERS:
        raise Unauthorized("Authentication error. Please log in again.", code="not_authenticated")
    return credentials.credentials


SessionToken = Annotated[str, Depends(get_session_token)]


async def refuse_project_tokens(token: SessionToken) -> None:
    """Raises ``Unauthorized`` for a project token: the call is for people only."""
    if token.startswith(PROGRAM_PREFIX):
        raise Unauthorized("A project token can't do this. Please log in.", code="login_required")


IN_PERSON: params.Depends = Depends(refuse_project_tokens)
"""The dependency of calls that no project token may make."""


async def get_current_user(token: SessionToken, context: CurrentContext) -> Actor:
    """Returns the logged-in person. No transaction stays open, so a stream may use it. Raises ``Unauthorized``."""
    await refuse_project_tokens(token)
    async with context.database.look() as db:
        session = await queries.find_session(db, digest(token))
    if session is None:
        raise Unauthorized("Session expired. Please log in again.", code="session_expired")
    if clock.now() - session.last_used_at >= _TOUCH_AFTER:
        with suppress(Unavailable):  # a busy writer must not turn a read away: the next request slides the session
            async with context.database.write() as db:
                await service.touch_session(db, session.id)
    return session.actor


CurrentUser = Annotated[Actor, Depends(get_current_user)]


async def get_verified_user(user: CurrentUser) -> Actor:
    """Returns the logged-in person, whose email is verified. Raises ``Forbidden``."""
    if not user.is_verified:
        raise Forbidden("Please verify your email first.", code="email_not_verified")
    return user


VerifiedUser = Annotated[Actor, Security(get_verified_user, scopes=["verified"])]
"""The scope shows in the API's description that an unverified person gets 403."""


async def get_throttles(request: Request, context: CurrentContext) -> Throttles:
    """Returns the throttles of this application, made on first use (on the event loop: in a thread two first requests would make two)."""
    throttles = getattr(request.app.state, "account_throttles", None)
    if not isinstance(throttles, Throttles):
        throttles = Throttles(context.database, is_on=context.settings.rate_limits == "on")
        request.app.state.account_throttles = throttles
    return throttles


CurrentThrottles = Annotated[Throttles, Depends(get_throttles)]


async def get_failed_logins(request: Request) -> FailedLogins:
    """Returns the failed logins of this process that are not written yet."""
    found = request.app.state.failed_logins
    if not isinstance(found, FailedLogins):
        raise TypeError("app.state.failed_logins is not set")
    return found


CurrentFailedLogins = Annotated[FailedLogins, Depends(get_failed_logins)]


async def get_provider(request: Request, context: CurrentContext) -> Provider | None:
    """Returns this application's provider of single sign-on, with its documents, made on first use; ``None`` without single sign-on."""
    state = request.app.state
    if not hasattr(state, "sso_provider"):
        oidc = oidc_of(context.settings)
        state.sso_provider = Provider(oidc) if oidc else None
    provider = state.sso_provider
    return provider if isinstance(provider, Provider) else None


CurrentProvider = Annotated[Provider | None, Depends(get_provider)]


async def get_forced_domains(context: CurrentContext) -> frozenset[str]:
    """Returns the domains of emails whose people must use single sign-on."""
    return forced_domains(context.settings)


ForcedDomains = Annotated[frozenset[str], Depends(get_forced_domains)]


async def get_client_address(request: Request) -> str:
    """Returns the client's address: the peer's, or the address that a trusted proxy reports (``cli.server.configure``)."""
    return request.client.host if request.client else "unknown"


ClientAddress = Annotated[str, Depends(get_client_address)]


async def get_user_agent(request: Request) -> str:
    """What the client calls itself, cut to 300 characters; empty if it does not."""
    return request.headers.get("user-agent", "")[:300]


UserAgent = Annotated[str, Depends(get_user_agent)]
