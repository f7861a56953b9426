"""Checks every invariant of the data. Reads only; each check gives a sentence for each thing that is wrong."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import func, literal, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import User
from livery.accounts.queries import is_closed
from livery.ai.models import AiBatch, AiFailure, AiJob
from livery.billing.invoices import reference
from livery.billing.models import CreditBalance, Entitlement, Invoice, LedgerEntry, Payment
from livery.colors import contents as color_contents
from livery.colors.models import Color, ColorVersion
from livery.core import clock
from livery.projects.models import (
    Invitation,
    Member,
    Project,
    ProjectKey,
    ProjectLanguage,
    ProjectScreen,
    Transfer,
)
from livery.publishing.models import PartBody, PushedPart, Release, ReleasePart
from livery.publishing.schemas import COLORS, IMAGES, META, DecodedPart, decode_part, store_part, text_part
from livery.screens.contents import unpacked
from livery.screens.models import ScreenVersion, ScreenVersionBody, TextKey, TextValue
from livery.search import queries as search
from livery.search.blocks import NAMES, make_block, sign
from livery.search.folding import FORM
from livery.search.models import SearchBlock, SearchMark
from livery.stores.models import Store, StoreItem
from livery.stores.schemas import CHUNK_SIZE
from livery.usage.models import QuotaMark, UsageDay
from livery.workspace.fsck_images import check_images
from livery.workspace.fsck_schedules import check_schedules
from livery.workspace.fsck_stores import STORE_CHECKS

Problems = AsyncGenerator[str]
Check = Callable[[AsyncSession], Problems]
PUSHED_PARTS = (IMAGES,)


async def check_all(db: AsyncSession, report: Callable[[str], Awaitable[None]] | None = None) -> list[str]:
    """Every problem found; an empty list means that all invariants hold."""
    found: list[str] = []
    for check in CHECKS:
        async for problem in check(db):
            found.append(problem)
            if report:
                await report(problem)
    return found


async def check_owners(db: AsyncSession) -> Problems:
    """Each project has one owner, who exists, whose account is open while the project lives, and who is no member row."""
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
    """Each member row joins a project and a person that exist, whose account is open."""
    rows = await db.execute(
        select(Member.project_id, Member.user_id)
        .outerjoin(Project, Project.id == Member.project_id)
        .outerjoin(User, User.id == Member.user_id)
        .where(Project.id.is_(None) | User.id.is_(None) | is_closed())
    )
    for project_id, user_id in rows:
        yield f"{project_id}: its member {user_id} is nobody any more"


async def check_invitations(db: AsyncSession) -> Problems:
    """Each invitation is of a project and by a person that exist, and nobody waits for what they have."""
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
    """A project that is offered to somebody lives, and they are an admin of it."""
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


async def check_projects(db: AsyncSession) -> Problems:
    """Each living project has `general`, its default language and a key for apps."""
    general = select(ProjectScreen.project_id).where(
        ProjectScreen.name == "general", ProjectScreen.removed_at.is_(None)
    )
    spoken = select(ProjectLanguage.project_id).where(
        ProjectLanguage.project_id == Project.id, ProjectLanguage.code == Project.default_language
    )
    key = select(ProjectKey.project_id).where(ProjectKey.kind == "publishable", ProjectKey.ended_at.is_(None))
    living = select(Project.id).where(Project.deleted_at.is_(None))
    for query, problem in (
        (living.where(Project.id.not_in(general)), "the general screen is missing"),
        (living.where(~spoken.exists()), "the default language is not among its languages"),
        (living.where(Project.id.not_in(key)), "no publishable key works"),
    ):
        for project_id in (await db.execute(query)).scalars():
            yield f"{project_id}: {problem}"


async def check_ledger(db: AsyncSession) -> Problems:
    """A balance is the sum of its entries, never below zero, and each entry says the balance after it."""
    sums: dict[str, int] = defaultdict(int)
    entries = await db.stream(
        select(LedgerEntry.user_id, LedgerEntry.amount, LedgerEntry.balance_after).order_by(LedgerEntry.id)
    )
    async for user_id, amount, balance_after in entries:
        sums[user_id] += amount
        if sums[user_id] != balance_after or balance_after < 0:
            yield f"{user_id}: an entry says {balance_after} where the sum is {sums[user_id]}"
    for user_id, balance in await db.execute(select(CreditBalance.user_id, CreditBalance.balance)):
        if sums[user_id] != balance:
            yield f"{user_id}: has {balance} credits where the ledger's sum is {sums[user_id]}"


async def check_usage(db: AsyncSession) -> Problems:
    """Usage belongs to a project and to a day that has come (by any clock in the world); so does what owners were told of it."""
    known = select(Project.id)
    tomorrow = clock.now().date() + timedelta(days=1)
    for query, problem in (
        (select(UsageDay.project_id).where(UsageDay.project_id.not_in(known)), "has usage but does not exist"),
        (select(UsageDay.project_id).where(UsageDay.day > tomorrow), "has usage of a day to come"),
        (select(QuotaMark.project_id).where(QuotaMark.project_id.not_in(known)), "has quota marks but does not exist"),
        (select(QuotaMark.project_id).where(QuotaMark.month > tomorrow), "has quota marks of a month to come"),
    ):
        for project_id in (await db.execute(query.distinct())).scalars():
            yield f"{project_id}: {problem}"


async def check_entitlements(db: AsyncSession) -> Problems:
    """What an operator allows is allowed to a person who exists."""
    query = select(Entitlement.user_id).where(Entitlement.user_id.not_in(select(User.id)))
    for user_id in (await db.execute(query)).scalars():
        yield f"{user_id}: has entitlements but does not exist"


async def check_plan_ends(db: AsyncSession) -> Problems:
    """The given part of a plan is not longer than the plan, and an owner will be told of each end to come."""
    longer = select(Project.id).where(
        (Project.granted_until > Project.tier_expires_at)
        | (Project.granted_until.is_not(None) & Project.tier_expires_at.is_(None))
    )
    for project_id in (await db.execute(longer)).scalars():
        yield f"{project_id}: more of its plan was given than there is"
    unwatched = select(Project.id).where(
        Project.tier_expires_at > clock.now(),
        Project.active_tier.not_in(["none", "expired"]),
        Project.notice_due_at.is_(None),
    )
    for project_id in (await db.execute(unwatched)).scalars():
        yield f"{project_id}: nobody will be told of its plan's end"


async def check_purchases(db: AsyncSession) -> Problems:
    """Each credited invoice has its one entry, of its buyer and its credits, and a complete payment; each purchase has its invoice."""
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


async def check_release_numbers(db: AsyncSession) -> Problems:
    """Releases of a project are numbered from 1 without a gap, up to the project's release."""
    counts = select(Release.project_id, func.count().label("count"), func.max(Release.number).label("top"))
    numbered = counts.group_by(Release.project_id).subquery()
    rows = await db.execute(
        select(Project.id, Project.release_number, numbered.c.count, numbered.c.top).outerjoin(
            numbered, numbered.c.project_id == Project.id
        )
    )
    for project_id, release, count, top in rows:
        if (count or 0) != release or (top or 0) != release:
            yield f"{project_id}: stands at release {release} but has {count or 0} releases, the last {top or 0}"


