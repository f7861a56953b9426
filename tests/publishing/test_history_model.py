"""Random edits, publishes and roll backs of one screen against a dict of texts, and a list of what each version held."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, get_args

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.factories.projects import Desk, create_project
from tests.support.tier import amount

KEYS = ("a", "b", "prototype")
LANGUAGES = ("en", "de")
SCREEN = "/translations/{id}/general"

Texts = dict[str, dict[str, str]]
Verb = Literal["create", "edit", "rename", "delete", "drop_language", "add_language", "publish", "roll_back"]


@dataclass(frozen=True)
class Step:
    """An operation; ``number`` picks a version."""

    verb: Verb
    key: str
    other: str
    values: Mapping[str, str]
    number: int


STEPS = st.builds(
    Step,
    verb=st.sampled_from(["create", "edit", "publish", "roll_back", *get_args(Verb)]),
    key=st.sampled_from(KEYS),
    other=st.sampled_from(KEYS),
    values=st.dictionaries(st.sampled_from(LANGUAGES), st.sampled_from(["", "x", "🙂 y"]), max_size=2),
    number=st.integers(0, 20),
)


def with_texts(texts: Texts) -> Texts:
    """What a release of this holds: no empty texts, no keys without texts."""
    shown = {key: {code: text for code, text in values.items() if text} for key, values in texts.items()}
    return {key: values for key, values in shown.items() if values}


class Model:
    """What the service should do, in a few lines."""

    def __init__(self) -> None:
        self.draft: Texts = {}
        self.released: Texts = {}
        self.languages = {"en", "de"}
        self.versions: list[tuple[Literal["release", "draft"], Texts]] = []

    def values_of(self, step: Step) -> dict[str, str]:
        return {code: text for code, text in step.values.items() if code in self.languages}

    def create(self, step: Step) -> None:
        self.draft.setdefault(step.key, {code: text for code, text in self.values_of(step).items() if text})

    def edit(self, step: Step) -> None:
        if step.key in self.draft:
            changed = {**self.draft[step.key], **self.values_of(step)}
            self.draft[step.key] = {code: text for code, text in changed.items() if text}

    def rename(self, step: Step) -> None:
        if step.key in self.draft and step.other not in self.draft:
            self.draft[step.other] = self.draft.pop(step.key)

    def delete(self, step: Step) -> None:
        self.draft.pop(step.key, None)

    def drop_language(self, _step: Step) -> None:
        self.languages.discard("de")
        for values in self.draft.values():
            values.pop("de", None)

    def add_language(self, _step: Step) -> None:
        self.languages.add("de")

    def publish(self, _step: Step) -> None:
        if with_texts(self.draft) != self.released:
            self.released = with_texts(deepcopy(self.draft))
            self.versions.append(("release", deepcopy(self.released)))

    def roll_back(self, step: Step) -> None:
        if not self.versions:
            return
        kind, content = self.versions[step.number % len(self.versions)]
        wanted = {
            key: {code: text for code, text in values.items() if code in self.languages}
            for key, values in content.items()
        }
        if kind == "release":
            wanted |= {key: values for key, values in self.draft.items() if not values and key not in wanted}
        if wanted != self.draft:
            self.versions.append(("draft", deepcopy(self.draft)))
            self.draft = deepcopy(wanted)


async def send(desk: Desk, model: Model, step: Step) -> httpx2.Response:
    """The step as a dashboard sends it."""
    values = model.values_of(step)
    match step.verb:
        case "create":
            return await desk.post(SCREEN, {"key": step.key, "values": values})
        case "edit":
            return await desk.put(f"{SCREEN}/{step.key}", {"key": step.key, "values": values})
        case "rename":
            return await desk.put(f"{SCREEN}/{step.key}", {"key": step.other, "values": {}})
        case "delete":
            return await desk.delete(f"{SCREEN}/{step.key}")
        case "drop_language":
            return await desk.delete("/projects/{id}/languages/de")
        case "add_language":
            return await desk.post("/projects/{id}/languages", {"language": "de"})
        case "publish":
            return await desk.post("/translations/{id}/publish")
        case "roll_back":
            found = await history(desk)
            wanted = found[step.number % len(found)]["id"] if found else "ver_x"
            return await desk.post(f"{SCREEN}/rollback/{wanted}")


async def history(desk: Desk) -> list[dict[str, Any]]:
    """The versions, oldest first."""
    return list(reversed((await desk.get(f"{SCREEN}/versions?limit=100")).json()["versions"]))


_owners: dict[int, LoggedIn] = {}


@pytest.mark.deep_on("postgresql")
@settings(
    max_examples=amount(main=5, deep=60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=8, max_size=25))
async def test_drafts_releases_and_versions_do_what_the_model_does(
    context: Context, client: httpx2.AsyncClient, steps: list[Step]
) -> None:
    owner = _owners.get(id(context)) or await create_logged_in(context)
    _owners.clear()
    _owners[id(context)] = owner  # one application serves all examples; each has its own project
    desk = Desk(client, owner, await create_project(context, owner.actor, languages=LANGUAGES))
    model = Model()
    publish = Step("publish", "a", "a", {}, 0)

    for step in [*steps, publish]:
        response = await send(desk, model, step)
        getattr(model, step.verb)(step)
        assert response.status_code < 500, (step, response.text)
        assert await desk.keys("general") == model.draft, step
        assert [entry["kind"] for entry in await history(desk)] == [kind for kind, _ in model.versions], step

    served = {key: values["en"] for key, values in model.released.items() if "en" in values}
    assert (await desk.content("en"))["texts"].get("general", {}) == served
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []
