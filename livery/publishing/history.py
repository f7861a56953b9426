"""The history of a screen: what each release changed of it, and the way back to any of its versions.

A release's content is in the release; that of an overwritten draft is kept in its entry. Nothing of the history is ever rewritten.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import find_users
from livery.activity.service import record
from livery.billing.plans import WITH_HISTORY, plan_of
from livery.colors.models import ColorVersion
from livery.content.parts import decode_part, encode_part
from livery.core.errors import Conflict, Forbidden, NotFound
from livery.core.schemas import Moment, View
from livery.projects import queries as projects
from livery.projects.languages import describe
from livery.projects.queries import Access
from livery.publishing import editors, queries
from livery.publishing.editors import Editors
from livery.screens import contents, versions
from livery.screens import export as screens_export
from livery.screens import queries as screens
from livery.screens.contents import Change, Content, KeyContent, Written
from livery.screens.models import ScreenVersion
from livery.screens.schemas import KeyChange, KeyRecord, VersionKind

INVALID_VERSION = "Invalid version ID."
DAMAGED = "This version can't be read any more. Please choose another one."
STALE_DRAFT = "The draft changed since you looked. Please look at what would change now."
KEYS_SHOWN = 200

Against = Literal["draft", "previous"]


class VersionView(View):
    """An entry of a history: a ``release``, or a ``draft`` that a roll back or a restore overwrote. ``changes`` counts the keys or colours that it
    changed, ``restored`` is the release that the restore brought back which made it, or overwrote it.
    """

    id: str = Field(examples=["ver_k3v5mq7aw2xhb6td"])
    version_number: int
    timestamp: Moment
    kind: VersionKind
    by: str = Field(description="The name of who did it.", examples=["Ada Lovelace"])
    changes: int
    release: int = Field(description="The release that apps had with it.")
    restored: int | None


class Versions(View):
    """The history of a screen or of the colours, newest first. ``nextCursor`` gives the entries after these, and is null when there are none."""

    versions: list[VersionView]
    next_cursor: int | None


class VersionDiff(View):
    """What rolling back would do to the draft, or what the version itself changed: ``total`` keys, the first 200 in ``keys``.

    ``missingLanguages`` are those of the version that the project no longer has: their texts would not come back. Beside the draft, ``token``
    says which draft that was: ``expected`` of a roll back takes it.
    """

    version: VersionView
    against: Against
    token: str | None = Field(examples=["5f3a…"])
    total: int
    added: int
    changed: int
    removed: int
    keys: list[KeyChange]
    missing_languages: list[str]


class RolledBack(View):
    """The screen as it is now. ``kept`` is the draft that was overwritten: rolling back to it undoes this. Null when nothing was to change.

    With ``token``, the draft right after the roll back, as ``expected``, undoing it overwrites nothing that came later.
    """

    message: str
    keys: list[KeyRecord]
    changed: int
    kept: VersionView | None
    token: str = Field(examples=["5f3a…"])


@dataclass(frozen=True)
class Outcome:
    """What a roll back did: said for people, how many keys it changed, the entry that keeps an overwritten draft, and the new draft's token."""

    message: str
    changed: int
    kept: VersionView | None
    token: str


@dataclass(frozen=True)
class _Plan:
    """What a roll back would do."""

    draft: contents.Draft
    changes: list[Change]
    missing_languages: list[str]


async def record_release(
    db: AsyncSession,
    access: Access,
    screen: str,
    *,
    release: int,
    changes: int,
    languages: Collection[str] | None = None,
) -> None:
    """Add the entry of a release that changed a screen, in these languages alone or in all. Call it before the draft is marked as published.

    Who wrote a text is not part of a release, so the entry keeps it, for what changed; nothing as long as no release of the screen had a text by AI.
    """
    project_id = access.project.id
    has_ai = await screens_export.changed_places(db, project_id, screen, author="ai", languages=languages)
    body = None
    if has_ai or await versions.has_author_bodies(db, project_id, screen):
        places = await screens_export.changed_places(db, project_id, screen, languages=languages)
        body = body_of(versions.places_by_author(places))
    await versions.record_version(db, access, screen, kind="release", release=release, changes=changes, body=body)


async def list_versions(db: AsyncSession, access: Access, screen: str, *, limit: int, before: int | None) -> Versions:
    """The history of a screen. Raises ``NotFound``, and ``Forbidden`` where the plan has no history."""
    await _check(db, access, screen)
    found = await versions.list_versions(db, access.project.id, screen, limit=limit + 1, before=before)
    names = await names_of(db, [version.created_by for version in found])
    restored = await restored_of(db, access.project.id, found)
    shown = [view_of(version, names, restored) for version in found[:limit]]
    return Versions(versions=shown, next_cursor=shown[-1].version_number if len(found) > limit else None)


