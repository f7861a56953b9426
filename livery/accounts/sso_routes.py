"""The calls of single sign-on: the way to the provider and back, and the identities of a person."""

from typing import Annotated

from fastapi import Query, Request, Response, status
from fastapi.responses import RedirectResponse

from livery.accounts import (
    browsers,
    identities,
    passwords,
    profile,
    queries,
    second_factors,
    sso,
)
from livery.accounts.auth import (
    ClientAddress,
    CurrentProvider,
    CurrentThrottles,
    CurrentUser,
    ForcedDomains,
    SessionToken,
    VerifiedUser,
)
from livery.accounts.oidc.failures import SsoFailed
from livery.accounts.schemas import (
    ConnectBody,
    IdentitiesView,
    IdentityItem,
    SsoStart,
    SsoView,
)
from livery.core import limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.errors import NotFound, TooMany, Unavailable
from livery.core.paths import IdentityId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.core.settings import Settings

router = Router(prefix="/api", tags=["accounts"])


@router.get("/auth/sso")
async def read_sso(provider: CurrentProvider, context: CurrentContext) -> SsoView:
    """Read whether this server has single sign-on, what it is called, and who may create an account."""
    return SsoView(name=provider.oidc.name if provider else None, registration=context.settings.registration)


@router.get("/auth/sso/start", status_code=status.HTTP_303_SEE_OTHER, response_class=RedirectResponse)
async def start_sso(
    request: Request,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    provider: CurrentProvider,
    next_path: Annotated[str, Query(alias="next", description="The path to go on at after the login.")] = "",
) -> RedirectResponse:
    """Go to the provider of single sign-on. For browsers: every answer leads to a page."""
    try:
        if provider is None:
            raise SsoFailed("off")
        await throttles.use_sso(address)
        browser = browsers.find_or_make(request, context.settings)
        answer = _go_to(await sso.begin(context, provider, browser=browser, next_path=next_path))
        browsers.keep(answer, context.settings, browser)
        return answer
    except TooMany:
        return _go_to_page(context.settings, sso.failure_path("busy"))
    except Unavailable:  # the database has a line of its own in the log
        return _go_to_page(context.settings, sso.failure_path("unavailable"))
    except SsoFailed as error:
        sso.note_failure(error)
        return _go_to_page(context.settings, sso.failure_path(error.reason))


@router.get("/auth/sso/callback", status_code=status.HTTP_303_SEE_OTHER, response_class=RedirectResponse)
async def finish_sso(
    request: Request,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    provider: CurrentProvider,
    state: str = "",
    code: str = "",
    error: str = "",
    iss: str | None = None,
) -> RedirectResponse:
    """Come back from the provider of single sign-on. For browsers: every answer leads to a page."""
    if provider is None:
        return _go_to_page(context.settings, sso.failure_path("off"))
    try:
        await throttles.use_sso(address)
    except TooMany:
        return _go_to_page(context.settings, sso.failure_path("busy"))
    answer = sso.ProviderAnswer(state=state, code=code, error=error, issuer=iss)
    page = await sso.finish(context, provider, answer, browser=browsers.find(request, context.settings))
    return _go_to_page(context.settings, page)


@router.get("/user/identities")
async def list_identities(user: CurrentUser, db: Read, provider: CurrentProvider) -> IdentitiesView:
    """List the identities by which you can log in."""
    issuer = provider.oidc.issuer if provider else None
    password_hash = await queries.find_password_hash(db, user.id)
    rows = await identities.identities_of(db, user.id)
    return IdentitiesView(
        name=provider.oidc.name if provider else None,
        has_password=password_hash is not None and passwords.is_password(password_hash),
        identities=[
            IdentityItem(id=row.id, issuer=row.issuer, created_at=row.created_at, current=row.issuer == issuer)
            for row in rows
        ],
    )


@router.post("/user/identities/start", responses=errors(403, 404, rates=[limits.PASSWORDS_PER_PERSON]))
async def start_connecting(
    body: ConnectBody,
    request: Request,
    response: Response,
    user: VerifiedUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
    provider: CurrentProvider,
) -> SsoStart:
    """Begin to connect single sign-on to your account: the browser goes on at the address in the answer."""
    if provider is None:
        raise NotFound("This server has no single sign-on.", code="sso_off")
    await throttles.try_password(user.id)
    await profile.prove_password(context.database, user.id, password=body.password.get_secret_value(), field="password")
    await throttles.knew_password(user.id)
    async with context.database.read() as db:
        await second_factors.require_fresh(db, user.id, session=token)
    browser = browsers.find_or_make(request, context.settings)
    try:
        url = await sso.begin(context, provider, browser=browser, connects_to=user.id)
    except SsoFailed as error:
        sso.note_failure(error)
        raise Unavailable("The login service can't be reached right now. Please try again.") from error
    browsers.keep(response, context.settings, browser)
    return SsoStart(url=url)


@router.delete("/user/identities/{identityId}", responses=errors(409))
async def disconnect_identity(identity_id: IdentityId, user: CurrentUser, db: Write, forced: ForcedDomains) -> Message:
    """Disconnect an identity. Refused without a password, and for people who must use single sign-on."""
    await identities.disconnect(db, user.id, identity_id=identity_id, forced=forced)
    return Message(message="Single sign-on was disconnected.")


def _go_to_page(settings: Settings, path: str) -> RedirectResponse:
    return _go_to(settings.base_path + path)


def _go_to(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=status.HTTP_303_SEE_OTHER)
