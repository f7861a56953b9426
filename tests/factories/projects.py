"""Makes projects and members for tests, and puts a person at work in a project, over HTTP."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2

from livery.accounts.schemas import Actor
from livery.core import clock
from livery.core.context import Context
from livery.projects import service
from livery.projects.access import open_project
from livery.projects.models import Member
from livery.projects.permissions import Permission, Role
from tests.factories.accounts import LoggedIn, create_logged_in
from tests.support.polling import ask_until

ENDLESS = frozenset({"none", "expired"})


async def create_project(
    context: Context,
    owner: Actor,
    *,
    name: str = "Aurora Travel",
    tier: str = "pro",
    languages: Sequence[str] = ("en",),
) -> str:
    """Returns the id of a project on a tier (for 30 days) with these languages, the first language as its default."""
    async with context.database.write() as db:
        project = await service.create_project(
            db, context.vault, owner, name=name, description="", default_language=languages[0]
        )
        until = None if tier in ENDLESS else clock.now() + timedelta(days=30)
        await service.set_tier(db, project, tier=tier, expires_at=until)
        access = await open_project(db, context.settings, owner, project.id, Permission.EDIT)
        for language in languages[1:]:
            await service.add_language(db, access, language=language)
        return project.id


async def put_on_tier(context: Context, owner: Actor, project_id: str, tier: str, *, days: float = 30) -> None:
    """Put a project on a tier that ends ``days`` from now."""
    async with context.database.write() as db:
        access = await open_project(db, context.settings, owner, project_id, Permission.MANAGE)
        await service.set_tier(db, access.project, tier=tier, expires_at=clock.now() + timedelta(days=days))


async def add_member(context: Context, project_id: str, user: Actor, role: Role) -> None:
    """Make a person a member without an invitation, so the row is written as it is: whatever the tier's seats."""
    async with context.database.write() as db:
        db.add(Member(project_id=project_id, user_id=user.id, role=role, created_at=clock.now()))


@dataclass(frozen=True)
class Desk:
    """A person at work in one project. Addresses may hold ``{id}``."""

    client: httpx2.AsyncClient
    person: LoggedIn
    project_id: str

    def at(self, person: LoggedIn) -> "Desk":
        """Somebody else's desk in the same project."""
        return Desk(self.client, person, self.project_id)

    async def get(self, path: str) -> httpx2.Response:
        return await self.send("GET", path, None)

    async def post(self, path: str, body: object = None) -> httpx2.Response:
        return await self.send("POST", path, body)

    async def put(self, path: str, body: object) -> httpx2.Response:
        return await self.send("PUT", path, body)

    async def delete(self, path: str) -> httpx2.Response:
        return await self.send("DELETE", path, None)

    async def send(self, method: str, path: str, body: object) -> httpx2.Response:
        """One call as this person."""
        url = "/api" + path.replace("{id}", self.project_id)
        if body is None:
            return await self.client.request(method, url, headers=self.person.headers)
        return await self.client.request(method, url, headers=self.person.headers, json=body)

    async def upload(
        self, path: str, fields: Mapping[str, str], data: bytes | None = None, *, name: str = "a.png", kind: str = ""
    ) -> httpx2.Response:
        """Send a form as this person: POST to the images, PUT to one of them."""
        url = "/api" + path.replace("{id}", self.project_id)
        files = {} if data is None else {"imageFile": (name, data, kind or "application/octet-stream")}
        form: dict[str, Any] = {**{field: (None, value) for field, value in fields.items()}, **files}
        method = "POST" if path.count("/") == 2 else "PUT"
        return await self.client.request(method, url, headers=self.person.headers, files=form)

    async def project(self) -> dict[str, Any]:
        """The project as this person sees it."""
        return _ok(await self.get("/projects/{id}"))

    async def diff(self) -> dict[str, Any]:
        """Returns the unpublished changes."""
        return _ok(await self.get("/projects/{id}/diff"))

    async def publish(self, expected: str | None = None) -> dict[str, Any]:
        """Publish; fails the test when that fails."""
        body = None if expected is None else {"expected": expected}
        return _ok(await self.post("/translations/{id}/publish", body))

    async def keys(self, screen: str) -> dict[str, dict[str, str]]:
        """The draft of a screen: texts by key and language."""
        body = _ok(await self.get(f"/translations/{{id}}/{screen}"))
        return {record["key"]: record["values"] for record in body["keys"]}

    async def text(self, key: str, values: Mapping[str, str], screen: str = "general") -> dict[str, Any]:
        """A new key."""
        return _ok(await self.post(f"/translations/{{id}}/{screen}", {"key": key, "values": dict(values)}))

    async def content(self, language: str) -> dict[str, Any]:
        """What apps get in a language, once delivery knows the newest release."""
        project = await self.project()
        headers = {"Authorization": f"Bearer {project['publishableKey']}"}
        url = f"/sdk/v1/{self.project_id}/content?lang={language}"

        async def ask() -> dict[str, Any]:
            return _ok(await self.client.get(url, headers=headers))

        return await ask_until(lambda body: body["release"] >= project["release"], ask)


def _ok(response: httpx2.Response) -> dict[str, Any]:
    assert response.is_success, (response.status_code, response.text)
    return response.json()


async def open_desk(
    context: Context,
    client: httpx2.AsyncClient,
    *,
    tier: str = "pro",
    languages: Sequence[str] = ("en",),
    email: str = "mara@example.com",
) -> Desk:
    """A new owner at work in a new project."""
    owner = await create_logged_in(context, email=email)
    project_id = await create_project(context, owner.actor, tier=tier, languages=languages)
    return Desk(client, owner, project_id)


async def join(context: Context, desk: Desk, role: Role) -> Desk:
    """A new member's desk in the same project."""
    person = await create_logged_in(context, email=f"{role}@example.com", name=role.capitalize())
    await add_member(context, desk.project_id, person.actor, role)
    return desk.at(person)


async def join_as(context: Context, desk: Desk, name: str, role: Role = "admin") -> Desk:
    """A new member's desk in the same project, of one of many with the same role."""
    person = await create_logged_in(context, email=f"{name}@example.com", name=name.capitalize())
    await add_member(context, desk.project_id, person.actor, role)
    return desk.at(person)
