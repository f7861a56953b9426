"""Translation jobs: filling languages in the background, with progress, cancel, limits, and people who edit at the same time."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import httpx2
import pytest
import structlog

from livery.ai import jobs
from livery.core.context import Context
from livery.core.errors import Unavailable
from livery.projects import service as projects_service
from tests.ai.conftest import Background
from tests.factories.accounts import create_logged_in
from tests.factories.ai import authors, job_of, start
from tests.factories.projects import Desk, add_member, join, open_desk, put_on_tier
from tests.factories.screens import create_keys
from tests.support.ai_service import AiService, Call, Said, translated
from tests.support.clock import Clock
from tests.support.outage import database_away
from tests.support.polling import ask_until


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de", "fr"))


async def fill(context: Context, desk: Desk, count: int, screen: str = "general") -> None:
    """So many keys with an English text."""
    texts = {f"key_{number:03}": {"en": f"Text {number} here"} for number in range(count)}
    await create_keys(context, desk.person.actor, desk.project_id, texts, screen=screen)


def stored(keys: dict[str, dict[str, str]], language: str) -> dict[str, str]:
    return {key: values[language] for key, values in keys.items() if language in values}


async def test_a_job_fills_what_is_missing_and_marks_it_as_written_by_ai(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 45)
    await desk.text("mine", {"en": "Mine", "de": "Meins"})
    await desk.text("empty", {"fr": "seulement"})

    response = await desk.post(
        "/translations/{id}/general/de/auto-translate", {"referenceLanguage": "en", "allTabs": False}
    )
    assert response.status_code == 202
    assert response.json()["message"] == "Translating 45 texts into German."
    job = response.json()["job"]
    assert (job["status"], job["total"], job["done"], job["kind"]) == ("running", 45, 0, "translate")
    await background.run()

    job = await job_of(desk, job)
    assert (job["status"], job["done"], job["failed"], job["provider"]) == ("done", 45, [], "openai")
    german = stored(await desk.keys("general"), "de")
    assert german == {"mine": "Meins", **{f"key_{number:03}": f"Text {number} here de" for number in range(45)}}
    by = await authors(desk, "de")
    assert by.pop("mine") == "person"
    assert set(by.values()) == {"ai"}
    assert sorted(len(call.items) for call in service.calls) == [5, 20, 20]


async def test_a_person_who_edits_a_text_of_ai_becomes_its_author(desk: Desk, background: Background) -> None:
    await desk.text("title", {"en": "Hello"})
    await start(desk, "de")
    await background.run()
    assert await authors(desk, "de") == {"title": "ai"}

    await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"de": "Hallo"}})

    assert await authors(desk, "de") == {"title": "person"}


async def test_a_job_for_all_screens_keeps_to_one_screen_a_call(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await fill(context, desk, 3)
    await fill(context, desk, 3, "home")

    job = await start(desk, "fr", screen="_all_tabs_", allTabs=True)
    await background.run()

    assert (await job_of(desk, job))["done"] == 6
    assert job["tabName"] is None
    for screen in ("general", "home"):
        assert len(stored(await desk.keys(screen), "fr")) == 3
    told = [json.loads(call.body["messages"][-1]["content"][8:-4])["screen"] for call in service.calls]
    assert sorted(told) == ["general", "home"]


async def test_a_language_that_is_missing_is_added_within_the_tiers_limit(
    context: Context, desk: Desk, background: Background
) -> None:
    await desk.text("title", {"en": "Hello"})

    job = await start(desk, "Japanese")
    await background.run()

    assert job["language"] == "ja"
    assert (await desk.project())["languages"] == ["en", "de", "fr", "ja"]
    assert stored(await desk.keys("general"), "ja") == {"title": "Hello ja"}
    await start(desk, "it")
    body = {"referenceLanguage": "en", "allTabs": False}
    response = await desk.post("/translations/{id}/general/es/auto-translate", body)
    assert response.status_code == 403
    message = (
        "You've reached the 5 language limit for the 'Pro Tier' plan. "
        "It is the largest plan: delete a language first, or ask the operator of this server for more."
    )
    assert response.json()["message"] == message
    assert (await desk.project())["languages"] == ["en", "de", "fr", "ja", "it"]


async def test_overwriting_replaces_what_was_there_when_it_was_asked_for(
    desk: Desk, service: AiService, background: Background, clock: Clock
) -> None:
    for key in ("old", "new"):
        await desk.text(key, {"en": "Hello", "de": "Alt"})
    clock.advance(seconds=1)
    job = await start(desk, "de", overwrite=True)
    clock.advance(seconds=1)
    await desk.put("/translations/{id}/general/new", {"key": "new", "values": {"de": "Neu"}})

    await background.run()

    assert stored(await desk.keys("general"), "de") == {"old": "Hello de", "new": "Neu"}
    assert (await job_of(desk, job))["done"] == 2
    assert len(service.texts) == 1


async def test_nothing_to_do_is_done_at_once_and_asks_nobody(desk: Desk, service: AiService) -> None:
    await desk.text("title", {"en": "Hello", "de": "Hallo"})

    response = await desk.post(
        "/translations/{id}/general/de/auto-translate", {"referenceLanguage": "en", "allTabs": False}
    )

    assert response.json()["message"] == "There is nothing to translate into German."
    assert (response.json()["job"]["status"], response.json()["job"]["total"]) == ("done", 0)
    assert service.calls == []


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("general/de", {"referenceLanguage": "de"}, 422, "Choose another language to translate from."),
        ("general/de", {"referenceLanguage": "es"}, 422, 'This project has no language "es".'),
        ("general/xx", {"referenceLanguage": "en"}, 422, "Not a directly supported language. Please use ISO code or full name."),
        ("nowhere/de", {"referenceLanguage": "en"}, 404, 'There is no screen "nowhere".'),
    ],
)  # fmt: skip
async def test_an_invalid_request_is_refused(
    desk: Desk, path: str, body: dict[str, Any], status: int, message: str
) -> None:
    response = await desk.post(f"/translations/{{id}}/{path}/auto-translate", {**body, "allTabs": False})

    assert (response.status_code, response.json()["message"]) == (status, message)
    assert (await desk.get("/projects/{id}/jobs")).json() == {"jobs": []}


async def test_a_project_without_an_active_plan_gets_402(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="none")

    for path, body in (
        ("general/de/auto-translate", {"referenceLanguage": "en", "allTabs": False}),
        ("general/translate-key", {"key": "title", "value": "Hello", "sourceLang": "en"}),
    ):
        response = await desk.post(f"/translations/{{id}}/{path}", body)
        assert response.status_code == 402
        assert response.json()["message"].startswith("This project does not have an active plan.")


async def test_the_same_job_twice_is_one_job(context: Context, desk: Desk, background: Background) -> None:
    await fill(context, desk, 2)

    started = await asyncio.gather(*(start(desk, "de") for _ in range(5)))

    assert len({job["_id"] for job in started}) == 1
    await background.run()
    assert (await start(desk, "de"))["_id"] != started[0]["_id"]


async def test_an_idempotency_key_starts_one_job(desk: Desk, background: Background) -> None:
    await desk.text("title", {"en": "Hello"})
    body = {"referenceLanguage": "en", "allTabs": False, "overwrite": True}
    url = f"/api/translations/{desk.project_id}/general/de/auto-translate"
    headers = {**desk.person.headers, "Idempotency-Key": "again"}
    first = await desk.client.post(url, json=body, headers=headers)
    await background.run()

    second = await desk.client.post(url, json=body, headers=headers)

    assert second.json()["job"]["_id"] == first.json()["job"]["_id"]
    assert second.json()["job"]["status"] == "done"


async def test_a_text_that_a_person_writes_during_a_job_stays(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 4)
    loop = asyncio.get_running_loop()

    async def edit() -> None:
        for key, values in (("key_000", {"de": "Von mir"}), ("key_001", {"en": "Other text"})):
            await desk.put(f"/translations/{{id}}/general/{key}", {"key": key, "values": values})
        await desk.delete("/translations/{id}/general/key_002")

    def while_it_thinks(call: Call) -> Said:
        asyncio.run_coroutine_threadsafe(edit(), loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]
    job = await start(desk, "de")
    await background.run()

    assert stored(await desk.keys("general"), "de") == {"key_000": "Von mir", "key_003": "Text 3 here de"}
    job = await job_of(desk, job)
    reason = "Its text was changed while it was being translated."
    assert (job["status"], job["done"]) == ("done", 3)
    assert job["failed"] == [{"tabName": "general", "key": "key_001", "reason": reason}]
    assert await authors(desk, "de") == {"key_000": "person", "key_003": "ai"}


async def test_a_job_ends_well_when_its_language_or_screen_is_deleted(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await fill(context, desk, 2, "home")
    loop = asyncio.get_running_loop()

    def while_it_thinks(call: Call) -> Said:
        asyncio.run_coroutine_threadsafe(desk.delete("/projects/{id}/screens/home"), loop).result(10)
        return translated(call)

    service.next = [while_it_thinks]
    job = await start(desk, "de", screen="home")
    await background.run()

    assert (await job_of(desk, job))["status"] == "done"


async def test_cancelling_keeps_what_is_done_and_drops_what_is_under_way(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 60)
    loop = asyncio.get_running_loop()
    job = await start(desk, "de")

    def cancelled_meanwhile(call: Call) -> Said:
        asyncio.run_coroutine_threadsafe(desk.delete(f"/jobs/{job['_id']}"), loop).result(10)
        return translated(call)

    service.always = cancelled_meanwhile
    await background.run()

    job = await job_of(desk, job)
    assert (job["status"], job["done"]) == ("cancelled", 0)
    assert stored(await desk.keys("general"), "de") == {}
    again = await desk.delete(f"/jobs/{job['_id']}")
    assert (again.status_code, again.json()) == (200, job)


async def test_two_jobs_of_a_project_run_and_the_others_are_pending(
    context: Context, desk: Desk, background: Background
) -> None:
    await fill(context, desk, 3)
    started = [await start(desk, language) for language in ("de", "fr", "ja", "it")]
    assert [job["status"] for job in started] == ["running", "running", "pending", "pending"]

    await desk.delete(f"/jobs/{started[0]['_id']}")

    states = [(await job_of(desk, job))["status"] for job in started]
    assert states == ["cancelled", "running", "running", "pending"]
    await background.run()
    states = [(await job_of(desk, job))["status"] for job in started]
    assert states == ["cancelled", "done", "done", "done"]
    listed = (await desk.get("/projects/{id}/jobs")).json()["jobs"]
    assert {job["_id"] for job in listed} == {job["_id"] for job in started}


async def test_a_small_job_does_not_wait_for_all_of_a_large_job(
    context: Context, client: httpx2.AsyncClient, desk: Desk, service: AiService, settings_one_call: Background
) -> None:
    await fill(context, desk, 100)
    other = await open_desk(context, client, languages=("en", "de"), email="other@example.com")
    await other.text("small", {"en": "Small"})
    await start(desk, "de")
    await start(other, "de")

    await settings_one_call.run()

    place = next(place for place, call in enumerate(service.calls) if "Small" in call.raw)
    assert place <= 1


@pytest.fixture
def settings_one_call(context: Context) -> Background:
    settings = context.settings.model_copy(update={"ai_concurrency": 1})
    return Background(replace(context, settings=settings))


@pytest.mark.fresh
async def test_texts_that_were_paid_for_are_stored_when_the_database_is_back(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 5)
    job = await start(desk, "de")
    asked, may_answer = threading.Event(), threading.Event()

    def slowly(call: Call) -> Said:
        asked.set()
        may_answer.wait(20)
        return translated(call)

    service.next = [slowly]
    with structlog.testing.capture_logs() as logs:
        running = asyncio.create_task(background.run())
        assert await asyncio.to_thread(asked.wait, 20)
        async with database_away(context.database):
            may_answer.set()
            await ask_until(bool, lambda: seen(logs))
        with contextlib.suppress(Unavailable):  # of the search for more work
            await running

    assert (await job_of(desk, job))["done"] == 5
    assert len(service.calls) == 1


async def seen(logs: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Returns the lines of the log that report a database in trouble."""
    return [entry for entry in logs if str(entry["event"]).startswith("database_")]


