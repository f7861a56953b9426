"""The calls of logging in: by password, by the second factor, by a passkey alone, and by single sign-on."""

from fastapi import Request, status
from fastapi.responses import JSONResponse

from livery.accounts import browsers, logins, sso
from livery.accounts import service as accounts
from livery.accounts.auth import (
    ClientAddress,
    CurrentFailedLogins,
    CurrentThrottles,
    ForcedDomains,
    UserAgent,
)
from livery.accounts.devices import device_with_factor, known_device, new_device
from livery.accounts.logins import Login
from livery.accounts.schemas import (
    LoginBody,
    PasskeyLoginBody,
    PasskeyStep,
    SecondFactorBody,
    SecondStep,
    SsoCodeBody,
)
from livery.accounts.second_factors import Answer
from livery.accounts.throttle import CODES, GUESSES
from livery.core import limits
from livery.core.context import Context, CurrentContext
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import canonical_email
from livery.workspace import queries
from livery.workspace.schemas import (
    LoggedIn,
)

router = Router(prefix="/api", tags=["workspace"])


@router.post(
    "/auth/login",
    response_model=LoggedIn,
    responses={status.HTTP_202_ACCEPTED: {"model": SecondStep}, **errors(401, 403, rates=GUESSES)},
)
async def log_in(
    body: LoginBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    failed_logins: CurrentFailedLogins,
    address: ClientAddress,
    forced: ForcedDomains,
) -> LoggedIn | JSONResponse:
    """Log in with email and password. A person with a second factor gets 202 and a ticket for the second step."""
    email = canonical_email(body.email)
    accounts.refuse_forced(email, forced)
    device = known_device(context.vault, email, body.device)
    await throttles.try_login(email, address, device)
    password = body.password.get_secret_value()
    login = await logins.log_in(context, failed_logins, email=email, password=password, user_agent=agent)
    if isinstance(login, SecondStep):  # the guesses stay counted: the person has not shown who they are
        return JSONResponse(login.model_dump(mode="json", by_alias=True), status.HTTP_202_ACCEPTED)
    await throttles.logged_in(email, address, device)
    return await _logged_in(context, login)


@router.post("/auth/login/second-factor", responses=errors(401, rates=CODES))
async def pass_second_factor(
    body: SecondFactorBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
) -> LoggedIn:
    """Finish a login with a code of your authenticator app, a recovery code or a passkey."""
    answer = Answer(code=body.code, passkey=body.passkey)
    answer.require_one()
    person = await logins.find_person(context, ticket=body.ticket)
    device = device_with_factor(context.vault, person.email, body.device)
    if answer.is_app_code:
        await throttles.try_code(person.id, device)
    elif answer.code is not None:
        await throttles.try_recovery_code(address)
    login = await logins.finish(context, ticket=body.ticket, answer=answer, user_agent=agent)
    await throttles.knew_code(person.id, device)
    await throttles.logged_in(person.email, address, known_device(context.vault, person.email, body.device))
    return await _logged_in(context, login, has_shown_factor=True)


@router.post("/auth/login/passkey/options")
async def begin_passkey_login(context: CurrentContext) -> PasskeyStep:
    """Begin a login with a passkey alone: the options for `navigator.credentials.get()`."""
    return logins.begin_passkey(context)


@router.post("/auth/login/passkey", responses=errors(401, 403, rates=[limits.PASSKEYS_PER_NETWORK]))
async def log_in_with_passkey(
    body: PasskeyLoginBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> LoggedIn:
    """Log in with a passkey alone: it is both factors."""
    await throttles.try_passkey(address)
    login = await logins.finish_passkey(
        context, ticket=body.ticket, answer=body.passkey, user_agent=agent, forced=forced
    )
    return await _logged_in(context, login, has_shown_factor=True)


async def _logged_in(context: Context, login: Login, *, has_shown_factor: bool = False) -> LoggedIn:
    async with context.database.read() as db:
        me = await queries.me(db, context.settings, login.actor)
    device = new_device(context.vault, login.actor.email, has_shown_factor=has_shown_factor)
    return LoggedIn(message="Logged in.", token=login.token, user=me, device=device)


@router.post("/auth/sso/session", responses=errors(401, rates=[limits.SSO_PER_NETWORK]))
async def log_in_with_sso(
    body: SsoCodeBody,
    request: Request,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
) -> LoggedIn:
    """Exchange the one-time code of a login at the provider for a session, in the browser that logged in there."""
    await throttles.use_sso(address)
    async with context.database.write() as db:
        token, actor = await sso.redeem(
            db,
            code=body.code.get_secret_value(),
            browser=browsers.find(request, context.settings),
            user_agent=agent,
        )
    async with context.database.read() as db:
        me = await queries.me(db, context.settings, actor)
    return LoggedIn(message="Logged in.", token=token, user=me, device=new_device(context.vault, actor.email))
