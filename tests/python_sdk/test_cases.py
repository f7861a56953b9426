"""Runs the shared cases of sdks/spec/cases with the Python SDK: what every Livery SDK does, as data."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest
from fake_platform import EVENTS, FakePlatform, FakeStorage, settled

from livery_client.cache import Kept, Shelf
from livery_client.content import merge_patch, read_body
from livery_client.core import Client, Options
from livery_client.events import EventParser
from livery_client.messages import format_message
from livery_client.stores import NotFetchedError

Json = dict[str, Any]
PROJECT = "prj_test"
BASE = "https://livery.test"
FILES = sorted((Path(__file__).parents[2] / "sdks/spec/cases").glob("*.json"))
CASES = [
    pytest.param(case, id=f"{file.stem[:2]} {case['name']}")
    for file in FILES
    for case in json.loads(file.read_text())["cases"]
]


def whole(body: Json, language: str = "en") -> Json:
    """Cases write only what matters to them."""
    release = (
        int(str(body["version"]).rpartition(".")[2]) if str(body.get("version", "")).rpartition(".")[2].isdigit() else 0
    )
    rest: Json = {"languages": ["en", "de"], "texts": {}, "colors": {}, "images": {}, "stores": {}}
    return {"projectId": PROJECT, "release": release, "language": language, **rest, **body}


def refusal(status: int) -> str:
    return json.dumps({"message": "It is refused.", "code": "refused"}) if status >= 400 else ""


class Run:
    def __init__(self, given: Json, chance: float) -> None:
        self.given = given
        self.storage = FakeStorage()
        self.platform = FakePlatform(chance, self.storage)
        self.changes = 0
        self.answers: dict[str, Any] = {}
        self.asking: set[asyncio.Task[None]] = set()
        cache = given.get("cache")
        if cache:
            language = cache.get("language") or given.get("options", {}).get("language", "en")
            content = read_body(whole(cache["body"], language), PROJECT)
            assert content, "the case's cache is no content"
            shelf = Shelf(self.platform, self.storage, BASE, PROJECT, lambda key, message: None)
            shelf.save(language, Kept(content, cache.get("etag")))
            if "damage" in cache:
                self.damage(f"livery:{PROJECT}:{language}", cache["damage"])
        self.client = self.create()

    def create(self) -> Client:
        bundle, given = self.given.get("bundle"), dict(self.given.get("options", {}))
        fallback = bundle if bundle is None or "version" not in bundle else whole(bundle)
        if given.pop("cache", True) is False:
            self.platform.storage = None
        options: Json = {"project_id": PROJECT, "key": "lvp_test", "base_url": BASE, "language": "en", **given}
        options["fallback"] = () if fallback is None else (fallback,)
        client = Client(Options(**options), self.platform)
        client.subscribe(lambda change: self.count())
        client.connect()
        return client

    def count(self) -> None:
        self.changes += 1

    def damage(self, key: str, damage: Json) -> None:
        record = self.storage.records[key]
        at = int(len(record) * (damage.get("cut") or damage.get("flip") or 0))
        if "cut" in damage:
            record = record[:at]
        elif "flip" in damage:
            record = f"{record[:at]}\x01{record[at + 1 :]}"
        elif "swap" in damage:
            before, after = damage["swap"]
            record = record.replace(before, after, 1)
        else:
            record = damage["replace"]
        self.storage.records[key] = record

    async def step(self, step: Json) -> None:
        for name, value in step.items():
            handler = getattr(self, f"do_{name}")
            result = handler(value)
            if asyncio.iscoroutine(result):
                await result
            await self.platform.advance(0)

    # --- the server ---------------------------------------------------------------------------------------------------

    def do_serve(self, given: Json) -> None:
        status, body = given.get("status", 200), given.get("body")
        content = body and (body if "patch" in body else whole(body))
        text = given.get("text", json.dumps(content) if content else refusal(status))
        self.platform.serve(status, _lower(given.get("headers", {})), text + " " * given.get("pad_bytes", 0))

    def do_serve_page(self, given: Json) -> None:
        status, body = given.get("status", 200), given.get("body")
        self.platform.serve(status, {}, given.get("text", json.dumps(body) if body else refusal(status)), "store")

    async def do_stream(self, pieces: str | list[str]) -> None:
        request = self.platform.waiting("stream")
        if request:
            self.platform.answer(request, 200, EVENTS, None)
        await settled()
        for piece in [pieces] if isinstance(pieces, str) else pieces:
            self.platform.open_stream().body.push(piece.encode())

    def do_stream_answer(self, given: Json) -> None:
        request = self.platform.waiting("stream")
        assert request, "no stream request is under way"
        text = given.get("text", refusal(given["status"]))
        self.platform.answer(request, given["status"], _lower(given.get("headers", {})), text.encode())

    def do_stream_end(self, _: object) -> None:
        self.platform.open_stream().body.end()

    def do_net(self, net: str) -> None:
        self.platform.set_net(net)

    # --- the device ---------------------------------------------------------------------------------------------------

    async def do_advance_ms(self, milliseconds: float) -> None:
        await self.platform.advance(milliseconds / 1000)

    def do_wall_jump_ms(self, milliseconds: float) -> None:
        self.platform.wall_offset += milliseconds / 1000

    def do_storage(self, mode: str) -> None:
        self.storage.mode = mode

    def do_visible(self, value: bool) -> None:
        self.client.lifecycle("visible" if value else "hidden")

    def do_online(self, value: bool) -> None:
        self.client.lifecycle("online" if value else "offline")

    # --- the app ------------------------------------------------------------------------------------------------------

    def do_ask(self, store: str) -> None:
        self.answers.pop(store, None)

        async def ask() -> None:
            try:
                self.answers[store] = await self.client.store(store).items()
            except NotFetchedError:
                self.answers[store] = None

        task = asyncio.get_running_loop().create_task(ask())
        self.asking.add(task)
        task.add_done_callback(self.asking.discard)

    def do_watch(self, store: str) -> None:
        self.client.store(store).subscribe(self.count)

    def do_set_language(self, language: str) -> None:
        self.client.switch(language)

    def do_activate(self, _: object) -> None:
        self.client.activate()

    def do_end_preview(self, _: object) -> None:
        self.client.end_preview()

    def do_restart(self, _: object) -> None:
        self.client.close()
        self.client = self.create()

    def do_close(self, _: object) -> None:
        self.client.close()

    async def do_expect(self, expected: list[Json]) -> None:
        for one in expected:
            await self.check(one)

    # --- what is expected ---------------------------------------------------------------------------------------------

    async def check(self, expected: Json) -> None:
        name: str = next(iter(expected))
        value: Any = expected[name]
        reader = self.client.reader
        given = as_list(value)
        match name:
            case "text":
                assert reader.text(*read_arguments(*given)) == expected["is"], expected
            case "color":
                assert reader.color(given[0], given[1] if len(given) > 1 else None) == expected["is"], expected
            case "image":
                image = reader.image(value)
                assert (image.url if image else None) == expected["is"], expected
            case "items":
                assert self.client.store(value).current == expected["is"], expected
            case "answer":
                assert self.answers.get(value) == expected["is"], expected
            case "next_delay_ms":
                await self.check_delay(expected["of"], *value)
            case "last_content" | "last_store" | "last_stream":
                seen = self.last(name.removeprefix("last_"))
                assert {key: seen[key] for key in value} == value, expected
            case "requests":
                assert {kind: len(self.platform.of(kind)) for kind in value} == value, expected
            case _:
                assert self.state(name) == value, expected

    def state(self, name: str) -> Any:
        client, content = self.client, self.client.content
        match name:
            case "texts" | "version":
                return content and getattr(content, name)
            case "colors":
                return dict(client.reader.colors())
            case "warnings":
                return len(self.platform.warnings)
            case "changes":
                return self.changes
            case "stored":
                return len([key for key in self.storage.records if key.startswith(f"livery:{PROJECT}:")])
            case "preview":
                return client.preview is not None
            case "language" | "direction":
                return getattr(client.reader, name)
            case _:
                assert name in {"state", "pending"}, f"unknown expectation {name}"
                return getattr(client, name)

    def last(self, kind: str) -> Json:
        request = self.platform.of(kind)[-1]
        _, store, name = request.path.partition("/stores/")
        return {
            **{key: request.query.get(key) for key in ("lang", "channel", "preview", "cursor", "since")},
            "store": name if store else None,
            "etag": request.headers.get("if-none-match"),
            "last_event_id": request.headers.get("last-event-id"),
        }

    async def check_delay(self, kind: str, least: float, most: float) -> None:
        before, start = len(self.platform.of(kind)), self.platform.now()
        await self.platform.advance((most + 1) / 1000, lambda: len(self.platform.of(kind)) > before)
        assert len(self.platform.of(kind)) > before, f"no request of {kind} came"
        assert (self.platform.now() - start) * 1000 >= least - 1


def as_list(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, list) else [value]


def read_arguments(key: str, params: Any = None, option: Any = None) -> tuple[str, Json | None, str | None]:
    """The arguments of ``t`` in TypeScript, where a default may be in the place of the parameters, or an option."""
    if isinstance(params, str):
        return key, None, params
    return key, params, option if option is None or isinstance(option, str) else option["default"]


def _lower(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def check_function(given: Json) -> None:
    if "message" in given:
        message = given["message"]
        assert format_message(message["text"], message.get("params"), message.get("language", "en")) == given["is"]
    elif "merge" in given:
        assert merge_patch(given["merge"]["target"], given["merge"]["patch"]) == given["is"]
    else:
        events = given["events"]
        pieces = [bytes(piece) for piece in events.get("bytes", [])]
        pieces += [chunk.encode() for chunk in events.get("chunks", [])]
        pieces += [bytes([byte]) for byte in events.get("every_byte", "").encode()]
        parser = EventParser()
        found = [[event.type, event.data] for piece in pieces for event in parser.feed(piece)]
        seen = {"events": found, "id": parser.last_id, "retry": parser.retry}
        assert {key: seen[key] for key in given["is"]} == given["is"]


async def test_a_client_that_a_listener_closes_leaves_no_timer() -> None:
    run = Run({}, 0.5)
    run.client.subscribe(lambda change: run.client.close())
    await run.platform.advance(0)

    run.do_serve({"body": {"version": "e1.1"}})
    await run.platform.advance(0)

    assert run.client.state == "closed"
    assert not run.platform.timers
    assert not run.platform.tasks


@pytest.mark.parametrize("given", CASES)
async def test_a_shared_case(given: Json) -> None:
    if "is" in given:
        check_function(given)
        return
    # Windows of time must hold at both ends of chance.
    for chance in [given["random"]] if "random" in given else [0.0002, 0.5, 0.999999]:
        run = Run(given, chance)
        await run.platform.advance(0)
        for step in given.get("steps", []):
            await run.step(step)
        await run.do_expect(given.get("expect", []))
        run.client.close()
        await settled()
        assert not run.platform.timers, "timers left after close"
        assert not run.platform.tasks | run.asking, "tasks left after close"
