"""Texts as a kind of content: the keys of a screen with their texts by language."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import cast

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content.changes import Change, Changes, Content, Stamp
from livery.content.kind import (
    Deed,
    HistoryWords,
    Kind,
    Remaining,
    Restored,
    Restoring,
    keep_draft,
)
from livery.content.parts import TEXT, Meta, Part, PartName, encode_part, text_part, text_prefix
from livery.content.showing import Comparison, Edit, Section, Touched
from livery.content.states import Frame, ReadParts, Values
from livery.content.warnings import LimitOf, PlaceWarnings
from livery.core.errors import Invalid, NotFound
from livery.core.ids import new_id
from livery.core.portions import portions
from livery.projects import queries as projects
from livery.projects.queries import Access
from livery.projects.screen_names import GENERAL
from livery.screens import contents, export, fsck, queries, settling, versions, warnings
from livery.screens.contents import KeyContent, Written, texts_of
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import Author
from livery.screens.section import section_of

CONTENT_LIMIT_BYTES = 10 * 1024 * 1024
_PLACE = "screen/"


def screen_of(place: str) -> str:
    """Returns the screen of a place."""
    return place.removeprefix(_PLACE)


class Texts(Kind):
    """Keys with their texts. A slot is a language. A renamed key is a removal of its former name and an addition of the new name."""

    name = "keys"
    entry = "text"
    words = HistoryWords("key", "keys", "screens.rolled_back", "changedKeys")
    kept_forms = MappingProxyType({contents.KIND: contents.unpacked})

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """See ``Kind``. A screen that is added or removed counts as one change if none of its texts is changed."""
        before, after = frame.before, frame.after
        moved = {*before.screens} ^ {*after.screens} if before.languages else set[str]()
        counts = dict.fromkeys(moved, 1) | await queries.changed_counts(db, frame.project_id)
        return {
            _PLACE + screen: counts[screen]
            for screen in dict.fromkeys([*after.screens, *before.screens])
            if screen in counts
        }

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. The changes are in the order of the keys' names."""
        return await _Reader(frame, screen_of(place)).read(db)

    async def marks(
        self, db: AsyncSession, project_id: str, outline: Meta, languages: Collection[str]
    ) -> Mapping[str, object]:
        """See ``Kind``."""
        marks = await export.marks(db, project_id)
        return {
            text_part(screen, language): mark
            for screen, mark in marks.items()
            if screen in outline.screens
            for language in sorted(languages)
        }

    async def draft_part(self, db: AsyncSession, project_id: str, part: PartName) -> object:
        """See ``Kind``."""
        return await export.texts(db, project_id, part.place, part.piece)

    async def top_removed_revision(self, db: AsyncSession, project_id: str) -> int | None:
        """See ``Kind``."""
        return await queries.top_removed_revision(db, project_id)

    async def top_revision(self, db: AsyncSession, project_id: str, place: str) -> int:
        """See ``Kind``."""
        return await queries.top_revision(db, project_id, screen_of(place))

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return _PLACE + part.place if part.holds == TEXT else None

    def contents(self, values: Values) -> Mapping[str, Content]:
        """See ``Kind``. Of a key, only the languages of these parts are known: a key without a text in them is not there."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for name, texts in values.items():
            for key, text in cast("dict[str, str]", texts).items():
                found[key][PartName.parse(name).piece] = text
        return dict(found)

    async def ids(self, db: AsyncSession, project_id: str, place: str, names: Collection[str]) -> Mapping[str, str]:
        """See ``Kind``. Keys that the draft does not have get new ids."""
        ids = await queries.ids_of(db, project_id, screen_of(place), sorted(names))
        return {name: ids.get(name) or new_id("key") for name in names}

    def parts_of(self, place: str) -> str:
        """See ``Kind``."""
        return text_prefix(screen_of(place))

    async def draft(self, db: AsyncSession, project_id: str, place: str) -> Mapping[str, Content]:
        """See ``Kind``."""
        return _texts((await contents.read_draft(db, project_id, screen_of(place))).content)

    async def draft_mark(self, db: AsyncSession, project_id: str, place: str) -> object:
        """See ``Kind``. Which texts come back depends on the languages."""
        languages = await projects.languages_of(db, project_id)
        return [sorted(languages), await queries.marks(db, project_id, screen_of(place))]

    def kept(self, body: object) -> Mapping[str, Content]:
        """See ``Kind``."""
        return _texts(contents.unpacked(body))

    def fitted(self, wanted: Mapping[str, Content], languages: Collection[str]) -> Mapping[str, Content]:
        """See ``Kind``."""
        return {
            name: {code: text for code, text in texts.items() if code in languages} for name, texts in wanted.items()
        }

    async def check_place(self, db: AsyncSession, project_id: str, place: str) -> None:
        """See ``Kind``."""
        screen = screen_of(place)
        if not await projects.has_screen(db, project_id, screen):
            raise NotFound(f'There is no screen "{screen[:64]}".', code="screen_not_found")

    def subject(self, place: str) -> Subject:
        """See ``Kind``."""
        return {"screen": screen_of(place)}

    async def patch(
        self, read: ReadParts, frame: Frame, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Part | None]:
        """See ``Kind``."""
        screen = screen_of(place)
        edits: dict[str, dict[str, str]] = defaultdict(dict)
        for change in sorted(changes, key=lambda one: one.after is not None):
            for language in change.slots:
                edits[text_part(screen, language)][change.name] = (change.after or {}).get(language, "")
        current = await read(edits)
        return {name: _edited(current.get(name), texts) for name, texts in edits.items()}

    async def touched(
        self, db: AsyncSession, project_id: str, place: str, changes: Sequence[Change]
    ) -> Mapping[str, Touched]:
        """See ``Kind``."""
        screen, names = screen_of(place), [change.name for change in changes]
        languages = {language for change in changes for language in change.slots}
        texts: dict[str, dict[str, Edit]] = defaultdict(dict)
        for (name, language), edit in (await queries.last_text_edits(db, project_id, screen, names, languages)).items():
            texts[name][language] = edit
        rows = await queries.last_edits(db, project_id, screen, names)
        return {name: Touched(whole, texts[name]) for name, whole in rows.items()}

    async def section(self, comparison: Comparison) -> Section:
        """See ``Kind``."""
        return await section_of(comparison)

    def check(self, outline: Meta, sizes: Mapping[str, int]) -> None:
        """See ``Kind``. A language shows the default language's texts where a screen has none, so those count too."""
        for language in outline.languages:
            total = sum(
                max(
                    sizes.get(text_part(screen, language), 0), sizes.get(text_part(screen, outline.default_language), 0)
                )
                for screen in outline.screens
            )
            if total > CONTENT_LIMIT_BYTES:
                raise Invalid(
                    f'The texts in "{language}" are {total / 1024 / 1024:.1f} MB; apps can load at most 10 MB. Shorten or remove some.',
                    code="content_too_large",
                )

    async def record(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        release: int,
        restored: int | None = None,
    ) -> None:
        """See ``Kind``. The entry keeps who wrote what changed, unless no release of the screen ever had a text by AI."""
        screen = screen_of(place)
        by_ai = await versions.by_ai(db, access.project.id, screen, restored or 0)
        written: list[tuple[str, str, Author]] = [
            (language, change.name, author)
            for change in changes
            if change.after is not None
            for language in change.slots
            if (author := _author(change, language, by_ai, is_restored=restored is not None))
        ]
        await versions.record_release(db, access, screen, release=release, changes=len(changes), written=written)

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: Restored | None = None,
    ) -> None:
        """See ``Kind``."""
        await settling.settle(db, access, screen_of(place), changes, restored)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], deed: Deed
    ) -> object:
        """See ``Kind``."""
        project, screen = access.project, screen_of(place)
        draft = await contents.read_draft(db, project.id, screen)
        new_languages = set(deed.languages) - set(deed.outline.languages)
        carried = await _carried(db, project.id, changes, new_languages)
        by_ai = await versions.by_ai(db, project.id, screen, deed.origin)
        wanted = {change.name: _discarded(draft, change, by_ai, carried.get(change.name, {})) for change in changes}
        is_kept = any(map(deed.keeps, changes))
        floor = await keep_draft(db, access, place, draft, len(wanted), is_wanted=is_kept, floor=deed.floor, deed=deed)
        await versions.overwrite_draft(db, access, screen, draft, wanted, floor=floor, release=deed.origin)
        return contents.packed({name: draft.content.get(name) for name in wanted})

    async def remaining(
        self, db: AsyncSession, access: Access, changes: Changes, restoring: Restoring, kept: Collection[str]
    ) -> Remaining:
        """See ``Kind``. A screen that apps lose stays as a new one if it has keys that apps never had."""
        sentences: list[str] = []
        for place, group in changes.items():
            screen = screen_of(place)
            count = sum(change.ref in kept and f"screen:{screen}" in change.needs for change in group)
            if count and f"screen:{screen}" not in restoring.unreleased:
                keys = "a key that was" if count == 1 else f"{count:,} keys that were"
                sentences.append(f'"{screen}" stays in the draft as a new screen: it has {keys} never published.')
        return Remaining((), sentences)

    async def bring_back(self, db: AsyncSession, access: Access, place: str, kept: object, deed: Deed) -> None:
        """See ``Kind``."""
        screen = screen_of(place)
        if screen not in await projects.screens_of(db, access.project.id):
            return
        languages = await projects.languages_of(db, access.project.id)
        before = contents.in_languages(contents.unpacked(kept), languages)
        draft = await contents.read_draft(db, access.project.id, screen)
        wanted = {
            name: before.get(name)
            for name in cast("dict[str, object]", kept)
            if texts_of(draft.content.get(name)) != texts_of(before.get(name))
            or (name in draft.content) is not (name in before)
        }
        if not wanted:
            return
        is_kept = draft.is_changed or deed.keeps_all
        floor = await keep_draft(db, access, place, draft, len(wanted), is_wanted=is_kept, floor=deed.floor)
        await versions.overwrite_draft(
            db, access, screen, draft, wanted, floor=floor, release=deed.source or deed.release
        )

    def problems(self, db: AsyncSession) -> AsyncGenerator[str]:
        """See ``Kind``."""
        return fsck.problems(db)

    def published(self, db: AsyncSession) -> AsyncGenerator[tuple[str, str, object]]:
        """See ``Kind``."""
        return fsck.published(db)

    async def warnings(
        self, db: AsyncSession, frame: Frame, changes: Changes, limit_of: LimitOf
    ) -> Sequence[PlaceWarnings]:
        """See ``Kind``."""
        return await warnings.warnings(db, frame, changes, limit_of)


