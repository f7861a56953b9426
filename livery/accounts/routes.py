"""The calls of accounts. Logging in, ``me`` and closing an account are composed in ``workspace``: they touch credits and projects."""

from fastapi import status

from livery.accounts import (
    api_keys,
    profile,
    queries,
    service,
    sign_ups,
)
from livery.accounts.auth import (
    ClientAddress,
    CurrentThrottles,
    CurrentUser,
    ForcedDomains,
    SessionToken,
    VerifiedUser,
)
from livery.accounts.devices import new_device
from livery.accounts.schemas import (
    AddressConfirmed,
    ApiKeysView,
    ApiKeyView,
    EmailBody,
    PasswordBody,
    PasswordReset,
    RegisterBody,
    Registered,
    ResetBody,
    SessionItem,
    SessionsView,
)
from livery.accounts.throttle import MAILS, Throttles
from livery.core import limits
from livery.core.context import Context, CurrentContext, Read, Write
from livery.core.paths import ApiKeyId, SessionId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message, canonical_email
from livery.core.security import digest

router = Router(prefix="/api", tags=["accounts"])


@router.post("/auth/register", status_code=status.HTTP_201_CREATED, responses=errors(403, rates=MAILS))
async def register(
    body: RegisterBody,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> Registered:
    """Create an account.

    The answer is the same whether or not the email has an account; its owner gets a mail. Signing up again before the email is verified
    adds a second sign-up with its own link; the first link that is followed wins. Where the server admits only invited people or nobody,
    the answer is 403.
    """
    service.refuse_uninvited(context.settings.registration, is_invited=False)
    sign_up = sign_ups.check_sign_up(name=body.name, email=body.email, password=body.password.get_secret_value())
    service.refuse_forced(sign_up.email, forced)
    await throttles.ask_for_mail(address)
    await service.register(context.database, sign_up, sends_mail=await throttles.may_mail(sign_up.email))
    return sign_ups.answer_to(body)


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


@router.post("/auth/resend-verification", responses=errors(403, rates=MAILS))
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


@router.post("/auth/forgot-password", responses=errors(403, rates=MAILS))
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
    await throttles.ask_for_mail(address)
    if not await throttles.may_mail(email):
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
    """Make a new developer key. The previous key works until you end it."""
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


@router.put("/user/password", responses=errors(rates=[limits.PASSWORDS_PER_PERSON]))
async def change_password(
    body: PasswordBody,
    user: CurrentUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
) -> Message:
    """Change your password. All your other sessions end."""
    await throttles.try_password(user.id)
    await profile.change_password(
        context.database,
        context.bus,
        context.vault,
        user_id=user.id,
        token=token,
        old=body.old_password.get_secret_value(),
        new=body.new_password.get_secret_value(),
    )
    await throttles.knew_password(user.id)
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
