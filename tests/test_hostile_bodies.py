"""What must never be more than a refusal: broken, huge, wrong and greedy bodies, and hostile addresses, for every route."""

import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast, get_args, get_type_hints

import httpx2
import pytest
import starlette.requests
from fastapi.routing import APIRoute, iter_route_contexts

from livery.core import schemas
from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.factories.stores import TITLE, create_item, create_store
from tests.support.api import api_of, body_of, operations_of
from tests.support.tables import fingerprint
from tests.support.tier import share

without_database = pytest.mark.deep_on("postgresql")
"""A body is refused before anything is asked of the database."""
PASSWORD = "hunter2secret"
JSON = {"Content-Type": "application/json"}
OCTETS = {"Content-Type": "application/octet-stream"}

FORMS = {"POST /api/images/{projectId}", "PUT /api/images/{projectId}/{imageId}"}
"""Take a form in place of JSON: ``tests/images`` tries what may be wrong with a form."""
BYTES = {"POST /api/import-files/{projectId}/{importId}", "POST /api/import-archives/{projectId}"}
"""Take bytes: ``tests/imports`` and ``tests/archives`` try what may be wrong with them."""

DEEP = '{"a":' * 70 + "1" + "}" * 70
NO_JSON = [
    b"{", b"nope", b"{'a': 1}", b'{"a": 1,}', b'{"a": NaN}', b'{"a": Infinity}', b'{"a": -Infinity}', b"NaN", b'{"a": "\\ud800"}',
    b'{"\\udfff": 1}', b'{"a": "\\u0000"}', b'{"a\\u0000": 1}', b'{"a": 1, "a": 2}', b'{"x": {"a": 1, "a": 1}}', DEEP.encode(),
    b"[" * 70 + b"]" * 70, b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}", b'{"a": 1e999}', b'{"a": -1e999}', b'"\xff"', b'{"a": "\xc3\x28"}',
    b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b'{"a": "\n"}', b"{}{}", b" ",
]  # fmt: skip

GREEDY: dict[str, object] = {
    "_id": "prj_x", "id": "x", "projectSecret": "lvs_x", "publishableKey": "lvp_x", "activeTier": "pro", "plan": "paid",
    "expiresAt": "2099-01-01T00:00:00Z", "ownerId": "usr_x", "owner_id": "usr_x", "credits": 10**6, "isVerified": True, "is_verified": True,
    "verifiedAt": "2020-01-01T00:00:00Z", "role": "owner", "members": [], "languages": ["en"], "tabs": [], "isPublished": True, "release": 9,
    "releaseNumber": 9, "limits": {"screens": -1}, "passwordHash": "x", "updatedAt": "2020-01-01T00:00:00Z", "createdBy": "usr_x",
    "published_value": "x", "isChanged": False, "removedAt": None, "by": "ai", "__proto__": {"admin": True}, "constructor": {"prototype": {}},
    "$set": {"plan": "paid"}, "class": "x",
}  # fmt: skip

WRONG_TYPES: list[object] = [None, True, 7, 1.5, PASSWORD, [], [PASSWORD], {}, {"a": {"b": PASSWORD}}, 10**30, -1]

HOSTILE_SEGMENTS = [
    "%00", "a%00b", "%ff", "%ED%A0%80", "%c0%ae", "x" * 5_000, "..%2f..%2fetc%2fpasswd", "%2e%2e", "%5c..%5c", "%0d%0aX-Evil:1", "%20",
    "'%20OR%201=1--", "%25%5f", "%F0%9F%A7%A1", "%E2%80%AE", "__proto__", "{x}", "%7F", "%3Cscript%3E", "null", "0", "*", "%u0041", ";", "@", "~",
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    """One route that takes a body, and how the schema describes its fields."""

    name: str
    method: str
    url: str
    body: dict[str, Any]
    is_required: bool
    fields: dict[str, set[str]]


def json_types(schema: dict[str, Any]) -> set[str]:
    """The JSON types that a field's schema allows. What refers to another schema is an object."""
    return {str(option.get("type", "object")) for option in schema.get("anyOf", [schema])}


def type_of(value: object) -> set[str]:
    """The JSON types that a value is of."""
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int):
        return {"integer", "number"}
    names: dict[type, str] = {type(None): "null", float: "number", str: "string", list: "array", dict: "object"}
    return {names[type(value)]}


