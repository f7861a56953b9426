"""Three projects with one of everything, and every call of the application that names something in them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2

from livery.core import clock
from livery.core.context import Context
from livery.core.settings import Settings
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, log_in
from tests.factories.billing import give_credits
from tests.factories.imports import apply, import_of, send_archive, send_file
from tests.factories.projects import Desk, add_member, create_project
from tests.factories.schedules import create_schedule, soon
from tests.factories.second_factors import FACTORS, add_passkey, begin_passkey, code_at, list_factors
from tests.factories.sso import give_identity
from tests.factories.stores import PRICE, TITLE, create_item, create_store, items_of
from tests.images.pictures import BLUE, picture
from tests.support.api import body_of, operations_of
from tests.support.authenticator import Authenticator
from tests.support.mails import Mails
from tests.test_hostile_bodies import BYTES, FORMS

DISCARD = "POST /api/projects/{projectId}/discard"
NOTHING_KEPT = f"{DISCARD}/undo"
"""A route that needs the moment of a discard: called by itself, it is refused."""
PERSONAL = {"sessionId", "apiKeyId", "invitationId", "passkeyId", "identityId"}
"""Ids of a person's own things: a sibling project has no such things."""
NO_ID = {"token", "invoiceId", "invoiceToken", "action", "provider", "lang", "releaseNumber", "fileNumber"}
"""Not an id of a tenant: who holds a token was given it; the others are words, and every project has a release 1."""
ARCHIVE = "POST /api/import-archives/{projectId}"
FOR_SOMEBODY_ELSE = {"POST /api/projects/{projectId}/transfer/accept"}
"""Routes that are not for the owner."""
FITTING: dict[str, Any] = {
    "changes": ["in:colors"],
    "leaveOut": ["in:colors"],
    "name": "fresh",
    "role": "admin",
    "values": {"en": "x"},
}
"""What fits this town better than the examples of the description."""
NOT_IN_PLACE_OF_USER = {
    "POST /api/projects/{projectId}/members/{userId}/resend": ("usr_",),
    "POST /api/projects/{projectId}/transfer": ("inv_",),
}
"""Routes that take only a member's id, or only an invitation's."""
OTHERS_IN_PLACE = {
    "DELETE /api/user/invitations/{invitationId}": {"invitationId": "otherInvitationId"},
    "PUT /api/stores/{projectId}": {"projectId": "storeId"},
    "DELETE /api/stores/{projectId}": {"projectId": "storeId"},
    "GET /api/stores/items/{itemId}": {"itemId": "storeId"},
    "POST /api/stores/items/{itemId}": {"itemId": "storeId"},
    "POST /api/projects/{projectId}/imports/{importId}/undo": {"importId": "appliedImportId"},
    "DELETE /api/projects/{projectId}/imports/{importId}/files/{fileNumber}": {"importId": "openImportId"},
    "GET /api/stores/items/{itemId}/versions/{versionId}": {"versionId": "itemVersionId"},
    "POST /api/stores/items/{itemId}/rollback/{versionId}": {"versionId": "itemVersionId"},
}
"""Routes that take the id of a different thing than their address is named for: it has one name for each of its places."""
MAKES_ROOM = "DELETE /api/schedule/{scheduleId}"
"""A project has room for one schedule: this comes before the next is made."""
NEEDED_BY_OTHERS = (
    "/api/stores/{projectId}",
    "/api/projects/{projectId}/members/{userId}",
    "/api/projects/{projectId}/screens/{tabName}",
    "/api/projects/{projectId}",
)


@dataclass(frozen=True)
class Tenant:
    """A project with one of everything, and the ids of it all by their names in addresses."""

    desk: Desk
    ids: dict[str, str]
    member_ids: tuple[str, str]
    """An active member and an invitation: both stand in the place of ``userId``."""


