"""A caller that has the texts of a screen gets 304, and nothing reads the texts for it. Every change gives the list a new ETag."""

from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine, event

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk

LEAST_WRONG = 300


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    found = await open_desk(context, client, languages=("en", "de"))
    await found.text("title", {"en": "a", "de": "b"})
    return found


async def listed(desk: Desk, known: str = "", query: str = "") -> httpx2.Response:
    path = f"/api/translations/{desk.project_id}/general{query}"
    return await desk.client.get(path, headers={**desk.person.headers, "If-None-Match": known})


async def test_a_known_list_is_answered_without_a_look_at_the_texts(desk: Desk) -> None:
    etag = (await listed(desk)).headers["etag"]
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        again = await listed(desk, etag)
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert again.status_code == 304
    assert statements
    assert [statement for statement in statements if "text_" in statement] == []


async def test_lists_in_other_languages_and_of_other_screens_have_other_etags(desk: Desk) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    queries = ("", "?lang=en", "?lang=en&lang=de")
    whole, english, both = [(await listed(desk, query=query)).headers["etag"] for query in queries]
    path = f"/api/translations/{desk.project_id}/home"
    home = (await desk.client.get(path, headers=desk.person.headers)).headers["etag"]

    assert len({whole, english, both, home}) == 4
    assert (await listed(desk, "*")).status_code == 304
    gone = await desk.client.get(f"{path}x", headers={**desk.person.headers, "If-None-Match": "*"})
    assert gone.status_code == 404


async def test_every_change_gives_the_list_a_new_etag(desk: Desk) -> None:
    """A publish and the end of a language leave the revisions of keys as they are."""
    key = "/translations/{id}/general/title"
    changes: tuple[tuple[str, str, Any], ...] = (
        ("POST", "/translations/{id}/publish", None),
        ("PUT", key, {"key": "title", "values": {"de": "c"}}),
        ("PUT", key, {"key": "title", "values": {}, "confirmed": ["de"]}),
        ("DELETE", "/projects/{id}/languages/de?confirm=true", None),
        ("PUT", key, {"key": "name", "values": {}}),
        ("DELETE", "/translations/{id}/general/name", None),
    )
    seen = {(await listed(desk)).headers["etag"]}
    for method, path, body in changes:
        answer = await desk.send(method, path, body)
        assert answer.status_code < LEAST_WRONG, (path, answer.text)
        etag = (await listed(desk)).headers["etag"]
        assert etag not in seen, path
        seen.add(etag)
