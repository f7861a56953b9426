"""What a caller gets who knows an answer of the dashboard's API by its ETag.

The calls are those of the API's description, so a new list is tried, too.
"""

import re

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.projects import Desk, open_desk
from tests.support.api import operations_of
from tests.test_origins import CONTENT

LEAST_CALLS = 25


def lists_of(context: Context, desk: Desk) -> list[str]:
    """The addresses of all answers of JSON that need no id beside that of the project."""
    known = {"{projectId}": desk.project_id, "{tabName}": "general", "{languageCode}": "en", "{lang}": "en"}
    found: list[str] = []
    for name, operation in operations_of(context.settings).items():
        method, path = name.split()
        answer = operation["responses"].get("200", {})
        if method != "GET" or answer.get("content", {}).keys() != {"application/json"}:
            continue
        for word, value in known.items():
            path = path.replace(word, value)
        found.append(f"{path}?query=a" if path.endswith("/search") else path)
    return found


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


@pytest.fixture
async def answers(context: Context, desk: Desk) -> dict[str, httpx2.Response]:
    """The answers of all these calls, by their address."""
    await desk.text("title", {"en": "a"})
    found = {path: await desk.client.get(path, headers=desk.person.headers) for path in lists_of(context, desk)}
    answered = {path: answer for path, answer in found.items() if answer.status_code == 200}
    assert len(answered) >= LEAST_CALLS
    return answered


async def test_every_list_answers_304_to_a_caller_that_has_it(desk: Desk, answers: dict[str, httpx2.Response]) -> None:
    for path, answer in answers.items():
        if "public" in answer.headers["cache-control"]:
            continue
        etag = answer.headers["etag"]
        again = await desk.client.get(path, headers={**desk.person.headers, "If-None-Match": f'"x", {etag}'})
        assert (again.status_code, again.content) == (304, b""), path
        same = ("etag", "cache-control", "x-content-type-options")
        assert [again.headers[name] for name in same] == [answer.headers[name] for name in same], path
        assert set(again.headers["vary"].split(", ")) == {"Authorization", "Accept-Encoding"}, path
        other = await desk.client.get(path, headers={**desk.person.headers, "If-None-Match": '"x"'})
        assert (other.status_code, other.json()) == (200, answer.json()), path


async def test_the_description_names_304_for_every_list(context: Context, desk: Desk) -> None:
    named = [name for name, operation in operations_of(context.settings).items() if "304" in operation["responses"]]

    assert len(named) == len(lists_of(context, desk))


async def test_a_caller_without_the_right_gets_no_304(desk: Desk, answers: dict[str, httpx2.Response]) -> None:
    for path, answer in answers.items():
        if not re.search(r"/(projects|translations|colors|stores|images)/", path):
            continue
        known = {"If-None-Match": answer.headers["etag"]}
        nobody = await desk.client.get(path, headers=known)
        anything = await desk.client.get(path, headers={"If-None-Match": "*"})
        assert (nobody.status_code, anything.status_code) == (401, 401), path
        assert nobody.headers["cache-control"] == "no-store", path


async def test_only_the_content_of_a_project_may_be_kept(answers: dict[str, httpx2.Response]) -> None:
    kept = {path for path, answer in answers.items() if answer.headers["cache-control"] == "private, no-cache"}

    assert kept == {path for path in answers if path.startswith(CONTENT)}
    assert len(kept) >= 4
    assert all("Authorization" in answers[path].headers["vary"] for path in kept)


async def test_an_edit_changes_the_etag_of_the_screen(desk: Desk) -> None:
    await desk.text("title", {"en": "a"})
    path = f"/api/translations/{desk.project_id}/general"
    before = await desk.client.get(path, headers=desk.person.headers)

    edit = await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": "changed"}})
    known = {**desk.person.headers, "If-None-Match": before.headers["etag"]}
    after = await desk.client.get(path, headers=known)
    published = await desk.publish()
    state = await desk.client.get(path, headers={**known, "If-None-Match": after.headers["etag"]})

    assert edit.status_code == after.status_code == state.status_code == 200
    assert published
    assert after.json()["keys"][0]["values"] == {"en": "changed"}
    assert state.json()["keys"][0]["state"] == "published"


async def test_a_compressed_answer_has_the_same_etag(desk: Desk) -> None:
    await desk.text("title", {"en": "long " * 400})
    path = f"/api/translations/{desk.project_id}/general"

    plain = await desk.client.get(path, headers={**desk.person.headers, "Accept-Encoding": "identity"})
    compressed = await desk.client.get(path, headers={**desk.person.headers, "Accept-Encoding": "gzip"})

    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.headers["etag"] == plain.headers["etag"]
    assert set(compressed.headers["vary"].split(", ")) == {"Authorization", "Accept-Encoding"}
