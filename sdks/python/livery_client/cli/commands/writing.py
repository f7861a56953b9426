"""``push``, ``import``, ``diff`` and ``publish``: files of the app become the draft, and the draft becomes a release."""

import time
from argparse import ArgumentParser, ArgumentTypeError

from livery_client.cli.api import Api, segment
from livery_client.cli.command import Call, Command, Outcome
from livery_client.cli.contents import Draft, read_draft
from livery_client.cli.failure import Failure
from livery_client.cli.importing import Sending, Settings, lines_of, send, shown, sum_of, undo, with_plan
from livery_client.cli.locales import LocaleFile, find_locales
from livery_client.cli.project import api_of, config_of, delivery_of
from livery_client.content import Json

SECONDS = 60.0
_POLL_SECONDS = 0.5


def _sending(call: Call) -> Sending:
    take = ["new", "changed", "conflict"] if call.options.overwrite else ["new", "changed"]
    return Sending(take, call.options.dry_run, call.options.strict)


def _push(call: Call) -> Outcome:
    config = config_of(call)
    with api_of(call, config) as api:
        files = find_locales(call.terminal.folder, config, call.options.files)
        return send(api, Settings(config.project_id, call.options.format or config.format), files, _sending(call))


def _import(call: Call) -> Outcome:
    given, config = call.options, config_of(call)
    settings = Settings(config.project_id, given.format, given.screen, given.store, given.match)
    if given.undo and given.files:
        raise Failure('"--undo" takes no files.')
    if not given.undo and not given.files:
        raise Failure('Name the files to import. See "livery-client import --help".')
    with api_of(call, config) as api:
        if given.undo:
            undone = undo(api, settings, given.undo)
            return Outcome([undone["message"]], {"importId": given.undo, **undone})
        found = find_locales(call.terminal.folder, config, given.files)
        files = [
            LocaleFile(
                file.name,
                file.data,
                given.language or file.language,
                file.namespace if given.namespace is None else given.namespace,
            )
            for file in found
        ]
        return send(api, settings, files, _sending(call))


def _only_in_draft(draft: Draft, rows: list[Json]) -> list[Json]:
    present = {(row["screen"], row["key"], row["language"]) for row in rows}
    languages = {row["language"] for row in rows}
    return [
        {"key": f"{screen}.{key}", "language": language, "text": text}
        for screen, keys in draft.texts.items()
        for key, values in keys.items()
        for language, text in values.items()
        if text and language in languages and (screen, key, language) not in present
    ]


def _diff(call: Call) -> Outcome:
    config = config_of(call)

    def use(plan: Json, _import_id: str) -> tuple[bool, Outcome]:
        absent = _only_in_draft(draft, plan["rows"])
        rows = [row for row in plan["rows"] if row["state"] != "same"]
        lines = [
            *lines_of(plan),
            *(f"- {row['key']} [{row['language']}] {shown(row['text'])}" for row in absent),
            *sum_of(plan),
            *([f"{len(absent)} only in the draft."] if absent else []),
        ]
        json = {"counts": plan["counts"], "rows": rows, "onlyInDraft": absent}
        return False, Outcome(lines, json, int(bool(rows or absent)))

    with api_of(call, config) as api:
        files = find_locales(call.terminal.folder, config, call.options.files)
        draft = read_draft(api, config.project_id)
        return with_plan(api, Settings(config.project_id, call.options.format or config.format), files, use)


def _wait(delivery: Api, project_id: str, release: int, seconds: float) -> None:
    """Waits until apps are served the release, or a later release. Raises ``Failure`` after ``seconds``."""
    until = time.monotonic() + seconds
    while (delivery.get(f"/sdk/v1/{segment(project_id)}/content").get("release") or 0) < release:
        if time.monotonic() > until:
            raise Failure(f"Release {release} is published, but apps are not served it after {seconds:g} s.")
        time.sleep(_POLL_SECONDS)


def _publish(call: Call) -> Outcome:
    config = config_of(call)
    project = segment(config.project_id)
    with api_of(call, config) as api:
        changes = api.get(f"/api/projects/{project}/diff")
        total, release = changes["total"], changes["release"]
        if call.options.dry_run:
            json = {"total": total, "release": release, "published": False}
            return Outcome([f"{total} unpublished changes since release {release}."], json)
        done = api.post(f"/api/translations/{project}/publish", {"expected": changes["token"]})
    if call.options.wait:
        with delivery_of(call, config) as delivery:
            _wait(delivery, config.project_id, done["release"], call.options.timeout)
    served = " Apps are served it." if call.options.wait else ""
    json = {"release": done["release"], "published": done["published"], "total": total}
    return Outcome([f"{done['message']} Release {done['release']}, {total} changes.{served}"], json)


def _add_format(parser: ArgumentParser) -> None:
    parser.add_argument("--format", metavar="ID", help="the format; else the server finds it")


def _add_sending(parser: ArgumentParser) -> None:
    parser.add_argument("--overwrite", action="store_true", help="write over what a person wrote")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and write nothing")
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 on conflicts, too, not only on invalid texts"
    )


def _push_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help='locale files; else "locales" of livery.json finds them'
    )
    _add_format(parser)
    _add_sending(parser)


def _diff_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help='locale files; else "locales" of livery.json finds them'
    )
    _add_format(parser)


def _import_options(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of any format that the server reads")
    _add_format(parser)
    _add_sending(parser)
    parser.add_argument("--language", metavar="CODE", help="the language of the files; else their paths show it")
    parser.add_argument("--namespace", metavar="NAME", help='the namespace of the files; "" is the default namespace')
    parser.add_argument("--screen", metavar="NAME", help="put all texts into this screen")
    parser.add_argument(
        "--store", metavar="NAME", help="the files have items of the Data Store with this API identifier"
    )
    parser.add_argument("--match", metavar="FIELD", help='the field that finds the item of a row; else its "_id" does')
    parser.add_argument("--undo", metavar="ID", help="take what an import wrote out of the draft again")


def _seconds(given: str) -> float:
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ArgumentTypeError("it is a number of seconds")
    return seconds


def _publish_options(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show how many changes would be published")
    parser.add_argument("--wait", action="store_true", help="wait until apps are served the release")
    timeout = f"how long to wait; {SECONDS:g} without it"
    parser.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=SECONDS, help=timeout)


PUSH = Command(
    "push",
    "Write new keys and texts of locale files into the draft.",
    _push,
    _push_options,
    "A text that a person wrote is a conflict and stays; a text that an earlier push or import wrote is replaced.",
)
IMPORT = Command(
    "import", "Import files of any format that the server reads, or undo an import.", _import, _import_options
)
DIFF = Command(
    "diff",
    "Compare locale files with the draft. Exits with 1 if they differ.",
    _diff,
    _diff_options,
    "+ is only in the files, - only in the draft, ~ and ! differ, x is no valid text. The token needs `write`.",
)
PUBLISH = Command(
    "publish",
    "Publish the draft as the next release.",
    _publish,
    _publish_options,
    "What is published is the draft at the start. If it changes before the release is made, the server refuses.",
)
