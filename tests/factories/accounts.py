"""Makes people for tests, through the service."""

from dataclasses import dataclass
from functools import cache

from pwdlib.hashers.argon2 import Argon2Hasher

from livery.accounts import service, sign_ups
from livery.accounts.schemas import Actor
from livery.core.context import Context

PASSWORD = "a long and quiet river"
CHEAP_HASHER = Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)
"""Takes 0.1 ms, where the product's parameters take 60 ms."""


@dataclass(frozen=True)
class LoggedIn:
    """A person and their session."""

    actor: Actor
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What their client sends."""
        return {"Authorization": f"Bearer {self.token}"}


@cache
def password_hash() -> str:
    """The hash of ``PASSWORD``."""
    return CHEAP_HASHER.hash(PASSWORD)


async def create_user(context: Context, *, email: str = "mara@example.com", name: str = "Mara Lindt") -> Actor:
    """A verified person whose password is ``PASSWORD``."""
    async with context.database.write() as db:
        return await service.create_verified_user(db, name=name, email=email, password_hash=password_hash())


async def create_pending_user(context: Context, *, email: str = "pending@example.com", name: str = "Noor Aziz") -> None:
    """A person whose email is not verified; the password is ``PASSWORD``, and the mail is asked for."""
    sign_up = sign_ups.check_sign_up(name=name, email=email, password=PASSWORD)
    await service.register(context.database, sign_up, sends_mail=True)


async def log_in(context: Context, actor: Actor) -> LoggedIn:
    """A session for this person."""
    async with context.database.write() as db:
        return LoggedIn(actor, await service.start_session(db, actor.id))


async def create_logged_in(context: Context, *, email: str = "mara@example.com", name: str = "Mara Lindt") -> LoggedIn:
    """A verified person with a session."""
    return await log_in(context, await create_user(context, email=email, name=name))
