"""Logging in at the provider, from the click to the session. The provider is asked between transactions, never inside them."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import attempts, identities, profile, queries, service
from livery.accounts.attempts import Answered, Secrets
from livery.accounts.oidc.failures import Reason, SsoFailed
from livery.accounts.oidc.provider import Claims, Provider
from livery.accounts.schemas import Actor
from livery.activity.service import record
from livery.core import limits
from livery.core.context import Context
from livery.core.errors import Unauthorized, Unavailable

log = structlog.get_logger()

_ERROR_NAME = re.compile(r"[a-z_]{1,40}")


@dataclass(frozen=True)
class ProviderAnswer:
    """What the browser brings back from the provider."""

    state: str = field(default="", repr=False)
    code: str = field(default="", repr=False)
    error: str = ""
    issuer: str | None = None


async def begin(
    context: Context, provider: Provider, *, browser: str, next_path: str = "", connects_to: str | None = None
) -> str:
    """Returns the address at the provider at which a browser logs in. ``connects_to`` is the person whose account gets the identity.

    Raises ``SsoFailed`` when the provider is not there.
    """
    secrets = Secrets()
    url = await provider.login_url(state=secrets.state, nonce=secrets.nonce, verifier=secrets.verifier)
    async with context.database.write() as db:
        await attempts.keep(db, context.vault, secrets, browser=browser, next_path=next_path, connects_to=connects_to)
    return url


async def finish(context: Context, provider: Provider, answer: ProviderAnswer, *, browser: str) -> str:
    """Returns the path of the dashboard at which the browser goes on: with a one-time code, or with the code of what went wrong."""
    try:
        async with context.database.write() as db:
            attempt = await attempts.answer(db, context.vault, state=answer.state, browser=browser)
    except Unavailable:
        return _fail(SsoFailed("unavailable", "the database"))
    if attempt is None:
        return failure_path("expired")
    page = "/login" if attempt.connects_to is None else "/settings"
    try:
        claims = await _ask(provider, attempt, answer)
        async with context.database.write() as db:
            return await _settle(db, context, provider, attempt, claims)
    except SsoFailed as error:
        return _fail(error, page=page)
    except Unavailable:
        return _fail(SsoFailed("unavailable", "the database"), page=page)
    except Unauthorized:
        return _fail(SsoFailed("expired", "the account was closed"), page=page)


async def redeem(db: AsyncSession, *, code: str, browser: str, user_agent: str) -> tuple[str, Actor]:
    """A new session's token and its person, for the browser that logged in at the provider. Raises ``Unauthorized``."""
    user_id = await attempts.owner_of(db, code=code)
    refusal = Unauthorized("This login has expired. Please try again.", code="sso_expired")
    if user_id is None:
        raise refusal
    user = await profile.hold_person(db, user_id)
    if not await attempts.use_code(db, code=code, browser=browser):
        raise refusal
    after = {"userAgent": user_agent} if user_agent else None
    await record(db, project_id=None, actor_id=user.id, action="accounts.sso_logged_in", after=after)
    return await service.start_session(db, user.id, user_agent=user_agent), queries.actor_of(user)


def failure_path(reason: Reason, *, page: str = "/login") -> str:
    """Returns the page that has a sentence for this reason. The fragment is never sent to a server."""
    return f"{page}#sso={reason}"


def note_failure(error: SsoFailed) -> None:
    """Log a login that came to nothing."""
    log.warning("sso_failed", reason=error.reason, detail=error.detail)


def _fail(error: SsoFailed, *, page: str = "/login") -> str:
    note_failure(error)
    return failure_path(error.reason, page=page)


async def _ask(provider: Provider, attempt: Answered, answer: ProviderAnswer) -> Claims:
    await provider.check_answer(issuer=answer.issuer)
    if answer.error:
        said = answer.error if _ERROR_NAME.fullmatch(answer.error) else "an unknown error"
        raise SsoFailed("denied" if said == "access_denied" else "refused", f"the provider answered {said}")
    if not 0 < len(answer.code) <= limits.SSO_PROVIDER_CODE_CHARACTERS:
        raise SsoFailed("refused", "no code")
    return await provider.redeem(answer.code, nonce=attempt.nonce, verifier=attempt.verifier)


async def _settle(db: AsyncSession, context: Context, provider: Provider, attempt: Answered, claims: Claims) -> str:
    bus, vault, oidc = context.bus, context.vault, provider.oidc
    if attempt.connects_to is not None:
        await identities.connect(db, bus, vault, oidc, claims, user_id=attempt.connects_to)
        await attempts.end_one(db, attempt.id)
        return "/settings#sso=connected"
    user = await identities.person_of(db, bus, vault, oidc, claims)
    code = await attempts.issue_code(db, attempt.id, user_id=user.id)
    if code is None:
        raise SsoFailed("expired")
    fragment = {"code": code, **({"next": attempt.next_path} if attempt.next_path else {})}
    return f"/sso#{urlencode(fragment)}"
