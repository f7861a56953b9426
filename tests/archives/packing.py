"""Archives of projects as tests receive, change and pack them."""

import hashlib
import io
import json
import zipfile

from tests.factories.projects import Desk

Files = dict[str, bytes]
"""The files of an archive by their paths."""


async def download(desk: Desk) -> bytes:
    response = await desk.get("/projects/{id}/exports/archive?history=true")
    assert response.status_code == 200, response.text
    return response.content


def files_of(archive: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(files: Files, *, is_listed: bool = True) -> bytes:
    """The files as an archive, whose list has their true hashes."""
    if is_listed and "livery.json" in files:
        summary = json.loads(files["livery.json"])
        for one in summary["files"]:
            if one["path"] in files:
                one["sha256"] = hashlib.sha256(files[one["path"]]).hexdigest()
        files = files | {"livery.json": json.dumps(summary).encode()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()
