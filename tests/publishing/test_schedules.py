"""Scheduled publishes: what may be scheduled, what is published when the time has come, and what is not.

``LIVERY_TEST_CANCELS`` is the least number of times that a cancel meets a publish.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
import pytest
from sqlalchemy import text, update

from livery.core import clock as core_clock
from livery.core.context import Context, open_context
from livery.schedules import jobs
from livery.stores.models import Store
from livery.workspace import fsck
from tests.factories.accounts import PASSWORD
from tests.factories.content import Studio
from tests.factories.projects import Desk, create_project, join, open_desk, put_on_tier
from tests.factories.releases import set_text
from tests.factories.schedules import create_schedule, let_time_come, soon
from tests.factories.screens import create_keys
from tests.factories.stores import TITLE, create_store
from tests.support.mails import Mails
from tests.support.tier import amount

PENDING = "A publish is already scheduled. Please cancel it before scheduling a new one."
PAST = "Scheduled date and time must be in the future (based on your local time)."
CANCELS = amount(main=20, deep=200, name="CANCELS")
MOST_CANCELS = max(CANCELS, 400)
"""Which of the two is first is the machine's choice: it does not make the same choice so many times."""
NO_RIGHT = "The person who scheduled it may not publish in this project any more."

Result = TypeVar("Result")


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def sweep(context: Context) -> None:
    """What every process does twice a second."""
    for one in jobs.sweeps(context):
        await one.run()


async def listed(desk: Desk) -> list[dict[str, Any]]:
    response = await desk.get("/schedule/project/{id}")
    assert response.status_code == 200
    return response.json()


async def only(desk: Desk) -> dict[str, Any]:
    (schedule,) = await listed(desk)
    return schedule


async def feed(desk: Desk) -> list[tuple[str, str | None]]:
    return [(entry["action"], entry["actor"]) for entry in (await desk.get("/activity")).json()]


