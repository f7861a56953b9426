"""The verbs of project tokens (``lvt_``): make, end, list, and find the caller who uses a token."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import ColumnElement

from livery.accounts import queries as accounts
from livery.accounts.auth import PROGRAM_PREFIX
from livery.accounts.grants import TokenGrant
from livery.accounts.models import User
from livery.accounts.schemas import Actor
from livery.core import clock, limits
from livery.core.db import Database
from livery.core.errors import Conflict, Invalid, NotFound, Unauthorized, Unavailable
from livery.core.ids import new_id
from livery.core.security import digest, new_key
from livery.projects.acts import record_act
from livery.projects.models import ProjectToken
from livery.projects.permissions import SCOPES, Scope
from livery.projects.queries import Access
from livery.projects.schemas import MadeToken, OwnToken, TokenView

_HINT_LENGTH = 4
_USE_WRITTEN_EVERY = timedelta(hours=1)


async def make(db: AsyncSession, access: Access, *, name: str, scopes: Sequence[Scope], days: int | None) -> MadeToken:
    """Makes a token for ``days`` (``None``: without an end), and returns it: the server keeps its digest only, so it is shown once.

    Raises ``Invalid`` for an empty name and without a scope, ``Conflict`` for a name in use and over 20 tokens that work.
    """
    name = name.strip()
    if not name:
        raise Invalid.field("name", "Give the token a name, such as the place where it is used.")
    if not scopes:
        raise Invalid.field("scopes", "Choose at least one scope.")
    living = await _living_of(db, access.project.id)
    if len(living) >= limits.PROJECT_TOKENS:
        raise Conflict(
            f"This project has {limits.PROJECT_TOKENS} tokens that work. End one of them first.",
            code="too_many_tokens",
        )
    if any(token.name == name for token in living):
        message = "A token of this name works already."
        raise Conflict(message, code="token_exists", fields={"name": message})
    secret = new_key(PROGRAM_PREFIX.rstrip("_"))
    moment = clock.now()
    token = ProjectToken(
        id=new_id("tok"),
        project_id=access.project.id,
        name=name,
        token_digest=digest(secret),
        hint=secret[-_HINT_LENGTH:],
        scopes=" ".join(scope for scope in SCOPES if scope in scopes),
        created_by=access.actor.id,
        created_at=moment,
        expires_at=None if days is None else moment + timedelta(days=days),
        last_used_at=None,
        ended_at=None,
    )
    db.add(token)
    await record_act(
        db, access, "projects.token_made", {"token": name}, after={"scopes": token.scopes, "token": token.hint}
    )
    return MadeToken(token=secret, made=_view(token, access.actor.name))


async def end(db: AsyncSession, access: Access, *, token_id: str) -> None:
    """Ends a token: the next call with it is refused. Raises ``NotFound``."""
    token = next((token for token in await _living_of(db, access.project.id) if token.id == token_id), None)
    if token is None:
        raise NotFound("This token has ended already.", code="token_not_found")
    token.ended_at = clock.now()
    await record_act(db, access, "projects.token_ended", {"token": token.name}, before={"token": token.hint})


async def end_of_member(db: AsyncSession, project_id: str, user_id: str) -> None:
    """Ends the tokens that a person made in a project, because the person leaves it."""
    theirs = (ProjectToken.project_id == project_id) & (ProjectToken.created_by == user_id)
    await db.execute(update(ProjectToken).where(theirs, _is_living()).values(ended_at=clock.now()))


async def list_tokens(db: AsyncSession, access: Access) -> list[TokenView]:
    """Returns the tokens that work, the newest first."""
    living = await _living_of(db, access.project.id)
    names = await accounts.names_of(db, {token.created_by for token in living})
    return [_view(token, names.get(token.created_by)) for token in living]


async def find_caller(database: Database, token: str) -> Actor:
    """Returns the maker of a token with what the token allows. Writes its use once an hour. Raises ``Unauthorized``."""
    query = select(ProjectToken, User.name, User.email, User.verified_at).join(User, User.id == ProjectToken.created_by)
    async with database.look() as db:
        row = (await db.execute(query.where(ProjectToken.token_digest == digest(token), _is_living()))).one_or_none()
    if row is None:
        raise Unauthorized("This project token has ended, or there is no such token.", code="token_ended")
    found, name, email, verified_at = row
    if found.last_used_at is None or clock.now() - found.last_used_at >= _USE_WRITTEN_EVERY:
        with suppress(Unavailable):  # a busy writer must not turn a read away: the next call writes the use
            async with database.write() as db:
                await db.execute(
                    update(ProjectToken).where(ProjectToken.id == found.id).values(last_used_at=clock.now())
                )
    permissions = frozenset(permission.value for scope in _scopes_of(found) for permission in SCOPES[scope])
    grant = TokenGrant(found.id, found.project_id, permissions)
    return Actor(found.created_by, name, email, verified_at is not None, grant)


async def describe(db: AsyncSession, actor: Actor) -> OwnToken:
    """Returns what the calling token is. Raises ``Invalid`` without a token."""
    if actor.grant is None:
        raise Invalid("This call needs a project token.", code="token_required")
    token = (await db.scalars(select(ProjectToken).where(ProjectToken.id == actor.grant.token_id))).one()
    return OwnToken(project_id=token.project_id, name=token.name, scopes=_scopes_of(token), expires_at=token.expires_at)


def _is_living() -> ColumnElement[bool]:
    is_ahead = or_(ProjectToken.expires_at.is_(None), ProjectToken.expires_at > clock.now())
    return ProjectToken.ended_at.is_(None) & is_ahead


async def _living_of(db: AsyncSession, project_id: str) -> Sequence[ProjectToken]:
    query = select(ProjectToken).where(ProjectToken.project_id == project_id, _is_living())
    return (await db.scalars(query.order_by(ProjectToken.created_at.desc(), ProjectToken.id))).all()


def _scopes_of(token: ProjectToken) -> list[Scope]:
    given = token.scopes.split()
    return [scope for scope in SCOPES if scope in given]


def _view(token: ProjectToken, made_by: str | None) -> TokenView:
    return TokenView(
        id=token.id,
        name=token.name,
        hint=token.hint,
        scopes=_scopes_of(token),
        created_by=made_by,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
    )
