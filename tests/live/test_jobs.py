"""Pages see an AI job go on, batch by batch, although only its beginning and its end are on record."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from livery.ai import jobs
from livery.ai.fills import TEXTS_A_BATCH
from livery.core.context import Context
from tests.factories.ai import start
from tests.factories.projects import Desk
from tests.live.conftest import Watch, next_change
from tests.support.ai_service import AiService, Call, Said, ai_service, translated

A_BATCH = {"by": None, "jobs": True, "screens": {"general": None}}


@pytest.fixture
def service() -> Iterator[AiService]:
    with ai_service() as service:
        yield service


@pytest.fixture
def settings_overrides(service: AiService) -> dict[str, object]:
    return {**service.settings("openai"), "rate_limits": "off"}


@pytest.mark.spec("live-9")
async def test_a_fill_sends_events_of_its_screen_before_it_ends(
    mara: Desk, editor: Desk, watch: Watch, context: Context, service: AiService
) -> None:
    is_seen, events = threading.Event(), list[dict[str, object]]()

    def waiting_with_the_last(call: Call) -> Said:
        if len(call.items) < TEXTS_A_BATCH:
            is_seen.wait(60)
        return translated(call)

    for number in range(45):
        await mara.text(f"key_{number}", {"en": f"Text {number}"})
    service.always = waiting_with_the_last
    async with watch(editor) as stream:
        await stream.expect("hello")
        await start(mara, "de")
        filling = asyncio.create_task(jobs.sweeps(context)[0].run())
        try:
            while A_BATCH not in events:
                events.append((await next_change(stream)).data)
        finally:
            is_seen.set()
            await filling
        while events[-1].get("texts") is None:
            events.append((await next_change(stream)).data)

    fills = [event for event in events if event.get("jobs")]
    assert fills[0].get("by") == {"_id": mara.person.actor.id, "name": "Mara Lindt"}
    assert fills[-1]["texts"] is True
    assert (await mara.keys("general"))["key_44"]["de"] == "Text 44 de"
