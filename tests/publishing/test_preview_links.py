"""Preview links: who makes them, what is in them, and all that ends them."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from livery.core import limits
from livery.core.context import Context
from livery.previews.models import PreviewLink
from tests.factories.preview_ends import Operation, delete_project, lower, remove
from tests.factories.projects import Desk, join, open_desk
from tests.support.clock import Clock

LINKS = "/projects/{id}/preview-links"
APP = "https://app.example.com/shop"


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    desk = await open_desk(context, client)
    await desk.text("title", {"en": "A draft"})
    return desk


async def make_link(desk: Desk) -> dict[str, Any]:
    answer = await desk.post(LINKS, {"appUrl": APP})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def read_draft(desk: Desk, token: str, project_id: str = "") -> httpx2.Response:
    return await desk.client.get(
        f"/sdk/v1/{project_id or desk.project_id}/content", params={"channel": "draft", "preview": token}
    )


@pytest.mark.spec("preview-2")
async def test_a_link_opens_the_draft_for_an_hour(desk: Desk, clock: Clock) -> None:
    link = await make_link(desk)
    assert link.keys() == {"url", "token", "expiresAt"}
    assert link["url"] == f"{APP}?livery-preview={link['token']}"
    assert link["expiresAt"] == "2026-11-20T13:00:00.000Z"

    assert (await read_draft(desk, link["token"])).json()["texts"] == {"general": {"title": "A draft"}}
    clock.advance(minutes=59, seconds=59)
    assert (await read_draft(desk, link["token"])).status_code == 200
    clock.advance(seconds=1)
    ended = await read_draft(desk, link["token"])

    assert (ended.status_code, ended.json()["code"]) == (401, "unknown_key")


async def test_without_an_app_the_link_is_the_draft_itself(desk: Desk) -> None:
    bodies: tuple[object, ...] = (None, {})
    for body in bodies:
        link = (await desk.post(LINKS, body)).json()

        answer = await desk.client.get(link["url"])
        assert answer.json()["draft"] is True


@pytest.mark.parametrize(
    ("given", "link"),
    [
        ("http://192.168.1.7:5173", "http://192.168.1.7:5173?livery-preview={}"),
        (" https://app.example.com/ ", "https://app.example.com/?livery-preview={}"),
        ("https://app.example.com/a?x=1+2&y#/trips", "https://app.example.com/a?x=1+2&y&livery-preview={}#/trips"),
        ("https://app.example.com/?livery-preview=old&x=1", "https://app.example.com/?x=1&livery-preview={}"),
        ("HTTPS://App.example.com/ü", "https://App.example.com/ü?livery-preview={}"),
    ],
)
async def test_the_token_is_added_to_the_query_of_the_address(desk: Desk, given: str, link: str) -> None:
    made = (await desk.post(LINKS, {"appUrl": given})).json()

    assert made["url"] == link.format(made["token"])


@pytest.mark.parametrize(
    "address",
    [
        "",
        "app.example.com",
        "javascript:alert(1)",
        "javascript://app.example.com/%0aalert(1)",
        "data:text/html,x",
        "https://",
        "https://?x",
        "https://user:word@app.example.com",
        "https://app.example.com\\@evil.example",
        "https://app.example.com/a b",
        "https://app.example.com/\nx",
        "https://app.example.com:port/",
        "https://[::1",
        "https://<b>.example.com/",
        "https://app%2eexample.com/",
        "https://app.example.com/" + "x" * 2_000,
    ],
)
async def test_an_address_that_is_no_web_page_is_refused(desk: Desk, address: str) -> None:
    answer = await desk.post(LINKS, {"appUrl": address})

    assert answer.status_code == 422
    assert answer.json()["fields"].keys() == {"appUrl"}


async def test_the_token_is_kept_as_its_digest_alone(desk: Desk, context: Context) -> None:
    token = (await make_link(desk))["token"]

    async with context.database.read() as db:
        (row,) = await db.scalars(select(PreviewLink))
    assert token not in str(vars(row))
    feed = (await desk.get("/activity")).json()
    assert feed[0]["action"] == "Made a preview link of the draft"
    assert token not in str(feed)


@pytest.mark.spec("preview-2")
async def test_a_link_opens_its_own_project_alone(desk: Desk, context: Context) -> None:
    other = await open_desk(context, desk.client, email="other@example.com")
    token = (await make_link(desk))["token"]

    foreign = await read_draft(desk, token, other.project_id)
    missing = await read_draft(desk, token, "prj_aaaaaaaaaaaaaaaa")

    assert (foreign.status_code, foreign.content) == (missing.status_code, missing.content)
    assert foreign.status_code == 404
    assert (await read_draft(desk, token)).status_code == 200


async def leave(_desk: Desk, editor: Desk) -> httpx2.Response:
    return await remove(editor, editor)


@pytest.mark.spec("preview-3")
@pytest.mark.parametrize(("operation", "status"), [(lower, 401), (remove, 401), (leave, 401), (delete_project, 410)])
async def test_a_link_ends_with_its_makers_right(
    desk: Desk, context: Context, operation: Operation, status: int
) -> None:
    editor = await join(context, desk, "editor")
    token = (await make_link(editor))["token"]
    assert (await read_draft(desk, token)).status_code == 200

    assert (await operation(desk, editor)).is_success

    assert (await read_draft(desk, token)).status_code == status


async def test_there_is_a_limit_of_living_links(desk: Desk, clock: Clock) -> None:
    for _ in range(limits.PREVIEW_LINKS):
        await make_link(desk)
    refused = await desk.post(LINKS)
    clock.advance(hours=1)

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_preview_links")
    assert (await desk.post(LINKS)).status_code == 201


async def test_a_draft_is_shown_as_long_as_the_projects_apps_are_served(
    desk: Desk, context: Context, clock: Clock
) -> None:
    """Before the first publish also without a plan; afterwards until the days of grace after its end are over."""
    unpaid = await open_desk(context, desk.client, tier="none", email="unpaid@example.com")
    headers = {one.project_id: {"X-Livery-Secret": (await one.project())["projectSecret"]} for one in (desk, unpaid)}
    await desk.publish()

    async def ask(one: Desk) -> int:
        path = f"/sdk/v1/{one.project_id}/content?channel=draft"
        return (await desk.client.get(path, headers=headers[one.project_id])).status_code

    assert (await ask(desk), await ask(unpaid)) == (200, 200)
    clock.advance(days=59)
    assert await ask(desk) == 200
    clock.advance(days=2)
    assert (await ask(desk), await ask(unpaid)) == (402, 200)
