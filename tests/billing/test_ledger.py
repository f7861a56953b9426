"""The credit ledger: never below zero, each reference once, one free month per person and per project."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.billing import queries, service
from livery.billing.schemas import Receipt
from livery.billing.service import Purpose
from livery.core.db import Database
from livery.core.errors import Conflict, Invalid, PaymentRequired
from livery.core.ids import new_id
from tests.factories.billing import person_with_credits

PARALLEL = 20


class Gate:
    """Lets writers go on only when all of them have a transaction open, so that a race is sure to happen.

    SQLite has one writer at a time: there the gate is open, and the calls queue.
    """

    def __init__(self, database: Database) -> None:
        self._barrier = None if database.is_sqlite else asyncio.Barrier(PARALLEL)

    async def wait(self, db: AsyncSession) -> None:
        if self._barrier is not None:
            await db.execute(select(1))
            async with asyncio.timeout(20):
                await self._barrier.wait()


async def spend(
    database: Database,
    user_id: str,
    amount: int,
    reference: str,
    project_id: str = "prj_one",
    months: int = 1,
    *,
    gate: Gate | None = None,
) -> Receipt:
    async with database.write() as db:
        if gate:
            await gate.wait(db)
        purpose = Purpose(project_id, "Aurora", "Starter Tier")
        return await service.spend(db, user_id, amount, reference=reference, purpose=purpose, months=months)


async def claim(database: Database, user_id: str, project_id: str, *, gate: Gate | None = None) -> Receipt:
    async with database.write() as db:
        if gate:
            await gate.wait(db)
        return await service.claim_free_month(db, user_id, Purpose(project_id, "Aurora", "Free Starter Month"))


async def balance_of(database: Database, user_id: str) -> int:
    async with database.read() as db:
        return await queries.balance(db, user_id)


async def amounts_of(database: Database, user_id: str) -> list[int]:
    async with database.read() as db:
        return [entry.amount for entry in await queries.entries(db, user_id)]


async def test_a_person_without_entries_has_a_balance_of_zero(database: Database) -> None:
    assert await balance_of(database, "usr_unknown") == 0
    assert await amounts_of(database, "usr_unknown") == []


async def test_entries_are_newest_first_and_name_their_purpose(database: Database) -> None:
    user_id = await person_with_credits(database, 50)
    await spend(database, user_id, 38, "activation:1", months=2)

    async with database.read() as db:
        spent, granted = await queries.entries(db, user_id)
        older = await queries.entries(db, user_id, before_id=spent.id)

    assert (spent.amount, spent.balance_after, spent.kind, spent.project_id, spent.months) == (
        -38,
        12,
        "activation",
        "prj_one",
        2,
    )
    assert (granted.amount, granted.balance_after, granted.kind) == (50, 50, "grant")
    assert [entry.id for entry in older] == [granted.id]


async def test_only_the_first_of_twenty_parallel_spends_of_the_same_credits_succeeds(database: Database) -> None:
    user_id = await person_with_credits(database, 19)

    gate = Gate(database)
    results = await asyncio.gather(
        *(
            spend(database, user_id, 19, f"activation:{number}", f"prj_{number}", gate=gate)
            for number in range(PARALLEL)
        ),
        return_exceptions=True,
    )

    won = [result for result in results if isinstance(result, Receipt)]
    lost = [result for result in results if isinstance(result, PaymentRequired)]
    assert won == [Receipt(balance=0, is_new=True)]
    assert len(lost) == PARALLEL - 1
    assert {(error.message, error.code) for error in lost} == {
        ("Not enough credits. You need 19, but have 0.", "not_enough_credits")
    }
    assert sorted(await amounts_of(database, user_id)) == [-19, 19]
    assert await balance_of(database, user_id) == 0


async def test_the_same_spend_sent_twenty_times_at_once_takes_effect_once(database: Database) -> None:
    user_id = await person_with_credits(database, 100)

    gate = Gate(database)
    results = await asyncio.gather(
        *(spend(database, user_id, 19, "activation:same", gate=gate) for _ in range(PARALLEL))
    )

    assert sorted(receipt.is_new for receipt in results) == [False] * (PARALLEL - 1) + [True]
    assert {receipt.balance for receipt in results} == {81}
    assert await balance_of(database, user_id) == 81


async def test_a_spend_beyond_the_balance_reports_both_numbers_and_takes_nothing(database: Database) -> None:
    user_id = await person_with_credits(database, 18)

    with pytest.raises(PaymentRequired, match=r"^Not enough credits\. You need 19, but have 18\.$"):
        await spend(database, user_id, 19, "activation:1")

    assert await balance_of(database, user_id) == 18
    assert await amounts_of(database, user_id) == [18]


async def test_a_replayed_spend_is_answered_even_when_the_balance_is_used_up(database: Database) -> None:
    user_id = await person_with_credits(database, 19)
    await spend(database, user_id, 19, "activation:1")

    assert await spend(database, user_id, 19, "activation:1") == Receipt(balance=0, is_new=False)


@pytest.mark.parametrize(
    ("amount", "project_id", "months"), [(38, "prj_one", 1), (19, "prj_two", 1), (19, "prj_one", 2)]
)
async def test_a_reference_that_comes_back_for_another_thing_is_refused(
    database: Database, amount: int, project_id: str, months: int
) -> None:
    user_id = await person_with_credits(database, 100)
    await spend(database, user_id, 19, "activation:1")

    with pytest.raises(Conflict) as refused:
        await spend(database, user_id, amount, "activation:1", project_id, months)

    assert refused.value.code == "idempotency_key_reused"
    assert await balance_of(database, user_id) == 81


async def test_a_reference_that_is_too_long_is_refused(database: Database) -> None:
    user_id = await person_with_credits(database, 100)

    with pytest.raises(Invalid):
        await spend(database, user_id, 19, "x" * 201)
    await spend(database, user_id, 19, "x" * 200)

    assert await balance_of(database, user_id) == 81


async def test_the_same_reference_of_two_people_is_two_spends(database: Database) -> None:
    one, two = await person_with_credits(database, 19), await person_with_credits(database, 19)

    await spend(database, one, 19, "activation:1")
    await spend(database, two, 19, "activation:1", "prj_two")

    assert (await balance_of(database, one), await balance_of(database, two)) == (0, 0)


async def test_a_spend_whose_transaction_fails_leaves_no_trace(database: Database) -> None:
    user_id = await person_with_credits(database, 19)

    async def spend_then_fail() -> None:
        async with database.write() as db:
            purpose = Purpose("prj_one", "Aurora", "Starter Tier")
            await service.spend(db, user_id, 19, reference="activation:1", purpose=purpose, months=1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await spend_then_fail()

    assert await balance_of(database, user_id) == 19
    assert await amounts_of(database, user_id) == [19]


async def test_a_grant_given_twenty_times_at_once_counts_once(database: Database) -> None:
    user_id = new_id("usr")

    async def grant() -> Receipt:
        async with database.write() as db:
            await gate.wait(db)
            return await service.grant(db, user_id, 7, "payment:1", "purchase")

    gate = Gate(database)
    results = await asyncio.gather(*(grant() for _ in range(PARALLEL)))

    assert sum(receipt.is_new for receipt in results) == 1
    assert await amounts_of(database, user_id) == [7]
    assert await balance_of(database, user_id) == 7


@pytest.mark.parametrize("amount", [0, -5, 1_000_001, 10**20, True, 1.5, "10", float("nan"), None])
async def test_a_grant_of_a_hostile_amount_is_refused(database: Database, amount: int) -> None:
    user_id = new_id("usr")

    with pytest.raises(Invalid):
        async with database.write() as db:
            await service.grant(db, user_id, amount, "grant:1")

    assert await amounts_of(database, user_id) == []


@pytest.mark.parametrize("amount", [0, -19])
async def test_nobody_can_spend_nothing_or_less(database: Database, amount: int) -> None:
    user_id = await person_with_credits(database, 19)

    with pytest.raises(ValueError, match="nothing to spend"):
        await spend(database, user_id, amount, "activation:1")

    assert await balance_of(database, user_id) == 19


async def test_the_free_month_is_a_ledger_entry_that_costs_nothing(database: Database) -> None:
    user_id = await person_with_credits(database, 5)

    assert await claim(database, user_id, "prj_free") == Receipt(balance=5, is_new=True)

    async with database.read() as db:
        entry = (await queries.entries(db, user_id))[0]
    assert (entry.amount, entry.kind, entry.project_id, entry.months) == (0, "free_month", "prj_free", 1)


@pytest.mark.parametrize("project_id", ["prj_first", "prj_second"])
async def test_a_person_has_one_free_month_ever(database: Database, project_id: str) -> None:
    user_id = new_id("usr")
    await claim(database, user_id, "prj_first")

    with pytest.raises(Conflict, match="You have already used your free month") as refused:
        await claim(database, user_id, project_id)

    assert refused.value.code == "free_month_used"


async def test_a_project_gets_one_free_month_whoever_asks(database: Database) -> None:
    await claim(database, new_id("usr"), "prj_shared")

    with pytest.raises(Conflict, match="This project has already had its free month"):
        await claim(database, new_id("usr"), "prj_shared")


async def test_only_the_first_of_twenty_parallel_free_months_of_a_person_is_given(database: Database) -> None:
    user_id = new_id("usr")

    gate = Gate(database)
    results = await asyncio.gather(
        *(claim(database, user_id, f"prj_{number}", gate=gate) for number in range(PARALLEL)), return_exceptions=True
    )

    assert sum(isinstance(result, Receipt) for result in results) == 1
    assert sum(isinstance(result, Conflict) for result in results) == PARALLEL - 1
    assert await amounts_of(database, user_id) == [0]


_STEPS = st.lists(
    st.tuples(st.sampled_from(["grant", "spend", "free"]), st.integers(1, 60), st.integers(0, 5)), max_size=15
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
async def test_any_order_of_grants_and_spends_leaves_the_balance_of_a_simple_ledger(
    database: Database, steps: list[tuple[str, int, int]]
) -> None:
    user_id, free_project = new_id("usr"), new_id("prj")
    model: dict[str, int] = {}

    for kind, amount, number in steps:
        reference = f"{kind}:{amount}:{number}"
        match kind:
            case "grant":
                async with database.write() as db:
                    await service.grant(db, user_id, amount, reference)
                model.setdefault(reference, amount)
            case "spend":
                is_enough = reference in model or sum(model.values()) >= amount
                try:
                    await spend(database, user_id, amount, reference)
                except PaymentRequired:
                    assert not is_enough
                else:
                    assert is_enough
                    model.setdefault(reference, -amount)
            case _:
                try:
                    await claim(database, user_id, free_project)
                except Conflict:
                    assert "free" in model
                else:
                    assert "free" not in model
                    model["free"] = 0

    assert await balance_of(database, user_id) == sum(model.values())
    async with database.read() as db:
        entries = await queries.entries(db, user_id)
    assert [entry.amount for entry in reversed(entries)] == list(model.values())
    running = 0
    for entry in reversed(entries):
        running += entry.amount
        assert entry.balance_after == running >= 0
