"""The descriptions of the API: what programs read, and the page for people."""

import ast
import json
import re
from html import unescape
from pathlib import Path

import httpx2

from livery.core import limits
from livery.core.limits import Rate
from livery.core.reference.statuses import spoken_rate
from livery.core.settings import Settings
from tests.support.api import operations_of

ERRORS = range(400, 600)
ROOT = Path(__file__).parents[1]


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
        if int(status) in ERRORS
        and (answer["$ref"] != f"#/components/responses/Error{status}" or answer.keys() > {"$ref", "description"})
    }
    assert wrong == set()


def test_every_call_that_counts_requests_names_its_rates(settings: Settings) -> None:
    """A route that takes from a throttle has ``rates``, and every rate is named by a call."""
    forgotten = {
        f"{path.name}: {function.name}"
        for path in (ROOT / "livery").rglob("*routes.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.AsyncFunctionDef) and function.decorator_list and takes(function)
        if "rates=" not in " ".join(map(ast.unparse, function.decorator_list))
    }
    described = json.dumps([operation["responses"] for operation in operations_of(settings).values()])
    rates = [rate for rate in vars(limits).values() if isinstance(rate, Rate)]

    assert forgotten == {"sso_routes.py: start_sso", "sso_routes.py: finish_sso"}  # they lead to a page in place of 429
    assert len(rates) > 15
    unnamed = {rate.name for rate in rates if spoken_rate(rate) not in described}
    assert unnamed == {"mail-recipient"}  # the mail is left out: no call is refused


def takes(function: ast.AsyncFunctionDef) -> bool:
    """Whether a route calls a throttle, itself or through a helper that is given the throttles."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(
        ast.unparse(call.func).startswith("throttles.")
        or "throttles" in {ast.unparse(argument) for argument in call.args}
        for call in calls
    )


async def test_the_page_shows_what_pages_of_other_origins_may_do(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text
    preflight = await client.options("/sdk/v1/prj_x/content", headers={"Origin": "https://shop.example"})
    origins = page[page.index('<article id="origins">') : page.index('<article id="etags">')]
    shown = re.findall(r"<dt><code>(.*?)</code></dt><dd><code>(.*?)</code></dd>", origins)

    sent = {name: value for name, value in preflight.headers.items() if name.startswith("access-control-")}
    assert {name.lower(): value for name, value in shown} == sent
