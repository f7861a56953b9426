"""The calls whose answers are composed of several domains."""

from typing import Annotated

from fastapi import Depends, Header, Query, Request, status
from fastapi.responses import JSONResponse, StreamingResponse

from livery.accounts import browsers, logins, profile, sso
from livery.accounts import service as accounts
from livery.accounts.auth import (
    ClientAddress,
    CurrentFailedLogins,
    CurrentThrottles,
    CurrentUser,
    ForcedDomains,
    SessionToken,
    UserAgent,
    VerifiedUser,
)
from livery.accounts.devices import device_with_factor, known_device, new_device
from livery.accounts.logins import Login
from livery.accounts.schemas import (
    CloseAccountBody,
    LoginBody,
    NameBody,
    PasskeyLoginBody,
    PasskeyStep,
    SecondFactorBody,
    SecondStep,
    SsoCodeBody,
)
from livery.accounts.second_factors import Answer
from livery.activity.audit_queries import AuditFilter
from livery.core import clock, limits
from livery.core.context import Context, CurrentContext, Read, Write
from livery.core.errors import Forbidden, NotFound
from livery.core.http import Router
from livery.core.paths import ImageId, InvitationId, LanguageCode, PageSize, TabName
from livery.core.reference.statuses import errors
from livery.core.schemas import GivenMoment, Message, canonical_email
from livery.images.queries import aliases_of, find_image
from livery.projects import invitations
from livery.projects import queries as project_queries
from livery.projects import service as projects
from livery.projects.access import open_project, require
from livery.projects.dependencies import (
    AdminOf,
    AuditorOf,
    EditorOf,
    OwnerOf,
    ViewerOf,
    check_access,
    open_for_reading,
    open_for_writing,
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
from livery.workspace import audit, losses, queries, service
from livery.workspace.demo import find_demo_project
from livery.workspace.losses import LanguageLosses, ProjectLosses, ScreenLosses
from livery.workspace.schemas import (
    ActivityFeed,
    AssignCreditsBody,
    AuditLog,
    AuditPeople,
    CreditsAssigned,
    LoggedIn,
    Me,
    ProjectView,
    StorefrontConfig,
)

router = Router(prefix="/api", tags=["workspace"])
storefront_router = Router(include_in_schema=False)


@router.post(
    "/auth/login",
    response_model=LoggedIn,
    responses={status.HTTP_202_ACCEPTED: {"model": SecondStep}, **errors(401, 403, 429)},
)
async def log_in(
    body: LoginBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    failed_logins: CurrentFailedLogins,
    address: ClientAddress,
    forced: ForcedDomains,
) -> LoggedIn | JSONResponse:
    """Log in with email and password. A person with a second factor gets 202 and a ticket for the second step."""
    email = canonical_email(body.email)
    accounts.refuse_forced(email, forced)
    device = known_device(context.vault, email, body.device)
    throttles.try_login(email, address, device)
    password = body.password.get_secret_value()
    login = await logins.log_in(context, failed_logins, email=email, password=password, user_agent=agent)
    if isinstance(login, SecondStep):  # the guesses stay counted: the person has not shown who they are
        return JSONResponse(login.model_dump(mode="json", by_alias=True), status.HTTP_202_ACCEPTED)
    throttles.logged_in(email, address, device)
    return await _logged_in(context, login)


@router.post("/auth/login/second-factor", responses=errors(401, 429))
async def pass_second_factor(
    body: SecondFactorBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
) -> LoggedIn:
    """Finish a login with a code of your authenticator app, a recovery code or a passkey."""
    answer = Answer(code=body.code, passkey=body.passkey)
    answer.require_one()
    person = await logins.find_person(context, ticket=body.ticket)
    device = device_with_factor(context.vault, person.email, body.device)
    if answer.is_app_code:
        throttles.try_code(person.id, device)
    elif answer.code is not None:
        throttles.try_recovery_code(address)
    login = await logins.finish(context, ticket=body.ticket, answer=answer, user_agent=agent)
    throttles.knew_code(person.id, device)
    throttles.logged_in(person.email, address, known_device(context.vault, person.email, body.device))
    return await _logged_in(context, login, has_shown_factor=True)


@router.post("/auth/login/passkey/options")
async def begin_passkey_login(context: CurrentContext) -> PasskeyStep:
    """Begin a login with a passkey alone: the options for `navigator.credentials.get()`."""
    return logins.begin_passkey(context)


@router.post("/auth/login/passkey", responses=errors(401, 403, 429))
async def log_in_with_passkey(
    body: PasskeyLoginBody,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
    forced: ForcedDomains,
) -> LoggedIn:
    """Log in with a passkey alone: it is both factors."""
    throttles.try_passkey(address)
    login = await logins.finish_passkey(
        context, ticket=body.ticket, answer=body.passkey, user_agent=agent, forced=forced
    )
    return await _logged_in(context, login, has_shown_factor=True)


async def _logged_in(context: Context, login: Login, *, has_shown_factor: bool = False) -> LoggedIn:
    async with context.database.read() as db:
        me = await queries.me(db, context.settings, login.actor)
    device = new_device(context.vault, login.actor.email, has_shown_factor=has_shown_factor)
    return LoggedIn(message="Logged in.", token=login.token, user=me, device=device)


@router.post("/auth/sso/session", responses=errors(401, 429))
async def log_in_with_sso(
    body: SsoCodeBody,
    request: Request,
    agent: UserAgent,
    context: CurrentContext,
    throttles: CurrentThrottles,
    address: ClientAddress,
) -> LoggedIn:
    """Exchange the one-time code of a login at the provider for a session, in the browser that logged in there."""
    throttles.use_sso(address)
    async with context.database.write() as db:
        token, actor = await sso.redeem(
            db,
            code=body.code.get_secret_value(),
            browser=browsers.find(request, context.settings),
            user_agent=agent,
        )
    async with context.database.read() as db:
        me = await queries.me(db, context.settings, actor)
    return LoggedIn(message="Logged in.", token=token, user=me, device=new_device(context.vault, actor.email))


@router.get("/user/me")
async def read_me(user: CurrentUser, db: Read, context: CurrentContext) -> Me:
    """Read who is logged in, with credits and plan."""
    return await queries.me(db, context.settings, user)


@router.put("/user/me")
async def change_me(body: NameBody, user: CurrentUser, db: Write, context: CurrentContext) -> Me:
    """Change your name."""
    actor = await profile.change_name(db, user.id, name=body.name)
    return await queries.me(db, context.settings, actor)


@router.delete("/user/me", responses=errors(403, 409, 429))
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
    throttles.try_password(user.id)
    password = body.password.get_secret_value()
    forfeited = await service.close_account(
        context.database, context.bus, context.vault, user, password=password, token=token
    )
    throttles.knew_password(user.id)
    lost = f" {forfeited} {'credit was' if forfeited == 1 else 'credits were'} forfeited." if forfeited else ""
    return Message(message=f"Your account was deleted.{lost}")


@router.get("/activity")
async def list_activity(
    user: CurrentUser,
    db: Read,
    project_id: Annotated[str | None, Query(alias="projectId", max_length=limits.ID_CHARACTERS)] = None,
    limit: PageSize = 20,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> ActivityFeed:
    """List what happened in your projects, newest first; ``cursor`` is the ``_id`` of the last entry you have."""
    return list(await queries.feed(db, user, project_id=project_id, limit=limit, before_id=cursor))


@router.get("/user/audit")
async def list_own_acts(
    user: CurrentUser,
    db: Read,
    limit: PageSize = 50,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> AuditLog:
    """List the acts on your own account, newest first: logins, failed logins, password, keys, purchases, with the address each came from.

    ``cursor`` is the ``_id`` of the last entry you have.
    """
    return await audit.own_page(db, user, limit=limit, before_id=cursor)


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


async def get_audit_filter(
    actor: Annotated[
        str | None,
        Query(max_length=limits.ID_CHARACTERS, description="A person's `_id`, or one of `key`, `job` and `operator`."),
    ] = None,
    action: Annotated[
        str | None,
        Query(
            max_length=limits.ID_CHARACTERS,
            pattern=r"^[a-z_]+(\.[a-z_]+)?$",
            description="A code such as `screens.key_updated`, or its area: `screens`.",
        ),
    ] = None,
    since: Annotated[GivenMoment | None, Query(alias="from", description="Entries from this moment on.")] = None,
    until: Annotated[GivenMoment | None, Query(alias="to", description="Entries before this moment.")] = None,
    text: Annotated[
        str | None, Query(max_length=limits.AUDIT_SEARCH_CHARACTERS, description="A part of the target.")
    ] = None,
) -> AuditFilter:
    """Which entries of an audit log are wanted."""
    return AuditFilter(actor=actor, action=action, since=since, until=until, text=text)


WantedEntries = Annotated[AuditFilter, Depends(get_audit_filter)]


@router.get("/projects/{projectId}/audit")
async def list_audit(
    access: AuditorOf,
    db: Read,
    wanted: WantedEntries,
    limit: PageSize = 50,
    cursor: Annotated[int | None, Query(ge=1, le=limits.LARGEST_ID)] = None,
) -> AuditLog:
    """List every act in a project, newest first, with its address and what it changed; ``cursor`` is the ``_id`` of the last entry you have.

    For admins and the owner.
    """
    return await audit.page(db, access, wanted, limit=limit, before_id=cursor)


@router.get("/projects/{projectId}/audit/people")
async def list_audit_people(access: AuditorOf, db: Read) -> AuditPeople:
    """List everybody who has an entry in the audit log of a project, former members too. For admins and the owner."""
    return AuditPeople(people=await audit.people(db, access))


@router.get(
    "/projects/{projectId}/audit/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {}, "application/json": {}}, "description": "The file."}},
)
async def export_audit(
    access: Annotated[Access, requires(Permission.AUDIT, open_for_writing)],
    db: Write,
    context: CurrentContext,
    wanted: WantedEntries,
    kind: Annotated[audit.ExportFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Download the audit log of a project, newest first, as CSV or as a JSON array. For admins and the owner. The log has an entry of it."""
    audit.note_export(db, access, wanted, kind)
    name = audit.file_name(access.project.name, clock.now().date(), kind)
    return StreamingResponse(
        audit.export(context.database, access.project.id, wanted, kind),
        media_type="text/csv; charset=utf-8" if kind == "csv" else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


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
    """Say which items of data stores show an image, by the address of its key."""
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
    key = project_id and await project_queries.shown_key(db, context.vault, project_id, "publishable")
    if not (project_id and key):
        raise NotFound("This server has no demo project that it can show.")
    return StorefrontConfig(project_id=project_id, key=key, base_url="")