async def read_diff(db: AsyncSession, access: Access, screen: str, version_id: str, *, against: Against) -> VersionDiff:
    """A version beside the draft, or beside what apps had before it. Raises what ``list_versions`` does."""
    await _check(db, access, screen)
    version = await _find(db, access, screen, version_id)
    missing: list[str] = []
    token = None
    if against == "draft":
        token = await _token(db, version)
        plan = await _plan(db, access, version)
        changes, missing = plan.changes, plan.missing_languages
    else:
        release = version.release_number
        before = await _released(db, version, release if version.kind == "draft" else release - 1)
        changes = contents.differences(before, await _content(db, version))
    shown = changes[:KEYS_SHOWN]
    known = await _editors(db, version, shown, against)
    wanted = {change.key: change.languages for change in shown}
    names = await names_of(db, [*known.people(wanted, wanted), *_drafted_by(shown), version.created_by])
    kinds = [change.kind for change in changes]
    return VersionDiff(
        version=view_of(version, names, await restored_of(db, version.project_id, [version])),
        against=against,
        token=token,
        total=len(changes),
        added=kinds.count("added"),
        changed=kinds.count("changed"),
        removed=kinds.count("removed"),
        keys=[
            change.view(by=names.get(change.row.updated_by or "", DELETED_NAME), at=change.row.updated_at)
            if change.row
            else _told(change, known, names, version)
            for change in shown
        ],
        missing_languages=missing,
    )


async def _editors(db: AsyncSession, version: ScreenVersion, changes: Sequence[Change], against: Against) -> Editors:
    """Who edited these keys for a release; of a draft that was overwritten, and of older releases, that is not known."""
    wanted = {change.key: change.languages for change in changes if not change.row}
    if version.kind == "draft" or not wanted:
        return Editors({}, {}, None)
    after = version.release_number - 1 if against == "previous" else 0
    release, section = version.release_number, editors.screen_section(version.screen)
    try:
        found = await editors.find(db, version.project_id, section, wanted, after=after, until=release)
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error
    return Editors(found, {}, None)


def _drafted_by(changes: Sequence[Change]) -> list[str | None]:
    return [change.row.updated_by for change in changes if change.row]


def _told(change: Change, known: Editors, names: dict[str, str], version: ScreenVersion) -> KeyChange:
    """The change by who made it, as far as the release tells."""
    by, at = known.of(change.key) or (None, version.created_at)
    parts = {language: names.get(known.of_part(change.key, language) or "") for language in change.languages}
    return change.view(by=names.get(by or ""), at=at, parts=parts)


async def roll_back(
    db: AsyncSession, access: Access, screen: str, version_id: str, *, expected: str | None = None
) -> Outcome:
    """Put a version in the place of a screen's draft; the draft is kept as an entry of its own. Apps keep what they have.

    A draft that is as the version already is left alone, and no entry is made. Raises ``NotFound`` for a version that is not of this screen,
    ``Forbidden`` where the plan has no history, and ``Conflict`` when the draft is another one than ``expected``.
    """
    await _check(db, access, screen)
    version = await _find(db, access, screen, version_id)
    if expected is not None:
        check_seen(expected, await _token(db, version))
    plan = await _plan(db, access, version)
    kept = await _overwrite(db, access, version, plan) if plan.changes else None
    names = await names_of(db, [access.actor.id])
    return Outcome(
        _message(version, plan),
        len(plan.changes),
        view_of(kept, names, {}) if kept else None,
        await _token(db, version),
    )


async def rolled_back(db: AsyncSession, access: Access, screen: str, outcome: Outcome) -> RolledBack:
    """The answer to a roll back, with the screen as it is now. Reads the whole of it: call it when no lock is held any more."""
    keys = await screens.list_keys(db, access.project.id, screen)
    return RolledBack.model_validate(
        {
            "message": outcome.message,
            "keys": keys,
            "changed": outcome.changed,
            "kept": outcome.kept,
            "token": outcome.token,
        }
    )


async def bring_back(db: AsyncSession, access: Access, version: ScreenVersion, *, keeps_draft: bool) -> None:
    """Put a version in the place of a screen's draft, which gets an entry of its own if ``keeps_draft``. Records no activity."""
    plan = await _plan(db, access, version)
    if not plan.changes:
        return
    if keeps_draft:
        await _keep_draft(db, access, version.screen, plan)
    await _put(db, access, version, plan)


async def _keep_draft(db: AsyncSession, access: Access, screen: str, plan: _Plan) -> ScreenVersion:
    return await versions.record_version(
        db,
        access,
        screen,
        kind="draft",
        release=access.project.release_number,
        changes=len(plan.changes),
        body=body_of(contents.packed(plan.draft.content)),
        top_revision=plan.draft.top_revision,
    )


async def _put(db: AsyncSession, access: Access, version: ScreenVersion, plan: _Plan) -> None:
    screen = version.screen
    floor = max(plan.draft.top_revision, await versions.highest_revision(db, access.project.id, screen))
    await versions.overwrite_draft(db, access, screen, plan.changes, floor=floor, release=version.release_number)


async def _overwrite(db: AsyncSession, access: Access, version: ScreenVersion, plan: _Plan) -> ScreenVersion:
    screen = version.screen
    kept = await _keep_draft(db, access, screen, plan)
    await _put(db, access, version, plan)
    await record(
        db,
        project_id=access.project.id,
        actor_id=access.actor.id,
        action="screens.rolled_back",
        subject={"screen": screen, "version": version.number},
        after={"changedKeys": len(plan.changes)},
    )
    return kept