async def check_parts(db: AsyncSession) -> Problems:
    """Each part has at most one body at a time, every release has its meta part, and every body has its hash."""
    rows = await db.stream(
        select(ReleasePart.project_id, ReleasePart.part, ReleasePart.since_release, ReleasePart.until_release).order_by(
            ReleasePart.project_id, ReleasePart.part, ReleasePart.since_release
        )
    )
    before: tuple[str, str, int | None] | None = None
    async for project_id, part, since, until in rows:
        if before and before[:2] == (project_id, part) and (before[2] is None or before[2] > since):
            yield f"{project_id}: part {part} has two bodies at release {since}"
        if until is not None and until <= since:
            yield f"{project_id}: part {part} ends at release {until}, before it starts"
        before = (project_id, part, until)
    has_meta = select(ReleasePart.project_id).where(ReleasePart.part == META, ReleasePart.until_release.is_(None))
    missing = select(Project.id).where(Project.release_number > 0, Project.id.not_in(has_meta))
    for project_id in (await db.execute(missing)).scalars():
        yield f"{project_id}: its release has no meta part"
    bodies = await db.stream(select(PartBody.project_id, PartBody.hash, PartBody.body))
    async for project_id, part_hash, body in bodies:
        if _decoded(part_hash, body) is None:
            yield f"{project_id}: body {part_hash} is damaged"


