"""Checks every invariant of the data. Reads only; each check gives a sentence for each thing that is wrong."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import User
from livery.accounts.queries import is_closed
from livery.ai.models import AiBatch, AiFailure, AiJob
from livery.billing.invoices import reference
from livery.billing.models import CreditBalance, Entitlement, Invoice, LedgerEntry, Payment
from livery.core import clock
from livery.projects.models import Invitation, Member, Project, ProjectKey, Transfer
from livery.projects.plan_ends import is_forgotten
from livery.publishing.kinds import KINDS
from livery.search.queries import check_search
from livery.usage.models import QuotaMark, UsageDay
from livery.workspace.fsck_images import check_images
from livery.workspace.fsck_releases import RELEASE_CHECKS
from livery.workspace.fsck_schedules import check_schedules

Problems = AsyncGenerator[str]
Check = Callable[[AsyncSession], Problems]


async def check_all(db: AsyncSession, report: Callable[[str], Awaitable[None]] | None = None) -> list[str]:
    """Returns every problem found; an empty list means that all invariants hold."""
    found: list[str] = []
    for check in CHECKS:
        async for problem in check(db):
            found.append(problem)
            if report:
                await report(problem)
    return found


async def check_owners(db: AsyncSession) -> Problems:
    """Checks that each project has one owner, who exists, whose account is open while the project lives, and who is no member row."""
    orphans = await db.execute(select(Project.id).outerjoin(User, User.id == Project.owner_id).where(User.id.is_(None)))
    for project_id in orphans.scalars():
        yield f"{project_id}: its owner does not exist"
    closed = select(Project.id).join(User, User.id == Project.owner_id)
    for project_id in (await db.execute(closed.where(Project.deleted_at.is_(None), is_closed()))).scalars():
        yield f"{project_id}: its owner closed the account"
    doubles = await db.execute(
        select(Project.id).join(Member, (Member.project_id == Project.id) & (Member.user_id == Project.owner_id))
    )
    for project_id in doubles.scalars():
        yield f"{project_id}: its owner is a member too"


async def check_members(db: AsyncSession) -> Problems:
    """Checks that each member row joins a project and a person that exist, whose account is open."""
    rows = await db.execute(
        select(Member.project_id, Member.user_id)
        .outerjoin(Project, Project.id == Member.project_id)
        .outerjoin(User, User.id == Member.user_id)
        .where(Project.id.is_(None) | User.id.is_(None) | is_closed())
    )
    for project_id, user_id in rows:
        yield f"{project_id}: its member {user_id} is nobody any more"


async def check_invitations(db: AsyncSession) -> Problems:
    """Checks that each invitation is of a project and by a person that exist, and that nobody is invited to what they have."""
    orphans = await db.execute(
        select(Invitation.id)
        .outerjoin(Project, Project.id == Invitation.project_id)
        .outerjoin(User, User.id == Invitation.invited_by)
        .where(Project.id.is_(None) | User.id.is_(None))
    )
    for invitation_id in orphans.scalars():
        yield f"invitation {invitation_id}: its project or its sender does not exist"
    is_in = (Project.owner_id == User.id) | (Member.user_id == User.id)
    needless = await db.execute(
        select(Invitation.project_id, Invitation.id)
        .join(Project, Project.id == Invitation.project_id)
        .join(User, User.email == Invitation.email)
        .outerjoin(Member, (Member.project_id == Invitation.project_id) & (Member.user_id == User.id))
        .where(Invitation.ended_at.is_(None), is_in)
    )
    for project_id, invitation_id in needless:
        yield f"{project_id}: invitation {invitation_id} waits for somebody who is in already"


async def check_transfers(db: AsyncSession) -> Problems:
    """Checks that a project that is offered to somebody lives, and that they are an admin of it."""
    rows = await db.execute(
        select(Transfer.project_id)
        .outerjoin(Project, Project.id == Transfer.project_id)
        .outerjoin(Member, (Member.project_id == Transfer.project_id) & (Member.user_id == Transfer.to_user_id))
        .where(
            Project.id.is_(None) | Project.deleted_at.is_not(None) | Member.role.is_(None) | (Member.role != "admin")
        )
    )
    for project_id in rows.scalars():
        yield f"{project_id}: it is offered to somebody who is no admin of it"


async def check_project_keys(db: AsyncSession) -> Problems:
    """Checks that each living project has a key for apps."""
    key = select(ProjectKey.project_id).where(ProjectKey.kind == "publishable", ProjectKey.ended_at.is_(None))
    keyless = select(Project.id).where(Project.deleted_at.is_(None), Project.id.not_in(key))
    for project_id in (await db.execute(keyless)).scalars():
        yield f"{project_id}: no publishable key works"


async def check_drafts(db: AsyncSession) -> Problems:
    """Checks that the drafts keep the rules of each kind of content."""
    for kind in KINDS:
        async for problem in kind.problems(db):
            yield problem


async def check_ledger(db: AsyncSession) -> Problems:
    """Checks that a balance is the sum of its entries, never below zero, and that each entry has the balance after it."""
    sums: dict[str, int] = defaultdict(int)
    entries = await db.stream(
        select(LedgerEntry.user_id, LedgerEntry.amount, LedgerEntry.balance_after).order_by(LedgerEntry.id)
    )
    async for user_id, amount, balance_after in entries:
        sums[user_id] += amount
        if sums[user_id] != balance_after or balance_after < 0:
            yield f"{user_id}: an entry has the balance {balance_after} where the sum is {sums[user_id]}"
    for user_id, balance in await db.execute(select(CreditBalance.user_id, CreditBalance.balance)):
        if sums[user_id] != balance:
            yield f"{user_id}: has {balance} credits where the ledger's sum is {sums[user_id]}"


async def check_usage(db: AsyncSession) -> Problems:
    """Checks that usage belongs to a project, and so do the notices that owners got of it."""
    known = select(Project.id)
    for query, problem in (
        (select(UsageDay.project_id).where(UsageDay.project_id.not_in(known)), "has usage but does not exist"),
        (select(QuotaMark.project_id).where(QuotaMark.project_id.not_in(known)), "has quota marks but does not exist"),
    ):
        for project_id in (await db.execute(query.distinct())).scalars():
            yield f"{project_id}: {problem}"


async def find_future(db: AsyncSession) -> Problems:
    """Finds usage, and warnings about it, of days that no time zone has reached. A clock that was wrong wrote them; the data is whole."""
    tomorrow = clock.now().date() + timedelta(days=1)
    for day, project, kind in (
        (UsageDay.day, UsageDay.project_id, "usage"),
        (QuotaMark.month, QuotaMark.project_id, "a warning about usage"),
    ):
        query = select(project, func.max(day)).where(day > tomorrow).group_by(project).order_by(project)
        for project_id, last in await db.execute(query):
            yield f"{project_id}: has {kind} of {last}, a day in the future. The clock of the server was wrong."


async def check_entitlements(db: AsyncSession) -> Problems:
    """Checks that what an operator allows is allowed to a person who exists."""
    query = select(Entitlement.user_id).where(Entitlement.user_id.not_in(select(User.id)))
    for user_id in (await db.execute(query)).scalars():
        yield f"{user_id}: has entitlements but does not exist"


async def check_plan_ends(db: AsyncSession) -> Problems:
    """Checks that the given part of a plan is not longer than the plan, and that owners will get a notice of each end."""
    longer = select(Project.id).where(
        (Project.granted_until > Project.tier_expires_at)
        | (Project.granted_until.is_not(None) & Project.tier_expires_at.is_(None))
    )
    for project_id in (await db.execute(longer)).scalars():
        yield f"{project_id}: more of its plan was given than there is"
    for project_id in (await db.execute(select(Project.id).where(is_forgotten(clock.now())))).scalars():
        yield f"{project_id}: nobody will get a notice of its plan's end. A running server corrects this within an hour."


async def check_purchases(db: AsyncSession) -> Problems:
    """Checks that each credited invoice has its one entry, of its buyer and its credits, and a complete payment. Each purchase has its invoice."""
    purchases = select(LedgerEntry.reference, LedgerEntry.user_id, LedgerEntry.amount)
    entered = {row[0]: (row[1], row[2]) for row in await db.execute(purchases.where(LedgerEntry.kind == "purchase"))}
    paid = select(Payment.invoice_id).where(Payment.is_credited, Payment.status == "paid")
    credited = select(Invoice.id, Invoice.user_id, Invoice.credits, Invoice.id.in_(paid)).where(
        Invoice.credited_at.is_not(None)
    )
    for invoice_id, user_id, credits_bought, is_paid in await db.execute(credited):
        if entered.pop(reference(invoice_id), None) != (user_id, credits_bought):
            yield f"{invoice_id}: is credited, but the ledger has no such purchase"
        if not is_paid:
            yield f"{invoice_id}: is credited without a complete payment"
    for name, (user_id, amount) in entered.items():
        yield f"{user_id}: bought {amount} credits ({name}) that no invoice is credited for"


async def check_jobs(db: AsyncSession) -> Problems:
    """Checks that a translation job has batches only while it goes on, and at least one batch then. Its failures are those it counts."""
    batches = select(AiBatch.job_id).where(AiBatch.job_id == AiJob.id, AiBatch.state != "done").exists()
    is_over = AiJob.finished_at.is_not(None)
    for job_id in (await db.execute(select(AiJob.id).where(is_over == batches))).scalars():
        yield f"{job_id}: has batches though it ended, or no batches though it goes on"
    failures = select(func.count()).where(AiFailure.job_id == AiJob.id).scalar_subquery()
    for job_id in (await db.execute(select(AiJob.id).where(AiJob.failed < failures))).scalars():
        yield f"{job_id}: counts fewer failures than it has"
    counted = select(AiJob.id).where(AiJob.state == "done", AiJob.done + AiJob.failed != AiJob.total)
    for job_id in (await db.execute(counted)).scalars():
        yield f"{job_id}: is done, but not all of its texts are"


CHECKS: tuple[Check, ...] = (
    check_owners,
    check_members,
    check_invitations,
    check_transfers,
    check_project_keys,
    check_drafts,
    check_ledger,
    check_usage,
    check_entitlements,
    check_plan_ends,
    check_purchases,
    *RELEASE_CHECKS,
    check_jobs,
    check_search,
    check_images,
    check_schedules,
)
