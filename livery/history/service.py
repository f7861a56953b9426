"""The history of a place: what each version changed of it, and the way back to any of its versions. One implementation for all kinds.

The content of a release is in the release; that of an overwritten draft is kept by its version. Nothing of the history is ever rewritten.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, cast

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import names_of
from livery.content import versions
from livery.content.changes import Change, Content, Stamp
from livery.content.kind import HistoryWords, Kind, Operation
from livery.content.models import Version
from livery.content.states import Frame
from livery.content.versions import EntryKind
from livery.core.errors import Conflict, NotFound
from livery.core.schemas import Moment, View
from livery.projects.acts import record_act
from livery.projects.languages import describe
from livery.projects.queries import Access, languages_of
from livery.publishing import comparing, queries
from livery.publishing.comparing import ALL_BOUNDED, Differences, Scope
from livery.publishing.release_history import check_has_history
from livery.publishing.unpublished import Group, draft_meta, released_meta

INVALID_VERSION = "Invalid version ID."
STALE_DRAFT = "The draft changed since you looked. Please look at what would change now."

Against = Literal["draft", "previous"]
Body = TypeVar("Body")
Contents = Mapping[str, Content]


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
    """A page of the history of a screen or of the colours, newest first. ``nextCursor`` asks for the next page; it is null on the last page."""

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
    """A comparison, the first 200 of its changes as the kind shows them, and the languages of the version that the project no longer has."""

    facts: Comparison
    views: Mapping[str, object]
    missing_languages: Sequence[str]


@dataclass(frozen=True)
class Outcome:
    """What a roll back did: a message for people, how many entries it changed, the version that keeps the overwritten draft, the new token."""

    message: str
    changed: int
    kept: VersionView | None
    token: str


async def list_versions(
    db: AsyncSession, access: Access, kind: Kind, place: str, *, limit: int, before: int | None
) -> Versions:
    """Returns the history of a place. Raises ``NotFound`` for an unknown place, and ``Forbidden`` when the plan has no history."""
    await kind.check_place(db, access.project.id, place)
    check_has_history(access)
    holds, _, name = place.partition("/")
    found = await versions.list_versions(db, access.project.id, holds, name, limit=limit + 1, before=before)
    shown = await _views(db, access.project.id, found[:limit])
    return Versions(versions=shown, next_cursor=shown[-1].version_number if len(found) > limit else None)


async def read_diff(
    db: AsyncSession, access: Access, kind: Kind, place: str, version_id: str, *, against: Against
) -> Compared:
    """Compares a version with the draft, or with what apps had before it. Raises what ``list_versions`` raises, and ``Conflict`` for damage."""
    await kind.check_place(db, access.project.id, place)
    version = await find(db, access, place, version_id)
    project, release = access.project, version.release_number
    wanted = await _contents(db, kind, place, version)
    token: str | None = None
    missing: Sequence[str] = ()
    if against == "draft":
        token = await _token(db, access, kind, place)
        draft, wanted, missing = await _beside_draft(db, access, kind, place, version, wanted)
        changes = await kind.compare_contents(db, project.id, place, draft, wanted)
    else:
        before = await _released(db, project.id, kind, place, release if version.entry == "draft" else release - 1)
        changes = await kind.compare_contents(db, project.id, place, before, wanted)
    older = release if version.entry == "draft" else release - 1 if against == "previous" else 0
    scope = Scope(older, release, Stamp(None, version.created_at), is_draft=against == "draft")
    outline = replace(
        await draft_meta(db, project), languages=()
    )  # only this place is compared, in all of its languages
    differences = Differences(
        Frame(project.id, release, outline, outline), [Group(kind, place, changes)] if changes else []
    )
    with _damage_refused():
        shown = await comparing.show(db, differences, ALL_BOUNDED, scope=scope)
    (view,) = await _views(db, project.id, [version])
    ways = [change.way for change in changes]
    facts = Comparison(
        version=view,
        against=against,
        token=token,
        total=len(ways),
        added=ways.count("added"),
        changed=ways.count("changed"),
        removed=ways.count("removed"),
    )
    return Compared(facts, shown.views, missing)


async def roll_back(
    db: AsyncSession, access: Access, kind: Kind, place: str, version_id: str, *, expected: str | None = None
) -> Outcome:
    """Puts a version in the place of the draft, which is kept as a version of its own. Apps keep what they have.

    A draft that equals the version already is left alone, and no version is made. Raises what ``read_diff`` raises, and ``Conflict`` when the
    draft is not ``expected``.
    """
    await kind.check_place(db, access.project.id, place)
    version = await find(db, access, place, version_id)
    if expected is not None:
        check_seen(expected, await _token(db, access, kind, place))
    project, words = access.project, cast("HistoryWords", kind.words)
    wanted = await _contents(db, kind, place, version)
    draft, wanted, missing = await _beside_draft(db, access, kind, place, version, wanted)
    changes = await kind.compare_contents(db, project.id, place, wanted, draft, is_draft=True)
    kept: Sequence[Version] = ()
    if changes:
        await _overwrite(db, access, kind, place, version, changes)
        kept = await versions.list_versions(db, project.id, version.kind, version.place, limit=1)
        await record_act(
            db,
            access,
            words.action,
            {**kind.subject(place), "version": version.number},
            after={words.counted_as: len(changes)},
        )
    return Outcome(
        _message(words, version, len(changes), missing),
        len(changes),
        next(iter(await _views(db, project.id, kept)), None),
        await _token(db, access, kind, place),
    )


async def _overwrite(
    db: AsyncSession, access: Access, kind: Kind, place: str, version: Version, changes: Sequence[Change]
) -> None:
    """Makes the draft hold ``before`` of the changes: as the release had it, or as the version kept it."""
    project = access.project
    outline = await released_meta(db, project)
    at, source = versions.whole_moment(), version.release_number
    operation = Operation(at, project.release_number, outline, outline.languages, source=source, keeps_all=True)
    if version.entry == "release":
        await kind.discard(db, access, place, changes, operation)
        return
    body = await read_kept(db, version, lambda value: cast("dict[str, object]", value))
    await kind.bring_back(db, access, place, {change.name: body.get(change.name) for change in changes}, operation)


async def find(db: AsyncSession, access: Access, place: str, version_id: str) -> Version:
    """Returns the version of this place. Raises ``Forbidden`` when the plan has no history, and ``NotFound``."""
    check_has_history(access)
    holds, _, name = place.partition("/")
    version = await versions.find_version(db, access.project.id, holds, name, version_id)
    if version is None:
        raise NotFound(INVALID_VERSION, code="invalid_version")
    return version


async def read_kept(db: AsyncSession, version: Version, read: Callable[[object], Body]) -> Body:
    """Returns the content that a version keeps, as ``read`` returns it. Raises ``Conflict`` for damage."""
    with _damage_refused():
        return read(await versions.read_body(db, version))


def check_seen(expected: object, present: object) -> None:
    """Raises ``Conflict`` when the draft that is about to be overwritten is not the draft that somebody saw."""
    if expected != present:
        raise Conflict(STALE_DRAFT, code="stale_draft")


@contextmanager
def _damage_refused() -> Generator[None]:
    try:
        yield
    except ValueError as error:
        raise Conflict(versions.DAMAGED, code="version_damaged") from error


async def _token(db: AsyncSession, access: Access, kind: Kind, place: str) -> str:
    """Returns a digest that differs when what a roll back would change may differ."""
    mark = await kind.draft_mark(db, access.project.id, place)
    return hashlib.sha256(json.dumps(mark, sort_keys=True).encode()).hexdigest()


async def _contents(db: AsyncSession, kind: Kind, place: str, version: Version) -> Contents:
    if version.entry == "draft":
        return await read_kept(db, version, kind.kept)
    return await _released(db, version.project_id, kind, place, version.release_number)


async def _released(db: AsyncSession, project_id: str, kind: Kind, place: str, release: int) -> Contents:
    """Returns what a release had of a place. Raises ``Conflict`` for damage."""
    name = kind.parts_of(place)
    hashes = await queries.pieces_at(db, project_id, release, name)
    with _damage_refused():
        bodies = await queries.read_parts(db, project_id, hashes.values())
        return kind.contents({f"{name}{piece}": bodies[part_hash].value for piece, part_hash in hashes.items()})


async def _beside_draft(
    db: AsyncSession, access: Access, kind: Kind, place: str, version: Version, wanted: Contents
) -> tuple[Contents, Contents, Sequence[str]]:
    """Returns the draft of a place, what of ``wanted`` the project can have, and the languages that it has not.

    A release does not know entries without any value. Such entries of the draft stay, so they are left out.
    """
    project_id = access.project.id
    fitted = kind.fitted(wanted, await languages_of(db, project_id))
    draft = await kind.draft(db, project_id, place)
    if version.entry == "release":
        draft = {name: content for name, content in draft.items() if content or name in fitted}
    missing = {slot for content in wanted.values() for slot in content}
    missing -= {slot for content in fitted.values() for slot in content}
    return draft, fitted, sorted(missing)


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
            by=names.get(version.created_by or "", version.author_name or DELETED_NAME),
            changes=version.changes,
            release=version.release_number,
            restored=version.restored_release if version.entry == "draft" else restored.get(version.release_number),
        )
        for version in found
    ]


def _message(words: HistoryWords, version: Version, count: int, missing: Sequence[str]) -> str:
    """Returns what was done, and what could not be done."""
    said = (
        f"Rolled back to version {version.number}: {count} {words.one if count == 1 else words.many} changed."
        if count
        else f"The draft is as version {version.number} already. Nothing was changed."
    )
    if not missing:
        return said
    names = " and ".join(describe(code).name for code in missing)
    return f"{said} Texts in {names} were left out: the project does not have {'it' if len(missing) == 1 else 'them'} any more."
