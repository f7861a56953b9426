"""The audit log as people read it: with the names of those who acted, page by page or as a file."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import date
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import DELETED, find_users
from livery.accounts.schemas import Actor
from livery.activity import audit, audit_queries
from livery.activity.audit_queries import AuditFilter
from livery.activity.models import AuditEntry
from livery.activity.schemas import AuditEntryView
from livery.core.db import Database
from livery.core.schemas import rfc3339
from livery.projects.queries import Access
from livery.workspace.schemas import AuditPerson

ExportFormat = Literal["csv", "json"]

_PORTION = 500
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_COLUMNS = (
    "id",
    "time",
    "actor kind",
    "actor",
    "email",
    "actor id",
    "address",
    "action",
    "code",
    "target",
    "before",
    "after",
    "cut",
    "request",
)


async def page(
    db: AsyncSession, access: Access, wanted: AuditFilter, *, limit: int, before_id: int | None
) -> list[AuditEntryView]:
    """Returns the newest entries of a project, newest first."""
    rows = await audit_queries.of_project(db, access.project.id, wanted, limit=limit, before_id=before_id)
    return _views(rows, await _people(db, rows))


async def own_page(db: AsyncSession, user: Actor, *, limit: int, before_id: int | None) -> list[AuditEntryView]:
    """Returns the newest acts on a person's own account, newest first."""
    rows = await audit_queries.of_account(db, user.id, limit=limit, before_id=before_id)
    return _views(rows, await _people(db, rows))


async def people(db: AsyncSession, access: Access) -> list[AuditPerson]:
    """Returns everybody who has an entry in a project's log, by name. Former members are among them."""
    ids = await audit_queries.actors_of(db, access.project.id)
    known = await find_users(db, ids)
    found = [
        AuditPerson(id=actor_id, name=_name(known.get(actor_id)), email=_email(known.get(actor_id))) for actor_id in ids
    ]
    return sorted(found, key=lambda person: (person.name.casefold(), person.id))


def note_export(db: AsyncSession, access: Access, wanted: AuditFilter, kind: ExportFormat) -> None:
    """Puts on record that somebody takes the log with them, and which part of it."""
    filters = {
        "actor": wanted.actor,
        "action": wanted.action,
        "from": rfc3339(wanted.since) if wanted.since else None,
        "to": rfc3339(wanted.until) if wanted.until else None,
        "text": wanted.text,
    }
    audit.write(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action="projects.audit_exported",
        subject={"format": kind.upper()},
        after={name: value for name, value in filters.items() if value is not None},
    )


def file_name(project_name: str, day: date, kind: ExportFormat) -> str:
    """Returns a name in ASCII that every system takes, such as ``audit-aurora-travel-2026-11-20.csv``."""
    plain = unicodedata.normalize("NFKD", project_name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60]
    return "-".join(filter(None, ["audit", words, day.isoformat()])) + f".{kind}"


async def export(database: Database, project_id: str, wanted: AuditFilter, kind: ExportFormat) -> AsyncGenerator[bytes]:
    """Yields the log as a file, newest first, in portions of 500 entries: memory does not grow with the log.

    Each portion is read in a transaction of its own, so a slow reader holds no connection. Entries that are written during the export are left out.
    JSON is one array with an entry a line; a file that broke off is no JSON, and so nobody takes it for the whole.
    """
    yield _csv([_COLUMNS]) if kind == "csv" else b"["
    async with database.read() as db:
        last = await audit_queries.newest_id(db, project_id) + 1
    known: dict[str, Actor] = {}
    is_first = True
    while True:
        async with database.read() as db:
            rows = await audit_queries.of_project(db, project_id, wanted, limit=_PORTION, before_id=last)
            known |= await find_users(db, {row.actor_id for row in rows if row.actor_id} - known.keys())
        views = _views(rows, known)
        if kind == "csv":
            yield _csv(_cells(view) for view in views)
        elif views:
            yield (b"\n" if is_first else b",\n") + ",\n".join(
                view.model_dump_json(by_alias=True) for view in views
            ).encode()
        is_first = False
        if len(rows) < _PORTION:
            break
        last = rows[-1].id
    if kind == "json":
        yield b"\n]\n"


async def _people(db: AsyncSession, rows: Sequence[AuditEntry]) -> dict[str, Actor]:
    return await find_users(db, {row.actor_id for row in rows if row.actor_id})


def _views(rows: Sequence[AuditEntry], known: dict[str, Actor]) -> list[AuditEntryView]:
    return [
        AuditEntryView.of(
            row,
            name=_name(known.get(row.actor_id)) if row.actor_id else None,
            email=_email(known.get(row.actor_id)),
        )
        for row in rows
    ]


def _name(person: Actor | None) -> str:
    return person.name if person else DELETED_NAME


def _email(person: Actor | None) -> str | None:
    return person.email if person and not person.email.startswith(DELETED) else None


def _cells(view: AuditEntryView) -> list[str | None]:
    return [
        view.id,
        rfc3339(view.timestamp),
        view.actor.kind,
        view.actor.name,
        view.actor.email,
        view.actor.id,
        view.address,
        view.action,
        view.code,
        view.target,
        _json(view.before),
        _json(view.after),
        "yes" if view.is_cut else "",
        view.request_id,
    ]


def _json(values: object) -> str:
    return "" if values is None else json.dumps(values, ensure_ascii=False)


def _csv(rows: Iterable[Iterable[str | None]]) -> bytes:
    """Returns rows of a CSV file. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    lines = io.StringIO()
    csv.writer(lines).writerows([_harmless(cell or "") for cell in row] for row in rows)
    return lines.getvalue().encode()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
