"""Each check of ``livery admin fsck`` is quiet on sound data and sees the damage it is there for."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Executable, delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.models import User
from livery.ai.models import AiJob
from livery.billing import service as billing
from livery.billing.models import CreditBalance, Entitlement, Invoice, LedgerEntry
from livery.colors.models import Color
from livery.content.models import ReleasedEntry, Version, VersionBody
from livery.content.parts import META
from livery.core import clock
from livery.core.blobs import hash_of
from livery.core.context import Context
from livery.images.models import Image, ImageFile
from livery.projects import invitations, transfers
from livery.projects.models import Invitation, Member, Project, ProjectKey, ProjectLanguage, ProjectScreen
from livery.publishing.kinds import KINDS
from livery.publishing.models import PartBody, PushedPart, Release, ReleasePart
from livery.schedules.models import Schedule
from livery.screens.models import TextKey, TextValue
from livery.search import service as search
from livery.search.models import SearchBlock
from livery.stores.models import Store, StoreItem
from livery.usage import service as usage
from livery.usage.models import QuotaMark, UsageDay
from livery.workspace import fsck, fsck_releases
from livery.workspace.fsck_images import check_files
from livery.workspace.service import give_tier
from tests.factories.accounts import create_user
from tests.factories.content import Studio
from tests.factories.projects import add_member

ADMIN = "admin@example.com"
NEXT_YEAR = clock.now() + timedelta(days=365)
OUTLINE, TEXTS, COLORS, STORES = [kind for kind in KINDS if not kind.is_live]
Damage = Callable[[Studio], Executable]


@pytest.fixture
async def studio(context: Context) -> Studio:
    """A project with three releases, images, waiting changes, a removed key, credits of its owner, an admin who is offered it, and an invitation."""
    studio = await Studio.create(context, "de")
    await studio.add_key("title", {"en": "Title", "de": "Titel"})
    await studio.add_key("removed", {"en": "Removed"})
    await studio.add_color("primary", "#112233")
    await studio.add_image("logo")
    await studio.add_store("trips", "title:String")
    await studio.add_item("trips", title="Lofoten")
    await studio.publish()
    await studio.add_image("hero")
    await studio.set_text("title", {"en": "New title"})
    await studio.publish()
    await studio.set_text("title", {"de": "Neuer Titel"})
    await studio.roll_back(1)
    await studio.set_text("title", {"de": "Neuer Titel"})
    await studio.remove_key("removed")
    await studio.set_color("primary", "#445566")
    async with context.database.write() as db:
        await billing.grant(db, studio.actor.id, 5, "grant_1")
    admin = await create_user(context, email=ADMIN)
    await add_member(context, studio.project_id, admin, "admin")
    async with context.database.write() as db:
        access = await studio.access(db)
        await transfers.offer(db, context.bus, context.vault, access, user_id=admin.id)
        await invitations.invite(db, context.bus, context.vault, access, address="noor@example.com", role="viewer")
        await billing.set_language_limit(db, studio.actor.id, 60)
        await give_tier(db, context.bus, project_id=studio.project_id, tier_id="pro", until=NEXT_YEAR)
        await usage.add(db, {(studio.project_id, clock.now().date()): (3, 500)})
        await usage.mark_quota(db, studio.project_id, "api_calls", threshold=80, amount=3)
    while await search.renew(context.database):
        continue
    return studio


async def problems(context: Context) -> list[str]:
    async with context.database.read() as db:
        return await fsck.check_all(db)


async def unguarded(db: AsyncSession) -> None:
    """Turn foreign keys off for this connection's transaction: damage does not ask."""
    if db.get_bind().dialect.name == "postgresql":
        await db.execute(text("SET LOCAL session_replication_role = replica"))
    else:
        await db.execute(text("PRAGMA defer_foreign_keys = ON"))


async def test_sound_data_has_no_problem(context: Context, studio: Studio) -> None:
    assert await problems(context) == []