def targets_of(context: Context, project_id: str, store_id: str, item_id: str) -> list[Target]:
    """Every route that takes a body, from the running application's own description. A body is checked once what the address names is found."""
    own = {
        "PUT /api/stores/{projectId}": {"projectId": store_id},
        "POST /api/stores/items/{itemId}": {"itemId": store_id},
    }
    schema = api_of(context.settings).openapi()
    found: list[Target] = []
    for name, operation in operations_of(context.settings).items():
        if "requestBody" not in operation or name in FORMS | BYTES:
            continue
        method, _, path = name.partition(" ")
        content = operation["requestBody"]["content"]["application/json"]["schema"]
        refs = [option["$ref"] for option in content.get("anyOf", [content]) if "$ref" in option]
        described = schema["components"]["schemas"][refs[0].rsplit("/", 1)[1]]
        body = body_of(context.settings, name) or {}
        found.append(
            Target(
                name=name,
                method=method,
                url=address(path, **{"projectId": project_id, "itemId": item_id, **own.get(name, {})}),
                body=body,
                is_required=operation["requestBody"].get("required", False),
                fields={field: json_types(about) for field, about in described["properties"].items()},
            )
        )
    return found


def address(path: str, **names: str) -> str:
    own = {
        "sessionId": "ses_x",
        "apiKeyId": "key_x",
        "identityId": "idt_x",
        "passkeyId": "psk_x",
        "token": "x" * 43,
        "provider": "sandbox",
        "invoiceId": "inv_x",
    }
    own |= {
        "userId": "usr_x",
        "keyId": "key_x",
        "tokenId": "tok_x",
        "importId": "imp_x",
        "fileNumber": "1",
        "languageCode": "de",
    }
    own |= {
        "lang": "de",
        "jobId": "job_x",
        "colorVersionId": "ver_x",
        "versionId": "ver_x",
        "imageId": "img_x",
        "releaseNumber": "1",
        "itemId": "itm_x",
        "scheduleId": "sch_x",
        "apiIdentifier": "trips",
    }
    return path.format(**{"tabName": "general", "key": "title", **own, **names})


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    desk = await open_desk(context, client)
    await desk.text("title", {"en": "Hello"})
    await desk.post("/colors/{id}", {"key": "title", "value": "#112233"})
    return desk


@pytest.fixture
async def targets(context: Context, desk: Desk) -> list[Target]:
    store = await create_store(desk, "Trips", TITLE)
    item = await create_item(desk, store, title={"en": "Lofoten"})
    return targets_of(context, desk.project_id, store["_id"], item["_id"])


async def state_of(desk: Desk) -> tuple[object, ...]:
    """All that a hostile call might have changed."""
    paths = (
        "/projects/{id}",
        "/user/me",
        "/projects",
        "/translations/{id}/general",
        "/colors/{id}",
        "/stores/{id}",
        "/activity",
    )
    return tuple([(await desk.get(path)).json() for path in paths])


async def send(desk: Desk, target: Target, content: bytes | AsyncIterator[bytes], **headers: str) -> httpx2.Response:
    return await desk.client.request(
        target.method, target.url, content=content, headers={**JSON, **desk.person.headers, **headers}
    )


def check_refusal(response: httpx2.Response, *statuses: int, about: object) -> dict[str, Any]:
    """Checks that the answer is one of ``statuses`` in the one shape of errors, and shows nothing of what was sent."""
    assert response.status_code in statuses, (about, response.status_code, response.text[:300])
    assert response.headers["content-type"] == "application/json", about
    body = cast("dict[str, Any]", response.json())
    assert {"message", "code"} <= body.keys() <= {"message", "code", "fields"}, about
    assert isinstance(body["message"], str), about
    assert body["code"].replace("_", "").isalpha(), about
    assert all(isinstance(text, str) for text in body.get("fields", {}).values()), about
    assert PASSWORD not in response.text, about
    assert "Traceback" not in response.text, about
    return body


async def test_no_route_parses_a_body_again(desk: Desk, targets: list[Target], monkeypatch: pytest.MonkeyPatch) -> None:
    """What FastAPI would parse itself could be anything but what was checked, and costs twice the time."""

    def refuse(_raw: bytes) -> object:
        raise AssertionError("parsed again")

    monkeypatch.setattr(starlette.requests, "json", SimpleNamespace(loads=refuse))
    answers = {
        target.name: (await send(desk, target, json.dumps({**target.body, "strange": 1}).encode())).json()
        for target in targets
    }

    assert {name for name, answer in answers.items() if answer.get("fields", {}).keys() != {"strange"}} == set()


async def test_the_example_of_every_body_is_a_valid_body(context: Context) -> None:
    """Every other test here begins with these examples."""
    with_body = {name for name, operation in operations_of(context.settings).items() if "requestBody" in operation}
    tried: set[str] = set()
    for route in iter_route_contexts(api_of(context.settings).routes):
        hints = get_type_hints(route.endpoint) if isinstance(route.original_route, APIRoute) else {}
        kinds = [kind for hint in hints.values() for kind in (hint, *get_args(hint)) if isinstance(kind, type)]
        for model in (kind for kind in kinds if issubclass(kind, schemas.Body)):
            for name in {f"{method} {route.path}" for method in route.methods or ()} & with_body:
                model.model_validate(body_of(context.settings, name))
                tried.add(name)

    assert tried | FORMS | BYTES == with_body