def _author(change: Change, language: str, by_ai: Collection[tuple[str, str]], *, is_restored: bool) -> Author | None:
    """Returns who wrote a text that a release changes; ``None`` if that is not known."""
    if is_restored:
        return "ai" if (language, change.name) in by_ai else "person"
    stamp = change.stamps.get(language)
    return ("ai" if stamp.is_ai else "person") if stamp else None


def _texts(keys: contents.Content) -> dict[str, Content]:
    return {name: texts_of(key) for name, key in keys.items()}


def _edited(value: object, texts: Mapping[str, str]) -> Part | None:
    found = dict(cast("dict[str, str]", value or {}))
    for name, text in texts.items():
        if text:
            found[name] = text
        else:
            found.pop(name, None)
    return encode_part(found) if found else None


def _discarded(
    draft: contents.Draft, change: Change, by_ai: Collection[tuple[str, str]], carried: Mapping[str, Written]
) -> KeyContent | None:
    """Returns what becomes of a key of the draft when the change is discarded."""
    now = draft.content.get(change.name)
    if change.before is None and change.is_draft:
        return None
    values = {**carried, **(now.values if now else {})}
    for language in change.slots:
        text = (change.before or {}).get(language)
        if text:
            values[language] = Written(text, "ai" if (language, change.name) in by_ai else "person")
        else:
            values.pop(language, None)
    return KeyContent(values, now.created_at if now else None)


