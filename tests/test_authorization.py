"""Who may call what: every route of the running application, tried by every kind of caller.

A route's signature states the permission that it needs, and the API's description shows it: what each caller gets follows from it. Who has which
permission is product.md's. A stranger's answer must not differ from that for a project that does not exist.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from livery.accounts import service as accounts
from livery.accounts.auth import get_current_user, refuse_project_tokens
from livery.app import Application
from livery.core.context import Context, get_read, get_rehearsal, get_write
from livery.projects.dependencies import get_caller
from livery.projects.permissions import PERMISSIONS, SCOPES, Permission, Role, Scope
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, create_pending_user
from tests.factories.billing import give_credits
from tests.factories.colors import create_colors
from tests.factories.imports import begin_import
from tests.factories.projects import Desk, add_member, create_project
from tests.factories.schedules import create_schedule
from tests.factories.screens import create_keys
from tests.factories.stores import TITLE, create_item, create_store
from tests.support.api import api_of, body_of, operations_of

MISSING = "prj_aaaaaaaaaaaaaaaa"
ROLES: tuple[Role, ...] = ("viewer", "editor", "admin", "owner")
PERSONS = ("unverified", "stranger", "ex_member", *ROLES)
KEYS = ("api_key", "publishable_key", "project_secret")
TOKENS: dict[str, list[Scope]] = {"read_token": ["read"], "write_token": ["write"], "publish_token": ["publish"]}
"""Project tokens of the owner, by their scopes."""
CALLERS = ("nobody", *PERSONS, *KEYS, *TOKENS)

Answers = dict[str, int]


def public(status: int) -> Answers:
    """The same for everybody, with or without credentials."""
    return dict.fromkeys(CALLERS, status)


def persons(status: int, *, unverified: int | None = None) -> Answers:
    """Every logged-in person gets ``status``. A key of an app is no login, and a project token is no person."""
    answers = {**public(401), **dict.fromkeys(PERSONS, status)}
    return answers if unverified is None else {**answers, "unverified": unverified}


def members(status: int, *, least: str, unverified: int = 404) -> Answers:
    """The role ``least`` and those above it; members below it get 403, strangers and who was a member 404."""
    may = ROLES[ROLES.index(least) :]
    roles = {role: status if role in may else 403 for role in ROLES}
    return {**public(401), "unverified": unverified, "stranger": 404, "ex_member": 404, **roles}


def apps(status: int) -> Answers:
    """Returns the answers for keys that read releases: a publishable key, or the API key of a member. A session or a secret has no access."""
    return {**public(401), "api_key": status, "publishable_key": status}


PROJECT, SCREEN, COLOR, IMAGES = (
    "/api/projects/{projectId}",
    "/api/translations/{projectId}/{tabName}",
    "/api/colors/{projectId}",
    "/api/images/{projectId}",
)
STORES, ITEMS = "/api/stores/{projectId}", "/api/stores/items/{itemId}"
OF_A_STORE = {f"PUT {STORES}", f"DELETE {STORES}"}
"""At the address of a project's stores, these take the id of a store."""
OF_STORES = {f"GET {ITEMS}", f"POST {ITEMS}"}
"""At the address of an item, these take the id of its store."""
SCHEDULES, SCHEDULE = "/api/schedule/project/{projectId}", "/api/schedule/{scheduleId}"
SANDBOX_API = "/sandbox-pay/api/v1/invoices"
MEMBERS = f"{PROJECT}/members"
IMPORT = f"{PROJECT}/imports/{{importId}}"
JOB = "/api/jobs/{jobId}"
FACTORS = "/api/user/second-factors"

OUTSIDE: dict[str, Answers] = {
    f"POST {SANDBOX_API}": public(401),
    f"GET {SANDBOX_API}/{{invoiceToken}}": public(401),
    "GET /sandbox-pay/{invoiceToken}": public(404),  # who knows the address may pay
    "POST /sandbox-pay/{invoiceToken}/{action}": public(404),
    "GET /healthz": public(200),
    "GET /readyz": public(200),
    "GET /metrics": public(404),  # closed until the operator sets a token
    "GET /api/openapi.json": public(200),
    "GET /api/delivery.json": public(200),
    "GET /api/docs": public(200),
    "GET /api/docs.css": public(200),
    "GET /docs": public(307),
    "GET /sdk/{fileName}.tgz": public(404),
    "GET /sdk/{fileName}.whl": public(404),
    "GET /storefront/config.json": public(404),  # this server has no demo project
}
"""Routes that are not in the description of the dashboard's API."""

