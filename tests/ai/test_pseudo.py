"""Pseudo-localization, the built-in default: looks foreign, is longer, and breaks nothing."""

import httpx2
import pytest

from livery.core.context import Context
from tests.ai.conftest import Background
from tests.factories.ai import job_of, start
from tests.factories.projects import open_desk


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {}


async def test_texts_look_foreign_and_keep_their_placeholders(
    context: Context, client: httpx2.AsyncClient, background: Background
) -> None:
    desk = await open_desk(context, client, languages=("en", "pl"))
    texts = {
        "short": "Welcome",
        "mixed": "Hi {name}, see <b>https://ex.com</b> %s",
        "plural": "{n, plural, one {# day} other {# days}}",
        "long": "Choose where you want to go next and we find the way for you",
    }
    for key, text in texts.items():
        await desk.text(key, {"en": text})

    job = await start(desk, "pl")
    await background.run()

    job = await job_of(desk, job)
    assert (job["status"], job["provider"], job["failed"]) == ("done", "pseudo", [])
    values = {key: values["pl"] for key, values in (await desk.keys("general")).items()}
    assert values["short"] == "[!!! Ŵéļçöḿé !!!]"
    assert values["mixed"] == "[!!! Ĥî {name}, šéé <b>https://ex.com</b> %s !!!]"
    assert values["plural"].startswith("{n, plural, one {[!!! # ðåý !!!]} few {[!!! # ðåýš !!!]} many {")
    assert 1.25 < len(values["long"]) / len(texts["long"]) < 1.4


async def test_the_answer_names_its_provider(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client)

    response = await desk.post("/translations/rephrase", {"text": "Welcome", "language": "English"})

    assert response.json() == {"rephrasedText": "[!!! Ŵéļçöḿé !!!]", "provider": "pseudo"}