def _decoded(part_hash: str, body: bytes) -> DecodedPart | None:
    try:
        return decode_part(part_hash, body)
    except ValueError:
        return None


async def check_pushed_parts(db: AsyncSession) -> Problems:
    """A pushed part has its body, and once there is a release, that release has exactly what was pushed."""
    is_body = (PartBody.project_id == PushedPart.project_id) & (PartBody.hash == PushedPart.hash)
    pushed = select(PushedPart.project_id, PushedPart.part, PushedPart.hash, PushedPart.size_bytes, PartBody.body)
    for project_id, part, part_hash, size, body in await db.execute(pushed.outerjoin(PartBody, is_body)):
        decoded = _decoded(part_hash, body) if part_hash and body else None
        if bool(part_hash) != bool(decoded) or size != (decoded.size_bytes if decoded else 0):
            yield f"{project_id}: what was pushed as {part} is not there or not of its size"
    is_current = (
        (ReleasePart.project_id == PushedPart.project_id)
        & (ReleasePart.part == PushedPart.part)
        & ReleasePart.until_release.is_(None)
    )
    differing = (
        select(PushedPart.project_id, PushedPart.part)
        .join(Project, Project.id == PushedPart.project_id)
        .outerjoin(ReleasePart, is_current)
        .where(
            Project.release_number > 0,
            func.coalesce(PushedPart.hash, "") != func.coalesce(ReleasePart.hash, ""),
        )
    )
    unknown = (
        select(ReleasePart.project_id, ReleasePart.part)
        .outerjoin(PushedPart, is_current)
        .where(ReleasePart.until_release.is_(None), ReleasePart.part.in_(PUSHED_PARTS), PushedPart.project_id.is_(None))
    )
    for query in (differing, unknown):
        for project_id, part in await db.execute(query):
            yield f"{project_id}: the release has other {part} than were pushed"


async def check_versions(db: AsyncSession) -> Problems:
    """Versions of a screen and of the colours are numbered from 1 without a gap and name a release that exists."""
    screens = select(
        ScreenVersion.project_id, ScreenVersion.screen, func.count(), func.max(ScreenVersion.number), func.max(ScreenVersion.release_number)
    ).group_by(ScreenVersion.project_id, ScreenVersion.screen)  # fmt: skip
    releases = {row[0]: row[1] for row in (await db.execute(select(Project.id, Project.release_number)))}
    for project_id, screen, count, top, release in await db.execute(screens):
        if count != top or release > releases[project_id]:
            yield f"{project_id}: versions of screen {screen} have a gap or name a release that is not there"
    colors = select(
        ColorVersion.project_id, func.count(), func.max(ColorVersion.number), func.max(ColorVersion.release_number)
    ).group_by(ColorVersion.project_id)
    for project_id, count, top, release in await db.execute(colors):
        if count != top or release > releases[project_id]:
            yield f"{project_id}: versions of the colours have a gap or name a release that is not there"