OF_A_BODY: dict[str, Answers] = {
    "POST /api/projects/assign-credits": members(200, least="admin", unverified=403),
    "POST /api/translations/rephrase": members(200, least="editor", unverified=403),
    "POST /api/translations/translate": members(200, least="editor"),
    f"PUT {PROJECT}": members(200, least="admin")
    | dict.fromkeys(TOKENS, 403),  # its name; an editor may change the list of screens
    f"POST {PROJECT}/languages": members(201, least="editor")
    | dict.fromkeys(TOKENS, 403),  # when the tokens call, the plan's languages are there
    "GET /api/token": {**persons(422), **dict.fromkeys(TOKENS, 200)},
    f"DELETE {MEMBERS}/{{userId}}": members(200, least="admin"),  # somebody else; every member may leave
}
"""Routes whose body or address decides which permission they need."""

STATUSES: dict[str, int] = {
    "POST /api/auth/register": 422,
    "POST /api/auth/login": 422,
    "POST /api/auth/verify-email/{token}": 400,
    "DELETE /api/auth/verify-email/{token}": 400,
    "POST /api/auth/end-keys/{token}": 400,
    "POST /api/auth/sso/session": 401,
    "POST /api/auth/reset-password/{token}": 400,
    "POST /api/auth/login/second-factor": 401,
    "POST /api/auth/login/passkey": 401,
    "DELETE /api/user/me": 422,
    "PUT /api/user/password": 422,
    "DELETE /api/user/sessions/{sessionId}": 404,
    "POST /api/user/identities/start": 404,
    "DELETE /api/user/identities/{identityId}": 404,
    "DELETE /api/user/apikeys/{apiKeyId}": 404,
    f"POST {FACTORS}/totp": 422,
    f"POST {FACTORS}/totp/confirm": 409,
    f"DELETE {FACTORS}/totp": 404,
    f"POST {FACTORS}/passkeys": 400,
    f"PUT {FACTORS}/passkeys/{{passkeyId}}": 404,
    f"DELETE {FACTORS}/passkeys/{{passkeyId}}": 404,
    f"POST {FACTORS}/recovery-codes": 404,
    "POST /api/payments/create-invoice": 422,
    "GET /api/payments/invoices/{invoiceId}/receipt": 404,
    "POST /api/payments/webhooks/{provider}": 401,  # a right signature is the key
    f"POST {PROJECT}/transfer": 404,
    f"POST {PROJECT}/transfer/accept": 404,
    f"DELETE {PROJECT}/transfer": 404,
    f"DELETE {PROJECT}/publishable-key/{{keyId}}": 404,
    f"DELETE {PROJECT}/tokens/{{tokenId}}": 404,
    "GET /api/invitations/{token}": 404,
    "POST /api/invitations/{token}/register": 404,
    "POST /api/invitations/{token}/accept": 404,
    "POST /api/user/invitations/{invitationId}/accept": 404,
    "DELETE /api/user/invitations/{invitationId}": 404,
    f"POST {PROJECT}/discard/undo": 422,
    f"POST {SCHEDULES}": 422,
    f"DELETE {SCHEDULE}": 409,  # it was cancelled before
    f"GET {SCREEN}/versions/{{versionId}}": 404,
    f"POST {SCREEN}/rollback/{{versionId}}": 404,
    f"GET {COLOR}/versions/{{colorVersionId}}": 404,
    f"POST {COLOR}/rollback/{{colorVersionId}}": 404,
    f"GET {IMAGES}/{{imageId}}/uses": 404,
    f"DELETE {IMPORT}/files/{{fileNumber}}": 409,  # the import was applied before
    "POST /api/import-files/{projectId}/{importId}": 415,  # bytes are sent by the tests of imports
    "POST /api/import-archives/{projectId}": 415,  # bytes are sent by the tests of archives
    f"POST {IMAGES}": 415,  # a form is sent by the tests of images
    f"PUT {IMAGES}/{{imageId}}": 404,
    f"DELETE {IMAGES}/{{imageId}}": 404,
    f"GET {ITEMS}/versions/{{versionId}}": 404,
    f"POST {ITEMS}/rollback/{{versionId}}": 404,
}
"""What who may call it gets, where the world of these tests lacks what the address or the body names. Other routes answer their success."""

