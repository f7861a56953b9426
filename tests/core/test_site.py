"""Addresses that no route takes: 404, or 405 with the methods that are right there."""

from collections import defaultdict

import httpx2

from livery.core.settings import Settings
from tests.support.api import operations_of


async def test_a_wrong_method_is_405_and_names_the_right_ones(client: httpx2.AsyncClient, settings: Settings) -> None:
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
