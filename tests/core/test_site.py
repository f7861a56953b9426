"""Files of the dashboard, and addresses that no route takes: 404, or 405 with the methods that are right there."""

import gzip
import re
from collections import defaultdict

import brotli
import httpx2
import pytest
from starlette.responses import RedirectResponse

from livery.core.http import SafeHeaders
from livery.core.settings import Settings
from tests.support.api import operations_of

SMALLEST_BYTES = 600
"""Smaller files have no compressed copy (``scripts/precompress.mjs``)."""


async def test_a_wrong_method_is_405_and_names_the_right_methods(
    client: httpx2.AsyncClient, settings: Settings
) -> None:
    documented: defaultdict[str, set[str]] = defaultdict(set)
    for operation in operations_of(settings):
        method, path = operation.split(" ")
        documented[path].add(method)
    wrong: list[tuple[str, int, set[str]]] = []
    for path, methods in documented.items():
        answer = await client.request("TRACE", path)
        allowed = set(answer.headers.get("Allow", "").split(", "))
        if answer.status_code != 405 or not methods <= allowed:
            wrong.append((path, answer.status_code, allowed))
    assert wrong == []
    assert (await client.delete("/api/projects")).headers["Allow"] == "GET, POST"
    assert (await client.put("/api/auth/login")).headers["Allow"] == "POST"
    assert (await client.get("/api/auth/login")).status_code == 404


async def test_an_unknown_address_of_the_api_is_404_for_every_method(client: httpx2.AsyncClient) -> None:
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
        answer = await client.request(method, "/api/nothing-here")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), method


async def test_a_redirect_names_no_host_that_the_client_chose() -> None:
    """The framework makes redirects to other spellings of an address, with the host of the request."""

    def at(host: str, target: str, base_path: str = "") -> httpx2.AsyncClient:
        redirect = SafeHeaders(RedirectResponse(target), base_path=base_path)
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=redirect), base_url=f"http://{host}")

    async with at("evil.example", "http://evil.example/api/projects?limit=1") as client:
        assert (await client.get("/")).headers["Location"] == "/api/projects?limit=1"
    async with at("livery.example", "http://livery.example//evil.example") as client:
        assert (await client.get("/")).headers["Location"] == "/evil.example"
    async with at("livery.example", "http://livery.example/api/projects", "/tools") as client:
        assert (await client.get("/")).headers["Location"] == "/tools/api/projects"
    async with at("livery.example", "https://terms.example/of-use") as client:
        assert (await client.get("/")).headers["Location"] == "https://terms.example/of-use"


async def test_the_page_of_the_dashboard_is_only_read(client: httpx2.AsyncClient) -> None:
    for path in ("/", "/index.html", "/projects"):
        assert (await client.get(path)).status_code == 200, path
        assert (await client.head(path)).status_code == 200, path
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert (await client.request(method, path)).status_code == 405, (method, path)


async def raw(client: httpx2.AsyncClient, path: str, accepted: str, **headers: str) -> tuple[httpx2.Response, bytes]:
    """An answer and its body as it came over the wire."""
    async with client.stream("GET", path, headers={"Accept-Encoding": accepted, **headers}) as answer:
        return answer, b"".join([chunk async for chunk in answer.aiter_raw()])


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("br;q=0.5, gzip", "gzip"), ("identity", None), ("", None)],
)
async def test_scripts_and_styles_are_sent_in_the_best_accepted_encoding(
    client: httpx2.AsyncClient, accepted: str, encoding: str | None
) -> None:
    page = (await client.get("/")).text
    paths = set(re.findall(r"/assets/[\w.-]+\.(?:js|css)", page))
    assert len(paths) > 1
    for path in paths:
        _, whole = await raw(client, path, "identity")
        if len(whole) < SMALLEST_BYTES:
            continue
        answer, body = await raw(client, path, accepted)

        assert answer.headers.get("content-encoding") == encoding, path
        match encoding:
            case "br":
                assert brotli.decompress(body) == whole  # pyright: ignore[reportUnknownMemberType]  # it is not typed
            case "gzip":
                assert gzip.decompress(body) == whole
            case _:
                assert body == whole
        kind = "text/javascript" if path.endswith("js") else "text/css"
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
        assert "immutable" in answer.headers["cache-control"]
        if encoding:
            assert answer.headers["vary"] == "Accept-Encoding"
        again, nothing = await raw(client, path, accepted, **{"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, nothing) == (304, b"")
