"""The calls of accounts. Logging in and ``me`` are composed in ``workspace``: their answers hold credits and plans."""

from fastapi import APIRouter, status

from livery.accounts import service
from livery.accounts.auth import ClientAddress, CurrentThrottles, CurrentUser, SessionToken
from livery.accounts.schemas import ApiKeyView, EmailBody, RegisterBody, Registered, ResetBody, SubmittedUser
from livery.core.context import CurrentContext
from livery.core.schemas import Message, canonical_email

router = APIRouter(prefix="/api", tags=["accounts"])


@router.post("/auth/register", status_code=status.HTTP_201_CREATED)
async def register(
    body: RegisterBody, context: CurrentContext, throttles: CurrentThrottles, address: ClientAddress
) -> Registered:
    """Create an account.

    The answer is the same whether or not the email has an account; its owner gets a mail. Signing up again before the email is verified
    takes the place of the first sign-up.
    """
    sign_up = service.check_sign_up(name=body.name, email=body.email, password=body.password.get_secret_value())
    throttles.ask_for_mail(address)
    await service.register(context.database, context.bus, sign_up, sends_mail=throttles.may_mail(sign_up.email))
    return Registered(
        message="Account created successfully! Please check your email to verify.",
        user=SubmittedUser(name=body.name, email=body.email),
    )


@router.post("/auth/verify-email/{token}")
async def verify_email(token: str, context: CurrentContext) -> Message:
    """Verify an email by the link in a mail."""
    async with context.database.write() as db:
        await service.verify_email(db, context.bus, token=token)
    return Message(message="Your email is verified. You can log in now.")


@router.delete("/auth/verify-email/{token}")
async def withdraw_registration(token: str, context: CurrentContext) -> Message:
    """Remove a sign-up that was not made by the owner of the email."""
    async with context.database.write() as db:
        await service.withdraw_registration(db, token=token)
    return Message(message="The sign-up was removed. Nothing is kept of it.")


@router.post("/auth/resend-verification")
async def resend_verification(
    body: EmailBody, context: CurrentContext, throttles: CurrentThrottles, address: ClientAddress
) -> Message:
    """Send the verification mail again.

    The answer is the same whether or not the email has an account.
    """
    await _request_letter("resend", body, context, throttles, address)
    return Message(message="Verification email sent! Check your inbox and spam folder.")


@router.post("/auth/forgot-password")
async def forgot_password(
    body: EmailBody, context: CurrentContext, throttles: CurrentThrottles, address: ClientAddress
) -> Message:
    """Send a link that sets a new password.

    The answer is the same whether or not the email has an account.
    """
    await _request_letter("forgot", body, context, throttles, address)
    return Message(message="Password reset link sent! Please check your email (including spam folder).")


async def _request_letter(
    kind: str, body: EmailBody, context: CurrentContext, throttles: CurrentThrottles, address: ClientAddress
) -> None:
    email = canonical_email(body.email)
    throttles.ask_for_mail(address)
    if not throttles.may_mail(email):
        return
    async with context.database.write() as db:
        service.request_letter(db, context.bus, email=email, kind=kind)


@router.post("/auth/reset-password/{token}")
async def reset_password(token: str, body: ResetBody, context: CurrentContext) -> Message:
    """Set a new password by the link in a mail. All sessions end."""
    password = body.password.get_secret_value()
    await service.reset_password(context.database, context.bus, context.vault, token=token, password=password)
    return Message(message="Password has been reset successfully! Redirecting to login...")


@router.post("/auth/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(_user: CurrentUser, token: SessionToken, context: CurrentContext) -> None:
    """End this session: its token is dead."""
    async with context.database.write() as db:
        await service.log_out(db, token=token)


@router.get("/user/apikey")
async def read_api_key(user: CurrentUser, context: CurrentContext) -> ApiKeyView:
    """Read your developer key; it is made on first ask."""
    async with context.database.read() as db:
        key = await service.read_api_key(db, context.vault, user.id)
    if key is None:
        async with context.database.write() as db:
            key = await service.ensure_api_key(db, context.vault, user.id)
    return ApiKeyView(apikey=key)
