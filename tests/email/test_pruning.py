"""What is old is deleted: mails that were sent, their files, sessions and links that are over, activity, the audit log, jobs, notifications."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from livery.accounts import jobs as accounts
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.accounts.models import MailToken, Session
from livery.activity import jobs as activity
from livery.activity.models import Activity, AuditEntry
from livery.ai import jobs as ai
from livery.ai.models import AiJob
from livery.billing import jobs as billing
from livery.billing.models import PaymentCallback
from livery.core import jobs as core
from livery.core.clock import now
from livery.core.context import Context
from livery.core.jobs import Sweep
from livery.core.settings import Settings
from livery.email import jobs as email
from livery.email.mailers import file_prefix
from livery.email.models import OutboxMail
from tests.factories.accounts import create_logged_in
from tests.factories.content import Studio
from tests.support.clock import Clock
from tests.support.mails import Mails


async def count(context: Context, table: type[OutboxMail | Session | MailToken | Activity | AuditEntry]) -> int:
    async with context.database.read() as db:
        return await db.scalar(select(func.count()).select_from(table)) or 0


async def run(sweeps: list[Sweep], name: str) -> None:
    await next(sweep for sweep in sweeps if sweep.name == name).run()


async def test_mails_that_were_sent_go_after_thirty_days_with_their_files(
    context: Context, mails: Mails, clock: Clock, settings: Settings
) -> None:
    await create_logged_in(context)
    await mails.sweep()
    folder = settings.outbox_dir
    folder.mkdir(parents=True, exist_ok=True)
    async with context.database.write() as db:
        for number, state in enumerate(("sent", "failed", "pending")):
            db.add(
                OutboxMail(
                    id=f"mail_{number}",
                    recipient="mara@example.com",
                    kind="verify",
                    sealed_context="",
                    state=state,
                    attempts=1,
                    due_at=now() + timedelta(days=99),
                    created_at=now(),
                )
            )
    old, other = folder / f"{file_prefix(now())}-mara@example.com-verify.eml", folder / "note.eml"
    for file in (old, other):
        file.write_text("x")
    await run(email.sweeps(context), "old_mails")
    assert await count(context, OutboxMail) == 3
    assert old.exists()

    clock.advance(days=31)
    await run(email.sweeps(context), "old_mails")
    async with context.database.read() as db:
        assert list(await db.scalars(select(OutboxMail.state))) == ["pending"]
    assert not old.exists()
    assert other.exists()


async def test_sessions_and_links_that_are_over_go(context: Context, clock: Clock) -> None:
    person = await create_logged_in(context)
    async with context.database.write() as db:
        db.add(
            MailToken(
                id="mtk_1",
                user_id=person.actor.id,
                kind="reset",
                token_digest="0" * 64,
                created_at=now(),
                expires_at=now() + timedelta(hours=1),
            )
        )
    await run(accounts.sweeps(context, KeyUses(), FailedLogins()), "old_sessions")
    assert (await count(context, Session), await count(context, MailToken)) == (1, 1)
    clock.advance(days=31)
    await run(accounts.sweeps(context, KeyUses(), FailedLogins()), "old_sessions")
    assert (await count(context, Session), await count(context, MailToken)) == (0, 0)


@pytest.mark.parametrize(("name", "table", "days"), [("old_activity", Activity, 731), ("old_audit", AuditEntry, 366)])
async def test_old_activity_and_audit_entries_go_in_portions(
    context: Context,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    table: type[Activity | AuditEntry],
    days: int,
) -> None:
    studio = await Studio.create(context)
    for number in range(7):
        await studio.add_key(f"key_{number}", {"en": "text"})
    before = await count(context, table)
    monkeypatch.setattr(core, "PRUNED_AT_ONCE", 3)
    await run(activity.sweeps(context), name)
    assert await count(context, table) == before > 6
    clock.advance(days=days)
    await studio.add_key("new", {"en": "text"})
    await run(activity.sweeps(context), name)
    assert await count(context, table) == 1


async def test_notifications_of_payments_and_translation_jobs_go_90_days_after_their_end(
    context: Context, clock: Clock
) -> None:
    studio = await Studio.create(context)
    job = {"project_id": studio.project_id, "language": "de", "reference_language": "en", "provider": "pseudo"}
    async with context.database.write() as db:
        for state, finished_at in (("done", now()), ("running", None)):
            counts = {"is_overwriting": False, "total": 1, "created_at": now(), "finished_at": finished_at}
            db.add(AiJob(id=f"job_{state}", state=state, **job, **counts))
            moments = {"due_at": now(), "created_at": now(), "updated_at": now()}
            callback_state = "refused" if finished_at else "pending"
            db.add(
                PaymentCallback(provider="sandbox", digest=state, body=b"", state=callback_state, attempts=1, **moments)
            )

    async def left_after(days: int) -> list[str]:
        clock.advance(days=days)
        await run(ai.sweeps(context), "ai_tidying")
        await run(billing.sweeps(context), "payment_tidying")
        async with context.database.read() as db:
            return sorted([*await db.scalars(select(AiJob.state)), *await db.scalars(select(PaymentCallback.state))])

    assert await left_after(90) == ["done", "pending", "refused", "running"]
    assert await left_after(1) == ["pending", "running"]


@pytest.mark.parametrize(
    ("setting", "left"), [("keep_activity_days", "old_audit"), ("keep_audit_days", "old_activity")]
)
async def test_records_that_are_kept_for_ever_have_no_sweep(
    context: Context, settings: Settings, setting: str, left: str
) -> None:
    kept = replace(context, settings=settings.model_copy(update={setting: 0}))
    assert [sweep.name for sweep in activity.sweeps(kept)] == [left]