@without_database
async def test_a_body_that_is_not_strict_json_is_400(desk: Desk, targets: list[Target]) -> None:
    before = await state_of(desk)

    for turn, target in enumerate(targets):
        for raw in share(NO_JSON, turn, of=4):
            check_refusal(await send(desk, target, raw), 400, about=(target.name, raw[:60]))

    assert await state_of(desk) == before


@without_database
async def test_other_kinds_and_sizes_of_bodies_are_refused(desk: Desk, targets: list[Target]) -> None:
    before = await state_of(desk)

    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(32):
            yield b" " * 65_536

    for target in targets:
        raw = json.dumps(target.body).encode()
        for kind in (
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "application/xml",
        ):
            check_refusal(await send(desk, target, raw, **{"Content-Type": kind}), 415, about=(target.name, kind))
        for coding in ("gzip", "br", "identity"):
            response = await send(desk, target, raw, **{"Content-Encoding": coding})
            check_refusal(response, 415, about=(target.name, coding))
        check_refusal(await send(desk, target, b'"' + b"x" * 2_000_000 + b'"'), 413, about=target.name)
        check_refusal(await send(desk, target, in_pieces()), 413, about=target.name)
        if target.is_required:
            check_refusal(await send(desk, target, b""), 422, about=target.name)

    assert await state_of(desk) == before


@without_database
async def test_a_body_that_is_no_object_is_422(desk: Desk, targets: list[Target]) -> None:
    before = await state_of(desk)

    for target in targets:
        tops = [[], [target.body], PASSWORD, 7, 1.5, True, *([None] if target.is_required else [])]
        for top in tops:
            response = await send(desk, target, json.dumps(top).encode())
            body = check_refusal(response, 422, about=(target.name, top))
            assert set(body["fields"]) == {"body"}, (target.name, top)

    assert await state_of(desk) == before


@without_database
async def test_a_field_of_another_type_is_422_and_is_named(desk: Desk, targets: list[Target]) -> None:
    before = await state_of(desk)
    tried = 0

    fields = [(target, field, types) for target in targets for field, types in target.fields.items()]
    for turn, (target, field, types) in enumerate(fields):
        for value in share([value for value in WRONG_TYPES if not type_of(value) & types], turn, of=3):
            response = await send(desk, target, json.dumps({**target.body, field: value}).encode())
            body = check_refusal(response, 422, about=(target.name, field, value))
            assert set(body["fields"]) == {field}, (target.name, field, value, body)
            tried += 1

    assert tried > 200
    assert await state_of(desk) == before


@without_database
async def test_a_wrong_type_inside_values_is_422(desk: Desk, targets: list[Target]) -> None:
    for target in (target for target in targets if "values" in target.fields):
        wrong: list[object] = [None, 1, True, [], {"en": PASSWORD}]
        for value in wrong:
            raw = json.dumps({**target.body, "values": {"en": value}}).encode()
            body = check_refusal(await send(desk, target, raw), 422, about=(target.name, value))
            assert set(body["fields"]) == {"values.en"}


@without_database
async def test_no_field_can_be_smuggled_in(context: Context, desk: Desk, targets: list[Target]) -> None:
    before = await fingerprint(context.database)
    assert len(GREEDY) >= 30

    for turn, target in enumerate(targets):
        for field, value in share([one for one in GREEDY.items() if one[0] not in target.fields], turn, of=6):
            response = await send(desk, target, json.dumps({**target.body, field: value}).encode())
            body = check_refusal(response, 422, about=(target.name, field))
            assert set(body["fields"]) == {field}, (target.name, field)

    assert await fingerprint(context.database) == before


@without_database
async def test_the_python_name_of_a_field_is_not_its_name_on_the_wire(desk: Desk) -> None:
    for body in (
        {"name": "A", "default_language": "de"},
        {"name": "A", "defaultLanguage": "de", "default_language": "fr"},
    ):
        response = await desk.post("/projects", body)

        assert set(check_refusal(response, 422, about=body)["fields"]) == {"default_language"}


