"""A caller that has the texts of a screen gets 304, and nothing reads the texts for it. Every change gives the list a new ETag."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine, event, update

from livery.core.context import Context
from livery.projects.models import Project
from tests.factories.projects import Desk, join, open_desk

LEAST_WRONG = 300


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    found = await open_desk(context, client, languages=("en", "de"))
    await found.text("title", {"en": "a", "de": "b"})
    return found


async def listed(desk: Desk, known: str = "", query: str = "") -> httpx2.Response:
    path = f"/api/translations/{desk.project_id}/general{query}"
    return await desk.client.get(path, headers={**desk.person.headers, "If-None-Match": known})


@contextmanager
def reads_of_texts() -> Generator[list[str]]:
    """Yields the statements of the block that read texts."""
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if "text_" in statement:
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def test_a_known_list_is_answered_without_a_look_at_the_texts(desk: Desk) -> None:
    etag = (await listed(desk)).headers["etag"]

    with reads_of_texts() as reads:
        again = await listed(desk, etag)

    assert again.status_code == 304
    assert reads == []


@pytest.mark.fresh  # other applications of tests keep no lists
async def test_after_an_edit_the_texts_are_read_once_for_all_who_ask_for_the_list(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")
    await desk.text("long", {"en": 2_000 * "x"})
    with reads_of_texts() as alone:
        before = await listed(desk)
    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "c"}})

    with reads_of_texts() as reads:
        answers = await asyncio.gather(*(listed(one) for one in (desk, viewer, desk, viewer)))
        answers.append(await listed(viewer))

    assert [answer.status_code for answer in answers] == 5 * [200]
    assert {answer.headers["content-encoding"] for answer in answers} == {"gzip"}
    assert [answer.json() for answer in answers] == 5 * [answers[0].json()]
    assert [key["values"]["en"] for key in answers[0].json()["keys"]] == ["c", 2_000 * "x"]
    assert answers[0].headers["etag"] != before.headers["etag"]
    assert len(reads) == len(alone)
    plain = await desk.client.get(
        f"/api/translations/{desk.project_id}/general", headers={**desk.person.headers, "Accept-Encoding": "identity"}
    )
    assert "content-encoding" not in plain.headers
    assert plain.json() == answers[0].json()
    assert plain.headers["vary"] == answers[0].headers["vary"]


@pytest.mark.fresh
async def test_a_list_that_is_kept_is_not_for_strangers(context: Context, desk: Desk) -> None:
    await listed(desk)
    stranger = await open_desk(context, desk.client, email="stranger@example.com")

    answer = await listed(Desk(desk.client, stranger.person, desk.project_id))

    assert answer.status_code == 404


@pytest.mark.fresh
async def test_projects_that_nobody_changed_since_an_upgrade_have_lists_of_their_own(
    context: Context, desk: Desk
) -> None:
    other = await open_desk(context, desk.client, email="other@example.com")
    await other.text("title", {"en": "theirs"})
    async with context.database.write() as db:
        await db.execute(update(Project).values(stamp=""))  # as the migration leaves them

    answers = [await listed(one) for one in (desk, other)]

    assert [[key["values"]["en"] for key in answer.json()["keys"]] for answer in answers] == [["a"], ["theirs"]]
    assert answers[0].headers["etag"] != answers[1].headers["etag"]


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