async def furnish(context: Context, client: httpx2.AsyncClient, owner: LoggedIn, name: str, language: str) -> Tenant:
    """A project of ``owner`` whose things are all called ``name``."""
    project_id = await create_project(context, owner.actor, name=name, languages=("en", language))
    desk = Desk(client, owner, project_id)
    member = await create_logged_in(context, email=f"{name}@example.com")
    await add_member(context, project_id, member.actor, "admin")
    keys = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
    rotated = [
        await desk.post("/projects/{id}/publishable-key/rotate"),
        await desk.post("/projects/{id}/screens", {"name": f"screen_{name}"}),
        await desk.post(f"/translations/{{id}}/screen_{name}", {"key": f"key_{name}", "values": {"en": name}}),
        await desk.post("/colors/{id}", {"key": f"key_{name}", "value": "#112233"}),
        await desk.upload("/images/{id}", {"key": f"key_{name}"}, picture()),
        await desk.post("/projects/{id}/members", {"email": f"{name}@example.org"}),
    ]
    made = await desk.post("/projects/{id}/tokens", {"name": f"token_{name}", "scopes": ["read"]})
    import_id = await import_of(desk, {"en.json": {f"imported_{name}": name}})
    applied_id = await import_of(desk, {"en.json": {f"applied_{name}": name}})
    await apply(desk, applied_id)
    assert all(answer.status_code == 201 for answer in rotated), [answer.text for answer in rotated]
    store = await create_store(desk, f"store_{name}", TITLE, PRICE)
    item = await create_item(desk, store, title={"en": name})
    fill = {"referenceLanguage": "en", "allTabs": False}
    filling = await desk.post(f"/translations/{{id}}/screen_{name}/{language}/auto-translate", fill)
    assert filling.status_code == 202, filling.text
    published = await desk.post("/translations/{id}/publish")
    assert published.is_success, published.text
    edited = {"key": f"key_{name}", "values": {"en": f"{name} since"}}
    assert (await desk.put(f"/translations/{{id}}/screen_{name}/key_{name}", edited)).is_success
    assert (await desk.put(f"/colors/{{id}}/key_{name}", {"value": "#445566"})).is_success
    history = await desk.get(f"/translations/{{id}}/screen_{name}/versions")
    color_history = await desk.get("/colors/{id}/versions")
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"title": {"en": f"{name} since"}}})
    (listed,) = await items_of(desk, store)
    schedule = await create_schedule(desk)
    invitation_id = rotated[-1].json()["members"][-1]["user"]["_id"]
    ids = {
        "projectId": project_id,
        "tabName": f"screen_{name}",
        "key": f"key_{name}",
        "keyId": keys[0]["_id"],
        "importId": import_id,
        "appliedImportId": applied_id,
        "openImportId": await import_of(desk, {"en.json": {f"open_{name}": name}}),
        "fileNumber": "1",
        "tokenId": made.json()["made"]["_id"],
        "imageId": rotated[-2].json()["_id"],
        "languageCode": language,
        "lang": "ja",
        "jobId": filling.json()["job"]["_id"],
        "releaseNumber": "1",
        "versionId": history.json()["versions"][0]["id"],
        "storeId": store["_id"],
        "apiIdentifier": store["apiIdentifier"],
        "itemId": item["_id"],
        "colorVersionId": color_history.json()["versions"][0]["id"],
        "scheduleId": schedule,
        "itemVersionId": listed["publishedVersions"][0]["_id"],
    }
    return Tenant(desk, ids, (member.actor.id, invitation_id))


async def personal_ids(context: Context, desk: Desk) -> dict[str, str]:
    """Another session, a former API key and a passkey of this person, and two invitations to this person."""
    host = await create_logged_in(context, email=f"host-of-{desk.person.actor.email}")
    for name in ("First", "Second"):
        project_id = await create_project(context, host.actor, name=name)
        inviting = Desk(desk.client, host, project_id)
        invited = await inviting.post("/projects/{id}/members", {"email": desk.person.actor.email})
        assert invited.status_code == 201, invited.text
    invitations = (await desk.get("/user/invitations")).json()["invitations"]
    await desk.get("/user/apikey")
    await desk.post("/user/apikey/rotate")
    api_keys = (await desk.get("/user/apikeys")).json()["apikeys"]
    await add_passkey(desk.client, desk.person, Authenticator())
    passkeys = (await list_factors(desk.client, desk.person))["passkeys"]
    await log_in(context, desk.person.actor)
    sessions = (await desk.get("/user/sessions")).json()["sessions"]
    return {
        "invitationId": invitations[0]["_id"],
        "otherInvitationId": invitations[1]["_id"],
        "apiKeyId": next(key["_id"] for key in api_keys if not key["current"]),
        "passkeyId": passkeys[0]["_id"],
        "identityId": await give_identity(context, desk.person.actor.id, subject=desk.person.actor.id),
        "sessionId": next(session["_id"] for session in sessions if not session["current"]),
    }