async def _carried(
    db: AsyncSession, project_id: str, changes: Sequence[Change], languages: Collection[str]
) -> Mapping[str, Mapping[str, Written]]:
    """Returns texts in languages that apps don't have, which come back with removed keys, by the names of these keys.

    A key comes back with its own; without any, with those of the key that has its new name. Where apps know both names, that is the only key
    that leaves with the texts with which the other comes back.
    """
    coming = [change for change in changes if change.after is None] if languages else []
    if not coming:
        return {}
    givers = _givers(changes, languages)
    ids = [change.id for change in [*coming, *givers.values()]]
    texts = await contents.texts_in_languages(db, project_id, ids, languages)
    return {
        change.name: texts.get(change.id) or texts.get(giver.id if (giver := givers.get(change.name)) else "", {})
        for change in coming
    }


def _givers(changes: Sequence[Change], languages: Collection[str]) -> Mapping[str, Change]:
    """Returns the changes of keys that leave, by the name under which each comes back."""
    leaving = {change.name: change for change in changes if change.before is None}
    coming = [change for change in changes if change.after is None]
    known = {change.name: leaving[change.new_name] for change in coming if change.new_name in leaving}
    by_texts: dict[frozenset[tuple[str, str]], list[Change]] = defaultdict(list)
    for change in [*leaving.values(), *coming]:
        texts = change.after or change.before or {}
        by_texts[frozenset((code, text) for code, text in texts.items() if code not in languages)].append(change)
    for texts, pair in by_texts.items():
        if texts and len(pair) == 2 and pair[0].before is None and pair[1].after is None:
            known.setdefault(pair[1].name, pair[0])
    return known