BODIES: dict[str, dict[str, Any]] = {
    "POST /api/auth/register": {"name": "A", "email": "none", "password": PASSWORD},
    "POST /api/invitations/{token}/register": {"name": "A", "email": "a@example.com", "password": PASSWORD},
    "POST /api/auth/login": {"email": "none", "password": PASSWORD},
    "DELETE /api/user/me": {"password": "not the password"},
    "PUT /api/user/password": {"oldPassword": "not the password", "newPassword": "a short and noisy brook"},
    f"POST {FACTORS}/totp": {"password": "not the password"},
    "POST /api/payments/create-invoice": {"months": 0},
    "POST /api/payments/webhooks/{provider}": {"orderId": "inv_x"},
    f"POST {SANDBOX_API}": {"orderId": "inv_x", "price": "1.00", "currency": "USD"},
    "POST /api/projects/assign-credits": {"projectId": "{projectId}", "tierId": "pro", "months": 1},
    "POST /api/translations/rephrase": {"text": "Hello", "language": "en", "projectId": "{projectId}"},
    "POST /api/translations/translate": {
        "text": "Hello",
        "sourceLang": "en",
        "language": "de",
        "projectId": "{projectId}",
    },
    f"PUT {PROJECT}": {"description": "by {caller}"},
    f"PUT {MEMBERS}/{{userId}}": {"role": "viewer"},
    f"POST {PROJECT}/tokens": {"name": "Of {caller}", "scopes": ["read"]},
    f"POST {IMPORT}/apply": {},
    f"POST {MEMBERS}": {"email": "{caller}@example.org"},
    f"POST {PROJECT}/screens": {"name": "new_{caller}"},
    f"POST {PROJECT}/languages": {"language": "{language}"},
    "POST /api/translations/{projectId}/publish": {},
    f"POST {PROJECT}/releases/{{releaseNumber}}/restore": {},
    f"POST {PROJECT}/discard": {"changes": ["text:key_unknown"]},
    f"POST {SCHEDULES}": {"publishAtString": "soon"},
    f"POST {SCREEN}": {"key": "new_{caller}", "values": {"en": "x"}},
    f"PUT {SCREEN}/{{key}}": {"key": "key_{caller}", "values": {"en": "by {caller}"}},
    f"POST {SCREEN}/translate-key": {"key": "key_nobody", "value": "x", "sourceLang": "en"},
    f"POST {COLOR}": {"key": "new_{caller}", "value": "#112233"},
    f"PUT {COLOR}/{{key}}": {"value": "#445566"},
    f"POST {STORES}": {"name": "Of {caller}", "apiIdentifier": "new_{caller}", "fields": []},
    f"PUT {STORES}": {"name": "By {caller}"},
    f"POST {ITEMS}": {"data": {"title": {"en": "by {caller}"}}},
    f"PUT {ITEMS}": {"data": {"title": {"en": "by {caller}"}}},
}
"""Bodies that fit the world of these tests. Other routes get the example of their description."""

DELIVERY: dict[tuple[str, str], Answers] = {
    ("GET", "content"): apps(200),
    ("HEAD", "content"): apps(200),
    ("OPTIONS", "content"): public(204),
    ("POST", "content"): public(405),
    ("GET", "stream"): apps(200),
    ("OPTIONS", "stream"): public(204),
    ("POST", "stream"): public(405),
    ("GET", "drafts"): public(404),
}

LANGUAGE_OF: dict[str, str] = dict(zip(ROLES, ("fr", "es", "it", "pl"), strict=True))


@dataclass(frozen=True)
class Team:
    """A project with somebody of every role, and somebody who is invited to it."""

    project_id: str
    invitation_id: str