async def test_one_projects_texts_never_reach_anothers_prompt(
    context: Context, client: httpx2.AsyncClient, desk: Desk, service: AiService, background: Background
) -> None:
    other = await open_desk(context, client, languages=("en", "de"), email="other@example.com")
    for one, word in ((desk, "Alder"), (other, "Birch")):
        for number in range(25):
            await one.text(f"{word.lower()}_{number}", {"en": f"{word} text {number}"})
        await one.text(f"{word.lower()}_done", {"en": f"{word} done", "de": f"{word} fertig"})
        await start(one, "de")

    await asyncio.gather(background.run(), Background(context).run())

    assert len(service.calls) == 4
    for call in service.calls:
        assert ("Alder" in call.raw, "Birch" in call.raw) in ((True, False), (False, True))
        assert ("alder" in call.raw, "birch" in call.raw) in ((True, False), (False, True))


async def test_two_processes_share_a_job_and_pay_each_text_once(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 200)
    service.delay_seconds = 0.02
    job = await start(desk, "de")

    await asyncio.gather(background.run(), Background(context).run())

    assert (await job_of(desk, job))["done"] == 200
    assert len(service.texts) == len(set(service.texts)) == 200


async def test_a_worker_that_lost_its_lease_stores_nothing(
    context: Context, desk: Desk, service: AiService, background: Background, clock: Clock
) -> None:
    await fill(context, desk, 3)
    loop, first_is_through = asyncio.get_running_loop(), threading.Event()
    others: list[Future[None]] = []

    def slow(call: Call) -> Said:
        clock.advance(seconds=11)
        others.append(asyncio.run_coroutine_threadsafe(Background(context).run(), loop))
        while len(service.calls) < 2:
            time.sleep(0.001)  # until the other worker asks
        return translated(call)

    def later(call: Call) -> Said:
        first_is_through.wait(10)
        return call.answer([(item.id, f"{item.text} second") for item in call.items])

    service.next = [slow, later]
    job = await start(desk, "de")
    await background.run()
    assert stored(await desk.keys("general"), "de") == {}

    first_is_through.set()
    await asyncio.wrap_future(others[0])

    assert set(stored(await desk.keys("general"), "de").values()) == {
        f"Text {number} here second" for number in range(3)
    }
    job = await job_of(desk, job)
    assert (job["status"], job["done"]) == ("done", 3)