_KeyRow = Row[str, str, bool, str | None, datetime, datetime | None, str | None]


class _Reader:
    """Reads the changes of one screen."""

    def __init__(self, frame: Frame, screen: str) -> None:
        self._frame, self._screen = frame, screen
        before, after = frame.before, frame.after
        is_new = screen not in before.screens and screen != GENERAL
        self._needs = frozenset({f"screen:{screen}"}) if is_new else frozenset[str]()
        self._tie = None if screen in after.screens else f"screen:{screen}"
        new = set(after.languages) - set(before.languages) - {after.default_language}
        self._new = new if frame.release else set[str]()
        self._gone = set(before.languages) - set(after.languages)
        self._stamps: dict[tuple[str | None, datetime, bool], Stamp] = {}

    async def read(self, db: AsyncSession) -> list[Change]:
        """Reads the changed keys, and all texts of each."""
        columns = (
            TextKey.id,
            TextKey.name,
            TextKey.is_published,
            TextKey.updated_by,
            TextKey.updated_at,
            TextKey.removed_at,
            TextKey.renamed_from,
        )
        mine = (TextKey.project_id == self._frame.project_id) & (TextKey.screen == self._screen) & TextKey.is_changed
        # No ORDER BY: with one, SQLite scans all keys of the project.
        keys: list[_KeyRow] = sorted(await db.execute(select(*columns).where(mine)), key=lambda row: row[1])
        renamed = {str(row[6]): row[1] for row in keys if row[6] and row[5] is None}
        found: list[Change] = []
        for some in portions(keys):
            texts = await self._texts(db, [row[0] for row in some])
            found += [self._change(row, texts.get(row[0], ()), renamed) for row in some]
        return found

    async def _texts(
        self, db: AsyncSession, key_ids: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[str, str, str, Stamp]]]:
        rows = await db.execute(
            select(
                TextValue.key_id,
                TextValue.language,
                TextValue.value,
                TextValue.published_value,
                TextValue.updated_by,
                TextValue.updated_at,
                TextValue.author,
            ).where(TextValue.project_id == self._frame.project_id, TextValue.key_id.in_(key_ids))
        )
        found: dict[str, list[tuple[str, str, str, Stamp]]] = defaultdict(list)
        for key_id, language, value, published, by, at, author in rows:
            found[key_id].append((language, value, published, self._stamp(by, at, is_ai=author == "ai")))
        return found

    def _stamp(self, by: str | None, at: datetime, *, is_ai: bool = False) -> Stamp:
        """Returns one object for equal stamps: thousands of texts are written by a few people at a few moments."""
        return self._stamps.setdefault((by, at, is_ai), Stamp(by, at, is_ai))

    def _change(self, row: _KeyRow, texts: Iterable[tuple[str, str, str, Stamp]], renamed: Mapping[str, str]) -> Change:
        key_id, name, is_published, by, updated_at, removed_at, renamed_from = row
        texts = sorted(texts, key=lambda text: text[0])
        before = {language: published for language, _, published, _ in texts if published}
        change = Change(
            kind="text",
            id=key_id,
            name=name,
            before=before if is_published else None,
            after=None,
            stamp=self._stamp(by, removed_at or updated_at),
            tie=self._tie,
            slot_ties={language: f"language:{language}" for language in before if language in self._gone},
            is_draft=True,
        )
        if removed_at is not None:
            new_name = renamed.get(name)
            tie = self._tie or (f"rename:{self._screen}.{name}" if new_name else None)
            return replace(change, tie=tie, new_name=new_name)
        after = {language: value for language, value, _, _ in texts if value}
        return replace(
            change,
            after=after,
            stamps={language: stamp for language, *_, stamp in texts},
            needs=self._needs,
            tie=self._tie or (f"rename:{self._screen}.{renamed_from}" if renamed_from else None),
            slot_needs={language: f"language:{language}" for language in after if language in self._new},
            former_name=renamed_from,
        )
