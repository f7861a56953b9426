"""The search, and what renewing blocks reads.

A signature shows which blocks can hold the query; only these are read and looked through. Blocks that were read stay in memory, under a digest
of what is in them, so that typing on reads few. What the query hits best comes first, and fifty hits end the search.
"""

from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy import ColumnElement, literal, or_, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import limits
from livery.projects.models import Project
from livery.projects.queries import languages_of, screens_of
from livery.screens.models import TextKey, TextValue
from livery.search.blocks import NAMES, Block, Needle, find, make_block, may_hold, needles, sign
from livery.search.directory import Directory, Entry, Place, directory_of
from livery.search.folding import FORM, fold
from livery.search.kept_blocks import BLOCKS, PackedBlock
from livery.search.models import SearchBlock, SearchMark
from livery.search.schemas import SearchResult

_CHUNKS = (32, 256)
"""How many blocks are looked through at a time: few at first, since most queries are over then."""
_ANYWHERE = 3
"""The last stage of ``needles``: what it does not find is not there."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Hit:
    """A text that holds the query, or the key whose name does; ``stage`` is the needle that found it."""

    stage: int
    place: Place
    key_id: str


@dataclass
class Hits:
    """What was found, each key once for its name and once for each language."""

    order: Mapping[Place, int]
    removed: frozenset[str]
    found: dict[tuple[str, Place], Hit] = field(default_factory=dict[tuple[str, Place], Hit])

    def add(self, stage: int, place: Place, block: Block, needle: Needle) -> None:
        """Take the hits of a block, as many as could ever be shown."""
        taken = 0
        for key_id in find(block, needle.text):
            if (key_id, place) not in self.found and key_id not in self.removed:
                self.found[key_id, place] = Hit(stage, place, key_id)
                taken += 1
            if taken >= limits.SEARCH_RESULTS:
                return

    def has_enough(self, stage: int) -> bool:
        """Whether later stages can't add anything that would be shown."""
        return sum(hit.stage <= stage for hit in self.found.values()) >= limits.SEARCH_RESULTS

    def best(self) -> list[Hit]:
        """Returns the hits to show: by stage, then as the project orders its languages and screens."""
        return sorted(self.found.values(), key=lambda hit: (hit.stage, self.order[hit.place]))[: limits.SEARCH_RESULTS]


async def search(db: AsyncSession, project: Project, query: str) -> list[SearchResult]:
    """Keys whose names hold ``query``, then texts that do; the best first, at most 50, of drafts as they are now."""
    folded = fold(query)
    if not folded:
        return []
    screens = await screens_of(db, project.id)
    spoken = await languages_of(db, project.id)
    languages = sorted(spoken, key=lambda language: language != project.default_language)
    removed = await _removed_keys(db, project.id)
    stale = await _stale_places(db, project.id)
    directory = await directory_of(db, project.id)
    names = Hits(_order(screens, [NAMES]), removed)
    await _collect(db, project.id, names, directory, stale, needles(folded, is_name=True))
    keys = await _results(db, project, names.best())
    if len(keys) >= limits.SEARCH_RESULTS:
        return keys
    texts = Hits(_order(screens, languages), removed)
    await _collect(db, project.id, texts, directory, stale, needles(folded, is_name=False))
    shown = {(result.tab_name, result.key) for result in keys}
    values = [
        result
        for result in await _results(db, project, texts.best())
        if result.language != project.default_language or (result.tab_name, result.key) not in shown
    ]
    return [*keys, *values][: limits.SEARCH_RESULTS]


async def some_marks(db: AsyncSession, limit: int) -> Sequence[SearchMark]:
    """Marks that wait for their block."""
    return (await db.scalars(select(SearchMark).limit(limit))).all()


async def texts_of(db: AsyncSession, project_id: str, screen: str, language: str) -> list[tuple[str, str]]:
    """What the block of a screen and a language is made of: key ids with texts (or names), in the order of the ids."""
    return (await _texts(db, project_id, [(screen, language)])).get((screen, language), [])


async def check_search(db: AsyncSession) -> AsyncGenerator[str]:
    """Each block of the search index has the present texts, and all texts are in a block. Texts that are marked to be read again are not checked."""
    texts = select(TextValue.project_id, TextValue.screen, TextValue.language).where(TextValue.value != "")
    names = select(TextKey.project_id, TextKey.screen, literal(NAMES))
    blocks = select(SearchBlock.project_id, SearchBlock.screen, SearchBlock.language)
    marks = select(SearchMark.project_id, SearchMark.screen, SearchMark.language)
    marked = {(row[0], row[1], row[2]) for row in await db.execute(marks)}
    places = {(row[0], row[1], row[2]) for row in await db.execute(union(texts, names, blocks))}
    for project_id, screen, language in sorted(places - marked):
        wanted = make_block(await texts_of(db, project_id, screen, language))
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


async def _texts(db: AsyncSession, project_id: str, places: Sequence[Place]) -> Mapping[Place, list[tuple[str, str]]]:
    found: dict[Place, list[tuple[str, str]]] = defaultdict(list)
    if named := [screen for screen, language in places if language == NAMES]:
        keys = await db.execute(
            select(TextKey.screen, TextKey.id, TextKey.name)
            .where(TextKey.project_id == project_id, TextKey.screen.in_(named))
            .order_by(TextKey.id)
        )
        for screen, key_id, name in keys:
            found[screen, NAMES].append((key_id, name))
    if spoken := [place for place in places if place[1] != NAMES]:
        values = await db.execute(
            select(TextValue.screen, TextValue.language, TextValue.key_id, TextValue.value)
            .where(or_(*(_is_at(project_id, *place) for place in spoken)), TextValue.value != "")
            .order_by(TextValue.key_id)
        )
        for screen, language, key_id, value in values:
            found[screen, language].append((key_id, value))
    return found