async def test_a_busy_service_is_waited_for(
    context: Context, desk: Desk, service: AiService, background: Background, clock: Clock
) -> None:
    await fill(context, desk, 5)
    service.next = [lambda _: Said("", 429, {"Retry-After": "7"}), lambda _: Said("", 429)]
    job = await start(desk, "de")

    await background.run()
    assert len(service.calls) == 1
    clock.advance(seconds=6)
    await background.run()
    assert len(service.calls) == 1
    clock.advance(seconds=1)
    await background.run()
    assert len(service.calls) == 2
    clock.advance(seconds=30)
    await background.run()

    job = await job_of(desk, job)
    assert (job["status"], job["done"], job["failed"]) == ("done", 5, [])
    assert len(service.calls) == 3


async def test_a_service_that_fails_again_and_again_is_given_up_text_by_text(
    context: Context, desk: Desk, service: AiService, background: Background, clock: Clock
) -> None:
    await fill(context, desk, 2)
    service.always = lambda _: Said("", 500)
    job = await start(desk, "de")

    for _ in range(10):
        await background.run()
        clock.advance(seconds=60)

    job = await job_of(desk, job)
    assert (job["status"], job["failedCount"], len(service.calls)) == ("done", 2, 4)
    assert {one["reason"] for one in job["failed"]} == {"The AI service does not answer right now. Please try again."}


