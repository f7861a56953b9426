"""The addresses of package files."""

from typing import Annotated

from fastapi import Path, Response
from fastapi.responses import FileResponse, RedirectResponse

from livery.core import limits
from livery.core.context import CurrentContext
from livery.core.routing import Router
from livery.sdks import service
from livery.sdks.schemas import SdkPackages

router = Router(tags=["workspace"])

_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=31536000, immutable"}

FileName = Annotated[str, Path(alias="fileName", max_length=limits.ID_CHARACTERS)]


@router.get("/api/sdk-packages")
async def list_packages() -> SdkPackages:
    """List the SDK packages that this server hands out, for `npm install` and `pip install` with their addresses."""
    return SdkPackages(files=service.own_files())


@router.api_route("/sdk/{fileName}.tgz", methods=["GET", "HEAD"], include_in_schema=False)
async def read_package(file_name: FileName, context: CurrentContext) -> Response:
    """Returns a package file of this server or of an earlier server. A name without a version leads to the present file."""
    name = f"{file_name}.tgz"
    if current := service.current_file(name):
        return RedirectResponse(current, status_code=307, headers={"Cache-Control": "no-cache"})
    return await _read(name, "application/gzip", context)


@router.api_route("/sdk/{fileName}.whl", methods=["GET", "HEAD"], include_in_schema=False)
async def read_wheel(file_name: FileName, context: CurrentContext) -> Response:
    """Returns a wheel of this server or of an earlier server. Its name always has a version, which pip reads."""
    return await _read(f"{file_name}.whl", "application/zip", context)


async def _read(name: str, media_type: str, context: CurrentContext) -> Response:
    if name in service.own_files().values():
        return FileResponse(service.FOLDER / name, media_type=media_type, headers=_HEADERS)
    async with context.database.look() as db:
        return Response(await service.read_former(db, name), media_type=media_type, headers=_HEADERS)