@dataclass(frozen=True)
class World:
    """A published project, and the bearer token of every caller; those with a role have a team of their own to change and to delete."""

    client: httpx2.AsyncClient
    project_id: str
    tokens: dict[str, str]
    teams: dict[str, Team]
    stores: dict[str, str]
    items: dict[str, str]
    schedule: str
    job: str
    imports: dict[str, str]
    bodies: dict[str, Any]

    def headers(self, caller: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[caller]}"} if caller in self.tokens else {}

    async def call(self, caller: str, route: str, *, project_id: str = "") -> httpx2.Response:
        """One call of a route as ``caller``, with things of its own to change or delete."""
        method, _, path = route.partition(" ")
        team = self.teams.get(caller, Team(self.project_id, "usr_x"))
        is_of_team = path.startswith(MEMBERS) or route == f"DELETE {PROJECT}"
        project_id = project_id or (team.project_id if is_of_team else self.project_id)
        language = LANGUAGE_OF.get(caller, "nl")
        names = {"projectId": project_id, "key": f"key_{caller}", "tabName": "general", "token": "x" * 43}
        names |= {"jobId": self.job, "lang": "de", "versionId": "ver_x"}
        names |= {"colorVersionId": "ver_x", "releaseNumber": "1"}
        names |= {"imageId": "img_x", "scheduleId": self.schedule}
        names |= {"provider": "sandbox", "invoiceId": "inv_x", "invoiceToken": "sbx_x", "action": "pay"}
        names |= {
            "passkeyId": "psk_x",
            "sessionId": "ses_x",
            "invitationId": "inv_x",
            "apiKeyId": "key_x",
            "keyId": "key_x",
            "tokenId": "tok_x",
            "importId": self.imports[caller],
            "fileNumber": "1",
            "fileName": "livery-x",
        }
        names["identityId"] = "idt_x"
        names |= {"userId": team.invitation_id, "languageCode": language}
        names |= {"apiIdentifier": "store_nobody", "itemId": self.items[caller]}
        if route in OF_A_STORE:
            names["projectId"] = self.stores[caller]
        if route in OF_STORES:
            names["itemId"] = self.stores["nobody"]
        if path.startswith(f"{PROJECT}/screens/{{tabName}}"):
            names["tabName"] = f"screen_{caller}"
        words = {"{caller}": caller, "{projectId}": project_id, "{language}": language}
        body = filled(self.bodies.get(route), words)
        return await self.client.request(method, path.format(**names), headers=self.headers(caller), json=body)


def filled(value: Any, words: dict[str, str]) -> Any:
    """``value`` with the words in its texts replaced."""
    if isinstance(value, dict):
        return {key: filled(item, words) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]  # the table's bodies are JSON
    if isinstance(value, str):
        for word, text in words.items():
            value = value.replace(word, text)
    return value


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off", "require_verified_login": False}