async def _check(db: AsyncSession, access: Access, screen: str) -> None:
    if not await projects.has_screen(db, access.project.id, screen):
        raise NotFound(f'There is no screen "{screen[:64]}".', code="screen_not_found")
    check_has_history(access)


def check_has_history(access: Access) -> None:
    """Raises ``Forbidden`` where the plan has no history."""
    if not access.tier.has_history:
        raise Forbidden(
            f'Version history is part of the "{WITH_HISTORY.name}". This project is on "{plan_of(access.tier.id).name}".',
            code="tier_feature",
        )


def token_of(draft: object) -> str:
    """A digest that differs when the draft does."""
    return hashlib.sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest()


def check_seen(expected: object, present: object) -> None:
    """Raises ``Conflict`` when the draft that is about to be overwritten is not the one that somebody saw."""
    if expected != present:
        raise Conflict(STALE_DRAFT, code="stale_draft")


async def _token(db: AsyncSession, version: ScreenVersion) -> str:
    """Of the draft of the version's screen, with the languages: on them depends which texts come back."""
    languages = sorted(await projects.languages_of(db, version.project_id))
    return token_of([languages, await screens.marks(db, version.project_id, version.screen)])


async def _find(db: AsyncSession, access: Access, screen: str, version_id: str) -> ScreenVersion:
    version = await versions.find_version(db, access.project.id, screen, version_id)
    if version is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    return version


async def _plan(db: AsyncSession, access: Access, version: ScreenVersion) -> _Plan:
    languages = await projects.languages_of(db, access.project.id)
    wanted, missing = contents.without_others(await _content(db, version), languages)
    draft = await contents.read_draft(db, access.project.id, version.screen)
    return _Plan(draft, contents.compare(draft, wanted, is_whole=version.kind == "draft"), missing)


async def _content(db: AsyncSession, version: ScreenVersion) -> Content:
    if version.kind == "release":
        return await _released(db, version, version.release_number)
    body = await versions.find_body(db, version.project_id, version.body_hash or "")
    try:
        return contents.unpacked(decode_part(version.body_hash or "", body or b"").value)
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error


async def _released(db: AsyncSession, version: ScreenVersion, release: int) -> Content:
    """The texts of a version's screen at a release, each by who wrote it as far as the entries up to the version tell."""
    hashes = await queries.text_parts_at(db, version.project_id, release, version.screen)
    bodies = await versions.author_bodies(db, version.project_id, version.screen, until=version.number)
    try:
        parts = await queries.read_parts(db, version.project_id, hashes.values())
        by_ai = versions.fold_authors(
            cast("dict[str, dict[str, list[str]]]", decode_part(body_hash, body).value) for body_hash, body in bodies
        )
    except ValueError as error:
        raise Conflict(DAMAGED, code="version_damaged") from error
    keys: dict[str, dict[str, Written]] = {}
    for language, part_hash in hashes.items():
        for name, text in cast("dict[str, str]", parts[part_hash].value).items():
            author = "ai" if (language, name) in by_ai else "person"
            keys.setdefault(name, {})[language] = Written(text, author)
    return {name: KeyContent(values) for name, values in keys.items()}


def body_of(value: object) -> versions.Body:
    """What an entry keeps of ``value``."""
    part = encode_part(value)
    return versions.Body(part.hash, part.compressed)


async def names_of(db: AsyncSession, user_ids: Sequence[str | None]) -> dict[str, str]:
    """The names of these people, of those who are still there."""
    found = await find_users(db, {user_id for user_id in user_ids if user_id})
    return {user_id: user.name for user_id, user in found.items()}


async def restored_of(
    db: AsyncSession, project_id: str, versions: Sequence[ScreenVersion | ColorVersion]
) -> dict[int, int]:
    """Which release each of the releases of these entries brought back."""
    releases = {version.release_number for version in versions if version.kind == "release"}
    return await queries.restored_by(db, project_id, releases)


def view_of(
    version: ScreenVersion | ColorVersion, names: Mapping[str, str], restored: Mapping[int, int]
) -> VersionView:
    """An entry of a history for people to see."""
    return VersionView(
        id=version.id,
        version_number=version.number,
        timestamp=version.created_at,
        kind="draft" if version.kind == "draft" else "release",
        by=names.get(version.created_by or "", DELETED_NAME),
        changes=version.changes,
        release=version.release_number,
        restored=version.restored_release if version.kind == "draft" else restored.get(version.release_number),
    )


def _message(version: ScreenVersion, plan: _Plan) -> str:
    """What was done, and what could not be."""
    count = len(plan.changes)
    said = (
        f"Rolled back to version {version.number}: {count} {'key' if count == 1 else 'keys'} changed."
        if count
        else f"The draft is as version {version.number} already. Nothing was changed."
    )
    if not plan.missing_languages:
        return said
    names = " and ".join(describe(code).name for code in plan.missing_languages)
    return f"{said} Texts in {names} were left out: the project does not have {'it' if len(plan.missing_languages) == 1 else 'them'} any more."