def _is_at(project_id: str, screen: str, language: str) -> ColumnElement[bool]:
    """With the project in each of many places, or SQLite would read all of its texts."""
    return (TextValue.project_id == project_id) & (TextValue.screen == screen) & (TextValue.language == language)


def _order(screens: Sequence[str], languages: Sequence[str]) -> dict[Place, int]:
    places = ((screen, language) for language in languages for screen in screens)
    return {place: number for number, place in enumerate(places)}


async def _removed_keys(db: AsyncSession, project_id: str) -> frozenset[str]:
    """Keys that are out of the draft while apps still have them."""
    removed = select(TextKey.id).where(TextKey.project_id == project_id, TextKey.removed_at.is_not(None))
    return frozenset(await db.scalars(removed))


async def _stale_places(db: AsyncSession, project_id: str) -> set[Place]:
    """Places whose block does not hold what their texts are now."""
    marks = await db.execute(select(SearchMark.screen, SearchMark.language).where(SearchMark.project_id == project_id))
    return {(screen, language) for screen, language in marks}


async def _collect(
    db: AsyncSession, project_id: str, hits: Hits, directory: Directory, stale: set[Place], wanted: Sequence[Needle]
) -> None:
    """Fill ``hits``: from marked texts as they are, then from blocks, needle by needle until there are enough."""
    changed = sorted((stale | directory.foreign) & hits.order.keys(), key=lambda place: hits.order[place])
    for places in _chunks(changed):
        for place, rows in (await _texts(db, project_id, places)).items():
            block = make_block(rows)
            for stage, needle in enumerate(wanted):
                hits.add(stage, place, block, needle)
        if hits.has_enough(_ANYWHERE):
            break
    anywhere = wanted[_ANYWHERE].grams
    left = [
        entry
        for entry in directory.entries
        if entry.place in hits.order and entry.place not in stale and may_hold(entry.signature, anywhere)
    ]
    left.sort(key=lambda entry: hits.order[entry.place])
    for stage, needle in enumerate(wanted):
        if hits.has_enough(stage - 1):
            return
        without = await _look_through(
            db, hits, [one for one in left if may_hold(one.signature, needle.grams)], stage, wanted
        )
        left = [one for one in left if one.id not in without]


async def _look_through(
    db: AsyncSession, hits: Hits, entries: Sequence[Entry], stage: int, wanted: Sequence[Needle]
) -> set[int]:
    """Add what one needle finds. Gives the blocks that don't hold the query at all: most don't, and no other needle finds anything there."""
    needle, anywhere = wanted[stage], wanted[_ANYWHERE].text
    without: set[int] = set()
    for some in _chunks(entries):
        packed = await _read(db, some)
        for one in some:
            block = packed.get(one.id)
            if block is None:
                continue
            if needle.text in block.text:
                hits.add(stage, one.place, block.unpacked(), needle)
            elif stage == _ANYWHERE or anywhere not in block.text:
                without.add(one.id)
        if hits.has_enough(stage):
            break
    return without


async def _read(db: AsyncSession, entries: Sequence[Entry]) -> dict[int, PackedBlock]:
    """Returns the blocks as they are now, by id. Leaves out deleted blocks."""
    packed = {one.id: block for one in entries if (block := BLOCKS.get(one.digest))}
    if missing := [one.id for one in entries if one.id not in packed]:
        columns = (SearchBlock.id, SearchBlock.digest, SearchBlock.text, SearchBlock.key_ids)
        for block_id, digest, text, key_ids in await db.execute(select(*columns).where(SearchBlock.id.in_(missing))):
            packed[block_id] = PackedBlock(text, key_ids)
            BLOCKS.put(digest, packed[block_id])
    return packed


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    start = 0
    for size in (*_CHUNKS, *(_CHUNKS[-1] for _ in items)):
        if start >= len(items):
            return
        yield items[start : start + size]
        start += size


async def _results(db: AsyncSession, project: Project, hits: Sequence[Hit]) -> list[SearchResult]:
    """Returns the hits with their keys and texts; in one stage and place the keys by name."""
    if not hits:
        return []
    keys = await db.execute(
        select(TextKey.id, TextKey.name).where(
            TextKey.project_id == project.id, TextKey.id.in_({hit.key_id for hit in hits})
        )
    )
    names = {row[0]: row[1] for row in keys}
    wanted = [(hit.place[0], hit.place[1] or project.default_language, hit.key_id) for hit in hits]
    texts = await db.execute(
        select(TextValue.screen, TextValue.language, TextValue.key_id, TextValue.value).where(
            TextValue.project_id == project.id,
            TextValue.key_id.in_({key_id for _, _, key_id in wanted}),
            TextValue.language.in_({language for _, language, _ in wanted}),
        )
    )
    values = {(screen, language, key_id): value for screen, language, key_id, value in texts}
    return [
        SearchResult(
            tab_name=place[0],
            key=names[place[2]],
            value=values.get(place, ""),
            language=place[1],
            match_type="value" if hit.place[1] else "key",
        )
        for hit, place in zip(hits, wanted, strict=True)
    ]
