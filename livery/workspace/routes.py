"""The calls of projects and accounts whose answers are composed of several domains."""

from typing import Annotated

from fastapi import Header, status

from livery.accounts import profile
from livery.accounts.auth import (
    CurrentThrottles,
    CurrentUser,
    SessionToken,
    VerifiedUser,
)
from livery.accounts.schemas import (
    CloseAccountBody,
    NameBody,
)
from livery.core import limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.errors import Forbidden, NotFound
from livery.core.paths import ImageId, InvitationId, LanguageCode, TabName
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.images.queries import aliases_of, find_image
from livery.projects import invitations
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.access import open_project, require
from livery.projects.dependencies import (
    AdminOf,
    EditorOf,
    OwnerOf,
    ViewerOf,
    check_access,
    open_for_reading,
    requires,
)
from livery.projects.permissions import Permission
from livery.projects.queries import Access
from livery.projects.schemas import (
    AddLanguageBody,
    CreateProjectBody,
    CreateScreenBody,
    ProjectSummary,
    UpdateProjectBody,
)
from livery.stores.schemas import StoreUse
from livery.stores.uses import uses_of
from livery.usage.access import CurrentMeter
from livery.usage.schemas import UsageView
from livery.workspace import losses, queries, service
from livery.workspace.demo import find_demo_project
from livery.workspace.losses import LanguageLosses, ProjectLosses, ScreenLosses
from livery.workspace.schemas import (
    AssignCreditsBody,
    CreditsAssigned,
    Me,
    ProjectView,
    StorefrontConfig,
)

router = Router(prefix="/api", tags=["workspace"])
storefront_router = Router(include_in_schema=False)


@router.get("/user/me")
async def read_me(user: CurrentUser, db: Read, context: CurrentContext) -> Me:
    """Read who is logged in, with credits and plan."""
    return await queries.me(db, context.settings, user)


@router.put("/user/me")
async def change_me(body: NameBody, user: CurrentUser, db: Write, context: CurrentContext) -> Me:
    """Change your name."""
    actor = await profile.change_name(db, user.id, name=body.name)
    return await queries.me(db, context.settings, actor)


@router.delete("/user/me", responses=errors(403, 409, rates=[limits.PASSWORDS_PER_PERSON]))
async def close_account(
    body: CloseAccountBody,
    user: CurrentUser,
    token: SessionToken,
    context: CurrentContext,
    throttles: CurrentThrottles,
) -> Message:
    """Delete your account for good. Refused while you own projects; your credits are forfeited.

    Without a password, the session must be younger than ten minutes.
    """
    await throttles.try_password(user.id)
    password = body.password.get_secret_value()
    forfeited = await service.close_account(
        context.database, context.bus, context.vault, user, password=password, token=token
    )
    await throttles.knew_password(user.id)
    lost = f" {forfeited} {'credit was' if forfeited == 1 else 'credits were'} forfeited." if forfeited else ""
    return Message(message=f"Your account was deleted.{lost}")


@router.get("/projects")
async def list_projects(user: CurrentUser, db: Read, context: CurrentContext) -> list[ProjectSummary]:
    """List your projects and those you are a member of, the last changed first."""
    return await queries.project_list(db, context.settings, user)


@router.post("/projects", status_code=status.HTTP_201_CREATED, responses=errors(403))
async def create_project(
    body: CreateProjectBody, user: VerifiedUser, db: Write, context: CurrentContext
) -> ProjectView:
    """Create a project."""
    project = await projects.create_project(
        db,
        context.vault,
        user,
        name=body.name,
        description=body.description,
        default_language=body.default_language,
    )
    access = await open_project(db, context.settings, user, project.id, Permission.READ)
    return await queries.project_view(db, context, access)


@router.get("/projects/{projectId}")
async def read_project(access: ViewerOf, db: Read, context: CurrentContext) -> ProjectView:
    """Read a project."""
    return await queries.project_view(db, context, access)


@router.put("/projects/{projectId}", responses=errors(409))
async def update_project(access: EditorOf, db: Write, body: UpdateProjectBody, context: CurrentContext) -> ProjectView:
    """Change a project: editors its list of screens, admins its name, description and default language too."""
    if body.given - {"tabs"}:
        require(access.role, Permission.MANAGE)
    await service.update_project(db, context, access, body)
    return await queries.project_view(db, context, access)


@router.delete("/projects/{projectId}")
async def delete_project(access: OwnerOf, db: Write, context: CurrentContext) -> Message:
    """Delete a project for good. Its apps get 410 and keep what they have."""
    await service.delete_project(db, context.bus, access)
    return Message(message="The project was deleted.")


@router.get("/projects/{projectId}/losses")
async def count_project_losses(
    access: Annotated[Access, requires(Permission.OWN, open_for_reading)], db: Read
) -> ProjectLosses:
    """Count what deleting a project would take: content, releases and people."""
    return await losses.of_project(db, access)


