"""Random edits against a model: what apps get, what the draft holds, and what is shown as unpublished."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from livery.core.context import Context
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.factories.projects import Desk, create_project
from tests.support.tier import amount

LANGUAGES = ("en", "de", "de-AT", "ar")
CHAINS = {"en": ("en",), "de": ("en", "de"), "de-AT": ("en", "de", "de-AT"), "ar": ("en", "ar")}
SCREENS = ("general", "home", "checkout")
KEYS = ("a", "b", "prototype")
TEXTS = ("", "x", "🙂 y")

Texts = dict[str, dict[str, dict[str, str]]]
Verb = Literal[
    "create", "edit", "rename", "delete", "add_screen", "remove_screen", "set_color", "rename_color", "remove_color", "publish"
]  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One edit: which verb, on which of the few names, with which values."""

    verb: Verb
    screen: str
    key: str
    other: str
    values: Mapping[str, str]
    color: str


STEPS = st.builds(
    Step,
    verb=st.sampled_from(["create", "edit", *get_args(Verb)]),
    screen=st.sampled_from(SCREENS),
    key=st.sampled_from(KEYS),
    other=st.sampled_from(KEYS),
    values=st.dictionaries(st.sampled_from(LANGUAGES), st.sampled_from(TEXTS), max_size=3),
    color=st.sampled_from(["#000000", "#c8371c"]),
)  # fmt: skip


@dataclass
class Content:
    """Texts by screen, key and language, and colours by key; screens in their order."""

    texts: Texts = field(default_factory=dict[str, dict[str, dict[str, str]]])
    colors: dict[str, str] = field(default_factory=dict[str, str])

    def visible(self) -> tuple[list[str], Texts, dict[str, str]]:
        """What a release of this would hold: no empty texts, no keys without texts."""
        screens = {
            screen: {
                key: texts for key, all_texts in keys.items() if (texts := {k: v for k, v in all_texts.items() if v})
            }
            for screen, keys in self.texts.items()
        }
        return list(self.texts), screens, self.colors

    def served(self, language: str) -> dict[str, dict[str, str]]:
        """What an app gets in a language, fallbacks resolved."""
        _, screens, _ = self.visible()
        served = {
            screen: {
                key: next(texts[code] for code in reversed(CHAINS[language]) if code in texts)
                for key, texts in keys.items()
                if any(code in texts for code in CHAINS[language])
            }
            for screen, keys in screens.items()
        }
        return {screen: keys for screen, keys in served.items() if keys}


class Model:
    """What the service should do, in a few lines."""

    def __init__(self) -> None:
        self.draft = Content({"general": {}})
        self.released: Content | None = None
        self._places = ["general"]

    def apply(self, step: Step) -> int:
        """Do the step and give the status that the server should answer."""
        return getattr(self, f"_{step.verb}")(step)

    def is_changed(self) -> bool:
        """Whether a publish would change anything of texts, screens (once released) or colours."""
        if self.released is None:
            _, screens, colors = self.draft.visible()
            return any(screens.values()) or bool(colors)
        return self.draft.visible() != self.released.visible()

    def _create(self, step: Step) -> int:
        keys = self.draft.texts.get(step.screen)
        if keys is None:
            return 404
        if step.key in keys:
            return 409
        keys[step.key] = dict(step.values)
        return 201

    def _edit(self, step: Step) -> int:
        keys = self.draft.texts.get(step.screen, {})
        if step.key not in keys:
            return 404
        keys[step.key].update(step.values)
        return 200

    def _rename(self, step: Step) -> int:
        keys = self.draft.texts.get(step.screen, {})
        if step.key not in keys:
            return 404
        if step.other != step.key and step.other in keys:
            return 409
        keys[step.other] = {**keys.pop(step.key), **step.values}
        return 200

    def _delete(self, step: Step) -> int:
        return 200 if self.draft.texts.get(step.screen, {}).pop(step.key, None) is not None else 404

    def _add_screen(self, step: Step) -> int:
        if step.screen in self.draft.texts:
            return 409
        if step.screen not in self._places:
            self._places.append(step.screen)
        texts = {**self.draft.texts, step.screen: {}}
        self.draft.texts = {screen: texts[screen] for screen in self._places if screen in texts}
        return 201

    def _remove_screen(self, step: Step) -> int:
        if step.screen == "general":
            return 409
        return 200 if self.draft.texts.pop(step.screen, None) is not None else 404

    def _set_color(self, step: Step) -> int:
        status = 200 if step.key in self.draft.colors else 201
        self.draft.colors[step.key] = step.color
        return status

    def _rename_color(self, step: Step) -> int:
        colors = self.draft.colors
        if step.key not in colors:
            return 404
        if step.other != step.key and step.other in colors:
            return 409
        colors[step.other] = colors.pop(step.key)
        return 200

    def _remove_color(self, step: Step) -> int:
        return 200 if self.draft.colors.pop(step.key, None) else 404

    def _publish(self, _step: Step) -> int:
        self.released = deepcopy(self.draft)
        self._places = list(self.draft.texts)
        return 200