async def test_a_key_that_is_refused_ends_the_job_with_its_reason(
    context: Context, desk: Desk, service: AiService, background: Background
) -> None:
    await fill(context, desk, 60)
    service.always = lambda _: Said('{"error": "bad key"}', 401)
    job = await start(desk, "de")

    await background.run()

    job = await job_of(desk, job)
    assert job["status"] == "failed"
    assert job["reason"] == "The AI service does not accept this server's key. Please inform its operator."
    assert (job["done"], job["failed"]) == (0, [])


@pytest.mark.parametrize("change", ["role", "plan"])
async def test_a_job_ends_when_its_person_or_its_project_may_not_any_more(
    context: Context, desk: Desk, service: AiService, background: Background, change: str
) -> None:
    await fill(context, desk, 3)
    editor = await join(context, desk, "editor")
    job = await start(editor, "de")
    if change == "role":
        async with context.database.write() as db:
            await projects_service.leave_all(db, editor.person.actor.id)
    else:
        await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)

    await background.run()

    job = await job_of(desk, job)
    reason = {"role": "The person who started it may not edit", "plan": "This project does not have an active plan."}
    assert (job["status"], service.calls) == ("failed", [])
    assert job["reason"].startswith(reason[change])


async def test_a_text_that_is_too_long_or_broken_is_reported(
    desk: Desk, service: AiService, background: Background
) -> None:
    await desk.text("long", {"en": "word " * 1001})
    await desk.text("broken", {"en": "{n, plural, one {x}}"})
    await desk.text("good", {"en": "Good"})
    job = await start(desk, "de")

    await background.run()

    job = await job_of(desk, job)
    assert (job["done"], {one["key"]: one["reason"] for one in job["failed"]}) == (
        1,
        {"long": "Use at most 5,000 characters for AI.", "broken": "The plural of n lacks “other”."},
    )
    assert service.texts == ["Good"]


