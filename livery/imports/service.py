"""The verbs of imports: begin, add and remove files, plan, apply and undo."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

import zstandard
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from livery.activity.subjects import Subject
from livery.core import clock, limits
from livery.core.errors import Conflict, Invalid, NotFound
from livery.core.ids import new_id
from livery.core.spoken import spoken_count
from livery.formats import color_reading, item_reading, paths, registry
from livery.formats.model import FileText, FormatId, Remark, TextFile
from livery.imports import writing
from livery.imports.models import Import, ImportFile
from livery.imports.planning import make_plan
from livery.imports.plans import Plan, ReadFile, Row
from livery.imports.schemas import Applied, ApplyBody, FileKind, ImportFileView, ImportView, Undone
from livery.projects.acts import record_change
from livery.projects.queries import Access, screens_of
from livery.projects.screen_names import normalise
from livery.stores import queries as stores
from livery.stores.importing import check_match

STALE = "The draft changed since you looked at this import. Look at it again."
NOT_OPEN = "This import was applied already."


def kind_of(format_id: FormatId) -> FileKind:
    """Returns what files of a format have."""
    if any(one.id == format_id for one in color_reading.FORMATS):
        return "colors"
    return "items" if any(one.id == format_id for one in item_reading.FORMATS) else "texts"


def language_of(name: str, given: str | None) -> str | None:
    """Returns the language of a file that does not name its language: the ``given`` language, or that of its path."""
    return given or paths.language_of(name)


def namespace_of(name: str, format_id: FormatId, given: str | None) -> str | None:
    """Returns the namespace of a file: the ``given`` namespace (empty for the default), or that of a path that also has the language."""
    if given is not None:
        return given or None
    return (
        None if registry.has_many_languages(format_id) or paths.language_of(name) is None else paths.namespace_of(name)
    )


async def begin(db: AsyncSession, access: Access, *, screen: str | None) -> ImportView:
    """Begins an import. Raises ``Invalid`` for a screen that is neither there nor possible."""
    if screen is not None and screen not in await screens_of(db, access.project.id):
        screen = normalise(screen, field="screen")
    found = Import(
        id=new_id("imp"),
        project_id=access.project.id,
        state="open",
        screen=screen,
        texts=0,
        undo=None,
        created_at=clock.now(),
        created_by=access.actor.id,
        applied_at=None,
    )
    db.add(found)
    await db.flush()
    return view_of(found, [])


async def add_file(
    db: AsyncSession,
    access: Access,
    import_id: str,
    *,
    name: str,
    read: tuple[FormatId, TextFile],
    language: str | None,
    namespace: str | None,
    store: str | None,
    match: str | None,
) -> ImportFileView:
    """Adds a file that was read. Items belong to the ``store`` with this API identifier, and ``match`` names the field that finds them.

    Raises ``Invalid`` about ``store`` and ``match``. Raises ``NotFound``, and ``Conflict`` for an import that was applied, with too many files, or
    too many texts.
    """
    found = await find_open(db, access.project.id, import_id)
    store_id = await _store_of(db, access, store, match)
    files = await files_of(db, import_id)
    format_id, texts = read
    if len(files) >= limits.IMPORT_FILES:
        raise Conflict(f"An import has at most {limits.IMPORT_FILES} files.", code="too_many_files")
    if sum(file.texts for file in files) + len(texts.texts) > limits.IMPORT_TEXTS:
        raise Conflict(f"An import has at most {limits.IMPORT_TEXTS:,} texts.", code="too_many_texts")
    row = ImportFile(
        import_id=found.id,
        number=max((file.number for file in files), default=0) + 1,
        name=name,
        format=format_id,
        language=language if kind_of(format_id) == "texts" and not registry.has_many_languages(format_id) else None,
        namespace=namespace if kind_of(format_id) == "texts" else None,
        store_id=store_id,
        match_field=match,
        texts=len(texts.texts),
        body=_packed(
            {"texts": [_fields(text) for text in texts.texts], "remarks": [_fields(one) for one in texts.remarks]}
        ),
    )
    db.add(row)
    await db.flush()
    return file_view(row)


async def _store_of(db: AsyncSession, access: Access, api_identifier: str | None, match: str | None) -> str | None:
    if api_identifier is None:
        if match is not None:
            raise Invalid.field("match", "Name the Data Store of the items, too.")
        return None
    store = await stores.find_by_identifier(db, access.project.id, api_identifier)
    if store is None:
        raise Invalid.field("store", f'There is no Data Store "{api_identifier}" in this project.')
    if match is not None:
        check_match(store, match)
    return store.id


async def remove_file(db: AsyncSession, access: Access, import_id: str, number: int) -> None:
    """Takes a file out of an open import. Raises ``NotFound`` and ``Conflict``."""
    await find_open(db, access.project.id, import_id)
    gone = delete(ImportFile).where(ImportFile.import_id == import_id, ImportFile.number == number)
    if not (await db.scalars(gone.returning(ImportFile.number))).all():
        raise NotFound("This import has no such file.", code="file_not_found")


async def plan(db: AsyncSession, access: Access, import_id: str) -> Plan:
    """Returns what an import would do to the draft at this moment. Raises ``NotFound``."""
    found = await find_import(db, access.project.id, import_id)
    files = [_read_of(file) for file in await files_of(db, import_id)]
    return await make_plan(db, access, files, found.screen)


async def apply(db: AsyncSession, access: Access, import_id: str, body: ApplyBody) -> Applied:
    """Writes the chosen rows of the plan into the draft, in one transaction, and keeps what an undo needs.

    Raises ``NotFound``, ``Forbidden`` at the limit of screens, and ``Conflict`` for an import that was applied or a ``token`` of an older plan.
    """
    found = await find_open(db, access.project.id, import_id)
    made = await plan(db, access, import_id)
    if body.token is not None and body.token != made.token:
        raise Conflict(STALE, code="stale_import")
    done = await writing.write(db, access, made, _chosen(made.rows, body))
    found.state, found.applied_at, found.texts = "applied", clock.now(), done.counts.all
    found.undo = _packed(done.undo)
    names = [file.name for file in await files_of(db, import_id)]
    after = {"files": names[:20], "newScreens": list(done.new_screens), **asdict(done.counts)}
    await record_change(db, access, "imports.applied", done.counts.subject, after=after)
    return Applied(message=f"Imported {done.counts.spoken}.", new_screens=list(done.new_screens), **asdict(done.counts))


def _chosen(rows: Sequence[Row], body: ApplyBody) -> list[Row]:
    also, left_out = set(body.also), set(body.leave_out)
    take = set[str](body.take)
    return [
        row
        for row in rows
        if row.state not in {"same", "invalid"}
        and row.number not in left_out
        and (row.state in take or row.number in also)
    ]


async def undo(db: AsyncSession, access: Access, import_id: str) -> Undone:
    """Takes the texts of an applied import out of the draft, but for texts that somebody changed since. Screens stay.

    Raises ``NotFound``, and ``Conflict`` for an import that was not applied or was undone.
    """
    found = await find_import(db, access.project.id, import_id)
    if found.state != "applied" or found.undo is None:
        raise Conflict(
            "This import can't be undone: it was not applied, or it was undone already.", code="nothing_to_undo"
        )
    kept = await writing.take_back(db, access, cast("Mapping[str, Any]", _unpacked(found.undo)))
    files = await files_of(db, import_id)
    kinds = {kind_of(file.format) for file in files}
    noun = {"texts": "text", "colors": "colour", "items": "item"}[kinds.pop()] if len(kinds) == 1 else "change"
    found.state, found.undo = "undone", None
    subject: Subject = {"texts": found.texts - kept} if noun == "text" else {"changes": found.texts - kept}
    await record_change(db, access, "imports.undone", subject)
    message = f"Took {spoken_count(found.texts - kept, noun)} back. Apps change with the next publish."
    if kept:
        message += f" {spoken_count(kept, noun)} stayed, since somebody changed them."
    return Undone(message=message, kept=kept)


async def find_import(db: AsyncSession, project_id: str, import_id: str) -> Import:
    """Returns an import of the project. Raises ``NotFound``."""
    found = await db.get(Import, import_id)
    if found is None or found.project_id != project_id:
        raise NotFound("There is no such import. Imports are kept for seven days.", code="import_not_found")
    return found


async def find_open(db: AsyncSession, project_id: str, import_id: str) -> Import:
    """Returns an import that was not applied. Raises ``NotFound`` and ``Conflict``."""
    found = await find_import(db, project_id, import_id)
    if found.state != "open":
        raise Conflict(NOT_OPEN, code="import_applied")
    return found


async def files_of(db: AsyncSession, import_id: str) -> Sequence[ImportFile]:
    """Returns the files of an import in the order in which they were added."""
    query = select(ImportFile).where(ImportFile.import_id == import_id).order_by(ImportFile.number)
    return (await db.scalars(query)).all()


async def list_imports(db: AsyncSession, project_id: str, limit: int) -> list[ImportView]:
    """Returns the newest imports of a project with a file."""
    has_file = select(func.count()).where(ImportFile.import_id == Import.id).scalar_subquery() > 0
    query = select(Import).where(Import.project_id == project_id, has_file)
    rows = (await db.scalars(query.order_by(Import.created_at.desc(), Import.id).limit(limit))).all()
    of_rows = (
        select(ImportFile).where(ImportFile.import_id.in_([row.id for row in rows])).options(defer(ImportFile.body))
    )
    files: dict[str, list[ImportFile]] = {row.id: [] for row in rows}
    for file in await db.scalars(of_rows.order_by(ImportFile.number)):
        files[file.import_id].append(file)
    return [view_of(row, files[row.id]) for row in rows]


def view_of(found: Import, files: Sequence[ImportFile]) -> ImportView:
    """Returns an import as the API shows it."""
    return ImportView.model_validate(
        {
            "id": found.id,
            "state": found.state,
            "screen": found.screen,
            "files": [file_view(file) for file in files],
            "texts": found.texts,
            "created_by": found.created_by,
            "created_at": found.created_at,
            "applied_at": found.applied_at,
        }
    )


def file_view(file: ImportFile) -> ImportFileView:
    """Returns a file as the API shows it."""
    return ImportFileView(
        number=file.number,
        name=file.name,
        format=file.format,
        language=file.language,
        namespace=file.namespace,
        kind=kind_of(file.format),
        store=file.store_id,
        match=file.match_field,
        texts=file.texts,
    )


def _fields(value: FileText | Remark) -> list[object]:
    return list(asdict(value).values())


def _read_of(file: ImportFile) -> ReadFile:
    body = cast("Mapping[str, list[list[Any]]]", _unpacked(file.body))
    texts = [FileText(*text) for text in body["texts"]]
    return ReadFile(
        number=file.number,
        kind=kind_of(file.format),
        language=file.language,
        namespace=file.namespace,
        store_id=file.store_id,
        match=file.match_field,
        entries=texts,
        remarks=[Remark(*one) for one in body["remarks"]],
    )


def _packed(value: object) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(json.dumps(value, ensure_ascii=False).encode())


def _unpacked(data: bytes) -> object:
    return json.loads(zstandard.ZstdDecompressor().decompress(data))
