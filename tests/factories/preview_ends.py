"""What ends a preview link whose maker is an editor: operations of the project's owner."""

from collections.abc import Awaitable, Callable

import httpx2

from tests.factories.projects import Desk

Operation = Callable[[Desk, Desk], Awaitable[httpx2.Response]]


async def lower(desk: Desk, editor: Desk) -> httpx2.Response:
    return await desk.put(f"/projects/{{id}}/members/{editor.person.actor.id}", {"role": "viewer"})


async def remove(desk: Desk, editor: Desk) -> httpx2.Response:
    return await desk.delete(f"/projects/{{id}}/members/{editor.person.actor.id}")


async def delete_project(desk: Desk, _editor: Desk) -> httpx2.Response:
    return await desk.delete("/projects/{id}")
