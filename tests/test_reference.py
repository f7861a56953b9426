"""The descriptions of the API: what programs read, and the page for people."""

import re
from html import unescape

import httpx2

from livery.core.settings import Settings
from tests.support.api import operations_of

ERRORS = range(400, 600)


async def test_the_page_shows_every_call_of_both_documents(client: httpx2.AsyncClient, settings: Settings) -> None:
    delivery = (await client.get("/api/delivery.json")).json()
    page = await client.get("/api/docs")

    calls = {unescape(path) for path in re.findall(r"<b class=\"\w+\">(?:\w+)</b> <code>([^<]+)</code>", page.text)}
    documented = {operation.split(" ")[1] for operation in operations_of(settings)}
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert calls == documented | set(delivery["paths"])
    assert "<script" not in page.text
    assert "style=" not in page.text
    assert (await client.get("/api/docs.css")).headers["content-type"].startswith("text/css")


async def test_every_link_of_the_page_leads_to_a_call(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text

    names = re.findall(r"<article id=\"(\w+)\"", page)
    assert len(names) == len(set(names))
    assert set(re.findall(r"href=\"#(\w+)\"", page)) == set(names)


async def test_every_reference_of_the_delivery_document_is_there(client: httpx2.AsyncClient) -> None:
    response = await client.get("/api/delivery.json")

    known = {f"#/components/schemas/{name}" for name in response.json()["components"]["schemas"]}
    assert set(re.findall(r"\"\$ref\":\"([^\"]+)\"", response.text)) <= known


def test_every_refusal_has_the_one_shape_of_errors(settings: Settings) -> None:
    wrong = {
        (call, status)
        for call, operation in operations_of(settings).items()
        for status, answer in operation["responses"].items()
        if int(status) in ERRORS and answer != {"$ref": f"#/components/responses/Error{status}"}
    }
    assert wrong == set()
