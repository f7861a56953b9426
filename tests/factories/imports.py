"""Imports of files, made through the API."""

import json
from typing import Any

import httpx2

from tests.factories.projects import Desk


async def begin_import(desk: Desk, *, screen: str | None = None) -> str:
    response = await desk.post("/projects/{id}/imports", {"screen": screen})
    assert response.status_code == 201, response.text
    return response.json()["_id"]


async def send_file(
    desk: Desk, import_id: str, name: str, content: object, *, project_id: str | None = None, **query: str
) -> httpx2.Response:
    """Adds a file to an import: bytes and texts as they are, anything else as JSON."""
    data = content if isinstance(content, bytes | str) else json.dumps(content, ensure_ascii=False)
    return await desk.client.post(
        f"/api/import-files/{project_id or desk.project_id}/{import_id}",
        params={"name": name, **query},
        content=data,
        headers={**desk.person.headers, "Content-Type": "application/octet-stream"},
    )


async def import_of(desk: Desk, files: dict[str, object], *, screen: str | None = None) -> str:
    """An import with these files, not applied."""
    import_id = await begin_import(desk, screen=screen)
    for name, content in files.items():
        response = await send_file(desk, import_id, name, content)
        assert response.status_code == 201, response.text
    return import_id


async def plan_of(desk: Desk, import_id: str) -> dict[str, Any]:
    response = await desk.get(f"/projects/{{id}}/imports/{import_id}/plan")
    assert response.status_code == 200, response.text
    return response.json()


async def apply(desk: Desk, import_id: str, **body: object) -> dict[str, Any]:
    response = await desk.post(f"/projects/{{id}}/imports/{import_id}/apply", body)
    assert response.status_code == 200, response.text
    return response.json()


async def undo(desk: Desk, import_id: str) -> dict[str, Any]:
    response = await desk.post(f"/projects/{{id}}/imports/{import_id}/undo")
    assert response.status_code == 200, response.text
    return response.json()


async def send_archive(desk: Desk, body: bytes, *, project_id: str | None = None) -> httpx2.Response:
    """Imports an archive of a whole project."""
    headers = {**desk.person.headers, "Content-Type": "application/octet-stream"}
    return await desk.client.post(
        f"/api/import-archives/{project_id or desk.project_id}", content=body, headers=headers
    )
