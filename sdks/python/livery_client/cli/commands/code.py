"""``extract`` and ``check``: the code of the app against the texts of the project."""

from argparse import ArgumentParser

from livery_client.cli import checking
from livery_client.cli.command import Call, Command, Outcome
from livery_client.cli.contents import read_draft
from livery_client.cli.files import to_json, write_if_changed
from livery_client.cli.importing import Sending, Settings, send
from livery_client.cli.keys import screens_of
from livery_client.cli.locales import LocaleFile
from livery_client.cli.project import api_of, config_of, read_project
from livery_client.cli.scanning import Scan, scan
from livery_client.cli.snapshots import read_snapshots, warn_of_draft
from livery_client.content import Json


def _found(found: Scan) -> tuple[dict[str, str], list[str]]:
    """The default texts by key, empty without a default text, and the keys with several default texts, of which the first is taken."""
    texts: dict[str, str] = {}
    differing: set[str] = set()
    for use in found.uses:
        if use.key is None:
            continue
        known = texts.get(use.key)
        if not known:
            texts[use.key] = use.fallback
        elif use.fallback and use.fallback != known:
            differing.add(use.key)
    return texts, sorted(differing)


def _extract(call: Call) -> Outcome:
    given, config = call.options, config_of(call)
    found = scan(call.terminal.folder, config)
    texts, differing = _found(found)
    warnings = [f"{key} has several default texts; the first is taken." for key in differing]
    count = f"{len(texts)} keys in {found.files} files."
    if given.output:
        write_if_changed(call.terminal.folder / given.output, to_json(texts))
    if given.push:
        with api_of(call, config) as api:
            language = given.language or read_project(api, config.project_id)["defaultLanguage"]
            known = to_json({key: text for key, text in texts.items() if text})
            file = LocaleFile("extracted.json", known.encode(), language, "")
            sending = Sending(["new"], given.dry_run)
            sent = send(api, Settings(config.project_id, "json_flat"), [file], sending)
        json = {"texts": texts, "differing": differing, "push": sent.json}
        return Outcome([*warnings, count, *sent.lines], json, sent.status)
    rows = [f"Wrote {given.output}", count] if given.output else [to_json(texts).rstrip()]
    return Outcome([*warnings, *rows], {"texts": texts, "differing": differing})


def _typed(contents: list[Json]) -> dict[str, tuple[str, str]]:
    return {key.key: (screen.id, key.id) for screen in screens_of(contents) for key in screen.keys}


def _check(call: Call) -> Outcome:
    config = config_of(call)
    found = scan(call.terminal.folder, config)
    if call.options.draft:
        with api_of(call, config) as api:
            draft = read_draft(api, config.project_id)
        contents, untranslated = draft.contents, checking.find_untranslated(draft)
    else:
        contents, untranslated = read_snapshots(call.terminal.folder, config), []
    texts = checking.texts_by_key(contents)
    every = [
        *checking.check_uses(found.uses, texts),
        *checking.find_unused(found, _typed(contents), texts),
        *checking.find_missing_languages(contents),
        *untranslated,
    ]
    kept = [finding for finding in every if finding.kind not in (call.options.skip or [])]
    findings = checking.leave_out(kept, [*config.ignore, *(call.options.ignore or [])])
    rows = [
        f"{f'{finding.file}:{finding.line}: ' if finding.file else ''}{finding.message} ({finding.kind})"
        for finding in findings
    ]
    note = f" {found.computed} computed names were not checked." if found.computed else ""
    word = "finding" if len(findings) == 1 else "findings"
    count = f"{len(findings)} {word} in {found.files} files and {len(texts)} texts.{note}"
    json = {"files": found.files, "keys": len(texts), "computed": found.computed}
    hints = [] if call.options.draft else warn_of_draft(contents)
    return Outcome(
        [*rows, *hints, count], {**json, "findings": [finding.json for finding in findings]}, 1 if findings else 0
    )


def _extract_options(parser: ArgumentParser) -> None:
    parser.add_argument("--output", metavar="FILE", help="write the keys into this JSON file")
    parser.add_argument("--push", action="store_true", help="write new keys with a default text into the draft")
    parser.add_argument(
        "--language", metavar="CODE", help="the language of the default texts; else the project's default"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what a push would change, and write nothing")


def _check_options(parser: ArgumentParser) -> None:
    draft = "compare with the draft, through the token; finds missing translations"
    parser.add_argument("--draft", action="store_true", help=draft)
    ignore = 'leave out keys, as in "legacy.*"; may come several times'
    parser.add_argument("--ignore", metavar="PATTERN", action="append", help=ignore)
    skip = f"leave out a kind of finding; may come several times. Kinds: {', '.join(checking.KINDS)}"
    parser.add_argument("--skip", metavar="KIND", action="append", choices=checking.KINDS, help=skip)


EXTRACT = Command(
    "extract",
    "Find the keys of the code with their default texts.",
    _extract,
    _extract_options,
    "A push writes texts of keys that have no text; it never changes a text.",
)
CHECK = Command(
    "check",
    "Find unknown and unused keys, missing parameters and missing translations.",
    _check,
    _check_options,
    "Without --draft the snapshots of pull are read. In them a missing translation has the text of the default language, "
    "so missing translations are found with --draft only.",
)
