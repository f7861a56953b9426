"""What another origin, a cache in between and a forged host get: delivery is open to read, the dashboard to nobody but itself."""

import itertools
from collections.abc import AsyncIterator

import httpx2
import pytest
from fastapi.routing import iter_route_contexts

from livery.app import Application
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, create_user
from tests.factories.content import Studio
from tests.factories.projects import Desk, open_desk
from tests.images.pictures import picture
from tests.support.api import api_of
from tests.support.mails import Mails
from tests.support.outage import database_away
from tests.support.tier import share

pytestmark = pytest.mark.deep_on("postgresql")  # headers do not depend on the database, and each test asks every route
PUBLIC_URL = "https://livery.example"
ORIGINS = (
    "null",
    "https://livery.example",
    "http://livery.example",
    "https://livery.example:8443",
    "https://livery.example.evil.test",
    "https://evil-livery.example",
    "https://sub.livery.example",
    "https://livery.example.",
    "https://LIVERY.EXAMPLE",
    "https://livery.example@evil.test",
    "https://livery.example, https://evil.test",
    "https://evil.test",
    "http://localhost:8000",
    "http://127.0.0.1",
    "file://",
    "*",
)
FORM = "multipart/form-data; boundary=x"
SAFE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "strict-transport-security": "max-age=31536000",
}
CONTENT = ("/api/translations/", "/api/colors/", "/api/stores/", "/api/images/")
"""Below these addresses, a browser may keep an answer. It asks again before each use."""
SAME_FOR_ALL = {"/api/plans"}
"""What reveals nothing about anybody: a cache may keep it."""
FORGED = {
    "Host": "evil.test",
    "X-Forwarded-Host": "evil.test",
    "X-Forwarded-Server": "evil.test",
    "X-Forwarded-Proto": "ftp",
    "X-Forwarded-Port": "666",
    "X-Forwarded-Prefix": "/evil.test",
    "X-Original-URL": "https://evil.test/",
    "X-Host": "evil.test",
    "Forwarded": "host=evil.test;proto=ftp",
    "Origin": "https://evil.test",
    "Referer": "https://evil.test/reset-password/",
}


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off", "public_url": PUBLIC_URL, "sandbox_public": True}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    """An owner at work, with something published."""
    desk = await open_desk(context, client)
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    return desk


@pytest.fixture
async def image_id(desk: Desk) -> str:
    """An image of the desk's project."""
    answer = await desk.upload("/images/{id}", {"key": "logo"}, picture())
    assert answer.status_code == 201, answer.text
    return answer.json()["_id"]


@pytest.fixture
async def twins(context: Context) -> tuple[Studio, Studio]:
    """Two tenants whose released content is the same to the letter."""
    studios = [await Studio.create(context, email=f"{name}@example.com") for name in ("left", "right")]
    for studio in studios:
        await studio.add_key("title", {"en": "The same words"})
        await studio.publish()
    return studios[0], studios[1]


@pytest.fixture
async def robust(app: Application) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that gets the 500 that a browser would get, and not the exception behind it."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


def routes_of(context: Context, desk: Desk, image_id: str = "img_none") -> list[tuple[str, str]]:
    """Every method and address of the running application, filled in with things that are there."""
    known = {"{projectId}": desk.project_id, "{tabName}": "general", "{key}": "title", "{imageId}": image_id}
    found: list[tuple[str, str]] = []
    for route in iter_route_contexts(api_of(context.settings).routes):
        path = str(route.path)
        for name, value in known.items():
            path = path.replace(name, value)
        found += [(method, path) for method in sorted(route.methods or ()) if method != "OPTIONS" and path != "/"]
    assert len(found) > 40
    return found


def uploads(desk: Desk, image_id: str) -> list[tuple[str, str]]:
    """The calls that take a form."""
    return [("POST", f"/api/images/{desk.project_id}"), ("PUT", f"/api/images/{desk.project_id}/{image_id}")]


def cors_headers(response: httpx2.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name.startswith("access-control-")}