@pytest.fixture
async def world(context: Context, client: httpx2.AsyncClient) -> World:
    names = (*ROLES, "stranger", "ex_member")
    people = {name: await create_logged_in(context, email=f"{name}@example.com") for name in names}
    owner = people["owner"]
    project_id = await create_project(context, owner.actor)
    await create_project(context, people["stranger"].actor, name="Another tenant's")
    await add_member(context, project_id, people["ex_member"].actor, "admin")
    await add_team(context, project_id, people)
    for person in people.values():
        await give_credits(context.database, person.actor.id, 1000)
    desk = Desk(client, owner, project_id)
    assert (await desk.delete(f"/projects/{{id}}/members/{people['ex_member'].actor.id}")).status_code == 200
    teams = {role: await create_team(context, client, people, name=f"Of {role}") for role in ROLES}
    for caller in CALLERS:
        assert (await desk.post("/projects/{id}/screens", {"name": f"screen_{caller}"})).status_code == 201
    await create_keys(context, owner.actor, project_id, {f"key_{caller}": {"en": "x"} for caller in CALLERS})
    await create_colors(context, owner.actor, project_id, {f"key_{caller}": "#000000" for caller in CALLERS})
    stores = {caller: await create_store(desk, f"Store {caller}", TITLE) for caller in CALLERS}
    items = {caller: await create_item(desk, stores["nobody"], title={"en": "x"}) for caller in CALLERS}
    await desk.publish()
    plan = {"projectId": project_id, "tierId": "pro", "months": 1}
    assert (await desk.post("/projects/assign-credits", plan)).status_code == 200
    fill = {"referenceLanguage": "en", "allTabs": False}
    job = (await desk.post("/translations/{id}/general/de/auto-translate", fill)).json()["job"]["_id"]
    schedule = await create_schedule(desk)
    assert (await desk.delete(f"/schedule/{schedule}")).status_code == 200
    await create_pending_user(context)
    login = await client.post("/api/auth/login", json={"email": "pending@example.com", "password": PASSWORD})
    project = await desk.project()
    async with context.database.write() as db:
        api_key = await accounts.ensure_api_key(db, context.vault, owner.actor.id)
    tokens = {name: person.token for name, person in people.items()} | {
        "unverified": login.json()["token"],
        "api_key": api_key,
        "publishable_key": project["publishableKey"],
        "project_secret": project["projectSecret"],
    }
    for name, scopes in TOKENS.items():
        tokens[name] = (await desk.post("/projects/{id}/tokens", {"name": name, "scopes": scopes})).json()["token"]
    ids_of_stores = {caller: store["_id"] for caller, store in stores.items()}
    return World(
        client,
        project_id,
        tokens,
        teams,
        ids_of_stores,
        {caller: item["_id"] for caller, item in items.items()},
        schedule,
        job,
        {caller: await begin_import(desk) for caller in CALLERS},
        {route: body_of(context.settings, route) for route in operations_of(context.settings)} | BODIES,
    )


async def add_team(context: Context, project_id: str, people: dict[str, LoggedIn]) -> None:
    for role in ("viewer", "editor", "admin"):
        await add_member(context, project_id, people[role].actor, role)


async def create_team(context: Context, client: httpx2.AsyncClient, people: dict[str, LoggedIn], *, name: str) -> Team:
    project_id = await create_project(context, people["owner"].actor, name=name)
    await add_team(context, project_id, people)
    desk = Desk(client, people["owner"], project_id)
    invited = await desk.post("/projects/{id}/members", {"email": "invited@example.org"})
    return Team(project_id, invited.json()["members"][-1]["user"]["_id"])


def routes_of(context: Context) -> set[str]:
    """Every method and address of the running application; the dashboard's own files (below ``/``) are no routes."""
    contexts = iter_route_contexts(api_of(context.settings).routes)
    return {
        f"{method} {route.path}"
        for route in contexts
        for method in route.methods or ()
        if method not in {"HEAD", "OPTIONS"} and route.path and route.path != "/"
    }


def permissions_of(context: Context) -> dict[str, Permission]:
    """The permission in a project that each route's signature asks for."""
    known = {permission.value for permission in Permission}
    return {
        route: Permission(scope)
        for route, operation in operations_of(context.settings).items()
        for scheme in operation.get("security", ())
        for scope in scheme["session"]
        if scope in known
    }


def routes_in_person(context: Context) -> set[str]:
    """The routes whose signature refuses project tokens."""
    found: set[str] = set()
    for route in iter_route_contexts(api_of(context.settings).routes):
        if isinstance(route.original_route, APIRoute) and refuses_tokens(route.dependant):
            found |= {f"{method} {route.path}" for method in route.methods or ()}
    return found


def refuses_tokens(dependant: Dependant) -> bool:
    return dependant.call is refuse_project_tokens or any(map(refuses_tokens, dependant.dependencies))


def tokens_with(permission: Permission, status: int) -> Answers:
    """The answers for the project tokens: 403 where no scope has the permission."""
    return {
        name: status if any(permission in SCOPES[scope] for scope in scopes) else 403 for name, scopes in TOKENS.items()
    }


