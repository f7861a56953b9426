"""Who may call what: every route of the running application, tried by every kind of caller, against one table.

A route without a row fails. A stranger's answer must not differ from that for a project that does not exist.
"""

from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from fastapi.routing import iter_route_contexts

from livery.accounts import service as accounts
from livery.app import Application
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, create_pending_user
from tests.factories.billing import give_credits
from tests.factories.colors import create_colors
from tests.factories.projects import Desk, add_member, create_project
from tests.factories.schedules import create_schedule
from tests.factories.screens import create_keys
from tests.factories.stores import TITLE, create_item, create_store
from tests.support.api import api_of
from tests.test_hostile_bodies import FACTORS, MADE, SIGNED

MISSING = "prj_aaaaaaaaaaaaaaaa"
ROLES = ("viewer", "editor", "admin", "owner")
PERSONS = ("unverified", "stranger", "ex_member", *ROLES)
KEYS = ("api_key", "publishable_key", "project_secret")
CALLERS = ("nobody", *PERSONS, *KEYS)

Answers = dict[str, int]


def public(status: int) -> Answers:
    """The same for everybody, with or without credentials."""
    return dict.fromkeys(CALLERS, status)


def persons(status: int, *, unverified: int | None = None) -> Answers:
    """Whoever is logged in; no key of an app is a login."""
    answers = {**public(401), **dict.fromkeys(PERSONS, status)}
    return answers if unverified is None else {**answers, "unverified": unverified}


def members(status: int, *, least: str, unverified: int = 404) -> Answers:
    """The role ``least`` and those above it; members below it get 403, strangers and who was a member 404."""
    may = ROLES[ROLES.index(least) :]
    roles = {role: status if role in may else 403 for role in ROLES}
    return {**public(401), "unverified": unverified, "stranger": 404, "ex_member": 404, **roles}


def apps(status: int) -> Answers:
    """Keys that read releases: a publishable key, or the API key of a member. A session or a secret is none."""
    return {**public(401), "api_key": status, "publishable_key": status}


@dataclass(frozen=True)
class Row:
    """What each caller gets. ``{caller}`` in the body and the address makes each call its own."""

    answers: Answers
    body: dict[str, Any] | None = None


PROJECT, SCREEN, COLOR, IMAGES = (
    "/api/projects/{projectId}",
    "/api/translations/{projectId}/{tabName}",
    "/api/colors/{projectId}",
    "/api/images/{projectId}",
)
STORES, ITEMS = "/api/stores/{projectId}", "/api/stores/items/{itemId}"
OF_A_STORE = {("PUT", STORES), ("DELETE", STORES)}
"""At the address of a project's stores, these take the id of a store."""
OF_STORES = {("GET", ITEMS), ("POST", ITEMS)}
"""At the address of an item, these take the id of its store."""
SCHEDULES, SCHEDULE = "/api/schedule/project/{projectId}", "/api/schedule/{scheduleId}"
SANDBOX_API = "/sandbox-pay/api/v1/invoices"
MEMBERS = f"{PROJECT}/members"
KEY_BODY = {"key": "key_{caller}", "values": {"en": "by {caller}"}}

