"""The history of a place: what each version changed of it, and the way back to any of its versions. One implementation for all kinds.

The content of a release is in the release; that of an overwritten draft is kept by its version. Nothing of the history is ever rewritten.
"""

import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import find_users
from livery.activity.service import record
from livery.billing.plans import WITH_HISTORY, plan_of
from livery.content import versions
from livery.content.history import Difference, Drafts, History, Plan, overwrite
from livery.content.models import Version
from livery.content.versions import EntryKind
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.schemas import Moment, View
from livery.projects.languages import describe
from livery.projects.queries import Access
from livery.publishing import editors, queries
from livery.publishing.editors import Editors

INVALID_VERSION = "Invalid version ID."
DAMAGED = "This version can't be read any more. Please choose another one."
STALE_DRAFT = "The draft changed since you looked. Please look at what would change now."
SHOWN = 200

Against = Literal["draft", "previous"]
Content = TypeVar("Content")


class VersionView(View):
    """An entry of a history: a ``release``, or a ``draft`` that a roll back or a restore overwrote. ``changes`` counts the keys or colours that it
    changed, ``restored`` is the release that the restore brought back which made it, or overwrote it.
    """

    id: str = Field(examples=["ver_k3v5mq7aw2xhb6td"])
    version_number: int
    timestamp: Moment
    kind: EntryKind
    by: str = Field(description="The name of who did it.", examples=["Ada Lovelace"])
    changes: int
    release: int = Field(description="The release that apps had with it.")
    restored: int | None


class Versions(View):
    """The history of a screen or of the colours, newest first. ``nextCursor`` gives the entries after these, and is null when there are none."""

    versions: list[VersionView]
    next_cursor: int | None


class Comparison(View):
    """What the comparisons of all kinds have in common."""

    version: VersionView
    against: Against
    token: str | None = Field(examples=["5f3a…"])
    total: int
    added: int
    changed: int
    removed: int


@dataclass(frozen=True)
class Compared:
    """A comparison, the first 200 of its changes, and the languages of the version that the project no longer has."""

    facts: Comparison
    changes: list[View]
    missing_languages: Sequence[str]


@dataclass(frozen=True)
class Outcome:
    """What a roll back did: a message for people, how many entries it changed, the version that keeps the overwritten draft, the new token."""

    message: str
    changed: int
    kept: VersionView | None
    token: str


async def list_versions(
    db: AsyncSession, access: Access, kind: History[Any, Any], place: str, *, limit: int, before: int | None
) -> Versions:
    """Returns the history of a place. Raises ``NotFound`` for an unknown place, and ``Forbidden`` when the plan has no history."""
    await _check(db, access, kind, place)
    found = await versions.list_versions(db, access.project.id, kind.kind, place, limit=limit + 1, before=before)
    shown = await _views(db, access.project.id, found[:limit])
    return Versions(versions=shown, next_cursor=shown[-1].version_number if len(found) > limit else None)


async def read_diff(
    db: AsyncSession, access: Access, kind: History[Any, Any], place: str, version_id: str, *, against: Against
) -> Compared:
    """Compares a version with the draft, or with what apps had before it. Raises what ``list_versions`` raises, and ``Conflict`` for damage."""
    version = await find(db, access, kind, place, version_id)
    content = await _content(db, kind, version)
    token: str | None = None
    missing: Sequence[str] = ()
    if against == "draft":
        token = await _token(db, kind, version)
        plan = await _plan(db, access, kind, version, content)
        changes, missing = plan.changes, plan.missing_languages
    else:
        release = version.release_number
        before = await _released(db, kind, version, release if version.entry == "draft" else release - 1)
        changes = kind.differences(before, content)
    (view,) = await _views(db, version.project_id, [version])
    ways = [change.kind for change in changes]
    facts = Comparison(
        version=view,
        against=against,
        token=token,
        total=len(ways),
        added=ways.count("added"),
        changed=ways.count("changed"),
        removed=ways.count("removed"),
    )
    return Compared(facts, await _shown(db, version, changes[:SHOWN], against), missing)


async def roll_back(
    db: AsyncSession,
    access: Access,
    kind: History[Any, Any],
    place: str,
    version_id: str,
    *,
    expected: str | None = None,
) -> Outcome:
    """Puts a version in the place of the draft, which is kept as a version of its own. Apps keep what they have.

    A draft that equals the version already is left alone, and no version is made. Raises what ``read_diff`` raises, and ``Conflict`` when the
    draft is not the ``expected`` one.
    """
    version = await find(db, access, kind, place, version_id)
    if expected is not None:
        check_seen(expected, await _token(db, kind, version))
    plan = await _plan(db, access, kind, version, await _content(db, kind, version))
    kept: Sequence[Version] = ()
    if plan.changes:
        await overwrite(db, access, kind, place, plan, release=version.release_number, is_kept=True)
        kept = await versions.list_versions(db, version.project_id, kind.kind, place, limit=1)
        await record(
            db,
            project_id=access.project.id,
            actor_id=access.actor.id,
            action=kind.action,
            subject={**kind.subject(place), "version": version.number},
            after={kind.counted_as: len(plan.changes)},
        )
    return Outcome(
        _message(kind.words, version, plan),
        len(plan.changes),
        next(iter(await _views(db, version.project_id, kept)), None),
        await _token(db, kind, version),
    )


