"""The calls of project tokens: how a program gets access to the dashboard's API."""

from fastapi import status

from livery.core.context import Read, Write
from livery.core.paths import TokenId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.projects import tokens
from livery.projects.dependencies import AdminOf, AdminReading, CurrentCaller
from livery.projects.schemas import MadeToken, MakeTokenBody, OwnToken, Tokens

router = Router(prefix="/api", tags=["projects"])


@router.get("/projects/{projectId}/tokens")
async def list_tokens(access: AdminReading, db: Read) -> Tokens:
    """List the project tokens that work, the newest first. Who may make tokens sees them: admins and the owner."""
    return Tokens(tokens=await tokens.list_tokens(db, access))


@router.post("/projects/{projectId}/tokens", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def make_token(access: AdminOf, db: Write, body: MakeTokenBody) -> MadeToken:
    """Make a project token, with which a program calls this API for you. The answer is the only time that it is shown.

    The scope ``read`` reads content, ``write`` changes it, ``publish`` publishes and restores. No scope manages people, plans or keys. The token
    ends with your membership.
    """
    return await tokens.make(db, access, name=body.name, scopes=body.scopes, days=body.days)


@router.delete("/projects/{projectId}/tokens/{tokenId}")
async def end_token(access: AdminOf, db: Write, token_id: TokenId) -> Message:
    """End a project token: the next call with it is refused."""
    await tokens.end(db, access, token_id=token_id)
    return Message(message="The token was ended.")


@router.get("/token")
async def read_own_token(caller: CurrentCaller, db: Read) -> OwnToken:
    """Read the project and the scopes of the project token that you call with."""
    return await tokens.describe(db, caller)
