"""The verbs of the audit log: write an entry in the transaction of the act, forget what is old. Entries are never changed or merged."""

from datetime import datetime

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.audit_values import Values, fit_values
from livery.activity.models import Activity, AuditEntry
from livery.activity.sentences import target_of
from livery.activity.subjects import Subject, fit_subject
from livery.core import clock
from livery.core.db import Database
from livery.core.jobs import prune_rows
from livery.core.origin import Origin, current


def write(
    db: AsyncSession,
    *,
    action: str,
    actor_id: str,
    project_id: str | None = None,
    account_id: str | None = None,
    subject: Subject | None = None,
    before: Values | None = None,
    after: Values | None = None,
    origin: Origin | None = None,
    at: datetime | None = None,
) -> None:
    """Adds an entry to the transaction of the act: both are committed, or neither is.

    An act in no project is an act on an account: that of ``account_id``, or the actor's own. ``actor_id`` is empty for the server, its operator
    and a person whom nobody knows. ``before`` and ``after`` have the values that changed. Equal values are left out, secret keys are masked, and
    each side is cut to 2,000 characters. ``origin`` and ``at`` are for an act that
    happened earlier than the transaction.
    """
    origin = origin or current()
    subject = fit_subject(subject or {})
    old, new, is_cut = fit_values(before, after)
    db.add(
        AuditEntry(
            project_id=project_id,
            account_id=(account_id or actor_id or None) if project_id is None else None,
            actor_kind=origin.kind,
            actor_id=actor_id,
            action=action,
            subject=subject,
            search_text=target_of(action, subject),
            address=origin.address[:64] if origin.address else None,
            request_id=origin.request_id,
            before=old,
            after=new,
            is_cut=is_cut,
            created_at=at or clock.now(),
        )
    )


async def forget_account(db: AsyncSession, account_id: str) -> None:
    """Takes addresses, subjects and values out of the entries and activities of an account that is closed.

    Its acts in projects stay as they are.
    """
    await db.flush()
    mine = update(AuditEntry).where(AuditEntry.account_id == account_id)
    await db.execute(
        mine.values(address=None, subject={}, search_text="", before=None, after=None),
        execution_options={"synchronize_session": False},
    )
    shown = update(Activity).where(Activity.project_id.is_(None), Activity.actor_id == account_id)
    await db.execute(shown.values(subject={}), execution_options={"synchronize_session": False})


async def prune(database: Database, before: datetime) -> None:
    """Deletes entries older than ``before``."""
    await prune_rows(database, AuditEntry, AuditEntry.created_at < before)
