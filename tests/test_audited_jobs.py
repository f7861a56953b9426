"""Each sweep that acts in somebody's project or account leaves an entry of a job in the audit log. Or the reason why not is here."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress

import pytest
from sqlalchemy import select

from livery.activity.models import AuditEntry
from livery.app import Application
from livery.core.context import Context
from livery.worker import sweeper
from tests.factories.accounts import create_pending_user
from tests.factories.projects import Desk, create_project, open_desk, put_on_tier
from tests.factories.schedules import create_schedule, let_time_come
from tests.support.live_server import LiveServer, free_port, live_server
from tests.support.mails import Mails
from tests.support.polling import ask_until

ACTING = {
    "schedules": "publishing.published",
    "ai_jobs": "ai.translation_finished",
    "plans": "billing.plan_expired",
    "user_verified": "projects.member_joined",
    "payment_callbacks": "billing.invoice_paid",
}
SILENT = {
    "invoice_checks": "asks the provider; a payment has the same entry as by a callback",
    "failed_logins": "writes what people did, in their name and with their addresses",
    "quotas": "mails the owner, and changes nothing",
    "forgotten_plans": "sets when the owner is told next",
    "sandbox_notifications": "plays the payment provider",
    **dict.fromkeys(("account_letters", "email", "analytics"), "sends what others decided"),
    **dict.fromkeys(("key_uses", "usage", "page_views"), "writes counts"),
    **dict.fromkeys(("search", "images"), "keeps an index, and files that nobody uses"),
    "sdk_packages": "keeps the packages of this version",
    **dict.fromkeys(
        (
            "edge_batches",
            "old_sessions",
            "old_rates",
            "old_mails",
            "old_activity",
            "old_audit",
            "payment_tidying",
            "ai_tidying",
            "deleted_releases",
            "imports",
        ),
        "deletes what is old, as the settings say",
    ),
}


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with free_port() as listener:
        yield listener


@pytest.fixture
def settings_overrides(listener: socket.socket) -> dict[str, object]:
    """The payment sandbox asks its server at the public address."""
    return {"public_url": "", "port": listener.getsockname()[1], "rate_limits": "off"}


@pytest.fixture
async def live(app: Application, listener: socket.socket) -> AsyncIterator[LiveServer]:
    async with live_server(app, listener) as server:
        yield server


@pytest.fixture
async def desk(context: Context, live: LiveServer) -> Desk:
    return await open_desk(context, live.client, languages=("en", "de"))


async def entries_of_jobs(context: Context) -> Sequence[AuditEntry]:
    async with context.database.read() as db:
        return (await db.scalars(select(AuditEntry).where(AuditEntry.actor_kind == "job"))).all()


async def make_work(desk: Desk, context: Context, mails: Mails) -> None:
    """Something to do for each sweep that acts."""
    await desk.text("title", {"en": "Welcome"})
    await let_time_come(context, await create_schedule(desk))
    fill = {"referenceLanguage": "en", "allTabs": False}
    assert (await desk.post("/translations/{id}/general/de/auto-translate", fill)).is_success
    ended = await create_project(context, desk.person.actor)
    await put_on_tier(context, desk.person.actor, ended, "starter", days=-1)
    assert (await desk.post("/projects/{id}/members", {"email": "pending@example.com"})).is_success
    await create_pending_user(context)
    token = (await mails.last(to="pending@example.com", kind="verify")).token
    assert (await desk.client.post(f"/api/auth/verify-email/{token}")).is_success
    invoice = (await desk.post("/payments/create-invoice", {"months": 10})).json()["invoice"]
    paying = await desk.client.post(f"/sandbox-pay/{invoice['url'].rsplit('/', 1)[1]}/pay")
    assert paying.status_code == 303


async def test_the_audit_log_records_the_work_of_sweeps_with_a_job_as_actor(
    app: Application, context: Context, desk: Desk, mails: Mails
) -> None:
    await make_work(desk, context, mails)
    assert await entries_of_jobs(context) == []
    work = sweeper(
        context,
        meter=app.meter,
        key_uses=app.key_uses,
        failed_logins=app.failed_logins,
        page_views=app.page_views,
        forwarder=app.forwarder,
    )
    context.bus.subscribe(work.wake)

    running = asyncio.create_task(work.run())
    entries = await ask_until(
        lambda found: {entry.action for entry in found} >= set(ACTING.values()), lambda: entries_of_jobs(context)
    )
    tasks = {task.get_name() for task in asyncio.all_tasks()}
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert {entry.action for entry in entries} == set(ACTING.values())
    assert {(entry.address, entry.request_id) for entry in entries} == {(None, None)}
    sweeps = {name.removeprefix("sweep ") for name in tasks if name.startswith("sweep ")}
    assert sweeps == ACTING.keys() | SILENT.keys(), "say what a new sweep leaves in the audit log"
