"""``pull``, ``types`` and ``export``: content of the project becomes files of the app."""

from argparse import ArgumentParser
from contextlib import nullcontext

from livery_client.cli.api import segment
from livery_client.cli.command import Call, Command, Outcome
from livery_client.cli.config import Config
from livery_client.cli.contents import read_draft, read_release, read_stores
from livery_client.cli.failure import Failure
from livery_client.cli.files import write_bytes
from livery_client.cli.project import api_of, config_of, delivery_of, find_api
from livery_client.cli.snapshots import Written, warn_of_draft, write_snapshots, write_types
from livery_client.content import Json


def _lines(files: Written, *, is_check: bool = False) -> list[str]:
    word = "Differs:" if is_check else "Wrote"
    same = [f"Unchanged: {', '.join(files.unchanged)}"] if files.unchanged else []
    stale = [
        f"{path} has a language that this content lacks: it was removed, or is not published yet."
        for path in files.stale
    ]
    return [*(f"{word} {path}" for path in files.written), *same, *stale]


def _read(call: Call, config: Config) -> tuple[list[Json], Json | None]:
    """Returns the contents, and with a token the fields of the stores."""
    if call.options.draft:
        with api_of(call, config) as api:
            return read_draft(api, config.project_id).contents, read_stores(api, config.project_id)
    with delivery_of(call, config) as delivery:
        contents = read_release(delivery, config.project_id)
    with find_api(call, config) or nullcontext() as api:
        return contents, read_stores(api, config.project_id) if api else None


def _pull(call: Call) -> Outcome:
    config, is_check = config_of(call), call.options.check
    contents, stores = _read(call, config)
    files = write_snapshots(call.terminal.folder, config, contents, stores, is_check=is_check)
    release, languages = contents[0].get("release"), [content["language"] for content in contents]
    head = f"{'The draft' if release is None else f'Release {release}'} in {', '.join(languages)}."
    status = int(is_check and bool(files.written or files.stale))
    json: Json = {"languages": languages, **files.json}
    if release is not None:
        json["release"] = release
    return Outcome([head, *_lines(files, is_check=is_check), *warn_of_draft(contents)], json, status)


def _types(call: Call) -> Outcome:
    files = write_types(call.terminal.folder, config_of(call))
    return Outcome(_lines(files), files.json)


def _export(call: Call) -> Outcome:
    given, config = call.options, config_of(call)
    if given.store and given.colors:
        raise Failure('Give "--colors" or "--store", not both.')
    if (given.store or given.colors) and given.language:
        raise Failure('"--language" is for texts only.')
    if given.store and given.release:
        raise Failure('"--release" is for texts and colours only.')
    what = f"stores/{segment(given.store)}" if given.store else "colors" if given.colors else "texts"
    languages: list[str] = given.language or []
    query = [("language", code) for code in languages]
    if given.format:
        query.append(("format", given.format))
    if given.release:
        query.append(("from", "release"))
    with api_of(call, config) as api:
        name, data = api.download(f"/api/projects/{segment(config.project_id)}/exports/{what}", query)
    # An archive under another ending would open in no program.
    is_archive = bool(given.output) and name.endswith(".zip") and not given.output.endswith(".zip")
    file = f"{given.output}.zip" if is_archive else given.output or name
    write_bytes(call.terminal.folder / file, data)
    return Outcome([f"{file} is written."], {"file": file, "bytes": len(data)})


def _pull_options(parser: ArgumentParser) -> None:
    parser.add_argument("--draft", action="store_true", help="read the draft, through the project token")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file would change")
    parser.add_argument("--server", metavar="URL", help="the address of the server; else that of livery.json")
    parser.add_argument("--project", metavar="ID", help="the project (prj_…); else that of livery.json")
    parser.add_argument("--key", help="the publishable key; else LIVERY_KEY, or that of livery.json")
    parser.add_argument("--output", metavar="FOLDER", help="the folder of the snapshots; else that of livery.json")


def _export_options(parser: ArgumentParser) -> None:
    parser.add_argument("--format", help="such as po, android, xliff2, csv; json without it")
    language = "only this language; may come several times"
    parser.add_argument("--language", metavar="CODE", action="append", help=language)
    parser.add_argument("--release", action="store_true", help="what apps have, in place of the draft")
    parser.add_argument("--colors", action="store_true", help="colours: css, tailwind, design_tokens, android, apple")
    parser.add_argument("--store", metavar="NAME", help="the items of a store: json, csv, xlsx")
    parser.add_argument("--output", metavar="FILE", help="the file to write; its usual name without it")


PULL = Command(
    "pull",
    "Write a snapshot of the release for each language, and the module of typed keys.",
    _pull,
    _pull_options,
    "The release is read with the publishable key, else with the project token. The fields of stores need the token; "
    "without it they stay as the last pull with a token wrote them.",
)
TYPES = Command("types", "Write the module of typed keys from the snapshots alone.", _types)
EXPORT = Command(
    "export",
    "Write texts, colours or the items of a store to a file.",
    _export,
    _export_options,
    "Several files come as a ZIP archive. A file REMARKS.txt in it has what the format can't keep.",
)