async def check_kept_drafts(db: AsyncSession) -> Problems:
    """An overwritten draft is kept whole, what versions name is there, has its hash and can be read, and nothing else is kept."""
    lost = select(ScreenVersion.id).where(ScreenVersion.kind == "draft", ScreenVersion.body_hash.is_(None))
    for version_id in (await db.execute(lost)).scalars():
        yield f"{version_id}: the draft that it stands for was not kept"
    for version in await db.scalars(select(ColorVersion)):
        if (version.kind == "draft") != _is_colors(version.content):
            yield f"{version.id}: the colours' draft that it stands for was not kept, or one is kept that it does not stand for"
    is_named = (ScreenVersion.project_id == ScreenVersionBody.project_id) & (
        ScreenVersion.body_hash == ScreenVersionBody.hash
    )
    missing = select(ScreenVersion.id).outerjoin(ScreenVersionBody, is_named)
    for version_id in (
        await db.execute(missing.where(ScreenVersion.body_hash.is_not(None), ScreenVersionBody.hash.is_(None)))
    ).scalars():
        yield f"{version_id}: what it keeps is not there"
    bodies = await db.stream(
        select(ScreenVersionBody.project_id, ScreenVersionBody.hash, ScreenVersionBody.body, ScreenVersion.kind)
        .outerjoin(ScreenVersion, is_named)
        .distinct()
    )
    async for project_id, body_hash, body, kind in bodies:
        decoded = _decoded(body_hash, body)
        if kind not in {"release", "draft"}:  # null: no version names it
            yield f"{project_id}: body {body_hash} is kept for no version"
        elif decoded is None or (kind == "draft" and not _is_draft(decoded)):
            yield f"{project_id}: body {body_hash} of a version is damaged"


def _is_draft(decoded: DecodedPart) -> bool:
    try:
        unpacked(decoded.value)
    except ValueError:
        return False
    return True


def _is_colors(content: object) -> bool:
    try:
        color_contents.unpacked(content)
    except ValueError:
        return False
    return True


async def check_change_marks(db: AsyncSession) -> Problems:
    """A text, key or colour is marked as changed exactly when a publish would change it."""
    wrong_values = select(TextValue.project_id, TextValue.key_id, TextValue.language).where(
        TextValue.is_changed != (TextValue.value != TextValue.published_value)
    )
    for project_id, key_id, language in await db.execute(wrong_values):
        yield f"{project_id}: text {key_id} in {language} is marked wrongly"
    has_changed = (
        select(TextValue.key_id)
        .where(TextValue.project_id == TextKey.project_id, TextValue.key_id == TextKey.id, TextValue.is_changed)
        .exists()
    )
    wrong_keys = select(TextKey.project_id, TextKey.id).where(
        TextKey.is_changed != (has_changed | TextKey.removed_at.is_not(None))
    )
    for project_id, key_id in await db.execute(wrong_keys):
        yield f"{project_id}: key {key_id} is marked wrongly"
    differs = (Color.value != Color.published_value) | (Color.nickname != Color.published_nickname)
    wrong_colors = select(Color.project_id, Color.key).where(
        Color.is_changed != (differs | Color.removed_at.is_not(None))
    )
    for project_id, key in await db.execute(wrong_colors):
        yield f"{project_id}: colour {key} is marked wrongly"


Expected = defaultdict[tuple[str, str], Any]
"""The value that a part of a project's release must have."""


