"""The calls of imports."""

import json
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response, status

from livery.core import limits
from livery.core.context import CurrentContext, Read, Write
from livery.core.errors import TooLarge
from livery.core.octets import FILE_BODY, check_octets
from livery.core.paths import FileNumber, ImportId
from livery.core.reference.statuses import errors
from livery.core.routing import Router
from livery.core.schemas import Message
from livery.formats import color_reading, item_reading, registry
from livery.imports import service
from livery.imports.plans import Plan
from livery.imports.reading import FileReader
from livery.imports.schemas import (
    Applied,
    ApplyBody,
    CreateImportBody,
    Formats,
    FormatView,
    ImportFileView,
    Imports,
    ImportView,
    PlanRow,
    PlanView,
    Undone,
)
from livery.projects.dependencies import EditorOf, EditorReading, check_access, requires
from livery.projects.permissions import Permission
from livery.projects.queries import Access

UPLOADS = "/api/import-files"
_LISTED = 50
_SHOWN = tuple(PlanRow.model_fields)

router = Router(prefix="/api", tags=["imports"])


async def get_reader(request: Request) -> FileReader:
    """Returns the reader of files of this application, made on first use."""
    found = getattr(request.app.state, "file_reader", None)
    if not isinstance(found, FileReader):
        found = request.app.state.file_reader = FileReader()
    return found


CurrentReader = Annotated[FileReader, Depends(get_reader)]


@router.get("/formats")
async def list_formats() -> Formats:
    """List the formats that files of texts, colours and items can have."""
    return Formats(
        formats=[
            FormatView(
                id=one.id,
                kind=service.kind_of(one.id),
                label=one.label,
                extensions=list(one.extensions),
                has_many_languages=one.has_many_languages,
            )
            for one in (*registry.FORMATS, *color_reading.FORMATS, *item_reading.FORMATS)
        ]
    )


@router.get("/projects/{projectId}/imports")
async def list_imports(access: EditorReading, db: Read) -> Imports:
    """List the imports of the last seven days that have files, the newest first, at most 50."""
    return Imports(imports=await service.list_imports(db, access.project.id, _LISTED))


@router.post("/projects/{projectId}/imports", status_code=status.HTTP_201_CREATED, responses=errors(409))
async def begin_import(access: EditorOf, db: Write, body: CreateImportBody) -> ImportView:
    """Begin an import. Add files to it, look at its plan, then apply it. Nothing of the draft changes before that."""
    return await service.begin(db, access, screen=body.screen)


@router.post(
    "/import-files/{projectId}/{importId}",
    status_code=status.HTTP_201_CREATED,
    openapi_extra=FILE_BODY,
    responses=errors(409, 413, 415),
)
async def add_file(
    access: Annotated[Access, requires(Permission.EDIT, check_access)],
    _: Annotated[None, Depends(check_octets)],
    import_id: ImportId,
    request: Request,
    context: CurrentContext,
    reader: CurrentReader,
    name: Annotated[str, Query(min_length=1, max_length=limits.FILE_NAME_CHARACTERS, examples=["locales/de.json"])],
    file_format: Annotated[
        str | None, Query(alias="format", max_length=limits.GIVEN_FORMAT_CHARACTERS, examples=["i18next"])
    ] = None,
    language: Annotated[str | None, Query(max_length=limits.LANGUAGE_CODE_CHARACTERS, examples=["de"])] = None,
    namespace: Annotated[str | None, Query(max_length=limits.NAMESPACE_CHARACTERS, examples=["common"])] = None,
    store: Annotated[str | None, Query(max_length=limits.GIVEN_NAME_CHARACTERS, examples=["destinations"])] = None,
    match: Annotated[str | None, Query(max_length=limits.FIELD_NAME_CHARACTERS, examples=["slug"])] = None,
) -> ImportFileView:
    """Add a file to an import: its bytes are the body. ``name`` is its path. It gives the language and the namespace, unless the call gives them.

    An empty ``namespace`` is the default namespace. With ``store`` (an API identifier), the file has items of that Data Store. The field ``match``
    then finds the item of each row; without it, the ``_id`` of the row does. Files of colours are recognised by name and content.
    """
    data = await _read_body(request)
    known = service.language_of(name, language)
    read = await reader.read(data, name=name, format_id=file_format, language=known, has_items=store is not None)
    found = service.namespace_of(name, read[0], namespace)
    async with context.database.write() as db:
        return await service.add_file(
            db, access, import_id, name=name, read=read, language=known, namespace=found, store=store, match=match
        )


@router.delete("/projects/{projectId}/imports/{importId}/files/{fileNumber}", responses=errors(409))
async def remove_file(access: EditorOf, db: Write, import_id: ImportId, number: FileNumber) -> Message:
    """Take a file out of an import that was not applied."""
    await service.remove_file(db, access, import_id, number)
    return Message(message="The file was removed.")


@router.get("/projects/{projectId}/imports/{importId}")
async def read_import(access: EditorReading, db: Read, import_id: ImportId) -> ImportView:
    """Read an import and its files."""
    found = await service.find_import(db, access.project.id, import_id)
    return service.view_of(found, await service.files_of(db, import_id))


@router.get("/projects/{projectId}/imports/{importId}/plan", response_model=PlanView)
async def read_plan(access: EditorReading, db: Read, import_id: ImportId) -> Response:
    """Read what an import would do to the draft at this moment: every text, colour and item of its files with its state."""
    found = await service.plan(db, access, import_id)
    return Response(json.dumps(_shown(found), ensure_ascii=False), media_type="application/json")


@router.post("/projects/{projectId}/imports/{importId}/apply", responses=errors(403, 409))
async def apply_import(access: EditorOf, db: Write, import_id: ImportId, body: ApplyBody) -> Applied:
    """Write the chosen rows of an import into the draft. All or nothing is written. Apps get it with the next publish."""
    return await service.apply(db, access, import_id, body)


@router.post("/projects/{projectId}/imports/{importId}/undo", responses=errors(409))
async def undo_import(access: EditorOf, db: Write, import_id: ImportId) -> Undone:
    """Take what an import wrote out of the draft again, but for what somebody changed since."""
    return await service.undo(db, access, import_id)


async def _read_body(request: Request) -> bytes:
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > limits.IMPORT_FILE_BYTES:
            raise TooLarge(
                f"A file has at most {limits.megabytes(limits.IMPORT_FILE_BYTES)}. Divide it into several files."
            )
    return bytes(found)


def _shown(plan: Plan) -> dict[str, Any]:
    states = [row.state for row in plan.rows]
    return {
        "token": plan.token,
        "counts": {state: states.count(state) for state in ("new", "same", "changed", "conflict", "invalid")},
        "newScreens": plan.new_screens,
        "unknownLanguages": plan.unknown_languages,
        "rows": [{name: getattr(row, name) for name in _SHOWN} for row in plan.rows],
        "remarks": [
            {"file": number, "place": one.place, "name": one.name, "sentence": one.sentence}
            for number, one in plan.remarks
        ],
    }
