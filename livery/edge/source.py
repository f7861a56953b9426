"""The releases of an edge: on its disk, fetched from its origin.

A release is known here only when its ledger and all its bodies are on the disk: until then, readers get the release before. Bodies of earlier
releases, which patches need, are fetched when they are asked for.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import structlog

from livery.content.parts import META, DecodedPart, Meta, decode_part
from livery.delivery.source import KNOWN_RELEASES, starts_after
from livery.edge import wire
from livery.edge.disk import Disk
from livery.edge.origin import Origin, away
from livery.publishing.schemas import Ledger, PartChange, ReleaseState, changes_in

log = structlog.get_logger()

_AT_ONCE = 8


class EdgeSource:
    """Implements ``Source`` and the releases of ``Supply``. ``on_adopt`` is called when a project is followed for the first time."""

    def __init__(self, disk: Disk, origin: Origin) -> None:
        self._disk = disk
        self._origin = origin
        self._ledgers: dict[str, Ledger] = {}
        self._gone: set[str] = set()
        self._turns: dict[str, asyncio.Lock] = {}
        self.epoch = ""
        self.media_url = ""
        self.on_adopt: Callable[[], None] = lambda: None

    def open(self) -> None:
        """Reads what is on the disk. Blocking: before the edge serves."""
        hello = self._disk.read(self._disk.path("origin"))
        if hello is None:
            return
        self._greet(wire.read(wire.HELLO, hello))
        for name in self._disk.names("ledgers"):
            if name != self.epoch:
                self._disk.remove(self._disk.folder / "ledgers" / name)
        for project_id in self._disk.names("ledgers", self.epoch):
            with suppress(ValueError):  # the name of an unfinished file
                raw = self._disk.read(self._disk.path("ledgers", self.epoch, project_id))
                if raw is not None:
                    ledger = self._ledgers[project_id] = wire.read(wire.LEDGER, raw)
                    self._disk.keep_bodies(project_id, {span.hash for span in ledger.spans})
        for project_id in self._disk.names("bodies"):
            if project_id not in self._ledgers:
                self._disk.remove(self._disk.folder / "bodies" / project_id)

    @property
    def releases(self) -> dict[str, int]:
        """The release of each project that is followed."""
        return {project_id: ledger.release for project_id, ledger in self._ledgers.items()}

    async def newest(self, project_ids: Sequence[str]) -> tuple[str, dict[str, int | None]]:
        """Returns the epoch, and the releases that are whole here."""
        numbers: dict[str, int | None] = {}
        for project_id in project_ids:
            if ledger := self._ledgers.get(project_id):
                numbers[project_id] = ledger.release
            elif project_id in self._gone:
                numbers[project_id] = None
        return self.epoch, numbers

    async def renew_epoch(self, before: str) -> str:
        """Returns the present epoch: only the server makes a new epoch."""
        return self.epoch

    async def current(self, project_id: str) -> ReleaseState | None:
        """Returns the newest release that is whole here. Fetches the release first if the project is new here."""
        ledger = await self._known_or_fetched(project_id)
        if ledger is None:
            return None
        parts = ledger.parts()
        meta = ledger.meta
        if meta is None:
            meta = Meta.from_part((await self.parts(project_id, [parts[META]]))[parts[META]].value)
        return ReleaseState(project_id, ledger.release, meta, parts, ledger.epoch)

    async def changes(self, project_id: str, older: int, newer: int) -> list[PartChange]:
        """Returns the parts that differ between two of the last releases."""
        ledger = await self._known_or_fetched(project_id)
        return changes_in(ledger.spans, older, newer) if ledger else []

    async def parts(self, project_id: str, hashes: Sequence[str]) -> dict[str, DecodedPart]:
        """Returns the decoded bodies: from the disk, else from the origin."""
        found = await asyncio.to_thread(self._read_bodies, project_id, hashes)
        parts = {part_hash: part for part_hash, (_, part) in found.items()}
        if missing := [part_hash for part_hash in hashes if part_hash not in parts]:
            fetched = await self._fetch(project_id, missing)
            if lacking := set(missing) - fetched.keys():
                raise ValueError(f"part {min(lacking)} is missing")
            parts.update({part_hash: decode_part(part_hash, body) for part_hash, body in fetched.items()})
        return parts

    async def ledger(self, project_id: str, known: tuple[str, int] | None) -> Ledger | None:
        """Returns the ledger for a further edge."""
        ledger = await self._known_or_fetched(project_id)
        if ledger is None:
            return None
        after = starts_after(known, ledger.epoch, ledger.release)
        return ledger if after is None else ledger.since(after)

    async def bodies(self, project_id: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Returns the compressed bodies for a further edge."""
        found = await asyncio.to_thread(self._read_bodies, project_id, hashes)
        bodies = {part_hash: raw for part_hash, (raw, _) in found.items()}
        if missing := [part_hash for part_hash in hashes if part_hash not in bodies]:
            bodies.update(await self._fetch(project_id, missing))
        return bodies

    def _read_bodies(self, project_id: str, hashes: Sequence[str]) -> dict[str, tuple[bytes, DecodedPart]]:
        found: dict[str, tuple[bytes, DecodedPart]] = {}
        for part_hash in hashes:
            if body := self._disk.read_body(project_id, part_hash):
                found[part_hash] = body
        return found

    async def _fetch(self, project_id: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Fetches these bodies from the origin onto the disk. Leaves out what the origin lacks. Raises ``Unavailable`` for damaged bodies."""
        wanted, fetched = list(hashes), dict[str, bytes]()
        while wanted:
            asked = wanted[: wire.HASHES_AT_ONCE]
            bodies = await self._origin.bodies(project_id, asked)
            try:
                await asyncio.to_thread(self._disk.write_bodies, project_id, bodies)
            except ValueError as error:
                log.exception("origin_sent_damage", project_id=project_id)
                raise away() from error
            fetched |= bodies
            wanted = [part_hash for part_hash in wanted if part_hash not in bodies] if bodies else wanted[len(asked) :]
        return fetched

    async def _known_or_fetched(self, project_id: str) -> Ledger | None:
        if ledger := self._ledgers.get(project_id):
            return ledger
        if not self.epoch:
            raise away()
        return await self.advance(project_id)

    async def advance(self, project_id: str) -> Ledger | None:
        """Fetches the newest release of a project: the bodies, then the ledger. Returns what is whole here then; ``None`` without such a project."""
        async with self._turns.setdefault(project_id, asyncio.Lock()):
            known = self._ledgers.get(project_id)
            ledger = await self._whole(project_id, known)
            if ledger is None:
                await self._forget(project_id)
                return None
            if ledger.epoch != self.epoch:
                raise away()  # the stream is about to report the new epoch
            if known is not None and ledger.release < known.release:
                log.critical(
                    "origin_is_older", project_id=project_id, release=ledger.release, served_release=known.release
                )
                return known
            await self._keep(ledger)
            if ledger.epoch != self.epoch:  # a new epoch began while this was written
                raise away()
            self._gone.discard(project_id)
            self._ledgers[project_id] = ledger
            if known is None:
                self.on_adopt()
            elif left := {span.hash for span in known.spans} - {span.hash for span in ledger.spans}:
                await asyncio.to_thread(self._disk.remove_bodies, project_id, left)
            return ledger

    async def _whole(self, project_id: str, known: Ledger | None) -> Ledger | None:
        """Returns the newest whole ledger, with the bodies of its release on the disk."""
        has_begun = known is not None and known.release > 0
        ledger = await self._origin.ledger(project_id, (known.epoch, known.release) if known and has_begun else None)
        if ledger is None:
            return None
        if ledger.after is not None and known is not None:
            try:
                ledger = known.merged(ledger, kept_releases=KNOWN_RELEASES)
            except ValueError as error:
                raise away() from error
        await self._fetch_bodies(project_id, set(ledger.parts().values()))
        return ledger

    async def _fetch_bodies(self, project_id: str, hashes: set[str]) -> None:
        def find_missing() -> list[str]:
            return [part_hash for part_hash in sorted(hashes) if not self._disk.has_body(project_id, part_hash)]

        missing = await asyncio.to_thread(find_missing)
        if set(missing) - (await self._fetch(project_id, missing)).keys():
            raise away()  # the origin has a newer release by now, or lacks a body: the next try finds out

    async def _keep(self, ledger: Ledger) -> None:
        path = self._disk.path("ledgers", ledger.epoch, ledger.project_id)
        await asyncio.to_thread(self._disk.write, path, wire.write(wire.LEDGER, ledger))

    async def _forget(self, project_id: str) -> None:
        """Forgets a project that is gone at the origin."""
        self._ledgers.pop(project_id, None)
        self._gone.add(project_id)
        for path in (self._disk.path("ledgers", self.epoch, project_id), self._disk.path("bodies", project_id)):
            await asyncio.to_thread(self._disk.remove, path)

    async def begin_epoch(self, hello: wire.Hello) -> None:
        """Goes on to the origin's epoch: fetches all projects, then serves them. Until the last is here, the epoch before is served.

        Raises ``Unavailable`` if the origin leaves during that; then nothing has changed.
        """
        if hello.epoch != self.epoch:
            places = asyncio.Semaphore(_AT_ONCE)

            async def fetch(project_id: str) -> Ledger | None:
                async with places, self._turns.setdefault(project_id, asyncio.Lock()):
                    ledger = await self._whole(project_id, None)
                    if ledger is not None and ledger.epoch != hello.epoch:
                        raise away()
                    if ledger is not None:
                        await self._keep(ledger)
                    return ledger

            fetched = await asyncio.gather(*map(fetch, sorted(self._ledgers)))
            await self._point_to(hello)
            before = self._ledgers
            self._ledgers = {ledger.project_id: ledger for ledger in fetched if ledger is not None}
            self._gone |= before.keys() - self._ledgers.keys()
        elif hello.media_url != self.media_url:
            await self._point_to(hello)

    async def _point_to(self, hello: wire.Hello) -> None:
        await asyncio.to_thread(self._disk.write, self._disk.path("origin"), wire.write(wire.HELLO, hello))
        before, is_new = self.epoch, hello.epoch != self.epoch
        self._greet(hello)
        if before and is_new:
            await asyncio.to_thread(self._disk.remove, self._disk.path("ledgers", before))

    def _greet(self, hello: wire.Hello) -> None:
        self._disk.path(hello.epoch)  # it is the name of a folder
        self.epoch, self.media_url = hello.epoch, hello.media_url