def ai_job(studio: Studio, state: str, *, total: int = 0) -> Executable:
    """A translation job without batches."""
    now = clock.now()
    return insert(AiJob).values(
        id="job_x",
        project_id=studio.project_id,
        state=state,
        language="de",
        reference_language="en",
        is_overwriting=False,
        provider="pseudo",
        total=total,
        done=0,
        failed=0,
        created_at=now,
        finished_at=None if state == "running" else now,
    )


def schedule(studio: Studio, *, release: int, by: str = "") -> Executable:
    """A scheduled publish that made this release."""
    now = clock.now()
    return insert(Schedule).values(
        id="sch_x",
        project_id=studio.project_id,
        publish_at=now,
        status="published",
        created_by=by or studio.actor.id,
        created_at=now,
        due_at=now,
        attempts=0,
        ended_at=now,
        is_late=False,
        release_number=release,
    )


DAMAGE: dict[str, tuple[fsck.Check, Damage, str]] = {
    "what a release that is not there knows of entries": (
        fsck_releases.check_entries,
        lambda studio: update(ReleasedEntry).values(since_release=ReleasedEntry.since_release + 99),
        "is kept, but there is no such release",
    ),
    "what a release knows of entries, damaged": (
        fsck_releases.check_entries,
        lambda studio: update(ReleasedEntry).values(edits="damaged"),
        "is damaged",
    ),
    "pushed images of another size": (
        fsck_releases.check_pushed_parts,
        lambda studio: update(PushedPart).values(size_bytes=1),
        "what was pushed as images is not there or not of its size",
    ),
    "images that were taken away and are still in the release": (
        fsck_releases.check_pushed_parts,
        lambda studio: update(PushedPart).values(hash=None, size_bytes=0),
        "the release has other images than were pushed",
    ),
    "images that nobody pushed": (
        fsck_releases.check_pushed_parts,
        lambda studio: delete(PushedPart),
        "the release has other images than were pushed",
    ),
    "a key that was renamed from a name that apps keep": (
        TEXTS.problems,
        lambda studio: update(TextKey).where(TextKey.removed_at.is_(None)).values(renamed_from="nothing"),
        "was renamed from a name without an unpublished removal",
    ),
    "a colour that was renamed from a key that apps keep": (
        COLORS.problems,
        lambda studio: update(Color).where(Color.removed_at.is_(None)).values(renamed_from="nothing"),
        "was renamed from a name without an unpublished removal",
    ),
    "a store that would give a place twice": (
        STORES.problems,
        lambda studio: update(Store).values(next_position=0),
        "would give a place twice",
    ),
    "an item that is marked wrongly": (
        STORES.problems,
        lambda studio: update(StoreItem).values(is_changed=~StoreItem.is_changed),
        "is marked wrongly",
    ),
    "an item with a value of no field": (
        STORES.problems,
        lambda studio: update(StoreItem).values(data={"fld_gone": "x"}),
        "has a value that its store or project has no place for",
    ),
    "a gap in an item's versions": (
        fsck_releases.check_versions,
        lambda studio: update(Version).where(Version.kind == "item").values(number=Version.number + 1),
        "versions of item itm_",
    ),
    "a search index that has lost a text": (
        fsck.check_search,
        lambda studio: update(SearchBlock).where(SearchBlock.language == "de").values(text="\nsomething else\n"),
        "search index of general in de",
    ),
    "a search index that lacks a screen": (
        fsck.check_search,
        lambda studio: delete(SearchBlock),
        "search index of general in its names",
    ),
    "a search index that finds less than it holds": (
        fsck.check_search,
        lambda studio: update(SearchBlock).values(signature=bytes(8)),
        "search index of general in en",
    ),
    "the owner is a member too": (
        fsck.check_owners,
        lambda studio: insert(Member).values(
            project_id=studio.project_id, user_id=studio.actor.id, role="editor", created_at=clock.now()
        ),
        "is a member too",
    ),
    "the owner's account is closed": (
        fsck.check_owners,
        lambda studio: update(User).where(User.id == studio.actor.id).values(email="deleted:x"),
        "owner closed the account",
    ),
    "a member whose account is closed": (
        fsck.check_members,
        lambda studio: update(User).where(User.email == ADMIN).values(email="deleted:x"),
        "is nobody any more",
    ),
    "a member of a project that is not there": (
        fsck.check_members,
        lambda studio: update(Member).values(project_id="prj_x"),
        "is nobody any more",
    ),
    "an invitation by nobody": (
        fsck.check_invitations,
        lambda studio: update(Invitation).values(invited_by="usr_x"),
        "its project or its sender does not exist",
    ),
    "an invitation of a member": (
        fsck.check_invitations,
        lambda studio: update(Invitation).values(email=ADMIN),
        "who is in already",
    ),
    "an invitation of the owner": (
        fsck.check_invitations,
        lambda studio: update(Invitation).values(email=studio.actor.email),
        "who is in already",
    ),
    "an offer to an editor": (
        fsck.check_transfers,
        lambda studio: update(Member).values(role="editor"),
        "no admin of it",
    ),
    "an offer to nobody": (
        fsck.check_transfers,
        lambda studio: delete(Member),
        "no admin of it",
    ),
    "an offer of a deleted project": (
        fsck.check_transfers,
        lambda studio: update(Project).values(deleted_at=clock.now()),
        "no admin of it",
    ),
    "general is missing": (
        OUTLINE.problems,
        lambda studio: update(ProjectScreen).values(removed_at=clock.now()),
        "general screen is missing",
    ),
    "the default language is missing": (
        OUTLINE.problems,
        lambda studio: delete(ProjectLanguage).where(ProjectLanguage.code == "en"),
        "default language",
    ),
    "no key works": (
        fsck.check_project_keys,
        lambda studio: update(ProjectKey).values(ended_at=clock.now()),
        "no publishable key",
    ),
    "a balance without entries": (
        fsck.check_ledger,
        lambda studio: update(CreditBalance).values(balance=6),
        "where the ledger's sum is 5",
    ),
    "an entry that does not add up": (
        fsck.check_ledger,
        lambda studio: update(LedgerEntry).values(balance_after=LedgerEntry.balance_after + 1),
        "where the sum is 5",
    ),
    "usage of no project": (
        fsck.check_usage,
        lambda studio: update(UsageDay).values(project_id="prj_gone"),
        "prj_gone: has usage but",
    ),
    "a quota mark of no project": (
        fsck.check_usage,
        lambda studio: update(QuotaMark).values(project_id="prj_gone"),
        "prj_gone: has quota marks but",
    ),
    "an entitlement of nobody": (
        fsck.check_entitlements,
        lambda studio: update(Entitlement).values(user_id="usr_gone"),
        "usr_gone: has entitlements",
    ),
    "more given than there is": (
        fsck.check_plan_ends,
        lambda studio: update(Project).values(granted_until=NEXT_YEAR + timedelta(days=1)),
        "more of its plan was given",
    ),
    "given without an end": (
        fsck.check_plan_ends,
        lambda studio: update(Project).values(tier_expires_at=None),
        "more of its plan was given",
    ),
    "an end of which nobody will get a notice": (
        fsck.check_plan_ends,
        lambda studio: update(Project).values(notice_due_at=None),
        "nobody will get a notice",
    ),
    "a credited invoice without a purchase": (
        fsck.check_purchases,
        lambda studio: insert(Invoice).values(
            id="inv_damaged",
            user_id=studio.actor.id,
            provider="sandbox",
            provider_invoice_id="sbx_damaged",
            url="http://testserver",
            credits=5,
            price_cents=500,
            currency="USD",
            status="paid",
            created_at=clock.now(),
            expires_at=clock.now(),
            checks=0,
            credited_at=clock.now(),
        ),
        "the ledger has no such purchase",
    ),
    "a purchase without an invoice": (
        fsck.check_purchases,
        lambda studio: update(LedgerEntry).values(kind="purchase"),
        "that no invoice is credited for",
    ),
    "a release that is not there": (
        fsck_releases.check_release_numbers,
        lambda studio: update(Project).values(release_number=4),
        "is at release 4 but has 3",
    ),
    "a gap between releases": (
        fsck_releases.check_release_numbers,
        lambda studio: update(Release).where(Release.number == 2).values(number=7),
        "the last 7",
    ),
    "two bodies of a part at once": (
        fsck_releases.check_parts,
        lambda studio: update(ReleasePart).where(ReleasePart.since_release == 1).values(until_release=None),
        "has two bodies at release 2",
    ),
    "a part that ends before it starts": (
        fsck_releases.check_parts,
        lambda studio: update(ReleasePart).where(ReleasePart.since_release == 2).values(until_release=1),
        "before it starts",
    ),
    "no meta part": (
        fsck_releases.check_parts,
        lambda studio: update(ReleasePart).where(ReleasePart.part == META).values(until_release=2),
        "no meta part",
    ),
    "a body that is no body": (
        fsck_releases.check_parts,
        lambda studio: update(PartBody).values(body=b"damaged"),
        "is damaged",
    ),
    "a draft that was not kept": (
        fsck_releases.check_versions,
        lambda studio: update(Version).where(Version.entry == "draft").values(body_hash=None),
        "was not kept",
    ),
    "a kept draft that is gone": (
        fsck_releases.check_versions,
        lambda studio: delete(VersionBody),
        "is not there",
    ),
    "a kept draft that is damaged": (
        fsck_releases.check_versions,
        lambda studio: update(VersionBody).values(body=b"damaged"),
        "of a version is damaged",
    ),
    "an item's version without its data": (
        fsck_releases.check_versions,
        lambda studio: update(Version).where(Version.kind == "item").values(body_hash=None),
        "was not kept",
    ),
    "a kept draft that is a body of a different kind": (
        fsck_releases.check_versions,
        lambda studio: (
            update(Version)
            .where(Version.entry == "draft")
            .values(body_hash=select(Version.body_hash).where(Version.kind == "item").scalar_subquery())
        ),
        "of a version is damaged",
    ),
    "a draft that nothing names": (
        fsck_releases.check_versions,
        lambda studio: delete(Version).where(Version.entry == "draft"),
        "is kept for no version",
    ),
    "a gap between versions of a screen": (
        fsck_releases.check_versions,
        lambda studio: update(Version).where(Version.kind == "screen", Version.number == 2).values(number=5),
        "versions of screen general",
    ),
    "a version of a release that is not there": (
        fsck_releases.check_versions,
        lambda studio: update(Version).values(release_number=9),
        "versions of screen general",
    ),
    "a gap between versions of the colours": (
        fsck_releases.check_versions,
        lambda studio: update(Version).where(Version.kind == "colors").values(number=5),
        "versions of colors",
    ),
    "a text that is not marked": (
        TEXTS.problems,
        lambda studio: update(TextValue).where(TextValue.is_changed).values(is_changed=False),
        "is marked wrongly",
    ),
    "a key that is not marked": (
        TEXTS.problems,
        lambda studio: update(TextKey).where(TextKey.name == "removed").values(is_changed=False),
        "is marked wrongly",
    ),
    "a colour that is not marked": (
        COLORS.problems,
        lambda studio: update(Color).values(is_changed=False),
        "is marked wrongly",
    ),
    "a published text that differs from the release": (
        fsck_releases.check_published_forms,
        lambda studio: update(TextValue).where(TextValue.language == "en").values(published_value="other"),
        "differs from what the draft remembers",
    ),
    "a published colour that differs from the release": (
        fsck_releases.check_published_forms,
        lambda studio: update(Color).values(published_value="#ffffff"),
        "differs from what the draft remembers",
    ),
    "a published store that differs from the release": (
        fsck_releases.check_published_forms,
        lambda studio: update(Store).values(published={"apiIdentifier": "other"}),
        "differs from what the draft remembers",
    ),
    "a published item that differs from the release": (
        fsck_releases.check_published_forms,
        lambda studio: update(StoreItem).values(published_data={"fld_gone": "x"}),
        "/0 of the release differs from what the draft remembers",
    ),
    "a part the release has lost": (
        fsck_releases.check_published_forms,
        lambda studio: delete(ReleasePart).where(ReleasePart.part == "colors"),
        "which the release does not have",
    ),
    "an image whose file nothing keeps": (
        fsck.check_images,
        lambda studio: delete(ImageFile),
        "nothing keeps the file of image logo",
    ),
    "an image that apps are not told of": (
        fsck.check_images,
        lambda studio: update(Image).where(Image.key == "hero").values(key="other"),
        "are not the images that were pushed",
    ),
    "a job that goes on with nothing to do": (
        fsck.check_jobs,
        lambda studio: ai_job(studio, "running"),
        "or no batches though it goes on",
    ),
    "a job that is done though texts are missing": (
        fsck.check_jobs,
        lambda studio: ai_job(studio, "done", total=3),
        "not all of its texts are",
    ),
    "a scheduled publish whose release is not there": (
        fsck.check_schedules,
        lambda studio: schedule(studio, release=9),
        "release 9 was not made by sch_x",
    ),
    "a scheduled publish with somebody else's release": (
        fsck.check_schedules,
        lambda studio: schedule(studio, release=2, by="usr_x"),
        "release 2 was not made by sch_x",
    ),
}


