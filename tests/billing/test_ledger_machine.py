"""Any order of grants, activations, renewals, expiries and repeated calls, against a model of the ledger, over HTTP."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from livery.app import Application, create_app
from livery.billing import queries
from livery.billing.plans import DURATIONS, TIERS
from livery.billing.terms import add_months
from livery.core.ids import new_id
from livery.core.settings import Settings
from livery.workspace import fsck
from tests.factories.accounts import LoggedIn, create_logged_in, log_in
from tests.factories.billing import give_credits
from tests.factories.projects import create_project
from tests.support.clock import Clock
from tests.support.tier import amount

CHOICES = ("free_starter_month", "starter", "growth", "pro")
PROJECTS = 2


@dataclass
class Plan:
    """What the model knows of a project."""

    tier: str = "none"
    end: datetime | None = None


@dataclass
class Bench:
    """A running application, driven from the test's thread."""

    portal: BlockingPortal
    app: Application
    client: httpx2.AsyncClient
    clock: Clock

    def run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        return self.portal.call(work)


@pytest.fixture
def bench(settings: Settings, clock: Clock) -> Iterator[Bench]:
    with start_blocking_portal() as portal:
        app = portal.call(_create, settings)
        with portal.wrap_async_context_manager(app.running()):
            transport = httpx2.ASGITransport(app=app)
            client = httpx2.AsyncClient(transport=transport, base_url="http://testserver")
            yield Bench(portal, app, client, clock)
            portal.call(client.aclose)


async def _create(settings: Settings) -> Application:
    return create_app(settings)


class Ledger(RuleBasedStateMachine):
    """One person with two projects. ``bench`` is set by the test."""

    bench: Bench

    def __init__(self) -> None:
        super().__init__()
        self.bench.clock.moment = Clock().moment
        self.person: LoggedIn = self.bench.run(self._new_person)
        self.projects: list[str] = [self.bench.run(self._new_project) for _ in range(PROJECTS)]
        self.plans = [Plan() for _ in self.projects]
        self.entries: list[int] = []
        self.sent: dict[str, tuple[int, str, int]] = {}
        self.has_free_month = True

    async def _new_person(self) -> LoggedIn:
        return await create_logged_in(self.bench.app.context, email=f"{new_id('p')}@example.com")

    async def _new_project(self) -> str:
        return await create_project(self.bench.app.context, self.person.actor, tier="none")

    def _activate(self, number: int, tier: str, months: int, key: str | None) -> httpx2.Response:
        body = {"projectId": self.projects[number], "tierId": tier, "months": months}
        headers = {**self.person.headers, **({"Idempotency-Key": key} if key else {})}
        return self.bench.run(
            lambda: self.bench.client.post("/api/projects/assign-credits", headers=headers, json=body)
        )

    @rule(amount=st.integers(1, 400))
    def grant(self, amount: int) -> None:
        self.bench.run(lambda: give_credits(self.bench.app.context.database, self.person.actor.id, amount))
        self.entries.append(amount)

    @rule(hours=st.sampled_from([1, 24, 24 * 15, 24 * 40]))
    def time_passes(self, hours: int) -> None:
        self.bench.clock.advance(hours=hours)
        self.person = self.bench.run(lambda: log_in(self.bench.app.context, self.person.actor))

    @rule(
        number=st.integers(0, PROJECTS - 1),
        tier=st.sampled_from(CHOICES),
        months=st.sampled_from(DURATIONS),
        has_key=st.booleans(),
    )
    def activate(self, number: int, tier: str, months: int, has_key: bool) -> None:
        months = 1 if tier == "free_starter_month" else months
        key = new_id("key") if has_key else None
        plan, now = self.plans[number], self.bench.clock.moment
        is_running = plan.end is not None and plan.end > now
        price = (TIERS[tier].monthly_credit_cost or 0) * months

        answer = self._activate(number, tier, months, key)

        if tier == plan.tier == "free_starter_month" and is_running and key:
            assert answer.status_code == 200, "a free month whose answer was lost is answered again"
            return
        if tier == "free_starter_month" and (is_running or not self.has_free_month):
            assert answer.status_code == 409, answer.text
            return
        if price > sum(self.entries):
            assert (answer.status_code, answer.json()["code"]) == (402, "not_enough_credits")
            return
        assert answer.status_code == 200, answer.text
        end = datetime.fromisoformat(answer.json()["project"]["expiresAt"])
        if is_running and plan.tier == tier and plan.end is not None:
            assert end == add_months(plan.end, months)
        elif not is_running:
            assert end == add_months(now, months)
        else:
            assert end >= add_months(now, months), "bought time was lost"
        self.has_free_month = self.has_free_month and tier != "free_starter_month"
        self.entries.append(-price)
        self.plans[number] = Plan(tier, end)
        if key and price:
            self.sent[key] = number, tier, months

    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        if not self.sent:
            return
        key = data.draw(st.sampled_from(sorted(self.sent)))
        number, tier, months = self.sent[key]

        again = self._activate(number, tier, months, key)
        other = self._activate(number, tier, 12 if months != 12 else 6, key)

        assert again.status_code == 200, again.text
        assert again.json()["userCredits"] == sum(self.entries)
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")

    @invariant()
    def the_ledger_is_the_models(self) -> None:
        shown, amounts, after, problems = self.bench.run(self._read)
        assert amounts == self.entries
        assert after == [sum(amounts[: count + 1]) for count in range(len(amounts))]
        assert min(after, default=0) >= 0
        assert shown == sum(amounts)
        assert problems == []

    async def _read(self) -> tuple[int, list[int], list[int], list[str]]:
        me = await self.bench.client.get("/api/user/me", headers=self.person.headers)
        async with self.bench.app.context.database.read() as db:
            entries = list(reversed(await queries.entries(db, self.person.actor.id, limit=1000)))
            problems = [problem async for problem in fsck.check_ledger(db)]
        amounts, after = [entry.amount for entry in entries], [entry.balance_after for entry in entries]
        return me.json()["credits"], amounts, after, problems

    @invariant()
    def each_project_is_on_its_plan_while_it_lasts(self) -> None:
        for project_id, plan in zip(self.projects, self.plans, strict=True):
            path = f"/api/projects/{project_id}"
            project = self.bench.run(lambda path=path: self.bench.client.get(path, headers=self.person.headers)).json()
            is_over = plan.end is not None and plan.end <= self.bench.clock.moment
            assert project["activeTier"] == ("expired" if is_over else plan.tier)


@pytest.mark.deep_on("postgresql")
def test_any_order_of_events_leaves_a_sound_ledger(bench: Bench) -> None:
    Ledger.bench = bench

    run_state_machine_as_test(
        Ledger,
        settings=settings(
            max_examples=amount(main=5, deep=60),
            stateful_step_count=18,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
            phases=[Phase.reuse, Phase.generate],  # shrinking would take minutes: each step is several requests
        ),
    )
