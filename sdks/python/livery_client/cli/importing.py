"""Imports: files become a plan on the server, and the plan becomes texts, colours and items of the draft."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from livery_client.cli.api import Api, segment
from livery_client.cli.command import Outcome
from livery_client.cli.failure import Failure
from livery_client.cli.locales import LocaleFile
from livery_client.content import Json

Result = TypeVar("Result")

_SIGNS = {"new": "+", "changed": "~", "conflict": "!", "invalid": "x"}
_SHOWN = 60


@dataclass(frozen=True)
class Settings:
    """How the server reads the files. ``store`` is the API identifier of a Data Store, ``match`` the field that finds the item of a row."""

    project_id: str
    format: str | None = None
    screen: str | None = None
    store: str | None = None
    match: str | None = None

    @property
    def path(self) -> str:
        """The address of the project's imports."""
        return f"/api/projects/{segment(self.project_id)}/imports"


@dataclass(frozen=True)
class Sending:
    """What becomes of a plan: ``take`` has the states that are written."""

    take: Sequence[str]
    is_dry_run: bool = False
    is_strict: bool = False


def with_plan(
    api: Api, settings: Settings, files: Sequence[LocaleFile], use: Callable[[Json, str], tuple[bool, Result]]
) -> Result:
    """Sends the files, and calls ``use`` with the plan and its id.

    ``use`` returns whether it applied the plan, and the result. If it did not, the files are taken out of the server again.
    """
    import_id: str = api.post(settings.path, {"screen": settings.screen})["_id"]
    numbers: list[int] = []
    is_applied = False
    try:
        for file in files:
            path = f"/api/import-files/{segment(settings.project_id)}/{segment(import_id)}"
            query = {"format": settings.format, "store": settings.store, "match": settings.match}
            sent = api.send(path, file.data, name=file.name, language=file.language, namespace=file.namespace, **query)
            numbers.append(sent["number"])
        is_applied, result = use(api.get(f"{settings.path}/{segment(import_id)}/plan"), import_id)
        return result
    finally:
        # A file that stays is listed as an open import for a week: no reason to hide what went wrong before.
        for number in [] if is_applied else numbers:
            with suppress(Failure):
                api.remove(f"{settings.path}/{segment(import_id)}/files/{number}")


def _apply(api: Api, settings: Settings, import_id: str, plan: Json, take: Sequence[str]) -> Json:
    """Writes the rows in these states. The server refuses if the draft changed since the plan was read."""
    return api.post(f"{settings.path}/{segment(import_id)}/apply", {"take": list(take), "token": plan["token"]})


def undo(api: Api, settings: Settings, import_id: str) -> Json:
    """Takes what an import wrote out of the draft again."""
    return api.post(f"{settings.path}/{segment(import_id)}/undo")


def shown(text: str) -> str:
    """A text in a single line of at most 60 characters."""
    line = json.dumps(text, ensure_ascii=False)
    return f'{line[:_SHOWN]}…"' if len(line) > _SHOWN else line


def _name(row: Json) -> str:
    if row["kind"] == "items":
        return row["name"] or row["place"]
    if row["kind"] == "colors":
        return row["key"] or row["name"]
    return row["name"] if row["screen"] is None or row["key"] is None else f"{row['screen']}.{row['key']}"


def _line(row: Json) -> str:
    before = f"{shown(row['before'])} → " if row["before"] and row["before"] != row["text"] else ""
    place = f"{row['place']}: " if row["state"] == "invalid" and row["place"] else ""
    note = f" ({place}{row['note']})" if row["note"] else ""
    language = f" [{row['language'] or '?'}]" if row["kind"] == "texts" else ""
    return f"{_SIGNS[row['state']]} {_name(row)}{language} {before}{shown(row['text'])}{note}"


def lines_of(plan: Json) -> list[str]:
    """Returns a line for each row that differs: what it does to the draft, or why it can't."""
    # A language that the project lacks has a line in the sum.
    rows = [row for row in plan["rows"] if row["state"] in _SIGNS and row["problem"] != "unknown_language"]
    return [*map(_line, rows), *(f"- {remark['name']}: {remark['sentence']}" for remark in plan["remarks"])]


def sum_of(plan: Json) -> list[str]:
    """Returns the new screens, the languages that the project lacks, and the number of rows in each state."""
    counts = plan["counts"]
    screens = [f"New screens: {', '.join(plan['newScreens'])}."] if plan["newScreens"] else []
    lacking = ", ".join(plan["unknownLanguages"])
    languages = (
        [f"Languages that the project lacks: {lacking}. Add them in the dashboard: their texts are not written."]
        if lacking
        else []
    )
    conflicts = "conflict" if counts["conflict"] == 1 else "conflicts"
    numbers = f"{counts['new']} new, {counts['changed']} changed, {counts['conflict']} {conflicts}"
    return [*screens, *languages, f"{numbers}, {counts['invalid']} invalid, {counts['same']} the same."]


def send(api: Api, settings: Settings, files: Sequence[LocaleFile], sending: Sending) -> Outcome:
    """Sends the files as an import. Conflicts are texts of the draft that a person wrote."""

    def use(plan: Json, import_id: str) -> tuple[bool, Outcome]:
        counts = plan["counts"]
        has_open = {state: state not in sending.take and counts[state] > 0 for state in ("invalid", "conflict")}
        is_needed = not sending.is_dry_run and any(counts[state] for state in sending.take)
        applied = _apply(api, settings, import_id, plan, sending.take) if is_needed else None
        if applied:
            end = f'{applied["message"]} Take it back with "livery-client import --undo {import_id}".'
        elif sending.is_dry_run:
            end = "Nothing was written: this is a dry run."
        else:
            end = "Nothing was written: there is nothing new."
        hint = (
            ['Conflicts (!) stay as they are in the draft. "--overwrite" writes them.'] if has_open["conflict"] else []
        )
        written = {kind: applied[kind] if applied else 0 for kind in ("texts", "colors", "items")}
        kept = {name: plan[name] for name in ("counts", "newScreens", "unknownLanguages", "remarks")}
        rows = [row for row in plan["rows"] if row["state"] != "same"]
        own = {"importId": import_id} if applied else {}
        status = int(has_open["invalid"] or (sending.is_strict and has_open["conflict"]))
        outcome = Outcome(
            [*lines_of(plan), *sum_of(plan), end, *hint], {**own, **written, **kept, "rows": rows}, status
        )
        return applied is not None, outcome

    return with_plan(api, settings, files, use)
