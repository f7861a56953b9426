"""Activating and renewing a project's tier with credits."""

import asyncio
from datetime import datetime, timedelta
from typing import Literal

import httpx2
import pytest

from livery.billing.service import set_language_limit
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.workspace.service import give_tier
from tests.factories.billing import give_credits
from tests.factories.projects import Desk, create_project, join, open_desk
from tests.support.clock import Clock


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client, tier="none")


async def activate(
    desk: Desk, tier: str, months: object = 1, *, project_id: str | None = None, key: str | None = None
) -> httpx2.Response:
    body = {"projectId": project_id or desk.project_id, "tierId": tier, "months": months}
    headers = {**desk.person.headers, **({"Idempotency-Key": key} if key else {})}
    return await desk.client.post("/api/projects/assign-credits", headers=headers, json=body)


async def credits_of(desk: Desk) -> int:
    return (await desk.get("/user/me")).json()["credits"]


@pytest.mark.spec("activation-8")
async def test_the_free_month_needs_no_credits_and_is_there_once(context: Context, desk: Desk) -> None:
    response = await activate(desk, "free_starter_month")

    assert response.status_code == 200
    assert response.json()["userCredits"] == 0
    project = response.json()["project"]
    assert (project["activeTier"], project["plan"], project["freeMonthUsed"]) == ("free_starter_month", "free", True)
    assert project["expiresAt"] == "2026-12-20T12:00:00.000Z"
    assert (await desk.get("/user/me")).json()["plan"] == "free"
    second = await create_project(context, desk.person.actor, name="Second", tier="none")
    assert (await desk.get(f"/projects/{second}")).json()["freeMonthUsed"] is False
    again = await activate(desk, "free_starter_month", project_id=second)
    assert again.status_code == 409
    assert again.json() == {"message": "You have already used your free month.", "code": "free_month_used"}


async def test_a_project_that_had_its_free_month_shows_so_to_every_admin(
    context: Context, desk: Desk, clock: Clock
) -> None:
    await activate(desk, "free_starter_month")
    clock.advance(days=40)
    admin = await join(context, desk, "admin")

    project = await admin.project()

    assert (project["activeTier"], project["freeMonthUsed"]) == ("expired", True)
    assert (await admin.get("/user/me")).json()["freeMonthUsed"] is False
    refused = await activate(admin, "free_starter_month")
    assert (refused.status_code, refused.json()["message"]) == (409, "This project has already had its free month.")


async def test_a_free_month_whose_answer_was_lost_is_answered_again(desk: Desk) -> None:
    first = await activate(desk, "free_starter_month", key="try-1")

    again = await activate(desk, "free_starter_month", key="try-1")

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["project"]["expiresAt"] == first.json()["project"]["expiresAt"]


async def test_only_the_first_of_parallel_free_months_is_given(context: Context, desk: Desk) -> None:
    projects = [await create_project(context, desk.person.actor, name=f"P{n}", tier="none") for n in range(4)]

    answers = await asyncio.gather(*(activate(desk, "free_starter_month", project_id=one) for one in projects))

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


@pytest.mark.spec("activation-2")
async def test_a_tier_costs_its_months_and_lasts_calendar_months(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 100)

    response = await activate(desk, "starter", 3)

    assert response.status_code == 200
    assert response.json()["userCredits"] == await credits_of(desk) == 100 - 57
    project = response.json()["project"]
    assert (project["activeTier"], project["plan"], project["expiresAt"]) == (
        "starter",
        "paid",
        "2027-02-20T12:00:00.000Z",
    )
    me = (await desk.get("/user/me")).json()
    assert (me["plan"], me["planExpiry"]) == ("paid", "2027-02-20T12:00:00.000Z")


async def test_the_ledger_keeps_the_names_of_the_time_and_adds_up_each_month(
    context: Context, desk: Desk, clock: Clock
) -> None:
    await give_credits(context.database, desk.person.actor.id, 300)
    await activate(desk, "starter", 2)
    clock.advance(days=15)
    await activate(desk, "pro")
    await desk.put("/projects/{id}", {"name": "Renamed"})
    assert (await desk.delete("/projects/{id}")).status_code == 200

    history = (await desk.get("/payments/credits?limit=1")).json()
    older = (await desk.get(f"/payments/credits?cursor={history['nextCursor']}")).json()

    entries = [*history["entries"], *older["entries"]]
    names = [(entry["kind"], entry["tierName"], entry["projectName"]) for entry in entries]
    assert names == [
        ("activation", "Pro Tier", "Aurora Travel"),
        ("activation", "Starter Tier", "Aurora Travel"),
        ("grant", None, None),
    ]
    assert history["months"] == [{"month": "2026-12", "received": 0, "spent": 179}]
    assert older["months"] == [{"month": "2026-11", "received": 300, "spent": 38}]


