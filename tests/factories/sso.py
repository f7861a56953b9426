"""Logins at a provider of single sign-on, step by step, through HTTP."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from httpx2 import AsyncClient, Response
from sqlalchemy import func, select

from livery.accounts import identities
from livery.accounts.models import User
from livery.accounts.oidc.configuration import Oidc
from livery.accounts.oidc.provider import Claims
from livery.activity.models import Activity
from livery.core.context import Context
from tests.factories.accounts import PASSWORD
from tests.support.hostile_provider import HostileProvider, code_of

FORCED = "acme.example"
OUTSIDE = "mara@elsewhere.example"
START, CALLBACK, SESSION = "/api/auth/sso/start", "/api/auth/sso/callback", "/api/auth/sso/session"


@dataclass(frozen=True)
class Landing:
    """The page to which a browser is led back, with what its fragment has."""

    path: str
    code: str = ""
    next_path: str = ""
    failure: str = ""


def landing_of(answer: Response) -> Landing:
    """Where an answer leads. No answer leads to another host."""
    assert answer.status_code == 303, answer.text
    parts = urlsplit(answer.headers["location"])
    assert (parts.scheme, parts.netloc, parts.query) == ("", "", "")
    fragment = {name: values[0] for name, values in parse_qs(parts.fragment).items()}
    return Landing(parts.path, fragment.get("code", ""), fragment.get("next", ""), fragment.get("sso", ""))


async def begin(client: AsyncClient, provider: HostileProvider, next_path: str | None = None) -> str:
    """Begins a login. Returns the state."""
    answer = await client.get(START, params={} if next_path is None else {"next": next_path})
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith(f"{provider.issuer}/auth?"), answer.headers["location"]
    return provider.meet(answer.headers["location"])


async def come_back(client: AsyncClient, state: str, **others: str) -> Landing:
    """Brings the provider's answer back."""
    return landing_of(await client.get(CALLBACK, params={"state": state, "code": code_of(state), **others}))


async def go_and_return(client: AsyncClient, provider: HostileProvider, next_path: str | None = None) -> Landing:
    """Begins a login and comes back with the provider's answer."""
    return await come_back(client, await begin(client, provider, next_path))


async def redeem(client: AsyncClient, code: str) -> Response:
    """Exchanges a one-time code."""
    return await client.post(SESSION, json={"code": code})


async def log_in_by_sso(client: AsyncClient, provider: HostileProvider) -> dict[str, Any]:
    """The whole way. Returns what a login answers."""
    landing = await go_and_return(client, provider)
    assert landing.path == "/sso", landing
    answer = await redeem(client, landing.code)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def give_identity(context: Context, user_id: str, *, subject: str, issuer: str = "https://id.example") -> str:
    """Connects an identity to a person. Returns its id."""
    oidc = Oidc(issuer, "livery", "", "Acme", frozenset(), allows_private=False, redirect_uri="https://x.example")
    claims = Claims(issuer, subject, "", is_verified=False, name="")
    async with context.database.write() as db:
        await identities.connect(db, context.bus, context.vault, oidc, claims, user_id=user_id)
        return (await identities.identities_of(db, user_id))[-1].id


async def connect(client: AsyncClient, headers: dict[str, str], password: str = PASSWORD) -> Response:
    """Begins to connect an identity in the settings."""
    return await client.post("/api/user/identities/start", json={"password": password}, headers=headers)


async def person_with(context: Context, email: str) -> User | None:
    """The row of the person with this email."""
    async with context.database.read() as db:
        return (await db.scalars(select(User).where(User.email == email))).one_or_none()


async def count(context: Context, table: type[Any]) -> int:
    """How many rows a table has."""
    async with context.database.read() as db:
        return await db.scalar(select(func.count()).select_from(table)) or 0


async def actions(context: Context) -> list[str]:
    """What is on record, oldest first."""
    async with context.database.read() as db:
        return list(await db.scalars(select(Activity.action).order_by(Activity.id)))