async def send(desk: Desk, step: Step, model: Model) -> httpx2.Response:
    """The step as a dashboard sends it."""
    keys, colors = f"/translations/{{id}}/{step.screen}", "/colors/{id}"
    method, path, body = {
        "create": ("post", keys, {"key": step.key, "values": dict(step.values)}),
        "edit": ("put", f"{keys}/{step.key}", {"key": step.key, "values": dict(step.values)}),
        "rename": ("put", f"{keys}/{step.key}", {"key": step.other, "values": dict(step.values)}),
        "delete": ("delete", f"{keys}/{step.key}", None),
        "add_screen": ("post", "/projects/{id}/screens", {"name": step.screen}),
        "remove_screen": ("delete", f"/projects/{{id}}/screens/{step.screen}", None),
        "set_color": ("put", f"{colors}/{step.key}", {"value": step.color})
        if step.key in model.draft.colors
        else ("post", colors, {"key": step.key, "value": step.color}),
        "rename_color": ("put", f"{colors}/{step.key}", {"key": step.other}),
        "remove_color": ("delete", f"{colors}/{step.key}", None),
        "publish": ("post", "/translations/{id}/publish", {}),
    }[step.verb]
    if step.verb == "publish":
        body = {"expected": (await desk.diff())["token"]}
    return await desk.send(method.upper(), path, body)


async def check_counts(desk: Desk, model: Model) -> None:
    """Checks that what is shown as unpublished is unpublished, and that the count equals the diff."""
    unpublished, diff = (await desk.project())["unpublished"], await desk.diff()
    assert unpublished["total"] == diff["total"]
    assert (diff["total"] > 0) == model.is_changed()
    assert unpublished["screens"] == {screen["screen"]: max(screen["total"], 1) for screen in diff["screens"]}
    assert unpublished["colors"] == len(diff["colors"])
    assert all(key["values"] for screen in diff["screens"] for key in screen["keys"])


async def check_content(desk: Desk, model: Model, outcome: dict[str, Any]) -> None:
    """Checks that apps have what was released, in every language, and that nothing is unpublished."""
    assert model.released
    for language in LANGUAGES:
        content = await desk.content(language)
        assert (content["release"], content["language"]) == (outcome["release"], language)
        assert content["texts"] == model.released.served(language)
        assert content["colors"] == model.released.colors


async def check_draft(desk: Desk, model: Model) -> None:
    """The dashboard shows the draft, keys without texts too."""
    assert (await desk.project())["tabs"] == list(model.draft.texts)
    for screen, keys in model.draft.texts.items():
        shown = {key: {language: text for language, text in texts.items() if text} for key, texts in keys.items()}
        assert await desk.keys(screen) == shown


_owners: dict[int, LoggedIn] = {}


@pytest.mark.deep_on("postgresql")
@settings(
    max_examples=amount(main=5, deep=60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=6, max_size=22))
async def test_drafts_and_releases_do_what_the_model_does(
    context: Context, client: httpx2.AsyncClient, steps: list[Step]
) -> None:
    owner = _owners.get(id(context)) or await create_logged_in(context)
    _owners.clear()
    _owners[id(context)] = owner  # one application serves all examples; each has its own project
    desk = Desk(client, owner, await create_project(context, owner.actor, languages=LANGUAGES))
    model = Model()
    publish = Step("publish", "general", "a", "a", {}, "#000000")

    for step in [*steps, publish]:
        will_release = model.released is None or model.is_changed()
        response = await send(desk, step, model)
        assert response.status_code == model.apply(step), (step, response.text)
        await check_counts(desk, model)
        if step.verb == "publish":
            assert response.json()["published"] is will_release
            await check_content(desk, model, response.json())
    await check_draft(desk, model)