@dataclass(frozen=True)
class Town:
    """My project, my other project, and a stranger's."""

    mine: Tenant
    sibling: Tenant
    foreign: Tenant
    my_things: dict[str, str]
    their_things: dict[str, str]
    settings: Settings


async def build_town(context: Context, client: httpx2.AsyncClient) -> Town:
    me = await create_logged_in(context, email="me@example.com")
    stranger = await create_logged_in(context, email="stranger@example.com")
    await give_credits(context.database, me.actor.id, 1000)
    mine = await furnish(context, client, me, "mine", "de")
    sibling = await furnish(context, client, me, "sibling", "fr")
    foreign = await furnish(context, client, stranger, "foreign", "es")
    my_things, their_things = await personal_ids(context, mine.desk), await personal_ids(context, foreign.desk)
    return Town(mine, sibling, foreign, my_things, their_things, context.settings)


def routes_with_ids(context: Context) -> dict[str, list[str]]:
    """Every call with ids in its address or its body, with their names."""
    found: dict[str, list[str]] = {}
    for name in operations_of(context.settings):
        names = [part.strip("{}") for part in name.split("/") if part.startswith("{")]
        in_body = [field for field in ("projectId", "userId") if field in (body_of(context.settings, name) or {})]
        if ids := [name for name in (*names, *in_body) if name not in NO_ID]:
            found[name] = ids
    return found


@dataclass(frozen=True)
class Call:
    """One route with the ids of one try; ``about`` names what was swapped."""

    settings: Settings
    route: str
    ids: dict[str, str]
    about: str = ""

    async def send(self, desk: Desk) -> httpx2.Response:
        method, _, path = self.route.partition(" ")
        if self.route in FORMS:
            filled = path.removeprefix("/api").format(**self.ids)
            return await desk.upload(filled, {"key": "fresh"} if method == "POST" else {}, picture(color=BLUE))
        if self.route == ARCHIVE:
            return await send_archive(desk, b"no archive", project_id=self.ids["projectId"])
        if self.route in BYTES:
            return await send_file(desk, self.ids["importId"], "en.json", {}, project_id=self.ids["projectId"])
        body = self._body()
        if path.endswith("/translate-key") and body is not None:
            body |= {"key": self.ids["key"], "value": await self._english(desk)}
        return await desk.send(method, path.removeprefix("/api").format(**self.ids), body)

    def _body(self) -> dict[str, Any] | None:
        path = self.route.partition(" ")[2]
        body = body_of(self.settings, self.route)
        if body is not None:
            body |= {field: value for field, value in FITTING.items() if field in body}
            if "take" in body:
                body = {}
            for guard in (
                "revision",
                "expected",
                "tabs",
                "token",
            ):  # other calls of the test change what these would guard
                body.pop(guard, None)
            if "password" in body:
                body["password"] = PASSWORD
            body |= {field: value for field, value in {**self.ids, "tierId": "pro"}.items() if field in body}
            if body.get("key"):
                body["key"] = self.ids["key"] if "{key}" in path else "fresh"
            if "apiIdentifier" in body:
                body["apiIdentifier"] = "fresh"
            if "publishAtString" in body:
                body["publishAtString"] = soon()
            if path.endswith("/languages"):
                body["language"] = "fr"
        return body

    async def _english(self, desk: Desk) -> str:
        """Returns the text of the key that this call names, if there is such a key: a translation of a different text would be refused."""
        answer = await desk.get("/translations/{projectId}/{tabName}".format(**self.ids))
        found = [row["values"]["en"] for row in answer.json().get("keys", []) if row["key"] == self.ids["key"]]
        return found[0] if found else "x"


def own_calls(town: Town, route: str, ids: list[str]) -> Iterator[Call]:
    """The route with my ids: with a member and with an invitation where it takes either."""
    for member_id in town.mine.member_ids if "userId" in ids else ("",):
        if not member_id.startswith(NOT_IN_PLACE_OF_USER.get(route, ("none",))):
            mine = {**town.mine.ids, **town.my_things, "userId": member_id}
            yield Call(
                town.settings,
                route,
                mine | {place: mine[thing] for place, thing in OTHERS_IN_PLACE.get(route, {}).items()},
            )