async def test_too_few_credits_are_402_and_change_nothing(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 68)

    response = await activate(desk, "growth")

    assert response.status_code == 402
    assert response.json() == {
        "message": "Not enough credits. You need 69, but have 68.",
        "code": "not_enough_credits",
    }
    assert await credits_of(desk) == 68
    assert (await desk.project())["activeTier"] == "none"


async def test_renewing_extends_from_the_end(context: Context, desk: Desk, clock: Clock) -> None:
    await give_credits(context.database, desk.person.actor.id, 38)
    await activate(desk, "starter")
    clock.advance(days=10)

    response = await activate(desk, "starter")

    assert response.json()["project"]["expiresAt"] == "2027-01-20T12:00:00.000Z"
    actions = [row["action"] for row in (await desk.get("/activity")).json()]
    assert actions[:2] == ["Renewed Starter Tier", "Activated Starter Tier"]


async def test_the_same_idempotency_key_pays_once(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 100)

    first = await activate(desk, "starter", key="tab-1")
    replay = await activate(desk, "starter", key="tab-1")
    other = await activate(desk, "starter", 2, key="tab-1")

    assert first.json() == replay.json()
    assert other.status_code == 409
    assert other.json()["code"] == "idempotency_key_reused"
    assert await credits_of(desk) == 81
    assert (await desk.project())["expiresAt"] == "2026-12-20T12:00:00.000Z"


async def test_only_the_first_of_twenty_parallel_activations_gets_the_credits(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 19)
    second = await create_project(context, desk.person.actor, name="Second", tier="none")

    targets = [desk.project_id, second] * 10
    answers = await asyncio.gather(*(activate(desk, "starter", project_id=one) for one in targets))

    assert sorted(answer.status_code for answer in answers) == [200] + [402] * 19
    assert await credits_of(desk) == 0
    tiers = [row["activeTier"] for row in (await desk.get("/projects")).json()]
    assert sorted(tiers) == ["none", "starter"]


@pytest.mark.spec("activation-8")
async def test_the_free_month_does_not_replace_a_plan_that_runs(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 19)
    await activate(desk, "starter")

    response = await activate(desk, "free_starter_month")

    assert response.status_code == 409
    assert response.json()["code"] == "plan_active"


@pytest.mark.spec("activation-3")
@pytest.mark.parametrize(
    ("tier", "months"),
    [
        ("none", 1),
        ("expired", 1),
        ("trial", 1),
        ("gold", 1),
        ("starter", 4),
        ("starter", 0),
        ("starter", -1),
        ("pro", 13),
        ("free_starter_month", 2),
    ],
)
async def test_other_tiers_and_durations_are_refused(desk: Desk, tier: str, months: int) -> None:
    response = await activate(desk, tier, months)

    assert response.status_code == 422
    assert response.json()["message"] == "Please select a valid tier and duration."


@pytest.mark.parametrize(
    "months", ["1", 1.0, 1.5, True, None, [], {}, 10**19, -(10**30), 1e18], ids=lambda value: repr(value)[:20]
)
async def test_months_are_a_whole_number_and_nothing_else(context: Context, desk: Desk, months: object) -> None:
    await give_credits(context.database, desk.person.actor.id, 1000)

    response = await activate(desk, "starter", months)

    assert response.status_code == 422
    assert "months" in response.json()["fields"]
    assert await credits_of(desk) == 1000


@pytest.mark.spec("activation-9")
@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("editor", 403), ("viewer", 403)])
async def test_admins_pay_with_their_own_credits_and_others_may_not(
    context: Context, desk: Desk, role: Literal["admin", "editor", "viewer"], status: int
) -> None:
    await give_credits(context.database, desk.person.actor.id, 19)
    member = await join(context, desk, role)
    await give_credits(context.database, member.person.actor.id, 19)

    response = await activate(member, "starter")

    assert response.status_code == status
    assert await credits_of(desk) == 19
    assert await credits_of(member) == (0 if role == "admin" else 19)
    assert (await desk.project())["activeTier"] == ("starter" if role == "admin" else "none")


async def give(context: Context, desk: Desk, tier: str, **duration: float) -> str:
    """What an operator's command does: the tier for so long from now."""
    until = core_clock.now() + timedelta(**duration)
    async with context.database.write() as db:
        return await give_tier(db, context.bus, project_id=desk.project_id, tier_id=tier, until=until)


async def test_given_time_is_not_converted_to_another_tier(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 179)
    await give(context, desk, "growth", days=300)

    response = await activate(desk, "pro")

    assert response.json()["project"]["expiresAt"] == "2026-12-20T12:00:00.000Z"