def expected_of(context: Context) -> dict[str, Answers]:
    """What each caller gets from each route, by its description."""
    found = dict(OUTSIDE)
    permissions = permissions_of(context)
    in_person = routes_in_person(context)
    for route, operation in operations_of(context.settings).items():
        status = STATUSES.get(route) or min(int(status) for status in operation["responses"] if status < "400")
        scopes = [scope for scheme in operation.get("security", ()) for scope in scheme["session"]]
        if route in OF_A_BODY:
            found[route] = OF_A_BODY[route]
        elif route in permissions:
            least = next(role for role in ROLES if permissions[route] in PERMISSIONS[role])
            tokens = {} if route in in_person else tokens_with(permissions[route], status)
            found[route] = {**members(status, least=least), **tokens}
        elif "security" in operation:
            found[route] = persons(status, unverified=403 if "verified" in scopes else None)
        else:
            found[route] = public(status)
    return found


def turn_of(route: str) -> tuple[int, int]:
    """The plan comes first, since others need it, and what makes room for a member; what is inside something is deleted before it."""
    method = route.partition(" ")[0]
    member = f"{MEMBERS}/{{userId}}"
    making_room = (f"PUT {member}", f"POST {member}/resend", f"DELETE {member}")
    turns = ("POST /api/projects/assign-credits", *making_room, "POST", "GET", "PUT", "DELETE", "POST /api/auth/logout")
    return turns.index(route if route in turns else method), -len(route) if method == "DELETE" else 0


async def test_every_route_is_described_or_listed(context: Context) -> None:
    described = set(operations_of(context.settings))

    assert routes_of(context) - described == OUTSIDE.keys()
    assert {*OF_A_BODY, *STATUSES} <= described
    assert BODIES.keys() <= described | OUTSIDE.keys()


async def test_each_route_needs_the_permission_of_the_product(context: Context) -> None:
    """Members read, editors change content and publish, admins manage people, keys and languages, the owner deletes and hands over."""
    needs = permissions_of(context)
    losses = "languages/{languageCode}"
    managing = {
        f"GET {PROJECT}/publishable-keys",
        f"GET {PROJECT}/tokens",
        f"POST {PROJECT}/tokens",
        f"DELETE {PROJECT}/tokens/{{tokenId}}",
        f"GET {PROJECT}/{losses}/losses",
        f"POST {MEMBERS}",
        f"PUT {MEMBERS}/{{userId}}",
        f"POST {MEMBERS}/{{userId}}/resend",
        f"POST {PROJECT}/transfer/accept",
        f"DELETE {PROJECT}/transfer",
        f"POST {PROJECT}/secret/rotate",
        f"POST {PROJECT}/publishable-key/rotate",
        f"DELETE {PROJECT}/publishable-key/{{keyId}}",
        f"DELETE {PROJECT}/{losses}",
    }
    audit = {f"GET {PROJECT}/audit", f"GET {PROJECT}/audit/people", f"GET {PROJECT}/audit/export"}
    owning = {f"DELETE {PROJECT}", f"GET {PROJECT}/losses", f"POST {PROJECT}/transfer"}
    editors_read = {f"GET {PROJECT}/imports", f"GET {IMPORT}", f"GET {IMPORT}/plan"}
    editors_read |= {f"GET {PROJECT}/screens/{{tabName}}/losses", f"GET {PROJECT}/releases/{{releaseNumber}}/restore"}
    of_content = needs.keys() - managing - audit - owning

    assert {route for route, permission in needs.items() if permission is Permission.MANAGE} == managing
    assert {route for route, permission in needs.items() if permission is Permission.AUDIT} == audit
    assert {route for route, permission in needs.items() if permission is Permission.OWN} == owning
    for route in of_content - {f"DELETE {MEMBERS}/{{userId}}"}:
        is_reading = route.startswith("GET ") and route not in editors_read
        assert (needs[route] is Permission.READ) == is_reading, route


def calls_of(dependant: Dependant) -> Iterator[object]:
    """The functions that FastAPI calls for a route before the route itself, in their order."""
    for dependency in dependant.dependencies:
        yield from calls_of(dependency)
        yield dependency.call