async def _expect_stores(db: AsyncSession, expected: Expected) -> None:
    stores = await db.execute(select(Store.project_id, Store.id, Store.published).where(Store.published.is_not(None)))
    for project_id, store_id, published in stores:
        expected[project_id, store_part(store_id)] = published
    items = await db.stream(
        select(StoreItem.project_id, StoreItem.store_id, StoreItem.position, StoreItem.id, StoreItem.published_data)
        .where(StoreItem.published_data.is_not(None))
        .order_by(StoreItem.project_id, StoreItem.store_id, StoreItem.position)
    )
    async for project_id, store_id, position, item_id, data in items:
        place = project_id, store_part(store_id, position // CHUNK_SIZE)
        expected.setdefault(place, []).append({"_id": item_id, "data": data})


async def check_published_forms(db: AsyncSession) -> Problems:
    """What the drafts remember as published is what the release holds: text by text, colour by colour, item by item."""
    published = await db.execute(
        select(TextValue.project_id, TextValue.screen, TextValue.language, TextKey.name, TextValue.published_value)
        .join(TextKey, (TextKey.project_id == TextValue.project_id) & (TextKey.id == TextValue.key_id))
        .where(TextValue.published_value != "")
    )
    expected: Expected = defaultdict(dict)
    for project_id, screen, language, name, value in published:
        expected[project_id, text_part(screen, language)][name] = value
    colors = select(Color.project_id, Color.key, Color.published_value, Color.published_nickname)
    for project_id, key, value, nickname in await db.execute(colors.where(Color.published_value != "")):
        expected[project_id, COLORS][key] = {"value": value, "nickname": nickname}
    await _expect_stores(db, expected)
    current = await db.stream(
        select(ReleasePart.project_id, ReleasePart.part, PartBody.hash, PartBody.body)
        .join(PartBody, (PartBody.project_id == ReleasePart.project_id) & (PartBody.hash == ReleasePart.hash))
        .where(ReleasePart.until_release.is_(None), ReleasePart.part.not_in([META, *PUSHED_PARTS]))
    )
    async for project_id, part, part_hash, body in current:
        decoded = _decoded(part_hash, body)
        if decoded is None:  # said by check_parts already
            expected.pop((project_id, part), None)
        elif decoded.value != expected.pop((project_id, part), {}):
            yield f"{project_id}: part {part} of the release differs from what the draft remembers"
    for project_id, part in expected:
        yield f"{project_id}: the draft remembers part {part}, which the release does not have"


async def check_jobs(db: AsyncSession) -> Problems:
    """A translation job that ended has no batches left, one that goes on has some, and its failures are those it counts."""
    batches = select(AiBatch.job_id).where(AiBatch.job_id == AiJob.id, AiBatch.state != "done").exists()
    is_over = AiJob.finished_at.is_not(None)
    for job_id in (await db.execute(select(AiJob.id).where(is_over == batches))).scalars():
        yield f"{job_id}: has batches though it ended, or none though it goes on"
    failures = select(func.count()).where(AiFailure.job_id == AiJob.id).scalar_subquery()
    for job_id in (await db.execute(select(AiJob.id).where(AiJob.failed < failures))).scalars():
        yield f"{job_id}: counts fewer failures than it has"
    counted = select(AiJob.id).where(AiJob.state == "done", AiJob.done + AiJob.failed != AiJob.total)
    for job_id in (await db.execute(counted)).scalars():
        yield f"{job_id}: is done, but not all of its texts are"


async def check_search(db: AsyncSession) -> Problems:
    """Each block of the search index is what its texts are now, and no texts are without one, unless they are marked to be read anew."""
    texts = select(TextValue.project_id, TextValue.screen, TextValue.language).where(TextValue.value != "")
    names = select(TextKey.project_id, TextKey.screen, literal(NAMES))
    blocks = select(SearchBlock.project_id, SearchBlock.screen, SearchBlock.language)
    marks = select(SearchMark.project_id, SearchMark.screen, SearchMark.language)
    marked = {(row[0], row[1], row[2]) for row in await db.execute(marks)}
    places = {(row[0], row[1], row[2]) for row in await db.execute(union(texts, names, blocks))}
    for project_id, screen, language in sorted(places - marked):
        wanted = make_block(await search.texts_of(db, project_id, screen, language))
        row = await db.scalar(select(SearchBlock).filter_by(project_id=project_id, screen=screen, language=language))
        is_sound = (
            not wanted.key_ids
            if row is None
            else row.form != FORM  # read as it is until it is made again
            or (row.digest, row.text, row.key_ids, row.signature)
            == (wanted.digest(), wanted.text, " ".join(wanted.key_ids), sign(wanted.text))
        )
        if not is_sound:
            yield f"{project_id}: the search index of {screen} in {language or 'its names'} is not what its texts are"


CHECKS: tuple[Check, ...] = (
    check_owners,
    check_members,
    check_invitations,
    check_transfers,
    check_projects,
    check_ledger,
    check_usage,
    check_entitlements,
    check_plan_ends,
    check_purchases,
    check_release_numbers,
    check_parts,
    check_pushed_parts,
    check_versions,
    check_kept_drafts,
    check_change_marks,
    check_published_forms,
    check_jobs,
    check_search,
    check_images,
    check_schedules,
    *STORE_CHECKS,
)