@pytest.mark.spec("schedule-5", "schedule-12", "schedule-20")
async def test_a_publish_is_scheduled_and_shown_to_everybody_in_the_project(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")
    moment = soon(days=2)

    response = await desk.post("/schedule/project/{id}", {"publishAtString": moment})

    assert response.status_code == 201
    made = response.json()
    assert made["message"] == "Publish scheduled successfully!"
    assert made["schedule"] == await only(viewer)
    assert made["schedule"]["publishAt"] == moment.replace("+00:00", "Z")
    shown = {name: made["schedule"][name] for name in ("status", "by", "endedAt", "reason", "late", "release")}
    assert shown == {
        "status": "pending", "by": "Mara Lindt", "endedAt": None, "reason": None, "late": False, "release": None,
    }  # fmt: skip
    project = await viewer.project()
    assert (project["hasScheduling"], project["scheduledFor"]) == (True, made["schedule"]["publishAt"])
    assert (await feed(desk))[0][0].startswith("Scheduled a publish for ")


@pytest.mark.spec("schedule-22")
async def test_a_schedule_is_published_as_its_creators_when_its_time_has_come_and_not_before(
    context: Context, desk: Desk
) -> None:
    editor = await join(context, desk, "editor")
    await desk.text("title", {"en": "Hello"})
    schedule = await create_schedule(editor)
    await desk.text("farewell", {"en": "Goodbye"})

    await sweep(context)
    assert (await desk.project())["release"] == 0
    await let_time_come(context, schedule)
    await sweep(context)
    await sweep(context)

    assert (await desk.content("en"))["texts"] == {"general": {"title": "Hello", "farewell": "Goodbye"}}
    ended = await only(desk)
    assert (ended["status"], ended["release"], ended["late"], ended["reason"]) == ("published", 1, False, None)
    project = await desk.project()
    assert (project["release"], project["scheduledFor"], project["unpublished"]["total"]) == (1, None, 0)
    assert (await feed(desk))[0] == ("Published release 1", "Editor")


async def test_a_schedule_with_nothing_new_makes_no_release_and_reports_it(
    context: Context, desk: Desk, mails: Mails
) -> None:
    await desk.publish()
    schedule = await create_schedule(desk)
    await let_time_come(context, schedule)

    await sweep(context)

    ended = await only(desk)
    assert (ended["status"], ended["release"]) == ("published", None)
    assert (await desk.project())["release"] == 1
    assert (await feed(desk))[0][0].startswith("Had nothing new for the publish scheduled for ")
    assert await mails.sent() == []


@pytest.mark.spec("schedule-10")
async def test_a_project_has_a_single_pending_schedule_and_may_have_a_next_schedule(
    context: Context, desk: Desk
) -> None:
    first = await create_schedule(desk)

    second = await desk.post("/schedule/project/{id}", {"publishAtString": soon(days=3)})
    assert (second.status_code, second.json()) == (409, {"message": PENDING, "code": "already_scheduled"})
    assert (await only(desk))["_id"] == first
    await let_time_come(context, first)
    await sweep(context)
    third = await create_schedule(desk)

    assert [(entry["_id"], entry["status"]) for entry in await listed(desk)] == [
        (third, "pending"),
        (first, "published"),
    ]


@pytest.mark.spec("schedule-10")
async def test_parallel_requests_make_a_single_schedule(context: Context, desk: Desk) -> None:
    body = {"publishAtString": soon()}

    answers = await asyncio.gather(*(desk.post("/schedule/project/{id}", body) for _ in range(12)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 11
    assert len(await listed(desk)) == 1


@pytest.mark.spec("schedule-16", "schedule-18", "schedule-20")
async def test_a_cancelled_schedule_is_not_published_and_is_cancelled_once(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    schedule = await create_schedule(desk)

    cancelled = await desk.delete(f"/schedule/{schedule}")
    await let_time_come(context, schedule)
    await sweep(context)
    again = await desk.delete(f"/schedule/{schedule}")

    assert (cancelled.status_code, cancelled.json()) == (200, {"message": "Scheduled publish cancelled."})
    assert (again.status_code, again.json()) == (
        409,
        {"message": "This publish was cancelled already.", "code": "not_pending"},
    )
    assert (await only(desk))["status"] == "cancelled"
    project = await desk.project()
    assert (project["release"], project["scheduledFor"]) == (0, None)
    assert (await feed(desk))[0][0].startswith("Cancelled the publish scheduled for ")


@pytest.mark.spec("schedule-18")
async def test_a_published_schedule_can_not_be_cancelled(context: Context, desk: Desk) -> None:
    schedule = await create_schedule(desk)
    await let_time_come(context, schedule)
    await sweep(context)

    response = await desk.delete(f"/schedule/{schedule}")

    assert (response.status_code, response.json()["message"]) == (409, "This publish has already taken place.")
    assert (await only(desk))["status"] == "published"


@pytest.mark.spec("schedule-29")
async def test_a_viewer_may_neither_schedule_nor_cancel(context: Context, desk: Desk) -> None:
    viewer = await join(context, desk, "viewer")
    schedule = await create_schedule(desk)

    for response in (
        await viewer.post("/schedule/project/{id}", {"publishAtString": soon()}),
        await viewer.delete(f"/schedule/{schedule}"),
    ):
        assert response.status_code == 403
        assert response.json()["message"].startswith("Viewers can't publish.")
    assert (await only(desk))["status"] == "pending"


@pytest.mark.spec("schedule-7", "schedule-9")
@pytest.mark.parametrize(
    ("moment", "message"),
    [
        ("", "Invalid date or time selected."),
        ("tomorrow", "Invalid date or time selected."),
        ("2027-03-14", "Invalid date or time selected."),
        ("2027-03-14T02:30:00", "Invalid date or time selected."),
        ("2027-03-14 02:30:00Z", "Invalid date or time selected."),
        ("2027-02-30T09:00:00Z", "Invalid date or time selected."),
        ("2027-03-14T25:00:00Z", "Invalid date or time selected."),
        ("2027-W10-1T09:00Z", "Invalid date or time selected."),
        ("2027-03-14T09:00:00[Europe/Berlin]", "Invalid date or time selected."),
        ("2027-03-14T09:00:00+99:00", "Invalid date or time selected."),
        ("0001-01-01T00:00:00+14:00", "Invalid date or time selected."),
        ("٢٠٢٧-03-14T09:00:00Z", "Invalid date or time selected."),
        ("2027-03-14T09:00:00Z\n", "Invalid date or time selected."),
        ("2020-03-14T09:00:00Z", PAST),
        ("9999-12-31T23:59:59-12:00", "Invalid date or time selected."),
        ("9999-12-31T23:59:59Z", "Choose a date within the next year."),
    ],
)
async def test_an_invalid_or_impossible_moment_is_refused(desk: Desk, moment: str, message: str) -> None:
    response = await desk.post("/schedule/project/{id}", {"publishAtString": moment})

    assert (response.status_code, response.json()["message"]) == (422, message)
    assert response.json()["fields"] == {"publishAtString": message}
    assert await listed(desk) == []


@pytest.mark.spec("schedule-21")
async def test_any_moment_of_the_next_year_will_do_in_any_offset(desk: Desk) -> None:
    for moment in (soon(seconds=60), soon(days=365), soon(days=1).replace("+00:00", "Z")):
        assert (await desk.delete(f"/schedule/{await create_schedule(desk, moment)}")).status_code == 200
    nearest = datetime.fromisoformat(soon(seconds=60))
    year = nearest.year if nearest < datetime(nearest.year, 12, 31, 10, 30, tzinfo=UTC) else nearest.year + 1
    kiritimati = f"{year + 1}-01-01T00:30+14:00"
    await create_schedule(desk, kiritimati)

    assert (await listed(desk))[0]["publishAt"] == f"{year}-12-31T10:30:00.000Z"


@pytest.mark.spec("schedule-19")
@pytest.mark.parametrize(
    ("tier", "status", "message"),
    [
        ("none", 402, "This project does not have an active plan. Please assign credits in Project Settings to schedule a publish."),
        ("trial", 403, 'This project is on "Trial Plan".'),
        ("starter", 403, 'This project is on "Starter Tier".'),
        ("growth", 403, 'Scheduled publishing is part of the "Free Starter Month" and the "Pro Tier". This project is on "Growth Tier".'),
        ("pro", 201, "Publish scheduled successfully!"),
        ("free_starter_month", 201, "Publish scheduled successfully!"),
    ],
)  # fmt: skip
async def test_the_pro_tier_and_the_free_month_may_schedule(
    context: Context, client: httpx2.AsyncClient, tier: str, status: int, message: str
) -> None:
    desk = await open_desk(context, client, tier=tier)

    response = await desk.post("/schedule/project/{id}", {"publishAtString": soon()})

    assert response.status_code == status
    assert message in response.json()["message"]
    assert (await desk.project())["hasScheduling"] is (status == 201)


@pytest.mark.spec("schedule-19")
async def test_an_expired_plan_may_not_schedule(context: Context, desk: Desk) -> None:
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)

    response = await desk.post("/schedule/project/{id}", {"publishAtString": soon()})

    assert (response.status_code, response.json()["code"]) == (402, "plan_required")


async def expire(context: Context, owner: Desk, _: Desk) -> None:
    await put_on_tier(context, owner.person.actor, owner.project_id, "pro", days=-1)


async def change_the_plan(context: Context, owner: Desk, _: Desk) -> None:
    await put_on_tier(context, owner.person.actor, owner.project_id, "growth")


async def make_a_viewer(_: Context, owner: Desk, creator: Desk) -> None:
    await owner.put(f"/projects/{{id}}/members/{creator.person.actor.id}", {"role": "viewer"})


async def remove(_: Context, owner: Desk, creator: Desk) -> None:
    await owner.delete(f"/projects/{{id}}/members/{creator.person.actor.id}")


async def close_the_account(_: Context, __: Desk, creator: Desk) -> None:
    closed = await creator.client.request(
        "DELETE", "/api/user/me", headers=creator.person.headers, json={"password": PASSWORD}
    )
    assert closed.is_success, closed.text


async def fill_up(context: Context, owner: Desk, _: Desk) -> None:
    texts = {f"k{number}": {"en": "\U0001f9e1" * 20_000} for number in range(132)}
    await create_keys(context, owner.person.actor, owner.project_id, texts)


@pytest.mark.spec("schedule-26")
@pytest.mark.parametrize(
    ("happen", "reason", "told"),
    [
        (expire, "The project had no active plan at that time.", ["editor"]),
        (change_the_plan, "The project's plan at that time had no scheduled publishing.", ["editor"]),
        (make_a_viewer, NO_RIGHT, ["editor", "mara"]),
        (remove, NO_RIGHT, ["editor", "mara"]),
        (close_the_account, NO_RIGHT, ["mara"]),
        (fill_up, 'The texts in "en" are 10.1 MB; apps can load at most 10 MB. Shorten or remove some.', ["editor"]),
    ],
)
async def test_a_schedule_whose_conditions_changed_fails_with_a_reason_and_a_mail(
    context: Context, desk: Desk, mails: Mails, happen: Callable[..., Any], reason: str, told: list[str]
) -> None:
    creator = await join(context, desk, "editor")
    await desk.text("title", {"en": "Hello"})
    schedule = await create_schedule(creator)
    await happen(context, desk, creator)
    await let_time_come(context, schedule)

    await sweep(context)
    await sweep(context)

    ended = await only(desk)
    assert (ended["status"], ended["reason"], ended["release"]) == ("failed", reason, None)
    assert (await desk.project())["release"] == 0
    assert (await feed(desk))[0] == (f"Scheduled publish failed: {reason}", None)
    sent = await mails.sent(kind="schedule_failed")
    assert sorted(mail.to for mail in sent) == [f"{name}@example.com" for name in told]
    for mail in sent:
        assert mail.subject == "The scheduled publish of Aurora Travel failed"
        assert reason in " ".join(mail.text.split())
        assert reason in " ".join(mail.html.split())
        assert mail.link.endswith(f"/projects/{desk.project_id}/general#email={quote(mail.to)}")


async def end_too_early(context: Context, owner: Desk, _: Desk) -> None:
    await put_on_tier(context, owner.person.actor, owner.project_id, "pro", days=0.5)


@pytest.mark.parametrize(
    ("happen", "obstacle"),
    [
        (expire, "The project has no active plan."),
        (end_too_early, "The project's plan ends before that."),
        (change_the_plan, "The project's plan has no scheduled publishing."),
        (make_a_viewer, NO_RIGHT),
        (remove, NO_RIGHT),
        (close_the_account, NO_RIGHT),
    ],
)
async def test_the_project_shows_the_obstacle_of_a_schedule_as_soon_as_it_is_known(
    context: Context, desk: Desk, happen: Callable[..., Any], obstacle: str
) -> None:
    creator = await join(context, desk, "editor")
    assert (await desk.project())["scheduleObstacle"] is None
    schedule = await create_schedule(creator)
    assert (await desk.project())["scheduleObstacle"] is None

    await happen(context, desk, creator)

    project = await desk.project()
    assert (project["scheduledFor"] is None, project["scheduleObstacle"]) == (False, obstacle)
    await desk.delete(f"/schedule/{schedule}")
    assert (await desk.project())["scheduleObstacle"] is None


@pytest.mark.spec("schedule-26")
@pytest.mark.parametrize("way", ["publish", "schedule", "restore", "nothing waits"])
async def test_the_project_shows_a_failed_schedule_until_somebody_acts(context: Context, desk: Desk, way: str) -> None:
    creator = await join(context, desk, "editor")
    await desk.text("title", {"en": "Hi"})
    await desk.publish()
    await set_text(desk, "title", en="Hello")
    failing = await create_schedule(creator)
    await make_a_viewer(context, desk, creator)
    assert (await desk.project())["scheduleFailed"] is None
    await let_time_come(context, failing)
    await sweep(context)
    assert (await desk.project())["scheduleFailed"] == (await only(desk))["publishAt"]
    await set_text(desk, "title", en="Hello again")
    assert (await desk.project())["scheduleFailed"] == (await only(desk))["publishAt"]

    match way:
        case "publish":
            await desk.publish()
            await set_text(desk, "title", en="Hello once more")
        case "schedule":
            await create_schedule(desk)
        case "restore":
            assert (await desk.post("/projects/{id}/releases/1/restore", {"draft": True})).status_code == 200
        case _:
            await set_text(desk, "title", en="Hi")

    assert (await desk.project())["scheduleFailed"] is None


@pytest.mark.spec("schedule-25")
async def test_a_missed_schedule_is_published_late_and_reports_it(context: Context, desk: Desk, mails: Mails) -> None:
    await desk.text("title", {"en": "Hello"})
    schedule = await create_schedule(desk)
    await let_time_come(context, schedule, days=2)

    await sweep(context)

    ended = await only(desk)
    assert (ended["status"], ended["release"], ended["late"]) == ("published", 1, True)
    mail = await mails.last(to="mara@example.com", kind="schedule_late")
    assert mail.subject == "The scheduled publish of Aurora Travel was late"
    assert mail.link.endswith(f"/projects/{desk.project_id}/general#email=mara%40example.com")


async def test_the_schedule_of_a_deleted_project_ends_with_it(context: Context, desk: Desk, mails: Mails) -> None:
    schedule = await create_schedule(desk)
    await desk.delete("/projects/{id}")
    await let_time_come(context, schedule)

    await sweep(context)

    assert (await desk.delete(f"/schedule/{schedule}")).status_code == 404
    assert await mails.sent(kind="schedule_failed") == []
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
        rows = (await db.execute(text("SELECT status, release_number FROM schedules"))).all()
    assert [tuple(row) for row in rows] == [("cancelled", None)]


@pytest.mark.spec("schedule-27")
async def test_a_process_whose_clock_is_wrong_publishes_nothing_early_and_nothing_twice(
    context: Context, desk: Desk
) -> None:
    await desk.text("title", {"en": "Hello"})
    schedule = await create_schedule(desk, soon(hours=1))
    releases: list[int] = []
    truth = core_clock.now

    for hours, is_due in ((3, False), (-2, False), (-2, True), (3, True), (0, True)):
        wrong = truth() + timedelta(hours=hours)
        core_clock.use(lambda wrong=wrong: wrong)
        if is_due and releases[-1] == 0:
            await let_time_come(context, schedule)
        await sweep(context)
        core_clock.use(None)
        releases.append((await desk.project())["release"])

    assert releases == [0, 0, 1, 1, 1]
    assert (await only(desk))["late"] is False


async def test_a_mistake_of_ours_is_tried_again_then_given_up_and_holds_up_nobody(
    context: Context, client: httpx2.AsyncClient, desk: Desk, mails: Mails
) -> None:
    await create_store(desk, "Trips", TITLE)
    broken = await create_schedule(desk)
    async with context.database.write() as db:
        await db.execute(update(Store).values(fields=[{"no": "field"}]))
    other = await open_desk(context, client, email="noor@example.com")
    sound = await create_schedule(other)
    states: list[str] = []

    for _ in range(3):
        await let_time_come(context, broken, seconds=1)
        await let_time_come(context, sound)
        await sweep(context)
        states.append((await only(desk))["status"])

    assert (await other.project())["release"] == 1
    assert states == ["pending", "pending", "failed"]
    failed = await only(desk)
    assert failed["reason"] == "Something went wrong on the server. It was tried several times; nothing was published."
    assert (await mails.last(kind="schedule_failed")).to == "mara@example.com"


@pytest.fixture
async def colleagues(context: Context) -> AsyncIterator[list[Context]]:
    """Four processes' worth of background work, each with connections of its own."""
    contexts = [open_context(context.settings) for _ in range(4)]
    yield contexts
    for other in contexts:
        await other.database.close()


@pytest.mark.spec("schedule-23")
async def test_each_of_many_due_schedules_is_published_once_whoever_looks(
    context: Context, colleagues: list[Context]
) -> None:
    first = await Studio.create(context)
    others = [await create_project(context, first.actor, name=f"Project {number}") for number in range(39)]
    for studio in (first, *(Studio(context, first.actor, project_id, "") for project_id in others)):
        await studio.add_key("title", {"en": "Hello"})
        await studio.schedule()

    await asyncio.gather(*(sweep(colleague) for colleague in colleagues))
    await asyncio.gather(*(sweep(colleague) for colleague in colleagues))

    async with context.database.read() as db:
        rows = await db.execute(text("SELECT status, release_number FROM schedules"))
        assert [tuple(row) for row in rows] == [("published", 1)] * 40
        assert set(await db.scalars(text("SELECT release_number FROM projects"))) == {1}
        assert await fsck.check_all(db) == []


@pytest.mark.spec("schedule-23")
async def test_only_the_first_of_a_parallel_cancel_and_publish_takes_effect(
    context: Context, desk: Desk, colleagues: list[Context]
) -> None:
    outcomes: Counter[str] = Counter()
    number = 0
    while number < CANCELS or (len(outcomes) < 2 and number < MOST_CANCELS):
        await desk.text(f"title_{number}", {"en": "Hello"})
        schedule = await create_schedule(desk)
        await let_time_come(context, schedule)
        lead = (number % 40 - 20) * 5  # now the cancel is earlier, now the publish

        answer, _ = await asyncio.gather(
            after_turns(lead, desk.delete(f"/schedule/{schedule}")),
            asyncio.gather(*(after_turns(-lead, sweep(one)) for one in colleagues[:2])),
        )

        ended, release = (await listed(desk))[0], outcomes["published"]
        outcome = (answer.status_code, ended["status"], ended["release"], (await desk.project())["release"])
        assert outcome in {(200, "cancelled", None, release), (409, "published", release + 1, release + 1)}, number
        outcomes[ended["status"]] += 1
        number += 1

    assert outcomes["cancelled"] > 0 < outcomes["published"], outcomes
    async with context.database.read() as db:
        operations = Counter(await db.scalars(text("SELECT action FROM activities WHERE action LIKE 'publishing.%'")))
        assert await fsck.check_all(db) == []
    assert operations == {
        "publishing.scheduled": number,
        "publishing.schedule_cancelled": outcomes["cancelled"],
        "publishing.published": outcomes["published"],
    }


async def after_turns(turns: int, call: Awaitable[Result]) -> Result:
    """Let the others on this event loop have so many turns first."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await call