@router.get("/projects/{projectId}/usage")
async def read_usage(
    access: Annotated[Access, requires(Permission.READ, check_access)], context: CurrentContext, meter: CurrentMeter
) -> UsageView:
    """Read what the apps of a project took, this month and day by day, and what its plan allows."""
    async with meter.still(), context.database.read() as db:
        return await queries.usage(db, meter, access)


@router.post("/projects/{projectId}/screens", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def add_screen(access: EditorOf, db: Write, body: CreateScreenBody, context: CurrentContext) -> ProjectView:
    """Add a screen."""
    await projects.add_screen(db, access, name=body.name)
    return await queries.project_view(db, context, access)


@router.delete("/projects/{projectId}/screens/{tabName}", responses=errors(409))
async def delete_screen(access: EditorOf, db: Write, screen: TabName, context: CurrentContext) -> ProjectView:
    """Delete a screen and its translations from the draft; apps keep them until the next publish."""
    await service.delete_screen(db, access, name=screen)
    return await queries.project_view(db, context, access)


@router.get("/projects/{projectId}/screens/{tabName}/losses", responses=errors(409))
async def count_screen_losses(
    access: Annotated[Access, requires(Permission.EDIT, open_for_reading)], db: Read, screen: TabName
) -> ScreenLosses:
    """Count what deleting a screen would take out of the draft."""
    return await losses.of_screen(db, access, screen)


@router.post("/projects/{projectId}/languages", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def add_language(access: EditorOf, db: Write, body: AddLanguageBody, context: CurrentContext) -> ProjectView:
    """Add a language by code or English name."""
    await projects.add_language(db, access, language=body.language)
    return await queries.project_view(db, context, access)


@router.delete("/projects/{projectId}/languages/{languageCode}", responses=errors(409))
async def delete_language(access: AdminOf, db: Write, code: LanguageCode) -> Message:
    """Delete a language and its texts from the draft; apps keep them until the next publish."""
    await service.delete_language(db, access, code=code)
    return Message(message="The language was deleted. Apps keep it until the next publish.")


@router.get("/projects/{projectId}/languages/{languageCode}/losses", responses=errors(409))
async def count_language_losses(
    access: Annotated[Access, requires(Permission.MANAGE, open_for_reading)], db: Read, code: LanguageCode
) -> LanguageLosses:
    """Count what deleting a language would take out of the draft: texts, and values of items."""
    return await losses.of_language(db, access, code)


@router.get("/images/{projectId}/{imageId}/uses")
async def list_image_uses(access: ViewerOf, db: Read, image_id: ImageId) -> list[StoreUse]:
    """List the items of Data Stores that show an image, by the address of its key."""
    image = await find_image(db, access.project.id, image_id)
    return await uses_of(db, access.project, [image.key, *await aliases_of(db, image)])


@router.post("/invitations/{token}/accept", responses=errors(410))
async def accept_invitation(token: str, user: VerifiedUser, db: Write, context: CurrentContext) -> ProjectView:
    """Join a project by the link of a mail, as the person whose email it was sent to. Accepting again as a member answers the same."""
    project_id = await invitations.accept(db, context.settings, user, token=token)
    access = await open_project(db, context.settings, user, project_id, Permission.READ)
    return await queries.project_view(db, context, access)


@router.post("/user/invitations/{invitationId}/accept")
async def accept_own_invitation(
    invitation_id: InvitationId, user: VerifiedUser, db: Write, context: CurrentContext
) -> ProjectView:
    """Join a project by an invitation to your email. Accepting again as a member answers the same."""
    project_id = await invitations.accept_own(db, context.settings, user, invitation_id=invitation_id)
    access = await open_project(db, context.settings, user, project_id, Permission.READ)
    return await queries.project_view(db, context, access)


@router.post("/projects/assign-credits", responses=errors(402, 403, 404, 409))
async def assign_credits(
    body: AssignCreditsBody,
    user: VerifiedUser,
    db: Write,
    context: CurrentContext,
    idempotency_key: Annotated[str | None, Header(max_length=limits.IDEMPOTENCY_KEY_CHARACTERS)] = None,
) -> CreditsAssigned:
    """Activate or renew a project's tier with your credits."""
    if context.settings.billing == "off":
        raise Forbidden("Plans are turned off on this server: every project has everything.", code="billing_off")
    access = await open_project(db, context.settings, user, body.project_id, Permission.ASSIGN_CREDITS)
    reference = f"key:{idempotency_key}" if idempotency_key else None
    access, credits_left = await service.activate_tier(
        db, context.bus, access, tier_id=body.tier_id, months=body.months, reference=reference
    )
    project = await queries.project_view(db, context, access)
    return CreditsAssigned(message="The plan is active.", project=project, user_credits=credits_left)


@storefront_router.get("/storefront/config.json")
async def read_storefront_config(context: CurrentContext, db: Read) -> StorefrontConfig:
    """Read what the example app needs to show the demo project."""
    project_id = await find_demo_project(db)
    key = project_id and (await project_queries.shown_keys(db, context.vault, project_id))["publishable"]
    if not (project_id and key):
        raise NotFound("This server has no demo project that it can show.")
    return StorefrontConfig(project_id=project_id, key=key, base_url=context.settings.base_path)
