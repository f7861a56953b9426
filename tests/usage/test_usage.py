"""The meter counts in memory, loses nothing when the database is away, and adds to the UTC day."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.usage import queries
from livery.usage.meter import Meter
from livery.usage.queries import MonthTotals, month_around
from tests.support.clock import Clock

LAST_OF_MARCH = datetime(2026, 3, 31, 23, 59, 58, tzinfo=UTC)


@pytest.fixture(autouse=True)
def at_the_end_of_march(clock: Clock) -> None:
    clock.moment = LAST_OF_MARCH


async def totals(database: Database, project_id: str, moment: datetime = LAST_OF_MARCH) -> tuple[int, int]:
    async with database.read() as db:
        month = await queries.month_totals(db, project_id, moment)
    return month.api_calls, month.bytes


async def test_counts_of_two_processes_add_up(database: Database) -> None:
    one, two = Meter(), Meter()
    one.count("prj_a", 1, 500)
    one.count("prj_a", 0, 250)
    two.count("prj_a", 1, 1)
    two.count("prj_b", 7, 2**40)

    await one.flush(database)
    await two.flush(database)
    await one.flush(database)

    assert await totals(database, "prj_a") == (2, 751)
    assert await totals(database, "prj_b") == (7, 2**40)
    assert one.unflushed("prj_a") == {}


async def test_counts_outlive_a_database_that_is_away(database: Database, tmp_path: Path) -> None:
    away = Database(f"sqlite+aiosqlite:///{tmp_path / 'no-such-folder' / 'livery.db'}")
    meter = Meter()
    meter.count("prj_a", 3, 30)
    try:
        with pytest.raises(Unavailable):
            await meter.flush(away)
    finally:
        await away.close()
    meter.count("prj_a", 1, 5)
    assert meter.unflushed("prj_a") == {LAST_OF_MARCH.date(): (4, 35)}

    await meter.flush(database)

    assert await totals(database, "prj_a") == (4, 35)


async def test_delayed_counts_stay_in_their_month(database: Database, tmp_path: Path, clock: Clock) -> None:
    away = Database(f"sqlite+aiosqlite:///{tmp_path / 'no-such-folder' / 'livery.db'}")
    meter = Meter()
    meter.count("prj_a", 3, 30)
    with pytest.raises(Unavailable):
        await meter.flush(away)
    await away.close()
    clock.advance(seconds=5)
    meter.count("prj_a", 1, 5)

    await meter.flush(database)

    assert await totals(database, "prj_a") == (3, 30)
    assert await totals(database, "prj_a", clock.moment) == (1, 5)
    async with database.read() as db:
        rows = await queries.days(db, "prj_a", date(2026, 3, 1), date(2026, 4, 30))
    assert [(row.day, row.api_calls) for row in rows] == [(date(2026, 3, 31), 3), (date(2026, 4, 1), 1)]


async def test_more_projects_than_one_statement_takes_are_all_added(database: Database) -> None:
    meter = Meter()
    for number in range(1203):
        meter.count(f"prj_{number}", 1, number)

    await meter.flush(database)

    assert await totals(database, "prj_0") == (1, 0)
    assert await totals(database, "prj_1202") == (1, 1202)


async def test_a_project_without_usage_has_zeros_and_a_period(database: Database) -> None:
    async with database.read() as db:
        month = await queries.month_totals(db, "prj_none", LAST_OF_MARCH)

    assert month == MonthTotals(0, 0, datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))


def test_a_month_is_that_of_utc_and_december_ends_the_year() -> None:
    late_in_new_york = datetime.fromisoformat("2026-12-31T20:30:00-05:00")

    assert month_around(late_in_new_york)[0] == datetime(2027, 1, 1, tzinfo=UTC)
    assert month_around(datetime(2026, 12, 5, tzinfo=UTC))[1] == datetime(2027, 1, 1, tzinfo=UTC)