@without_database
async def test_a_password_is_never_repeated_nor_logged(
    desk: Desk, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    bodies: list[object] = [
        {"email": "a@example.com", "password": [PASSWORD]},
        {"email": "a@example.com", "password": {"x": PASSWORD}},
        {"email": PASSWORD, "password": PASSWORD},
        {"email": "a@example.com", "password": PASSWORD, "extra": PASSWORD},
        {"name": "A", "email": "b@example.com", "password": PASSWORD},
        {"password": PASSWORD},
        {"password": PASSWORD * 1000},
        [PASSWORD],
    ]

    for path in ("/auth/login", "/auth/register", "/auth/reset-password/" + "x" * 43):
        for body in bodies:
            response = await desk.post(path, body)
            assert response.status_code < 500
            assert PASSWORD not in response.text, (path, body)

    written = capfd.readouterr()
    assert PASSWORD not in written.out + written.err + caplog.text


async def test_hostile_addresses_are_refused_and_never_break(context: Context, desk: Desk) -> None:
    before = await state_of(desk)

    for turn, name in enumerate(operations_of(context.settings)):
        method, _, path = name.partition(" ")
        for place in [part.strip("{}") for part in path.split("/") if part.startswith("{")]:
            for hostile in share(HOSTILE_SEGMENTS, turn, of=8):
                url = address(path, **{"projectId": desk.project_id, place: hostile})
                if name in BYTES:
                    request = desk.client.build_request(method, url, headers=OCTETS, content=b"{}")
                else:
                    request = desk.client.build_request(method, url, json=body_of(context.settings, name))
                request.headers.update(desk.person.headers)
                response = await desk.client.send(request)
                check_refusal(response, 400, 401, 404, 405, 422, about=(name, place, hostile))

    assert await state_of(desk) == before


NINES = "9" * 40
REFUSED_QUERIES = [
    "limit=0", "limit=101", "limit=-1", "limit=1e3", "limit=NaN", "limit=%D9%A1", "limit=", "limit=" + "9" * 5_000, "cursor=0",
    f"cursor={NINES}", "cursor=%00", "cursor=1.5", "projectId=" + "x" * 65,
]  # fmt: skip


async def test_hostile_queries_are_refused_or_find_nothing(desk: Desk) -> None:
    for query in REFUSED_QUERIES:
        check_refusal(await desk.get(f"/activity?{query}"), 422, about=query)

    for query in ("projectId=%ff", "projectId='%20OR%201=1", "projectId="):
        assert (await desk.get(f"/activity?{query}")).json() == [], query


async def test_nul_in_any_query_is_422(context: Context, desk: Desk) -> None:
    """PostgreSQL takes no NUL: a query that reached it would be 500."""
    queries = [
        (name.removeprefix("GET "), parameter["name"])
        for name, operation in operations_of(context.settings).items()
        for parameter in operation.get("parameters", [])
        if name.startswith("GET ") and parameter["in"] == "query"
    ]
    assert len(queries) > 20
    for path, name in queries:
        response = await desk.client.get(
            f"{address(path, projectId=desk.project_id)}?{name}=%00", headers=desk.person.headers
        )
        check_refusal(response, 422, about=(path, name))


async def test_delivery_refuses_hostile_addresses_too(desk: Desk) -> None:
    key = (await desk.project())["publishableKey"]
    api_key = (await desk.get("/user/apikey")).json()["apikey"]
    content = f"/sdk/v1/{desk.project_id}/content"
    addresses = [
        *(f"/sdk/v1/{hostile}/content" for hostile in HOSTILE_SEGMENTS),
        *(f"/sdk/v1/{desk.project_id}/{hostile}" for hostile in HOSTILE_SEGMENTS),
        *(f"{content}?lang={hostile}" for hostile in ("%00", "%ff", "..", "x" * 5_000, "de%0d%0aX:1", "<b>", "d")),
        f"{content}?channel=draft",
        f"{content}?" + "&".join(f"a{number}=1" for number in range(200)),
    ]

    for token in (key, api_key):
        for url in addresses:
            response = await desk.client.get(url, headers={"Authorization": f"Bearer {token}"})
            assert response.status_code in {400, 403, 404, 422}, (url[:200], response.status_code, response.text[:300])
            assert {"message", "code"} <= response.json().keys() <= {"message", "code", "fields"}
        for hostile in ("%00", "e.1x", "-1", "e1." + "9" * 40, "e1.%D9%A1", "x" * 5_000):
            response = await desk.client.get(f"{content}?since={hostile}", headers={"Authorization": f"Bearer {token}"})
            assert (response.status_code, "patch" in response.json()) == (200, False), hostile[:200]
        response = await desk.client.get(f"{content}?since=%ff", headers={"Authorization": f"Bearer {token}"})
        assert response.status_code == 400
    for query in ("lang=%00", "lang=de%00", "cursor=%00"):
        response = await desk.client.get(f"{content}?{query}", headers={"Authorization": f"Bearer {key}"})
        assert (response.status_code, response.json()["code"]) == (422, "invalid"), query
    for hostile in ("", "%00", "%ff", "x" * 5_000, "lvp_", "lvk_%00", "lvs_x", "lvp_é"):
        response = await desk.client.get(f"{content}?key={hostile}")
        assert response.status_code in {400, 401}, hostile