async def test_bought_time_behind_given_time_is_converted(context: Context, desk: Desk, clock: Clock) -> None:
    await give_credits(context.database, desk.person.actor.id, 69 + 19)
    await give(context, desk, "growth", days=10)
    renewed = await activate(desk, "growth")
    assert renewed.json()["project"]["expiresAt"] == "2026-12-30T12:00:00.000Z"  # a month behind the ten days

    changed = await activate(desk, "starter")

    bought = timedelta(days=30) * 69 / 19
    end = datetime.fromisoformat(changed.json()["project"]["expiresAt"])
    assert timedelta(0) <= end - (datetime.fromisoformat("2026-12-20T12:00:00Z") + bought) <= timedelta(seconds=1)


async def test_a_gift_on_top_of_bought_time_leaves_it_bought(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 69 + 19)
    await activate(desk, "growth")  # until 20 December: 30 days

    told = await give(context, desk, "growth", days=90)

    assert told == "Aurora Travel is on Growth Tier until 18 February 2027, 12:00 UTC."
    changed = await activate(desk, "starter")
    bought = timedelta(days=30) * 69 / 19
    end = datetime.fromisoformat(changed.json()["project"]["expiresAt"])
    assert timedelta(0) <= end - (datetime.fromisoformat("2026-12-20T12:00:00Z") + bought) <= timedelta(seconds=1)


async def test_a_gift_of_a_different_tier_names_the_bought_time_that_it_ends(context: Context, desk: Desk) -> None:
    await give_credits(context.database, desk.person.actor.id, 69)
    await activate(desk, "growth")

    told = await give(context, desk, "pro", days=5)

    assert told.endswith("30 bought days of Growth Tier ended with this.")
    actions = [row["action"] for row in (await desk.get("/activity")).json()]
    assert actions[0] == "Pro Tier set by the operator"


async def test_a_plan_bought_after_a_gift_has_ended_is_all_bought(context: Context, desk: Desk, clock: Clock) -> None:
    await give_credits(context.database, desk.person.actor.id, 69 + 19)
    await give(context, desk, "growth", days=1)
    clock.advance(days=2)
    await activate(desk, "growth")

    changed = await activate(desk, "starter")

    bought = timedelta(days=30) * 69 / 19
    end = datetime.fromisoformat(changed.json()["project"]["expiresAt"])
    assert end - datetime.fromisoformat("2026-12-22T12:00:00Z") >= bought


async def test_with_the_operators_word_a_project_has_more_languages_than_its_plan(context: Context, desk: Desk) -> None:
    await give(context, desk, "starter", days=10)

    async def limit() -> int:
        return (await desk.project())["limits"]["languages"]

    async def allow(languages: int) -> None:
        async with context.database.write() as db:
            await set_language_limit(db, desk.person.actor.id, languages)

    async def add(language: str) -> int:
        return (await desk.post("/projects/{id}/languages", {"language": language})).status_code

    assert (await limit(), await add("de")) == (1, 403)
    await allow(3)
    assert (await limit(), await add("de"), await add("fr"), await add("es")) == (3, 201, 201, 403)
    await allow(-1)
    assert (await limit(), await add("es")) == (-1, 201)
    await give_credits(context.database, desk.person.actor.id, 19)
    assert (await activate(desk, "starter")).json()["project"]["limits"]["languages"] == -1
    await allow(0)
    assert (await limit(), await add("it")) == (1, 403)
    assert len((await desk.project())["languages"]) == 4


async def test_a_tier_that_an_operator_gives_makes_nobody_a_payer(context: Context, desk: Desk) -> None:
    async def plan() -> tuple[str, str | None]:
        me = (await desk.get("/user/me")).json()
        return me["plan"], me["planExpiry"]

    await give(context, desk, "pro", days=10)
    assert await plan() == ("free", None)
    await give_credits(context.database, desk.person.actor.id, 19)
    assert (await activate(desk, "starter", 1)).status_code == 200
    assert (await plan())[0] == "paid"


async def test_the_operators_word_is_for_the_owner_and_not_for_members(context: Context, desk: Desk) -> None:
    await give(context, desk, "starter", days=10)
    member = await join(context, desk, "admin")
    async with context.database.write() as db:
        await set_language_limit(db, member.person.actor.id, 60)

    assert (await member.project())["limits"]["languages"] == 1


class TestBillingOff:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"billing": "off"}

    async def test_with_billing_off_every_project_has_everything(self, desk: Desk) -> None:
        project = await desk.project()

        assert (project["activeTier"], project["plan"], project["expiresAt"]) == ("pro", "paid", None)
        assert set(project["limits"].values()) == {-1}
        assert (await activate(desk, "starter")).status_code == 403
        assert (await desk.publish())["release"] == 1