async def test_no_origin_may_read_the_dashboards_api(context: Context, desk: Desk) -> None:
    preflight = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization,content-type"}

    for turn, (method, path) in enumerate(routes_of(context, desk)):
        for origin in share(ORIGINS, turn, of=8):
            asked = await desk.client.options(path, headers={"Origin": origin, **preflight})
            answer = await desk.client.request(method, path, headers={"Origin": origin})
            assert (asked.status_code, cors_headers(asked)) == (405, {}), (path, origin)
            assert cors_headers(answer) == {}, (method, path, origin)


async def test_no_origin_gets_leave_by_being_logged_in(desk: Desk) -> None:
    for path, origin in itertools.product(("/api/user/me", f"/api/projects/{desk.project_id}"), ORIGINS):
        answer = await desk.client.get(path, headers={**desk.person.headers, "Origin": origin})
        assert (answer.status_code, cors_headers(answer)) == (200, {}), (path, origin)
        assert "set-cookie" not in answer.headers


async def test_every_origin_may_read_what_is_published_and_do_nothing_else(
    client: httpx2.AsyncClient, desk: Desk
) -> None:
    key = (await desk.project())["publishableKey"]
    content = f"/sdk/v1/{desk.project_id}/content"

    for origin in ORIGINS:
        own = {"Origin": origin, "Authorization": f"Bearer {key}"}
        answers = [
            await client.get(content, headers=own),
            await client.head(content, headers=own),
            await client.get(content, headers={**own, "Authorization": "Bearer lvp_unknown"}),
            await client.get("/sdk/v1/prj_aaaaaaaaaaaaaaaa/content", headers=own),
            await client.post(content, headers=own),
        ]
        asked = await client.options(content, headers={"Origin": origin, "Access-Control-Request-Method": "DELETE"})

        assert [answer.status_code for answer in answers] == [200, 200, 401, 404, 405], origin
        for answer in (*answers, asked):
            transport = answer.headers.get_list("strict-transport-security")
            assert transport == [SAFE_HEADERS["strict-transport-security"]], origin
            assert answer.headers["access-control-allow-origin"] == "*", origin
            assert "access-control-allow-credentials" not in answer.headers, origin
        assert asked.headers["access-control-allow-methods"] == "GET, HEAD", origin


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", FORM])
async def test_every_route_answers_the_form_of_a_different_site_with_415(
    context: Context, desk: Desk, image_id: str, kind: str
) -> None:
    before = await desk.project()

    for method, path in routes_of(context, desk, image_id):
        if method in {"GET", "HEAD"} or (kind == FORM and (method, path) in uploads(desk, image_id)):
            continue
        headers = {**desk.person.headers, "Content-Type": kind, "Origin": "https://evil.test"}
        answer = await desk.client.request(method, path, content=b'{"name": "x", "a": "="}', headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media"), (method, path)

    assert await desk.project() == before


async def test_a_form_of_another_site_uploads_nothing_with_the_cookies_of_who_is_logged_in(
    desk: Desk, image_id: str
) -> None:
    """An upload is a form, which any site can send; it can't send the header that identifies who asks."""
    token = desk.person.headers["Authorization"].split()[1]
    before = (await desk.get("/images/{id}")).json()

    for method, path in uploads(desk, image_id):
        for cookie in ({}, {"Cookie": f"token={token}; session={token}; Authorization=Bearer {token}"}):
            form = {"key": (None, "fresh"), "imageFile": ("a.png", picture(), "image/png")}
            headers = {"Origin": "https://evil.test", **cookie}
            answer = await desk.client.request(method, path, files=form, headers=headers)
            assert (answer.status_code, cors_headers(answer)) == (401, {}), (method, path)

    assert (await desk.get("/images/{id}")).json() == before


async def test_images_also_keep_browsers_on_https(client: httpx2.AsyncClient, desk: Desk, image_id: str) -> None:
    path = f"/media/{desk.project_id}/logo"

    answers = [
        await client.get(path),
        await client.get(path, headers={"If-None-Match": "*"}),
        await client.get(f"{path}x"),
        await client.post(path),
        await client.options(path),
    ]

    assert [answer.status_code for answer in answers] == [200, 304, 404, 405, 204]
    for answer in answers:
        assert answer.headers.get_list("strict-transport-security") == [SAFE_HEADERS["strict-transport-security"]]


def check_safe(response: httpx2.Response, about: object, *, caching: str = "no-store") -> None:
    found = {name: response.headers.get(name) for name in SAFE_HEADERS}
    assert found == SAFE_HEADERS, about
    assert response.headers["cache-control"] == caching, about
    policy = dict(part.strip().split(" ", 1) for part in response.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'", about
    assert policy["script-src"] == policy["connect-src"] == policy["form-action"] == "'self'", about


async def test_every_answer_has_the_safe_headers_and_only_content_is_stored(context: Context, desk: Desk) -> None:
    statuses: set[int] = set()

    for method, path in routes_of(context, desk):
        if not path.startswith("/api/"):
            continue
        known = desk.person.headers
        answers = [
            await desk.client.request(method, path),
            await desk.client.request(method, path, headers={"Authorization": "Bearer x"}),
            await desk.client.request(method, f"{path}/x.css", headers=known),
            await desk.client.request("PATCH", path, headers=known),
        ]
        if method == "GET":
            answers.append(await desk.client.get(path, headers=known))
        if method not in {"GET", "HEAD"}:
            json_type = {**known, "Content-Type": "application/json"}
            answers.append(await desk.client.request(method, path, content=b"{", headers=json_type))
            answers.append(await desk.client.request(method, path, content=b" " * 2_000_000, headers=json_type))
        for answer in answers:
            is_for_all = path in SAME_FOR_ALL and answer.status_code == 200
            is_content = path.startswith(CONTENT) and method == "GET" and answer.status_code == 200
            about = (method, path, answer.status_code)
            caching = "public, max-age=300" if is_for_all else "private, no-cache" if is_content else "no-store"
            check_safe(answer, about, caching=caching)
            statuses.add(answer.status_code)

    assert statuses >= {200, 400, 401, 404, 405, 413, 422}


@pytest.mark.fresh
async def test_an_answer_to_a_failure_of_ours_has_the_safe_headers_too(
    context: Context, desk: Desk, robust: httpx2.AsyncClient
) -> None:
    async with database_away(context.database):
        answer = await robust.get("/api/projects", headers={**desk.person.headers, "Origin": "https://evil.test"})

    assert answer.status_code >= 500
    check_safe(answer, answer.status_code)
    assert cors_headers(answer) == {}


async def test_pages_and_probes_are_safe_to_show_and_closed_to_others(client: httpx2.AsyncClient) -> None:
    for path, origin in itertools.product(
        ("/", "/login", "/reset-password/x", "/healthz", "/readyz", "/none.js"), ORIGINS
    ):
        answer = await client.get(path, headers={"Origin": origin})
        assert {name: answer.headers.get(name) for name in SAFE_HEADERS} == SAFE_HEADERS, path
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path
        assert cors_headers(answer) == {}, (path, origin)


LIKE_FILES = (
    "/api/user/me/x.css",
    "/api/user/me.css",
    "/api/user/me;x.css",
    "/api/user/me%2Fx.css",
    "/api/user/me%3Bx.css",
    "/api/user/me%00.css",
    "/api/user/me%0A.css",
    "/api/user/apikey/x.js",
    "/api/projects/x.css",
    "/api/projects/{id}/x.png",
    "/api/projects/{id};x.png",
    "/api/translations/{id}/general/x.css",
    "/sdk/v1/{id}/content.css",
    "/sdk/v1/{id}/content/x.css",
    "/sdk/v1/{id}/content;x.css",
)
"""Addresses that a cache which goes by the ending would keep."""


async def test_an_address_that_a_cache_would_keep_is_404(desk: Desk) -> None:
    key = (await desk.project())["publishableKey"]

    for path in LIKE_FILES:
        own = {"Authorization": f"Bearer {key}"} if path.startswith("/sdk/") else desk.person.headers

        answer = await desk.client.get(path.replace("{id}", desk.project_id), headers=own)

        assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store"), path
        assert answer.json()["code"] == "not_found", path
        assert desk.person.actor.email not in answer.text, path


async def test_equal_content_of_two_tenants_is_never_the_same_to_a_cache(
    client: httpx2.AsyncClient, twins: tuple[Studio, Studio]
) -> None:
    left, right = twins
    mine, other = [await client.get(studio.content, headers=studio.headers) for studio in twins]
    bodies = [answer.json() for answer in (mine, other)]
    projects = [body.pop("projectId") for body in bodies]
    assert projects == [left.project_id, right.project_id]
    assert bodies[0] == bodies[1]
    assert "The same words" in mine.text
    etag = mine.headers["etag"]

    assert other.headers["etag"] != etag
    for known in (etag, f"W/{etag}", f'"x", {etag}', etag.replace('"', "")):
        foreign = await client.get(right.content, headers={**right.headers, "If-None-Match": known})
        locked = await client.get(right.content, headers={**left.headers, "If-None-Match": known})
        nobody = await client.get(right.content, headers={"If-None-Match": known})
        keyed = await client.get(f"{right.content}?key={left.key}", headers={"If-None-Match": known})
        statuses = [answer.status_code for answer in (foreign, locked, nobody, keyed)]
        assert statuses == [200, 404, 401, 404], known
        assert foreign.content == other.content
    assert (await client.get(left.content, headers={**left.headers, "If-None-Match": etag})).status_code == 304
    for answer in (mine, other):
        assert {"Accept-Encoding", "Authorization"} <= set(answer.headers["vary"].split(", "))


async def test_headers_that_no_cache_looks_at_change_no_byte(
    client: httpx2.AsyncClient, twins: tuple[Studio, Studio]
) -> None:
    studio, _ = twins
    plain = await client.get(studio.content, headers=studio.headers)

    for name, value in FORGED.items():
        forged = await client.get(studio.content, headers={**studio.headers, name: value})
        assert (forged.content, dict(forged.headers)) == (plain.content, dict(plain.headers)), name


async def test_no_answer_leads_to_a_forged_host(context: Context, desk: Desk) -> None:
    for method, path in (*routes_of(context, desk), ("GET", "/storefront"), ("GET", "/sdk"), ("GET", "/dashboard")):
        for address in (path, f"{path}/", f"/{path}"):
            answer = await desk.client.request(method, address, headers={**FORGED, **desk.person.headers})
            assert "evil.test" not in answer.text + str(dict(answer.headers)), (method, address)


async def test_no_mail_leads_to_a_forged_host(context: Context, client: httpx2.AsyncClient, mails: Mails) -> None:
    await create_user(context, email="known@example.com")
    leaver: LoggedIn = await create_logged_in(context, email="leaver@example.com")

    async def post(path: str, body: dict[str, str]) -> None:
        assert (await client.post(f"/api/auth/{path}", json=body, headers=FORGED)).is_success

    for email in ("new@example.com", "known@example.com"):
        await post("register", {"name": "Mara", "email": email, "password": PASSWORD})
    await post("resend-verification", {"email": "new@example.com"})
    await post("forgot-password", {"email": "known@example.com"})
    reset = await mails.last(kind="reset")
    await post(f"reset-password/{reset.token}", {"password": "a short and noisy brook"})
    closed = await client.request(
        "DELETE", "/api/user/me", json={"password": PASSWORD}, headers={**FORGED, **leaver.headers}
    )
    assert closed.is_success

    sent = await mails.sent()
    assert {mail.kind for mail in sent} == {
        "verify", "already_registered", "reset", "password_changed", "account_closed",
    }  # fmt: skip
    for mail in sent:
        assert "evil" not in mail.raw, mail.kind
        assert mail.links, mail.kind
        assert all(link.startswith(f"{PUBLIC_URL}/") or link == PUBLIC_URL for link in mail.links), mail.kind