TABLE: dict[tuple[str, str], Row] = {
    ("POST", "/api/auth/register"): Row(public(422), {"name": "A", "email": "none", "password": PASSWORD}),
    ("POST", "/api/auth/login"): Row(public(422), {"email": "none", "password": PASSWORD}),
    ("POST", "/api/auth/forgot-password"): Row(public(200), {"email": "nobody@example.com"}),
    ("POST", "/api/auth/resend-verification"): Row(public(200), {"email": "nobody@example.com"}),
    ("POST", "/api/auth/verify-email/{token}"): Row(public(400)),
    ("DELETE", "/api/auth/verify-email/{token}"): Row(public(400)),
    ("POST", "/api/auth/end-keys/{token}"): Row(public(400)),
    ("GET", "/api/auth/sso"): Row(public(200)),
    ("GET", "/api/auth/sso/start"): Row(public(303)),
    ("GET", "/api/auth/sso/callback"): Row(public(303)),
    ("POST", "/api/auth/sso/session"): Row(public(401), {"code": "x"}),
    ("POST", "/api/auth/reset-password/{token}"): Row(public(400), {"password": PASSWORD}),
    ("POST", "/api/auth/logout"): Row(persons(204)),
    ("GET", "/api/user/me"): Row(persons(200)),
    ("PUT", "/api/user/me"): Row(persons(200), {"name": "Of {caller}"}),
    ("DELETE", "/api/user/me"): Row(persons(422), {"password": "not the password"}),
    ("PUT", "/api/user/password"): Row(
        persons(422), {"oldPassword": "not the password", "newPassword": "a short and noisy brook"}
    ),
    ("GET", "/api/user/sessions"): Row(persons(200)),
    ("DELETE", "/api/user/sessions/{sessionId}"): Row(persons(404)),
    ("GET", "/api/user/identities"): Row(persons(200)),
    ("POST", "/api/user/identities/start"): Row(persons(404, unverified=403), {"password": PASSWORD}),
    ("DELETE", "/api/user/identities/{identityId}"): Row(persons(404)),
    ("GET", "/api/user/apikey"): Row(persons(200, unverified=403)),
    ("GET", "/api/user/apikeys"): Row(persons(200)),
    ("POST", "/api/user/apikey/rotate"): Row(persons(201, unverified=403)),
    ("DELETE", "/api/user/apikeys/{apiKeyId}"): Row(persons(404)),
    ("POST", "/api/auth/login/second-factor"): Row(public(401), {"ticket": "x", "code": "000000"}),
    ("POST", "/api/auth/login/passkey/options"): Row(public(200)),
    ("POST", "/api/auth/login/passkey"): Row(public(401), {"ticket": "x", "passkey": SIGNED}),
    ("GET", FACTORS): Row(persons(200)),
    ("POST", f"{FACTORS}/totp"): Row(persons(422, unverified=403), {"password": "not the password"}),
    ("POST", f"{FACTORS}/totp/confirm"): Row(persons(409, unverified=403), {"code": "000000"}),
    ("DELETE", f"{FACTORS}/totp"): Row(persons(404, unverified=403), {"password": PASSWORD}),
    ("POST", f"{FACTORS}/passkeys/options"): Row(persons(200, unverified=403), {"password": PASSWORD}),
    ("POST", f"{FACTORS}/passkeys"): Row(
        persons(400, unverified=403), {"ticket": "x", "name": "Phone", "passkey": MADE}
    ),
    ("PUT", f"{FACTORS}/passkeys/{{passkeyId}}"): Row(persons(404, unverified=403), {"name": "Phone"}),
    ("DELETE", f"{FACTORS}/passkeys/{{passkeyId}}"): Row(persons(404, unverified=403), {"password": PASSWORD}),
    ("POST", f"{FACTORS}/recovery-codes"): Row(persons(404, unverified=403), {"password": PASSWORD}),
    ("GET", "/api/plans"): Row(public(200)),
    ("POST", "/api/analytics/page-view"): Row(public(204), {"path": "/dashboard"}),
    ("POST", "/api/payments/create-invoice"): Row(persons(422, unverified=403), {"months": 0}),
    ("GET", "/api/payments/invoices"): Row(persons(200)),
    ("GET", "/api/payments/invoices/{invoiceId}/receipt"): Row(persons(404)),
    ("GET", "/api/payments/credits"): Row(persons(200)),
    ("POST", "/api/payments/webhooks/{provider}"): Row(
        public(401), {"orderId": "inv_x"}
    ),  # a right signature is the key
    ("POST", SANDBOX_API): Row(public(401), {"orderId": "inv_x", "price": "1.00", "currency": "USD"}),
    ("GET", f"{SANDBOX_API}/{{invoiceToken}}"): Row(public(401)),
    ("GET", "/sandbox-pay/{invoiceToken}"): Row(public(404)),  # who knows the address may pay
    ("POST", "/sandbox-pay/{invoiceToken}/{action}"): Row(public(404)),
    ("GET", "/api/languages"): Row(public(200)),
    ("GET", "/api/activity"): Row(persons(200)),
    ("GET", "/api/projects"): Row(persons(200)),
    ("POST", "/api/projects"): Row(persons(201, unverified=403), {"name": "Of {caller}"}),
    ("POST", "/api/projects/assign-credits"): Row(
        members(200, least="admin", unverified=403), {"projectId": "{projectId}", "tierId": "pro", "months": 1}
    ),
    ("GET", PROJECT): Row(members(200, least="viewer")),
    ("PUT", PROJECT): Row(members(200, least="admin"), {"description": "by {caller}"}),
    ("GET", MEMBERS): Row(members(200, least="viewer")),
    ("PUT", f"{MEMBERS}/{{userId}}"): Row(members(200, least="admin"), {"role": "viewer"}),
    ("POST", f"{MEMBERS}/{{userId}}/resend"): Row(members(200, least="admin")),
    ("DELETE", f"{MEMBERS}/{{userId}}"): Row(members(200, least="admin")),
    ("POST", MEMBERS): Row(members(201, least="admin"), {"email": "{caller}@example.org"}),
    ("DELETE", PROJECT): Row(members(200, least="owner")),
    ("POST", f"{PROJECT}/transfer"): Row(members(404, least="owner"), {"userId": "usr_x"}),
    ("POST", f"{PROJECT}/transfer/accept"): Row(members(404, least="admin")),
    ("DELETE", f"{PROJECT}/transfer"): Row(members(404, least="admin")),
    ("POST", f"{PROJECT}/secret/rotate"): Row(members(201, least="admin")),
    ("POST", f"{PROJECT}/publishable-key/rotate"): Row(members(201, least="admin")),
    ("GET", f"{PROJECT}/publishable-keys"): Row(members(200, least="admin")),
    ("DELETE", f"{PROJECT}/publishable-key/{{keyId}}"): Row(members(404, least="admin")),
    ("GET", "/api/invitations/{token}"): Row(public(404)),
    ("POST", "/api/invitations/{token}/accept"): Row(persons(404, unverified=403)),
    ("GET", "/api/user/invitations"): Row(persons(200, unverified=403)),
    ("POST", "/api/user/invitations/{invitationId}/accept"): Row(persons(404, unverified=403)),
    ("DELETE", "/api/user/invitations/{invitationId}"): Row(persons(404, unverified=403)),
    ("GET", "/api/user/audit"): Row(persons(200)),
    ("GET", f"{PROJECT}/audit"): Row(members(200, least="admin")),
    ("GET", f"{PROJECT}/audit/people"): Row(members(200, least="admin")),
    ("GET", f"{PROJECT}/audit/export"): Row(members(200, least="admin")),
    ("GET", f"{PROJECT}/losses"): Row(members(200, least="owner")),
    ("GET", f"{PROJECT}/screens/{{tabName}}/losses"): Row(members(200, least="editor")),
    ("GET", f"{PROJECT}/usage"): Row(members(200, least="viewer")),
    ("GET", f"{PROJECT}/events"): Row(members(200, least="viewer")),
    ("POST", f"{PROJECT}/screens"): Row(members(201, least="editor"), {"name": "new_{caller}"}),
    ("DELETE", f"{PROJECT}/screens/{{tabName}}"): Row(members(200, least="editor")),
    ("POST", f"{PROJECT}/languages"): Row(members(201, least="editor"), {"language": "{language}"}),
    ("GET", f"{PROJECT}/languages/{{languageCode}}/losses"): Row(members(200, least="admin")),
    ("DELETE", f"{PROJECT}/languages/{{languageCode}}"): Row(members(200, least="admin")),
    ("GET", f"{PROJECT}/diff"): Row(members(200, least="viewer")),
    ("GET", f"{PROJECT}/releases"): Row(members(200, least="viewer")),
    ("GET", f"{PROJECT}/releases/{{releaseNumber}}/diff"): Row(members(200, least="viewer")),
    ("GET", f"{PROJECT}/releases/{{releaseNumber}}/restore"): Row(members(200, least="editor")),
    ("POST", f"{PROJECT}/releases/{{releaseNumber}}/restore"): Row(members(200, least="editor")),
    ("GET", "/api/translations/{projectId}/search"): Row(members(200, least="viewer")),
    ("POST", f"{PROJECT}/preview-links"): Row(members(201, least="editor"), {"appUrl": "https://app.example.com"}),
    ("POST", "/api/translations/{projectId}/publish"): Row(members(200, least="editor"), {}),
    ("POST", f"{PROJECT}/discard"): Row(members(200, least="editor"), {"changes": ["text:key_unknown"]}),
    ("POST", f"{PROJECT}/discard/undo"): Row(members(422, least="editor"), {"keptAt": "2026-11-24T09:30:00.000Z"}),
    ("GET", SCHEDULES): Row(members(200, least="viewer")),
    ("POST", SCHEDULES): Row(members(422, least="editor"), {"publishAtString": "soon"}),
    ("DELETE", SCHEDULE): Row(members(409, least="editor")),  # it was cancelled before
    ("GET", SCREEN): Row(members(200, least="viewer")),
    ("POST", SCREEN): Row(members(201, least="editor"), {"key": "new_{caller}", "values": {"en": "x"}}),
    ("PUT", f"{SCREEN}/{{key}}"): Row(members(200, least="editor"), KEY_BODY),
    ("DELETE", f"{SCREEN}/{{key}}"): Row(members(200, least="editor")),
    ("GET", f"{SCREEN}/versions"): Row(members(200, least="viewer")),
    ("GET", f"{SCREEN}/versions/{{versionId}}"): Row(members(404, least="viewer")),
    ("POST", f"{SCREEN}/rollback/{{versionId}}"): Row(members(404, least="editor")),
    ("GET", COLOR): Row(members(200, least="viewer")),
    ("POST", COLOR): Row(members(201, least="editor"), {"key": "new_{caller}", "value": "#112233"}),
    ("PUT", f"{COLOR}/{{key}}"): Row(members(200, least="editor"), {"value": "#445566"}),
    ("DELETE", f"{COLOR}/{{key}}"): Row(members(200, least="editor")),
    ("GET", f"{COLOR}/versions"): Row(members(200, least="viewer")),
    ("GET", f"{COLOR}/versions/{{colorVersionId}}"): Row(members(404, least="viewer")),
    ("POST", f"{COLOR}/rollback/{{colorVersionId}}"): Row(members(404, least="editor")),
    ("GET", IMAGES): Row(members(200, least="viewer")),
    ("GET", f"{IMAGES}/{{imageId}}/uses"): Row(members(404, least="viewer")),
    ("POST", IMAGES): Row(members(415, least="editor")),  # a form is sent by the tests of images
    ("PUT", f"{IMAGES}/{{imageId}}"): Row(members(404, least="editor")),
    ("DELETE", f"{IMAGES}/{{imageId}}"): Row(members(404, least="editor")),
    ("GET", STORES): Row(members(200, least="viewer")),
    ("POST", STORES): Row(
        members(201, least="editor"), {"name": "Of {caller}", "apiIdentifier": "new_{caller}", "fields": []}
    ),
    ("PUT", STORES): Row(members(200, least="editor"), {"name": "By {caller}"}),
    ("DELETE", STORES): Row(members(200, least="editor")),
    ("GET", f"{STORES}/{{apiIdentifier}}"): Row(members(200, least="viewer")),
    ("GET", ITEMS): Row(members(200, least="viewer")),
    ("POST", ITEMS): Row(members(201, least="editor"), {"data": {"title": {"en": "by {caller}"}}}),
    ("PUT", ITEMS): Row(members(200, least="editor"), {"data": {"title": {"en": "by {caller}"}}}),
    ("POST", "/api/translations/rephrase"): Row(
        members(200, least="editor", unverified=403), {"text": "Hello", "language": "en", "projectId": "{projectId}"}
    ),
    ("POST", "/api/translations/translate"): Row(
        members(200, least="editor"),
        {"text": "Hello", "sourceLang": "en", "language": "de", "projectId": "{projectId}"},
    ),
    ("POST", f"{SCREEN}/translate-key"): Row(
        members(200, least="editor"), {"key": "key_nobody", "value": "x", "sourceLang": "en"}
    ),
    ("GET", f"{SCREEN}/{{lang}}/auto-translate"): Row(members(200, least="viewer")),
    ("POST", f"{SCREEN}/{{lang}}/auto-translate"): Row(
        members(202, least="editor"), {"referenceLanguage": "en", "allTabs": False}
    ),
    ("POST", f"{ITEMS}/auto-translate"): Row(  # the language is there since a screen was filled in it
        members(200, least="editor"), {"targetLanguage": "de", "referenceLanguage": "en"}
    ),
    ("GET", f"{ITEMS}/versions/{{versionId}}"): Row(members(404, least="viewer")),
    ("POST", f"{ITEMS}/rollback/{{versionId}}"): Row(members(404, least="editor")),
    ("DELETE", ITEMS): Row(members(200, least="editor")),
    ("GET", f"{PROJECT}/jobs"): Row(members(200, least="viewer")),
    ("GET", "/api/jobs/{jobId}"): Row(persons(404)),
    ("DELETE", "/api/jobs/{jobId}"): Row(persons(404)),
    ("GET", "/healthz"): Row(public(200)),
    ("GET", "/readyz"): Row(public(200)),
    ("GET", "/metrics"): Row(public(404)),  # closed until the operator sets a token
    ("GET", "/api/openapi.json"): Row(public(200)),
    ("GET", "/api/delivery.json"): Row(public(200)),
    ("GET", "/api/docs"): Row(public(200)),
    ("GET", "/api/docs.css"): Row(public(200)),
    ("GET", "/storefront/config.json"): Row(public(404)),  # this server has no demo project
}

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
    """A project with somebody of every role, and one who is invited to it."""

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

    def headers(self, caller: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[caller]}"} if caller in self.tokens else {}

    async def call(self, caller: str, method: str, path: str, *, project_id: str = "") -> httpx2.Response:
        """One call of a row as ``caller``, with things of its own to change or delete."""
        team = self.teams.get(caller, Team(self.project_id, "usr_x"))
        is_of_team = path.startswith(MEMBERS) or (method, path) == ("DELETE", PROJECT)
        project_id = project_id or (team.project_id if is_of_team else self.project_id)
        language = LANGUAGE_OF.get(caller, "nl")
        names = {"projectId": project_id, "key": f"key_{caller}", "tabName": "general", "token": "x" * 43}
        names |= {"jobId": "job_x", "lang": "de", "versionId": "ver_x"}
        names |= {"colorVersionId": "ver_x", "releaseNumber": "1"}
        names |= {"imageId": "img_x", "scheduleId": self.schedule}
        names |= {"provider": "sandbox", "invoiceId": "inv_x", "invoiceToken": "sbx_x", "action": "pay"}
        names |= {
            "passkeyId": "psk_x",
            "sessionId": "ses_x",
            "invitationId": "inv_x",
            "apiKeyId": "key_x",
            "keyId": "key_x",
        }
        names["identityId"] = "idt_x"
        names |= {"userId": team.invitation_id, "languageCode": language}
        names |= {"apiIdentifier": "store_nobody", "itemId": self.items[caller]}
        if (method, path) in OF_A_STORE:
            names["projectId"] = self.stores[caller]
        if (method, path) in OF_STORES:
            names["itemId"] = self.stores["nobody"]
        if path.startswith(f"{PROJECT}/screens/{{tabName}}"):
            names["tabName"] = f"screen_{caller}"
        words = {"{caller}": caller, "{projectId}": project_id, "{language}": language}
        body = filled(TABLE[method, path].body, words)
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
    ids_of_stores = {caller: store["_id"] for caller, store in stores.items()}
    return World(
        client,
        project_id,
        tokens,
        teams,
        ids_of_stores,
        {caller: item["_id"] for caller, item in items.items()},
        schedule,
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


def routes_of(context: Context) -> set[tuple[str, str]]:
    """Every method and address of the running application; the dashboard's own files (below ``/``) are no routes."""
    contexts = iter_route_contexts(api_of(context.settings).routes)
    return {
        (method, route.path)
        for route in contexts
        for method in route.methods or ()
        if method not in {"HEAD", "OPTIONS"} and route.path and route.path != "/"
    }


async def test_every_route_has_a_row_and_every_row_a_route(context: Context) -> None:
    routes = routes_of(context)

    assert routes - TABLE.keys() == set(), "give these routes a row"
    assert TABLE.keys() - routes == set(), "these routes are gone"


@pytest.mark.deep_on("postgresql")  # who may call what does not depend on the database
async def test_every_caller_gets_what_the_table_says(world: World) -> None:
    wrong: list[str] = []
    last = ("POST", "/api/auth/logout")  # ends the sessions

    for method, path in sorted(TABLE, key=lambda row: row == last):
        for caller in CALLERS:
            response = await world.call(caller, method, path)
            expected = TABLE[method, path].answers[caller]
            if response.status_code != expected:
                wrong.append(
                    f"{method} {path} as {caller}: {response.status_code}, not {expected}: {response.text[:200]}"
                )
            elif expected >= 400 and set(response.json()) - {"message", "code", "fields"}:
                wrong.append(f"{method} {path} as {caller}: {response.text[:200]}")

    assert wrong == []


async def test_a_strangers_404_is_that_of_what_is_missing_byte_for_byte(world: World) -> None:
    """A project, a store, an item or a schedule."""
    of_stores = [row for row in TABLE if row in OF_A_STORE or row[1].startswith(ITEMS)]
    of_projects = [row for row in TABLE if "{projectId}" in row[1] or row[1].endswith("assign-credits")]
    of_projects = [row for row in of_projects if row not in OF_A_STORE]
    nothing = dict.fromkeys(CALLERS, "sto_aaaaaaaaaaaaaaaa")
    without_stores = replace(world, stores=nothing, items=nothing)
    without_schedule = replace(world, schedule="sch_aaaaaaaaaaaaaaaa")
    assert len(of_projects) >= 15
    assert len(of_stores) >= 7

    tries = [
        *((row, world, MISSING) for row in of_projects),
        *((row, without_stores, "") for row in of_stores),
        (("DELETE", SCHEDULE), without_schedule, ""),
    ]
    for (method, path), other, project_id in tries:
        foreign = await world.call("stranger", method, path)
        missing = await other.call("stranger", method, path, project_id=project_id)
        assert (foreign.status_code, foreign.content) == (404, missing.content), (method, path)
        assert dict(foreign.headers) == dict(missing.headers), (method, path)


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