async def test_damage_is_seen(context: Context, studio: Studio) -> None:
    unseen: dict[str, list[str]] = {}
    for damage, (check, break_it, problem) in DAMAGE.items():
        async with context.database.write() as db:
            await unguarded(db)
            await db.execute(break_it(studio))

            found = [sentence async for sentence in check(db)]
            everything = await fsck.check_all(db)
            await db.rollback()
        if not any(problem in sentence for sentence in found) or not set(found) <= set(everything):
            unseen[damage] = found

    assert unseen == {}


def file_of(context: Context, key: str) -> Path:
    """Where the file of an image of the studio is kept."""
    file_hash = hash_of(key.encode())
    return context.settings.data_dir / "blobs" / file_hash[:2] / file_hash[2:4] / file_hash


async def test_a_file_that_is_missing_or_damaged_is_seen(context: Context, studio: Studio) -> None:
    async def found() -> list[str]:
        return [problem async for problem in check_files(context.database, context.blobs)]

    sound = await found()
    file_of(context, "logo").unlink()
    file_of(context, "hero").write_bytes(b"other")

    assert sound == []
    assert sorted(problem.split(": ")[1] for problem in await found()) == [
        "the file of image hero can't be read (blob_damaged)",
        "the file of image logo is missing",
    ]


async def test_a_row_that_a_wrong_clock_wrote_is_a_note_and_no_problem(context: Context, studio: Studio) -> None:
    project_id = studio.project_id
    async with context.database.write() as db:
        await db.execute(update(UsageDay).values(day=NEXT_YEAR.date()))
        await db.execute(update(QuotaMark).values(month=NEXT_YEAR.date()))

    async with context.database.read() as db:
        notes = [note async for note in fsck.find_future(db)]
        problems = await fsck.check_all(db)

    assert problems == []
    assert [note.split(", a day in the future.")[0] for note in notes] == [
        f"{project_id}: has usage of {NEXT_YEAR.date()}",
        f"{project_id}: has a warning about usage of {NEXT_YEAR.date()}",
    ]


def test_every_check_has_its_damage() -> None:
    of_kinds = {kind.problems for kind in KINDS if not kind.is_live}

    assert {check for check, _, _ in DAMAGE.values()} | {fsck.check_drafts} == of_kinds | set(fsck.CHECKS)
