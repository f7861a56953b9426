"""No id of another project opens anything: each id in each address is swapped for a stranger's and for one of a sibling project.

The addresses come from the running application, so a new route is tried from its first day. The project's own ids are tried too: a 404 that
everything gets would prove nothing.
"""

from collections.abc import Iterator

import httpx2
import pytest

from livery.core.context import Context
from tests.support.tables import changed_tables, fingerprint
from tests.support.town import (
    ARCHIVE,
    FOR_SOMEBODY_ELSE,
    NOTHING_KEPT,
    OTHERS_IN_PLACE,
    PERSONAL,
    Call,
    Town,
    build_town,
    in_order,
    own_calls,
    routes_with_ids,
)


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def town(context: Context, client: httpx2.AsyncClient) -> Town:
    return await build_town(context, client)


def swapped_calls(town: Town, route: str, ids: list[str]) -> Iterator[Call]:
    """The route with each of my ids in turn replaced by another tenant's."""
    for own in own_calls(town, route, ids):
        for name in ids:
            if name in PERSONAL:
                yield Call(town.settings, route, {**own.ids, name: town.their_things[name]}, f"foreign {name}")
                continue
            for who, tenant in (("foreign", town.foreign), ("sibling", town.sibling)):
                if name in {"projectId", "jobId", "itemId", "scheduleId"} and who == "sibling" and len(ids) == 1:
                    continue  # my own project (or a job, item or schedule, which names its own) alone: that is allowed
                others = (
                    tenant.member_ids
                    if name == "userId"
                    else (tenant.ids[OTHERS_IN_PLACE.get(route, {}).get(name, name)],)
                )
                for other in others:
                    yield Call(town.settings, route, {**own.ids, name: other}, f"{who} {name}")


@pytest.mark.deep_on("postgresql")  # whose an id is does not depend on the database
async def test_an_id_of_another_project_is_404_and_changes_nothing(context: Context, town: Town) -> None:
    routes = routes_with_ids(context)
    before = await fingerprint(context.database)
    wrong: list[str] = []
    tried = 0

    for route, ids in routes.items():
        for call in swapped_calls(town, route, ids):
            answer = await call.send(town.mine.desk)
            if answer.status_code != 404:
                wrong.append(f"{route} with {call.about}: {answer.status_code} {answer.text[:200]}")
            tried += 1
        if changed := changed_tables(before, await fingerprint(context.database)):
            wrong.append(f"{route} changed {changed}")

    assert not wrong, "\n".join(wrong)
    assert len(routes) > 30
    assert tried > 2 * len(routes)


async def test_with_its_own_ids_each_of_these_calls_is_answered(context: Context, town: Town) -> None:
    wrong: list[str] = []

    for route, ids in in_order(routes_with_ids(context)):
        for call in own_calls(town, route, ids):
            answer = await call.send(town.mine.desk)
            if not answer.is_success and route not in FOR_SOMEBODY_ELSE | {NOTHING_KEPT, ARCHIVE}:
                wrong.append(f"{route}: {answer.status_code} {answer.text[:200]}")

    assert not wrong, "\n".join(wrong)
