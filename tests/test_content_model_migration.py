"""The migrations after revision 0027 lose nothing: a database of before gives the answers of before.

``tests/fixtures/make_before_content_model.py`` describes what is in the database.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from livery.accounts import queries as accounts
from livery.core.context import Context
from livery.migrations import upgrade
from livery.workspace import fsck
from livery.workspace.fsck_images import check_files
from tests.factories.accounts import LoggedIn, log_in
from tests.factories.projects import Desk
from tests.support.clock import Clock
from tests.support.databases import own_database
from tests.support.event_stream import applied
from tests.support.old_database import (
    Difference,
    Recording,
    answer_differences,
    differences,
    load_rows,
    read_recording,
    read_rows,
)
from tests.support.way_back import walk_back

pytestmark = pytest.mark.fresh
only_one_on_postgresql = pytest.mark.deep_on("postgresql")
"""The test of sound data shows the migration on PostgreSQL in the main tier."""

FOLDER = Path(__file__).parent / "fixtures" / "before_content_model"
REVISION = "0027"
SHOWN = 50


@dataclass(frozen=True)
class Intended:
    """An intended difference: where the path and the place in the answer match these patterns, and why."""

    path: str
    place: str
    reason: str

    def allows(self, found: Difference) -> bool:
        """Whether it is this difference."""
        return bool(re.fullmatch(self.path, found.path) and re.fullmatch(self.place, found.place))


INTENDED = (
    Intended(".*/diff", "token", "the token is a digest of the changes themselves"),
    Intended(".*/diff", r"warnings.*\.message", "the message of an outdated text names the text"),
    Intended(".*/audit.*", r".*\.keyHint", "developer keys only read, so no entry is by a key"),
    Intended(
        r".*/restore\?draft=true", "staying|keptEdits", "what apps never had stays through a restore of the draft"
    ),
    Intended(
        ".*/versions/.*",
        r".*\.(by|at)",
        "a version is compared as a release is: with who edited each text, and when something was removed",
    ),
    Intended(".*/colors/.*/versions/.*", "token", "the token is a digest of the colours as their part has them"),
    Intended(".*/events", "", "a renamed colour names both keys, as facts, in place of one text"),
)
"""In what is recorded. Each must be found at least once. A new member of an answer is no difference."""
INTENDED_ON_WAY_BACK: tuple[Intended, ...] = ()
"""After a restore or a roll back: the path names the project and the step."""
RESTORES_DRAFT = {"draft": True}
"""The body of a restore that brings back the draft too."""


@dataclass(frozen=True)
class Old:
    """The database of before after its migrations, and what was recorded on it."""

    url: str
    files: list[bytes]
    recording: Recording


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory, worker_id: str, database_server: str | None) -> Iterator[Old]:
    rows, files = read_rows(FOLDER)
    folder = tmp_path_factory.mktemp("old")
    with own_database(database_server, folder, f"livery_old_{worker_id}") as url:
        upgrade(url, REVISION)
        load_rows(url, rows)
        upgrade(url)
        yield Old(url, files, read_recording(FOLDER))


@pytest.fixture
def database_url(old: Old, tmp_path: Path, worker_id: str, database_server: str | None) -> Iterator[str]:
    """A copy of the database."""
    name = f"livery_old_copy_{worker_id}"
    with own_database(database_server, tmp_path, name, template=old.url) as url:
        yield url


@pytest.fixture
def settings_overrides(old: Old) -> dict[str, object]:
    return {"secret_key": old.recording.secret_key, "rate_limits": "off"}


@pytest.fixture
async def recording(old: Old, clock: Clock, context: Context) -> Recording:
    """Returns what was recorded. The clock is at that moment, and the storage has the files."""
    clock.moment = old.recording.moment
    for data in old.files:
        await context.blobs.put(data)
    return old.recording


@pytest.fixture
async def people(context: Context, recording: Recording) -> dict[str, LoggedIn]:
    """The people of before with a new session, by name."""
    async with context.database.read() as db:
        actors = await accounts.find_users(db, recording.people.values())
    return {name: await log_in(context, actors[user_id]) for name, user_id in recording.people.items()}


def check(found: list[Difference], intended: tuple[Intended, ...]) -> None:
    """Fails if a difference is not intended, or an intended difference is not found."""
    lost = [one for one in found if one.before is not ...]  # a new member of an answer is no loss
    wrong = [str(one) for one in lost if not any(allowed.allows(one) for allowed in intended)]
    assert wrong[:SHOWN] == []
    assert [allowed for allowed in intended if not any(map(allowed.allows, found))] == []


async def problems_of(context: Context) -> list[str]:
    """What ``livery admin fsck`` reports."""
    async with context.database.read() as db:
        found = await fsck.check_all(db)
    return [*found, *[problem async for problem in check_files(context.database, context.blobs)]]


@only_one_on_postgresql
async def test_every_call_gets_the_answer_of_before(
    client: httpx2.AsyncClient, recording: Recording, people: dict[str, LoggedIn]
) -> None:
    tokens = {name: person.token for name, person in people.items()}
    found: list[Difference] = []
    for before in recording.answers:
        found += answer_differences(before, await before.call.ask(client, tokens))

    check(found, INTENDED)


async def test_the_data_is_sound(context: Context, recording: Recording) -> None:
    assert await problems_of(context) == []


@only_one_on_postgresql
async def test_an_app_with_the_content_of_any_release_gets_a_correct_patch(
    client: httpx2.AsyncClient, recording: Recording
) -> None:
    for project in recording.projects:
        newest = project.contents[max(project.contents)]
        for number, contents in project.contents.items():
            for language, body in contents.items():
                content = json.loads(body)
                query = {"key": project.key, "lang": language, "since": content["version"]}
                answer = await client.get(f"/sdk/v1/{project.id}/content", params=query)
                change = answer.raise_for_status().json()

                goal = json.loads(newest.get(language) or newest["en"])
                # Before release 1 there is nothing to patch; a language that is gone is another content.
                has_patch = number > 0 and language in newest
                assert ("patch" in change) == has_patch, (project.id, number, language)
                assert (applied(content, change) if has_patch else change) == goal, (project.id, number, language)


@only_one_on_postgresql
async def test_a_publish_gives_apps_the_draft_of_before(
    client: httpx2.AsyncClient, context: Context, recording: Recording, people: dict[str, LoggedIn]
) -> None:
    project = recording.projects[0]
    newest = max(project.contents)
    had = {language: json.loads(body) for language, body in project.contents[newest].items()}
    is_draft = re.compile(f"/sdk/v1/{project.id}/content.channel=draft&.*")
    recorded = [json.loads(answer.body) for answer in recording.answers if is_draft.fullmatch(answer.call.path)]
    drafts = {draft["language"]: draft for draft in recorded}
    desk = Desk(client, people[project.owner], project.id)

    published = await desk.publish((await desk.diff())["token"])

    assert published["release"] == newest + 1
    assert sorted(drafts) == ["de", "en", "fr", "pt-BR"]
    for language, draft in drafts.items():
        content = await desk.content(language)
        assert {**content, "version": draft["version"], "draft": True} == draft
        if language in had:
            query = {"key": project.key, "lang": language, "since": had[language]["version"]}
            change = (await client.get(f"/sdk/v1/{project.id}/content", params=query)).json()
            assert applied(had[language], change) == content
    assert (await desk.diff())["total"] == 0
    assert await problems_of(context) == []


@only_one_on_postgresql
async def test_every_way_back_leads_where_it_led_before(
    client: httpx2.AsyncClient, context: Context, clock: Clock, recording: Recording, people: dict[str, LoggedIn]
) -> None:
    """A history is more than what it shows: a roll back needs the places and authors of what is gone."""
    found: list[Difference] = []
    for project in recording.projects:
        desk = Desk(client, people[project.owner], project.id)
        steps = [step async for step in walk_back(desk, clock, RESTORES_DRAFT)]
        known = [name for name, _ in project.way_back]
        steps = [step for step in steps if step[0] in known]  # a restore keeps more drafts of items than it did
        assert [name for name, _ in steps] == known
        for (name, before), (_, after) in zip(project.way_back, steps, strict=True):
            found += differences(f"{project.id} {name}", before, after)

    check(found, INTENDED_ON_WAY_BACK)
    assert await problems_of(context) == []
