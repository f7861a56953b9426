"""A visit makes the bucket of one project right: contents first, then pointers, then what is no longer needed.

A visit may break off anywhere and may run twice: it looks at what the bucket has, and adds what is missing. Two visits at once are safe, too.
Contents never change under their names, and pointers move by compare-and-swap.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from anyio import to_thread

from livery.cdn import names
from livery.cdn.names import Pointer
from livery.cdn.standing import Standing, read_standing
from livery.core import clock
from livery.core.blobs import ListedObject, PublicObjects
from livery.core.context import Context
from livery.core.errors import Unavailable
from livery.delivery import content
from livery.delivery.rendering import dump
from livery.publishing import queries
from livery.publishing.schemas import ReleaseState

KEPT = timedelta(days=1)
"""How long the contents of a release stay after the next release: a pointer that a cache or an app has may still name them."""
_SLACK = timedelta(minutes=1)
_PARALLEL = 8
_ROUNDS = 3
Result = TypeVar("Result")
CONTENT_HEADERS = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Encoding": "gzip",
    "Cache-Control": "public, max-age=604800, immutable",
}
"""A week, not a year: so long may a cache give a content whose key ended. Apps read a content once."""
POINTER_HEADERS = {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "public, max-age=10"}


class Overtaken(Exception):
    """What the visit was about to write is not to be written any more: the project changed, or its lease was lost."""


@dataclass(frozen=True)
class Outcome:
    """What the bucket has after a visit: ``release`` of ``epoch``, or nothing. ``look_at`` is when it must be looked at again."""

    epoch: str
    release: int | None
    look_at: datetime | None


@dataclass(frozen=True)
class Visit:
    """One visit of the bucket for a project. ``keep_lease`` raises ``Overtaken`` when it can't be kept."""

    context: Context
    objects: PublicObjects
    project_id: str
    keep_lease: Callable[[], Awaitable[None]]

    async def run(self) -> Outcome:
        """Makes the bucket right. Raises ``Unavailable``, ``Overtaken``, and ``ValueError`` when a part of the release is damaged."""
        # The list is older than what the database shows: an object in it that is not wanted was not written for a newer state.
        listed = await self.objects.list(self.project_id)
        standing, state = await self._read()
        pointers = [found.name for found in listed if not names.is_content(found.name, self.project_id)]
        if state is None:
            await self.objects.delete(pointers)
            await self.objects.delete([found.name for found in listed if found.name not in pointers])
            return Outcome(standing.epoch, None, None)
        # What a key has no right to any more goes first: it must not depend on writes that may fail.
        await self.objects.delete([name for name in pointers if names.address_in(name) not in standing.addresses])
        folder = self._folder(standing, state)
        wanted = await self._write_contents(standing, state, {found.name for found in listed})
        await self._move(standing, wanted)
        await self.objects.delete([name for name in pointers if name not in wanted])
        contents = [found for found in listed if names.is_content(found.name, self.project_id)]
        old, next_at = split_old(contents, folder, clock.now())
        await self.objects.delete(old)
        return Outcome(state.epoch, state.release, min(filter(None, (next_at, standing.until)), default=None))

    async def _read(self) -> tuple[Standing, ReleaseState | None]:
        async with self.context.database.read() as db:
            standing = await read_standing(db, self.context.settings, self.project_id)
            state = await queries.load_current(db, self.project_id) if standing.release else None
            return standing, state and replace(state, epoch=standing.epoch)

    def _folder(self, standing: Standing, state: ReleaseState) -> str:
        secret = self.context.settings.secret_key.get_secret_value()
        return names.folder_of(self.project_id, state.version, standing.ended_keys, secret)

    async def _write_contents(
        self, standing: Standing, state: ReleaseState, present: set[str]
    ) -> Mapping[str, Pointer]:
        """Writes the contents of all languages that are not there yet. Returns the pointers to them, by name."""
        folder = self._folder(standing, state)
        default = state.meta.default_language
        shared = await self._bodies(content.hashes_of_content(state, default), {})
        wanted: dict[str, Pointer] = {}
        for language in state.meta.languages:
            await self.keep_lease()
            bodies = await self._bodies(content.hashes_of_content(state, language), shared)
            raw, digest = await to_thread.run_sync(_compose, state, language, bodies)
            name = names.content_name(folder, language, digest)
            if name not in present:
                packed = await to_thread.run_sync(_pack, raw)
                await self.objects.replace(name, packed, CONTENT_HEADERS, tag=None)  # False: the same bytes are there
            pointer = Pointer(self.project_id, state.epoch, state.release, language, name, digest, len(raw))
            for address in standing.addresses:
                wanted[names.pointer_name(self.project_id, address, language)] = pointer
                if language == default:
                    wanted[names.pointer_name(self.project_id, address, names.DEFAULT)] = pointer
        return wanted

    async def _bodies(self, hashes: list[str], known: Mapping[str, object]) -> dict[str, object]:
        """Returns the decoded bodies of parts. What ``known`` has is not read again."""
        async with self.context.database.read() as db:
            read = await queries.read_parts(db, self.project_id, [name for name in hashes if name not in known])
        return {
            **{name: known[name] for name in hashes if name in known},
            **{k: part.value for k, part in read.items()},
        }

    async def _move(self, standing: Standing, wanted: Mapping[str, Pointer]) -> None:
        """Moves pointers that are older. Raises ``Unavailable`` if others write them each time in between."""
        left = dict(wanted)
        for _ in range(_ROUNDS):
            tags = await self._tags_of_older(left)
            if not tags:
                return
            # The pointers were read before the database is asked again. A visit that moves a pointer later changes its tag, so our write fails.
            await self.keep_lease()
            async with self.context.database.read() as db:
                now = await read_standing(db, self.context.settings, self.project_id)
            if not now.still_allows(standing):
                raise Overtaken
            moved = await _each(tags, partial(self._replace, left, tags))
            left = {name: wanted[name] for name, is_moved in moved.items() if not is_moved}
            if not left:
                return
        raise Unavailable("The pointers of a project are written by others all the time.")

    async def _replace(self, wanted: Mapping[str, Pointer], tags: Mapping[str, str | None], name: str) -> bool:
        return await self.objects.replace(name, wanted[name].encode(), POINTER_HEADERS, tag=tags[name])

    async def _tags_of_older(self, wanted: Mapping[str, Pointer]) -> dict[str, str | None]:
        """Returns the tags of the pointers that are to move; ``None`` for pointers that are not there.

        A pointer of a different epoch is older: the epoch of the database is the present epoch.
        """
        found = await _each(wanted, self.objects.read)
        tags: dict[str, str | None] = {}
        for name, pointer in wanted.items():
            present = found[name]
            if present is None:
                tags[name] = None
                continue
            version = names.version_in(present[0])
            is_newer = version is not None and version[0] == pointer.epoch and version[1] > pointer.release
            if not is_newer and present[0] != pointer.encode():
                tags[name] = present[1]
        return tags