async def find(db: AsyncSession, access: Access, kind: Drafts[Any, Any], place: str, version_id: str) -> Version:
    """Returns the version of this place. Raises ``Forbidden`` when the plan has no history, and ``NotFound``."""
    await _check(db, access, kind, place)
    version = await versions.find_version(db, access.project.id, kind.kind, place, version_id)
    if version is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    return version


async def kept_content(db: AsyncSession, kind: Drafts[Content, Any], version: Version) -> Content:
    """Returns the content that a version keeps. Raises ``Conflict`` for damage."""
    with _damage_refused():
        return kind.unpacked(await versions.read_body(db, version))


def check_has_history(access: Access) -> None:
    """Raises ``Forbidden`` where the plan has no history."""
    if not access.tier.has_history:
        raise Forbidden(
            f'Version history is part of the "{WITH_HISTORY.name}". This project is on "{plan_of(access.tier.id).name}".',
            code="tier_feature",
        )


def check_seen(expected: object, present: object) -> None:
    """Raises ``Conflict`` when the draft that is about to be overwritten is not the one that somebody saw."""
    if expected != present:
        raise Conflict(STALE_DRAFT, code="stale_draft")


async def names_of(db: AsyncSession, user_ids: Sequence[str | None]) -> dict[str, str]:
    """The names of these people, of those who are still there."""
    found = await find_users(db, {user_id for user_id in user_ids if user_id})
    return {user_id: user.name for user_id, user in found.items()}


@contextmanager
def _damage_refused() -> Generator[None]:
    try:
        yield
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error


async def _check(db: AsyncSession, access: Access, kind: Drafts[Any, Any], place: str) -> None:
    await kind.check_place(db, access.project.id, place)
    check_has_history(access)


async def _token(db: AsyncSession, kind: History[Any, Any], version: Version) -> str:
    """Returns a digest that differs when a plan for the draft may differ."""
    marks = await kind.marks(db, version.project_id, version.place)
    return hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()


async def _content(db: AsyncSession, kind: History[Content, Any], version: Version) -> Content:
    if version.entry == "draft":
        return await kept_content(db, kind, version)
    return await _released(db, kind, version, version.release_number)


async def _released(db: AsyncSession, kind: History[Content, Any], version: Version, release: int) -> Content:
    """Returns what a release had of a version's place. Raises ``Conflict`` for damage."""
    hashes = await queries.pieces_at(db, version.project_id, release, kind.parts(version.place))
    with _damage_refused():
        bodies = await queries.read_parts(db, version.project_id, hashes.values())
        pieces = {piece: bodies[part_hash].value for piece, part_hash in hashes.items()}
        return await kind.released(db, version.project_id, version.place, release, pieces)


async def _plan(
    db: AsyncSession, access: Access, kind: Drafts[Content, Any], version: Version, content: Content
) -> Plan[Any]:
    return await kind.plan(db, access, version.place, content, is_whole=version.entry == "draft")


async def _shown(db: AsyncSession, version: Version, changes: Sequence[Difference], against: Against) -> list[View]:
    """Returns the changes for people to see, each with who edited it in the draft or for a release, as far as that is known."""
    known = await _editors(db, version, changes, against)
    slots = {change.key: change.slots for change in changes}
    people = [change.edited[0] for change in changes if change.edited]
    names = await names_of(db, [*known.people(slots, slots), *people])
    found: list[View] = []
    for change in changes:
        by, at = change.edited or known.of(change.key) or (None, version.created_at)
        parts = {slot: names.get(known.of_part(change.key, slot) or "") for slot in change.slots}
        found.append(change.view(by=names.get(by or "", DELETED_NAME if change.edited else None), at=at, parts=parts))
    return found


async def _editors(db: AsyncSession, version: Version, changes: Sequence[Difference], against: Against) -> Editors:
    """Returns who edited these entries for a release. Of a draft that was overwritten, and of older releases, that is not known."""
    wanted = {change.key: change.slots for change in changes if not change.edited}
    if version.entry == "draft" or not wanted:
        return Editors({}, {}, None)
    section = f"{version.kind}/{version.place}" if version.place else version.kind
    after = version.release_number - 1 if against == "previous" else 0
    with _damage_refused():
        until = version.release_number
        return Editors(await editors.find(db, version.project_id, section, wanted, after=after, until=until), {}, None)


async def _views(db: AsyncSession, project_id: str, found: Sequence[Version]) -> list[VersionView]:
    """Returns versions for people to see."""
    names = await names_of(db, [version.created_by for version in found])
    releases = {version.release_number for version in found if version.entry == "release"}
    restored: Mapping[int, int] = await queries.restored_by(db, project_id, releases) if releases else {}
    return [
        VersionView(
            id=version.id,
            version_number=version.number,
            timestamp=version.created_at,
            kind="draft" if version.entry == "draft" else "release",
            by=names.get(version.created_by or "", DELETED_NAME),
            changes=version.changes,
            release=version.release_number,
            restored=version.restored_release if version.entry == "draft" else restored.get(version.release_number),
        )
        for version in found
    ]


def _message(words: tuple[str, str], version: Version, plan: Plan[Any]) -> str:
    """Returns what was done, and what could not be done."""
    count, missing = len(plan.changes), plan.missing_languages
    said = (
        f"Rolled back to version {version.number}: {count} {words[count != 1]} changed."
        if count
        else f"The draft is as version {version.number} already. Nothing was changed."
    )
    if not missing:
        return said
    names = " and ".join(describe(code).name for code in missing)
    return f"{said} Texts in {names} were left out: the project does not have {'it' if len(missing) == 1 else 'them'} any more."