async def test_no_transaction_begins_before_the_person_is_known(context: Context) -> None:
    """A request without a session must not make the writers of a database queue."""
    tried = 0
    for route in iter_route_contexts(api_of(context.settings).routes):
        if not isinstance(route.original_route, APIRoute):
            continue
        calls = list(calls_of(route.dependant))
        begins = [calls.index(begin) for begin in (get_read, get_write, get_rehearsal) if begin in calls]
        person = next((call for call in (get_current_user, get_caller) if call in calls), None)
        if begins and person is not None:
            assert calls.index(person) < min(begins), route.path
            assert len(begins) == 1, f"{route.path} has two transactions: the second may wait for the first"
            tried += 1
    assert tried > 60


@pytest.mark.spec("preview-2")
@pytest.mark.deep_on("postgresql")  # who may call what does not depend on the database
async def test_every_caller_gets_the_status_of_the_route(context: Context, world: World) -> None:
    wrong: list[str] = []
    expected = expected_of(context)

    for route in sorted(expected, key=turn_of):
        for caller in CALLERS:
            response = await world.call(caller, route)
            status = expected[route][caller]
            if response.status_code != status:
                wrong.append(f"{route} as {caller}: {response.status_code}, not {status}: {response.text[:200]}")
            elif status >= 400 and set(response.json()) - {"message", "code", "fields"}:
                wrong.append(f"{route} as {caller}: {response.text[:200]}")

    assert wrong == []


async def test_a_strangers_404_equals_the_404_of_a_missing_thing_byte_for_byte(context: Context, world: World) -> None:
    """A project, a store, an item, a job or a schedule."""
    with_permission = [*permissions_of(context), "POST /api/projects/assign-credits"]
    of_schedules, of_jobs = f"DELETE {SCHEDULE}", {f"GET {JOB}", f"DELETE {JOB}"}
    of_stores = [route for route in with_permission if route in OF_A_STORE or ITEMS in route]
    of_projects = set(with_permission) - set(of_stores) - of_jobs - {of_schedules}
    nothing = dict.fromkeys(CALLERS, "sto_aaaaaaaaaaaaaaaa")
    without_stores = replace(world, stores=nothing, items=nothing)
    assert len(of_projects) >= 15
    assert len(of_stores) >= 7

    tries = [
        *((route, world, MISSING) for route in of_projects),
        *((route, without_stores, "") for route in of_stores),
        *((route, replace(world, job="job_aaaaaaaaaaaaaaaa"), "") for route in of_jobs),
        (of_schedules, replace(world, schedule="sch_aaaaaaaaaaaaaaaa"), ""),
    ]
    for route, other, project_id in tries:
        foreign = await world.call("stranger", route)
        missing = await other.call("stranger", route, project_id=project_id)
        assert (foreign.status_code, foreign.content) == (404, missing.content), route
        assert dict(foreign.headers) == dict(missing.headers), route


async def test_delivery_opens_for_keys_of_the_project_and_nobody_else(app: Application, world: World) -> None:
    wrong: list[str] = []

    for (method, call), answers in DELIVERY.items():
        for caller, expected in answers.items():
            address = f"/sdk/v1/{world.project_id}/{call}"
            status = await status_of(app, method, address, world.headers(caller))
            if status != expected:
                wrong.append(f"{method} {address} as {caller}: {status}, not {expected}")

    assert wrong == []


async def test_keys_of_another_tenant_open_nothing_and_learn_nothing(context: Context, world: World) -> None:
    stranger = Desk(world.client, await create_logged_in(context, email="other@example.com"), "")
    other = (await stranger.post("/projects", {"name": "Mine"})).json()
    api_key = (await stranger.get("/user/apikey")).json()["apikey"]

    for key in (api_key, other["publishableKey"]):
        headers = {"Authorization": f"Bearer {key}"}
        foreign = await world.client.get(f"/sdk/v1/{world.project_id}/content", headers=headers)
        missing = await world.client.get(f"/sdk/v1/{MISSING}/content", headers=headers)
        own = await world.client.get(f"/sdk/v1/{other['projectId']}/content", headers=headers)
        assert (foreign.status_code, foreign.content) == (404, missing.content)
        assert own.status_code == 200


async def status_of(app: Application, method: str, path: str, headers: dict[str, str]) -> int:
    """The status of a call whose answer may never end: the caller hangs up at once."""
    statuses: list[int] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 40_000),
        "server": ("testserver", 80),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(scope, receive, send)
    return statuses[0]