async def test_only_members_see_a_job_and_only_editors_cancel_it(
    context: Context, client: httpx2.AsyncClient, desk: Desk
) -> None:
    await desk.text("title", {"en": "Hello"})
    job = await start(desk, "de")
    viewer = await join(context, desk, "viewer")
    stranger = await open_desk(context, client, email="other@example.com")

    for method in ("GET", "DELETE"):
        foreign = await stranger.send(method, f"/jobs/{job['_id']}", None)
        missing = await stranger.send(method, "/jobs/job_aaaaaaaaaaaaaaaa", None)
        assert (foreign.status_code, foreign.content) == (404, missing.content)
    assert (await viewer.get(f"/jobs/{job['_id']}")).status_code == 200
    assert (await viewer.delete(f"/jobs/{job['_id']}")).status_code == 403
    assert (await job_of(desk, job))["status"] == "running"


async def test_every_member_sees_who_started_a_job(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    editor = await join(context, desk, "editor")

    await start(editor, "de")

    listed = (await desk.get("/projects/{id}/jobs")).json()["jobs"]
    assert [job["startedBy"] for job in listed] == [editor.person.actor.id]


async def test_the_feed_shows_a_job(desk: Desk, background: Background) -> None:
    await desk.text("title", {"en": "Hello"})
    await start(desk, "de")
    await background.run()

    feed = [entry["action"] for entry in (await desk.get("/activity")).json()]
    assert feed[:2] == [
        "Finished AI translation of screen general into German",
        "Started AI translation of screen general into German",
    ]


async def test_a_text_that_ai_wrote_is_published_like_any_text(desk: Desk, background: Background) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await start(desk, "de")
    await background.run()

    diff = await desk.diff()

    assert [value["new"] for key in diff["screens"][0]["keys"] for value in key["values"]] == ["Hello de"]
    await desk.publish()
    assert (await desk.content("de"))["texts"]["general"]["title"] == "Hello de"


async def test_a_deleted_job_history_is_tidied(
    context: Context, desk: Desk, background: Background, clock: Clock
) -> None:
    await desk.text("title", {"en": "Hello"})
    job = await start(desk, "de")
    await background.run()
    clock.advance(days=91)
    login = await create_logged_in(context, email="late@example.com")
    await add_member(context, desk.project_id, login.actor, "viewer")

    await jobs.sweeps(context)[1].run()

    assert (await desk.at(login).get(f"/jobs/{job['_id']}")).status_code == 404


@pytest.mark.spec("ai-10")
async def test_the_texts_for_a_job_are_counted_before_it_is_started(
    desk: Desk, service: AiService, background: Background
) -> None:
    await desk.text("mine", {"en": "Mine", "de": "Meins"})
    await desk.text("german_only", {"de": "Nur deutsch"})
    await desk.text("by_ai", {"en": "Machine"})
    await start(desk, "de")
    await background.run()
    await desk.text("open", {"en": "Open"})
    await desk.post("/projects/{id}/screens", {"name": "home"})
    await desk.post("/translations/{id}/home", {"key": "there", "values": {"en": "There"}})
    asked = len(service.calls)

    here = await desk.get("/translations/{id}/general/de/auto-translate?referenceLanguage=en")
    everywhere = await desk.get("/translations/{id}/_all_tabs_/de/auto-translate")
    new = await desk.get("/translations/{id}/_all_tabs_/it/auto-translate")
    wrong = await desk.get("/translations/{id}/general/de/auto-translate?referenceLanguage=de")

    assert here.json() == {"missing": 1, "byPeople": 1, "byAi": 1, "provider": "openai"}
    assert everywhere.json() == {"missing": 2, "byPeople": 1, "byAi": 1, "provider": "openai"}
    assert new.json() == {"missing": 4, "byPeople": 0, "byAi": 0, "provider": "openai"}
    assert (wrong.status_code, wrong.json()["message"]) == (422, "Choose another language to translate from.")
    assert len(service.calls) == asked
