"""The calls of second factors: the authenticator app, passkeys and recovery codes."""

from fastapi import status

from livery.accounts import (
    second_factors,
)
from livery.accounts.auth import (
    CurrentThrottles,
    CurrentUser,
    SessionToken,
    VerifiedUser,
)
from livery.accounts.schemas import (
    Actor,
    NewPasskeyBody,
    PasskeyItem,
    PasskeyNameBody,
    PasskeyStep,
    ProofBody,
    RecoveryCodes,
    SecondFactorAdded,
    SecondFactorsView,
    TotpCodeBody,
    TotpSetup,
)
from livery.accounts.second_factors import Answer, Proof
from livery.accounts.throttle import OWN_CODES, PROOFS, Throttles
from livery.core.context import CurrentContext, Read, Write
from livery.core.paths import PasskeyId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.core.security import digest

router = Router(prefix="/api", tags=["accounts"])


@router.get("/user/second-factors")
async def read_second_factors(user: CurrentUser, db: Read) -> SecondFactorsView:
    """Read which second factors you have."""
    return await second_factors.describe(db, user.id)


@router.post("/user/second-factors/totp", status_code=status.HTTP_201_CREATED, responses=errors(403, 409, rates=PROOFS))
async def set_up_totp(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> TotpSetup:
    """Make a secret for an authenticator app. Its first code turns it on."""
    setup = await second_factors.set_up_totp(context, await _proof(body, user, token, throttles))
    await throttles.knew_password(user.id)
    return setup


@router.post("/user/second-factors/totp/confirm", responses=errors(403, 409, rates=OWN_CODES))
async def confirm_totp(
    body: TotpCodeBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> SecondFactorAdded:
    """Turn on the authenticator app by its first code. With your first factor, all your other sessions end."""
    device = digest(token)
    await throttles.try_code(user.id, device)
    codes = await second_factors.confirm_totp(context, user.id, session=token, code=body.code)
    await throttles.knew_code(user.id, device)
    return SecondFactorAdded(message="The authenticator app is set up.", recovery_codes=codes)


@router.delete("/user/second-factors/totp", responses=errors(403, 404, rates=PROOFS))
async def remove_totp(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> Message:
    """Remove your authenticator app."""
    await second_factors.remove_totp(context, await _proof(body, user, token, throttles))
    await throttles.knew_password(user.id)
    return Message(message="The authenticator app was removed.")


@router.post("/user/second-factors/passkeys/options", responses=errors(403, 409, rates=PROOFS))
async def begin_passkey(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> PasskeyStep:
    """Begin to add a passkey: the options for `navigator.credentials.create()`."""
    step = await second_factors.begin_passkey(context, await _proof(body, user, token, throttles))
    await throttles.knew_password(user.id)
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


@router.delete("/user/second-factors/passkeys/{passkeyId}", responses=errors(rates=PROOFS))
async def remove_passkey(
    passkey_id: PasskeyId,
    body: ProofBody,
    user: VerifiedUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
) -> Message:
    """Remove one of your passkeys."""
    await second_factors.remove_passkey(context, await _proof(body, user, token, throttles), passkey_id)
    await throttles.knew_password(user.id)
    return Message(message="The passkey was removed.")


@router.post(
    "/user/second-factors/recovery-codes", status_code=status.HTTP_201_CREATED, responses=errors(403, 404, rates=PROOFS)
)
async def renew_recovery_codes(
    body: ProofBody, user: VerifiedUser, token: SessionToken, context: CurrentContext, throttles: CurrentThrottles
) -> RecoveryCodes:
    """Make ten new recovery codes. The former codes no longer work."""
    codes = await second_factors.renew_recovery_codes(context, await _proof(body, user, token, throttles))
    await throttles.knew_password(user.id)
    return RecoveryCodes(recovery_codes=codes)


async def _proof(body: ProofBody, user: Actor, token: str, throttles: Throttles) -> Proof:
    """What a change of the second factors is proven with, after it is counted. Raises ``TooMany``."""
    await throttles.try_password(user.id)
    if body.code is not None:
        await throttles.try_code(user.id, digest(token))
    return Proof(
        user_id=user.id,
        session=token,
        password=body.password.get_secret_value(),
        ticket=body.ticket,
        answer=Answer(code=body.code, passkey=body.passkey),
    )