def in_order(routes: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Reads before changes; what others need is deleted last, and what is in the way of others first."""
    last = [f"DELETE {path}" for path in NEEDED_BY_OTHERS]

    def rank(route: str) -> tuple[int, int]:
        if route == MAKES_ROOM:
            return 0, 0
        method = route.partition(" ")[0]
        return ["GET", "PUT", "POST", "DELETE"].index(method), last.index(route) if route in last else -1

    return sorted(routes.items(), key=lambda item: rank(item[0]))


Watched = tuple[str, Desk, Callable[[], Awaitable[httpx2.Response]]]
"""A route, who calls it, and the call."""
NEW_PASSWORD = "a short and noisy brook"


async def changes_of_factors(me: Desk) -> AsyncIterator[Watched]:
    """The second factors that are not changed by the id of a passkey. At the end the person has a passkey and no app."""
    begun, laptop = await begin_passkey(me.client, me.person), Authenticator()
    body = {"ticket": begun["ticket"], "name": "Laptop", "passkey": laptop.create(begun["options"])}
    yield f"POST {FACTORS}/passkeys", me, lambda: me.post("/user/second-factors/passkeys", body)
    setup = await me.post("/user/second-factors/totp", {"password": PASSWORD})
    code = {"code": code_at(setup.json()["secret"], clock.now())}
    yield f"POST {FACTORS}/totp/confirm", me, lambda: me.post("/user/second-factors/totp/confirm", code)
    for method, path in (("POST", "recovery-codes"), ("DELETE", "totp")):
        call = f"/user/second-factors/{path}"
        yield f"{method} {FACTORS}/{path}", me, lambda m=method, c=call: me.send(m, c, {"password": PASSWORD})


async def discards(me: Desk) -> AsyncIterator[Watched]:
    """A new colour is discarded and comes back."""
    await me.post("/colors/{id}", {"key": "fleeting", "value": "#123456"})
    kept: dict[str, str] = {}

    async def discard() -> httpx2.Response:
        answer = await me.post("/projects/{id}/discard", {"changes": ["color:fleeting"]})
        kept["keptAt"] = answer.json()["keptAt"]
        return answer

    yield DISCARD, me, discard
    yield NOTHING_KEPT, me, lambda: me.post("/projects/{id}/discard/undo", kept)


async def archives(me: Desk) -> AsyncIterator[Watched]:
    """The archive of an empty project comes into it."""
    made = await me.post("/projects", {"name": "Empty"})
    desk = Desk(me.client, me.person, made.json()["projectId"])
    archive = (await desk.get("/projects/{id}/exports/archive")).content
    yield ARCHIVE, desk, lambda: send_archive(desk, archive)


async def calls_with_success(context: Context, town: Town, mails: Mails) -> AsyncIterator[Watched]:
    """Calls, in an order in which each succeeds, of all routes but those of people who are not logged in. Who gets a call has to make it."""
    me, other = town.mine.desk, town.sibling.desk
    successor = await create_logged_in(context, email="successor@example.com")
    yield "POST /api/projects", me, lambda: me.post("/projects", {"name": "Third"})
    yield "PUT /api/user/me", me, lambda: me.put("/user/me", {"name": "Another"})
    yield "POST /api/user/apikey/rotate", me, lambda: me.post("/user/apikey/rotate")
    invited = await other.post("/projects/{id}/members", {"email": "successor@example.com", "role": "admin"})
    assert invited.status_code == 201
    token = (await mails.last(to="successor@example.com", kind="invitation")).token
    joining = other.at(successor)
    accept = "POST /api/invitations/{token}/accept"
    yield accept, joining, lambda: joining.post(f"/invitations/{token}/accept")
    assert (await other.post("/projects/{id}/transfer", {"userId": successor.actor.id})).is_success
    take_over = "POST /api/projects/{projectId}/transfer/accept"
    yield take_over, joining, lambda: joining.post("/projects/{id}/transfer/accept")
    for steps in (discards(me), archives(me)):
        async for step in steps:
            yield step
    for route, ids in in_order(routes_with_ids(context)):
        is_done = route in FOR_SOMEBODY_ELSE or route.startswith((DISCARD, ARCHIVE))
        for call in () if is_done else own_calls(town, route, ids):
            yield route, me, lambda call=call: call.send(me)
    async for step in changes_of_factors(me):
        yield step
    passwords = {"oldPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    yield "PUT /api/user/password", me, lambda: me.put("/user/password", passwords)
