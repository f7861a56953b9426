"""The calls of accounts. Logging in, ``me`` and closing an account are composed in ``workspace``: they touch credits and projects."""

from typing import Annotated

from fastapi import Query, Request, Response, status
from fastapi.responses import RedirectResponse

from livery.accounts import (
    api_keys,
    browsers,
    identities,
    passwords,
    profile,
    queries,
    second_factors,
    service,
    sign_ups,
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
from livery.accounts.devices import new_device
from livery.accounts.oidc.failures import SsoFailed
from livery.accounts.schemas import (
    Actor,
    AddressConfirmed,
    ApiKeysView,
    ApiKeyView,
    ConnectBody,
    EmailBody,
    IdentitiesView,
    IdentityItem,
    NewPasskeyBody,
    PasskeyItem,
    PasskeyNameBody,
    PasskeyStep,
    PasswordBody,
    PasswordReset,
    ProofBody,
    RecoveryCodes,
    RegisterBody,
    Registered,
    ResetBody,
    SecondFactorAdded,
    SecondFactorsView,
    SessionItem,
    SessionsView,
    SsoStart,
    SsoView,
    SubmittedUser,
    TotpCodeBody,
    TotpSetup,
)
from livery.accounts.second_factors import Answer, Proof
from livery.accounts.throttle import Throttles
from livery.core.context import Context, CurrentContext, Read, Write
from livery.core.errors import NotFound, TooMany, Unavailable
from livery.core.http import Router
from livery.core.paths import ApiKeyId, IdentityId, PasskeyId, SessionId
from livery.core.reference.statuses import errors
from livery.core.schemas import Message, canonical_email
from livery.core.security import digest

router = Router(prefix="/api", tags=["accounts"])


@router.post("/auth/register", status_code=status.HTTP_201_CREATED, responses=errors(403, 429))
async def register(
    body: RegisterBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> Registered:
    """Create an account.

    The answer is the same whether or not the email has an account; its owner gets a mail. Signing up again before the email is verified
    adds a second sign-up with its own link; the first link that is followed wins.
    """
    sign_up = sign_ups.check_sign_up(name=body.name, email=body.email, password=body.password.get_secret_value())
    service.refuse_forced(sign_up.email, forced)
    throttles.ask_for_mail(address)
    await service.register(context.database, sign_up, sends_mail=throttles.may_mail(sign_up.email))
    return Registered(
        message="Account created successfully! Please check your email to verify.",
        user=SubmittedUser(name=body.name, email=body.email),
    )


@router.post("/auth/verify-email/{token}", responses=errors(400, 403))
async def verify_email(token: str, context: CurrentContext, forced: ForcedDomains, db: Write) -> AddressConfirmed:
    """Verify an email by the link in a mail."""
    person = await service.verify_email(db, context.bus, token=token, forced=forced)
    return AddressConfirmed(message="Your email is verified. You can log in now.", email=person.email)


@router.delete("/auth/verify-email/{token}", responses=errors(400))
async def withdraw_registration(token: str, db: Write) -> Message:
    """Remove a sign-up that was not made by the owner of the email."""
    await service.withdraw_registration(db, token=token)
    return Message(message="The sign-up was removed. Nothing is kept of it.")


@router.post("/auth/resend-verification", responses=errors(403, 429))
async def resend_verification(
    body: EmailBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> Message:
    """Send the verification mail again.

    The answer is the same whether or not the email has an account.
    """
    await _request_letter("resend", body, context, throttles, address, forced)
    return Message(message="Verification email sent! Check your inbox and spam folder.")


@router.post("/auth/forgot-password", responses=errors(403, 429))
async def forgot_password(
    body: EmailBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> Message:
    """Send a link that sets a new password.

    The answer is the same whether or not the email has an account.
    """
    await _request_letter("forgot", body, context, throttles, address, forced)
    return Message(message="Password reset link sent! Please check your email (including spam folder).")


async def _request_letter(
    kind: str, body: EmailBody, context: Context, throttles: Throttles, address: str, forced: frozenset[str]
) -> None:
    email = canonical_email(body.email)
    service.refuse_forced(email, forced)
    throttles.ask_for_mail(address)
    if not throttles.may_mail(email):
        return
    async with context.database.write() as db:
        service.request_letter(db, email=email, kind=kind)


@router.post("/auth/reset-password/{token}", responses=errors(400, 403))
async def reset_password(token: str, body: ResetBody, context: CurrentContext, forced: ForcedDomains) -> PasswordReset:
    """Set a new password by the link in a mail. All sessions end."""
    password = body.password.get_secret_value()
    email = await service.reset_password(
        context.database, context.bus, context.vault, token=token, password=password, forced=forced
    )
    return PasswordReset(
        message="Password has been reset successfully! Redirecting to login...",
        email=email,
        device=new_device(context.vault, email),
    )


@router.post("/auth/end-keys/{token}", responses=errors(400))
async def end_keys(token: str, context: CurrentContext, db: Write) -> Message:
    """End the developer keys that are older than a new password, by the link in the mail about it."""
    count = await service.end_keys(db, context.bus, context.vault, token=token)
    return Message(message="1 API key was ended." if count == 1 else f"{count} API keys were ended.")


@router.post("/auth/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(user: CurrentUser, token: SessionToken, db: Write) -> None:
    """End this session: its token is dead."""
    await service.log_out(db, user.id, token=token)


@router.get("/user/apikey", responses=errors(403))
async def read_api_key(user: VerifiedUser, context: CurrentContext) -> ApiKeyView:
    """Read your developer key; it is made on first ask."""
    async with context.database.read() as db:
        key = await service.read_api_key(db, context.vault, user.id)
    if key is None:
        async with context.database.write() as db:
            key = await service.ensure_api_key(db, context.vault, user.id)
    return ApiKeyView(apikey=key)


@router.post("/user/apikey/rotate", status_code=status.HTTP_201_CREATED, responses=errors(403, 409))
async def rotate_api_key(user: VerifiedUser, db: Write, context: CurrentContext) -> ApiKeyView:
    """Make a new developer key. The one before works until you end it."""
    return ApiKeyView(apikey=await api_keys.rotate(db, context.vault, user.id))


@router.get("/user/apikeys")
async def list_api_keys(user: CurrentUser, db: Read, context: CurrentContext) -> ApiKeysView:
    """List your developer keys that work, the current one first, with their last use."""
    return ApiKeysView(apikeys=await api_keys.list_keys(db, context.vault, user.id))


@router.delete("/user/apikeys/{apiKeyId}", responses=errors(409))
async def end_api_key(key_id: ApiKeyId, user: CurrentUser, db: Write, context: CurrentContext) -> Message:
    """End a former developer key: whatever still uses it is refused at once."""
    await api_keys.end(db, context.bus, context.vault, user.id, key_id=key_id)
    return Message(message="The key was ended.")


@router.put("/user/password", responses=errors(429))
async def change_password(
    body: PasswordBody,
    user: CurrentUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
) -> Message:
    """Change your password. All your other sessions end."""
    throttles.try_password(user.id)
    await profile.change_password(
        context.database,
        context.bus,
        context.vault,
        user_id=user.id,
        token=token,
        old=body.old_password.get_secret_value(),
        new=body.new_password.get_secret_value(),
    )
    throttles.knew_password(user.id)
    return Message(message="Your password was changed. You were logged out everywhere else.")


@router.get("/user/sessions")
async def list_sessions(user: CurrentUser, token: SessionToken, db: Read) -> SessionsView:
    """List where you are logged in, the last used first."""
    own = digest(token)
    rows = await queries.sessions_of(db, user.id)
    return SessionsView(
        sessions=[
            SessionItem(
                id=row.id,
                created_at=row.created_at,
                last_used_at=row.last_used_at,
                user_agent=row.user_agent,
                current=row.token_digest == own,
            )
            for row in rows
        ]
    )


@router.delete("/user/sessions/{sessionId}")
async def end_session(session_id: SessionId, user: CurrentUser, db: Write) -> Message:
    """End one of your sessions: that device is logged out."""
    await profile.end_session(db, user.id, session_id=session_id)
    return Message(message="The session was ended.")


@router.get("/user/second-factors")
async def read_second_factors(user: CurrentUser, db: Read) -> SecondFactorsView:
    """Read which second factors you have."""
    return await second_factors.describe(db, user.id)


@router.post("/user/second-factors/totp", status_code=status.HTTP_201_CREATED, responses=errors(403, 409, 429))
async def set_up_totp(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> TotpSetup:
    """Make a secret for an authenticator app. Its first code turns it on."""
    setup = await second_factors.set_up_totp(context, _proof(body, user, token, throttles))
    throttles.knew_password(user.id)
    return setup


@router.post("/user/second-factors/totp/confirm", responses=errors(403, 409, 429))
async def confirm_totp(
    body: TotpCodeBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> SecondFactorAdded:
    """Turn on the authenticator app by its first code. With your first factor, all your other sessions end."""
    device = digest(token)
    throttles.try_code(user.id, device)
    codes = await second_factors.confirm_totp(context, user.id, session=token, code=body.code)
    throttles.knew_code(user.id, device)
    return SecondFactorAdded(message="The authenticator app is set up.", recovery_codes=codes)


@router.delete("/user/second-factors/totp", responses=errors(403, 404, 429))
async def remove_totp(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> Message:
    """Remove your authenticator app."""
    await second_factors.remove_totp(context, _proof(body, user, token, throttles))
    throttles.knew_password(user.id)
    return Message(message="The authenticator app was removed.")


@router.post("/user/second-factors/passkeys/options", responses=errors(403, 409, 429))
async def begin_passkey(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> PasskeyStep:
    """Begin to add a passkey: the options for `navigator.credentials.create()`."""
    step = await second_factors.begin_passkey(context, _proof(body, user, token, throttles))
    throttles.knew_password(user.id)
    return step


@router.post("/user/second-factors/passkeys", status_code=status.HTTP_201_CREATED, responses=errors(403, 409))
async def add_passkey(
    body: NewPasskeyBody, user: VerifiedUser, token: SessionToken, context: CurrentContext
) -> SecondFactorAdded:
    """Add the passkey that your browser made. With your first factor, all your other sessions end."""
    codes = await second_factors.add_passkey(
        context, user.id, session=token, ticket=body.ticket, name=body.name, answer=body.passkey
    )
    return SecondFactorAdded(message="The passkey was added.", recovery_codes=codes)


@router.put("/user/second-factors/passkeys/{passkeyId}")
async def rename_passkey(passkey_id: PasskeyId, body: PasskeyNameBody, user: VerifiedUser, db: Write) -> PasskeyItem:
    """Rename one of your passkeys."""
    return await second_factors.rename_passkey(db, user.id, passkey_id, name=body.name)


@router.delete("/user/second-factors/passkeys/{passkeyId}", responses=errors(429))
async def remove_passkey(
    passkey_id: PasskeyId,
    body: ProofBody,
    user: VerifiedUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
) -> Message:
    """Remove one of your passkeys."""
    await second_factors.remove_passkey(context, _proof(body, user, token, throttles), passkey_id)
    throttles.knew_password(user.id)
    return Message(message="The passkey was removed.")


@router.post(
    "/user/second-factors/recovery-codes", status_code=status.HTTP_201_CREATED, responses=errors(403, 404, 429)
)
async def renew_recovery_codes(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> RecoveryCodes:
    """Make ten new recovery codes. The former ones are dead."""
    codes = await second_factors.renew_recovery_codes(context, _proof(body, user, token, throttles))
    throttles.knew_password(user.id)
    return RecoveryCodes(recovery_codes=codes)


def _proof(body: ProofBody, user: Actor, token: str, throttles: Throttles) -> Proof:
    """What a change of the second factors is proven with, after it is counted. Raises ``TooMany``."""
    throttles.try_password(user.id)
    if body.code is not None:
        throttles.try_code(user.id, digest(token))
    return Proof(
        user_id=user.id,
        session=token,
        password=body.password.get_secret_value(),
        ticket=body.ticket,
        answer=Answer(code=body.code, passkey=body.passkey),
    )


@router.get("/auth/sso")
async def read_sso(provider: CurrentProvider) -> SsoView:
    """Read whether this server has single sign-on, and what it is called."""
    return SsoView(name=provider.oidc.name if provider else None)


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
        throttles.use_sso(address)
        browser = browsers.find_or_make(request, context.settings)
        answer = _go_to(await sso.begin(context, provider, browser=browser, next_path=next_path))
        browsers.keep(answer, context.settings, browser)
        return answer
    except TooMany:
        return _go_to(sso.failure_path("busy"))
    except Unavailable:  # the database has a line of its own in the log
        return _go_to(sso.failure_path("unavailable"))
    except SsoFailed as error:
        sso.note_failure(error)
        return _go_to(sso.failure_path(error.reason))


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
        return _go_to(sso.failure_path("off"))
    try:
        throttles.use_sso(address)
    except TooMany:
        return _go_to(sso.failure_path("busy"))
    answer = sso.ProviderAnswer(state=state, code=code, error=error, issuer=iss)
    return _go_to(await sso.finish(context, provider, answer, browser=browsers.find(request, context.settings)))


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


@router.post("/user/identities/start", responses=errors(403, 404, 429))
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
    throttles.try_password(user.id)
    await profile.prove_password(context.database, user.id, password=body.password.get_secret_value(), field="password")
    throttles.knew_password(user.id)
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


def _go_to(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=status.HTTP_303_SEE_OTHER)
