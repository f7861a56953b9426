"""Holds the server to the shared cases of the SDKs: how it reads their messages, and which patches it makes of their contents."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from livery.content.parts import COLORS, Meta, text_part
from livery.core import messages
from livery.delivery import content
from livery.publishing.schemas import ReleaseState
from tests.support.event_stream import merge_patch

Json = dict[str, Any]
FILES = sorted((Path(__file__).parents[2] / "sdks/spec/cases").glob("*.json"))
CASES: list[Json] = [case for file in FILES for case in json.loads(file.read_text())["cases"]]
LANGUAGE = "en"
TEXTS, COLORS_OF_APPS = TypeAdapter(dict[str, dict[str, str]]), TypeAdapter(dict[str, str])


def test_the_files_are_numbered_without_gaps() -> None:
    assert [int(file.name.partition("-")[0]) for file in FILES] == list(range(1, len(FILES) + 1))


def test_the_server_reads_the_messages_of_the_cases_as_apps_do() -> None:
    wrong: list[str] = []
    count = 0
    for case in CASES:
        if "message" not in case:
            continue
        count += 1
        text: str = case["message"]["text"]
        params: Json = case["message"].get("params") or {}
        try:
            nodes = messages.parse(text)
        except messages.Malformed:
            if case["is"] != text:
                wrong.append(case["name"])
            continue
        names = {node.name for node in nodes if isinstance(node, messages.Argument | messages.Choice)}
        is_filled = any(params.get(name) is not None for name in names)
        if is_filled == (case["is"] == text) or "".join(node.source for node in nodes) != text:
            wrong.append(case["name"])
    assert wrong == []
    assert count > 80


def releases_of(case: Json) -> Iterator[tuple[Json, Json]]:
    """The contents before and after each release that a stream of the case brings, where both are plain."""
    held: Json | None = case.get("cache", {}).get("body")
    for step in case.get("steps", ()):
        served = step.get("serve", {})
        if served.get("status", 200) == 200 and "body" in served:
            held = served["body"]
        pieces: list[str] | str = step.get("stream", [])
        for event in "".join(pieces).split("\n\n"):
            data = event.partition("data: ")[2]
            if "event: release\n" not in event or held is None or not data.startswith("{") or not data.endswith("}"):
                continue
            told = json.loads(data)
            if (
                told.get("from") != held.get("version")
                or "version" not in told
                or not isinstance(told.get("patch"), dict)
            ):
                continue
            after = cast("Json", merge_patch(held, told["patch"])) | {"version": told["version"]}
            if is_plain(held) and is_plain(after):
                yield held, after
            held = after


def is_plain(body: Json) -> bool:
    """Whether a server could have these texts and colours."""
    try:
        texts = TEXTS.validate_python(body.get("texts", {}))
        COLORS_OF_APPS.validate_python(body.get("colors", {}))
    except ValidationError:
        return False
    return all(keys and all(keys.values()) for keys in texts.values())


def state_of(body: Json, bodies: Json, release: int) -> ReleaseState:
    """The release that the server would have for this content. The values of its parts come into ``bodies``."""
    texts: Json = {text_part(screen, LANGUAGE): keys for screen, keys in body.get("texts", {}).items()}
    values = texts | {COLORS: {key: {"value": value} for key, value in body.get("colors", {}).items()}}
    hashes = {name: json.dumps(value, sort_keys=True) for name, value in values.items()}
    bodies |= {part_hash: values[name] for name, part_hash in hashes.items()}
    return ReleaseState("prj_test", release, Meta(LANGUAGE, (LANGUAGE,), tuple(body.get("texts", {}))), hashes)


def test_the_server_makes_patches_for_the_contents_of_the_cases() -> None:
    wrong: list[str] = []
    count = 0
    for case in CASES:
        for before, after in releases_of(case):
            count += 1
            bodies: Json = {}
            old, new = state_of(before, bodies, 1), state_of(after, bodies, 2)
            patch = content.patch(old, new, LANGUAGE, content.touched_screens(old, new, LANGUAGE), bodies)
            found = merge_patch({"texts": before.get("texts", {}), "colors": before.get("colors", {})}, patch)
            if found != {"texts": after.get("texts", {}), "colors": after.get("colors", {})}:
                wrong.append(case["name"])
    assert wrong == []
    assert count > 30
