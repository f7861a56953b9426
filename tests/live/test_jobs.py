"""Pages see an AI job go on, batch by batch, although only its beginning and its end are on record."""

from collections.abc import Iterator

import pytest

from livery.ai import jobs
from livery.core.context import Context
from tests.factories.ai import start
from tests.factories.projects import Desk
from tests.live.conftest import Watch, next_change
from tests.support.ai_service import AiService, ai_service


@pytest.fixture
def service() -> Iterator[AiService]:
    with ai_service() as service:
        yield service


@pytest.fixture
def settings_overrides(service: AiService) -> dict[str, object]:
    return {**service.settings("openai"), "rate_limits": "off"}


async def test_a_fill_tells_its_screen_before_it_ends(mara: Desk, editor: Desk, watch: Watch, context: Context) -> None:
    for number in range(45):
        await mara.text(f"key_{number}", {"en": f"Text {number}"})
    async with watch(editor) as stream:
        await stream.expect("hello")
        await start(mara, "de")
        await jobs.sweeps(context)[0].run()

        events: list[dict[str, object]] = []
        while not events or events[-1].get("texts") is None:
            events.append((await next_change(stream)).data)

    fills = [event for event in events if event.get("jobs")]
    assert fills[0].get("by") == {"_id": mara.person.actor.id, "name": "Mara Lindt"}
    assert {"by": None, "jobs": True, "screens": {"general": None}} in fills
    assert fills[-1]["texts"] is True
    assert (await mara.keys("general"))["key_44"]["de"] == "Text 44 de"