async def _each(wanted: Iterable[str], call: Callable[[str], Awaitable[Result]]) -> dict[str, Result]:
    """Calls ``call`` for each name, a few at a time. All calls have ended when this raises the first error."""
    slots = asyncio.Semaphore(_PARALLEL)

    async def one(name: str) -> Result:
        async with slots:
            return await call(name)

    order = list(wanted)
    results = await asyncio.gather(*map(one, order), return_exceptions=True)
    done: dict[str, Result] = {}
    for name, result in zip(order, results, strict=True):
        if isinstance(result, BaseException):
            raise result
        done[name] = result
    return done


def split_old(contents: Iterable[ListedObject], current: str, now: datetime) -> tuple[list[str], datetime | None]:
    """Returns the contents to delete, and when there will be more of them; ``None`` if there won't.

    Contents are old ``KEPT`` after those of the next release were written. ``current`` is the folder of the newest release, which may be
    newer than the list.
    """
    written: dict[str, datetime] = {}
    for found in contents:
        folder = names.folder_in(found.name)
        written[folder] = max(found.written_at, written.get(folder, found.written_at))
    written.setdefault(current, now)
    old: set[str] = set()
    next_at: datetime | None = None
    for folder, moment in written.items():
        if folder == current:
            continue
        later = (other for name, other in written.items() if name != folder and other >= moment)
        ends_at = min(later, default=moment) + KEPT
        if ends_at <= now:
            old.add(folder)
        else:
            next_at = min(filter(None, (next_at, ends_at + _SLACK)))
    return [found.name for found in contents if names.folder_in(found.name) in old], next_at


def _compose(state: ReleaseState, language: str, bodies: Mapping[str, object]) -> tuple[bytes, str]:
    """Returns the content as ``/sdk/v1`` answers it, and its SHA-256."""
    raw = dump(content.compose(state, language, state.version, bodies))
    return raw, hashlib.sha256(raw).hexdigest()


def _pack(raw: bytes) -> bytes:
    return gzip.compress(raw, compresslevel=6, mtime=0)
