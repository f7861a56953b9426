"""Texts as a kind of content: the keys of a screen with their texts by language."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, ItemsView, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.activity.subjects import Subject
from livery.content import entries, versions
from livery.content.changes import Change, Changes, Content
from livery.content.kind import (
    HistoryWords,
    Kind,
    Operation,
    Remaining,
    RestoredRelease,
    Restoring,
)
from livery.content.parts import TEXT, Meta, Part, PartName, encode_part, text_part, text_prefix
from livery.content.showing import Comparison, Edit, Section, Touched
from livery.content.states import Frame, ReadParts, Values
from livery.content.versions import Kept
from livery.content.warnings import LimitOf, PlaceWarnings
from livery.core import limits
from livery.core.errors import Invalid, NotFound
from livery.core.ids import new_id
from livery.projects.queries import Access, has_screen, languages_of
from livery.screens import contents, discarding, export, fsck, queries, settling, warnings
from livery.screens.changes import Reader
from livery.screens.contents import PLACE, screen_of, texts_of
from livery.screens.section import section_of


class Texts(Kind):
    """Keys with their texts. A slot is a language. A renamed key is a removal of its former name and an addition of the new name."""

    name = "keys"
    entry = "text"
    words = HistoryWords("key", "keys", "screens.rolled_back", "changedKeys")
    kept_forms = MappingProxyType({contents.KIND: contents.unpacked})
    gives_empty = False

    async def counts(self, db: AsyncSession, frame: Frame) -> Mapping[str, int]:
        """See ``Kind``. A screen that is added or removed counts as one change if no text of it is changed."""
        before, after = frame.before, frame.after
        moved = {*before.screens} ^ {*after.screens} if before.languages else set[str]()
        counts = dict.fromkeys(moved, 1) | await queries.changed_counts(db, frame.project_id)
        return {
            PLACE + screen: counts[screen]
            for screen in dict.fromkeys([*after.screens, *before.screens])
            if screen in counts
        }

    async def changes(self, db: AsyncSession, frame: Frame, place: str) -> Sequence[Change]:
        """See ``Kind``. The changes are in the order of the keys' names."""
        return await Reader(frame, screen_of(place)).read(db)

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

    def place_of(self, part: PartName) -> str | None:
        """See ``Kind``."""
        return PLACE + part.place if part.holds == TEXT else None

    def contents(self, values: Values) -> Mapping[str, Content]:
        """See ``Kind``. A key has the languages of these parts only. A key without a text in them is left out."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for name, texts in values.items():
            for key, text in cast("dict[str, str]", texts).items():
                found[key][PartName.parse(name).piece] = text
        return dict(found)

    async def compare(
        self, db: AsyncSession, frame: Frame, place: str, before: Values, after: Values
    ) -> Sequence[Change]:
        """See ``Kind``. Keys that are the same in all of these parts are passed over: a release changes few of many."""
        pairs = {part: (_pairs(before.get(part)), _pairs(after.get(part))) for part in before.keys() | after.keys()}
        names = {name for old, new in pairs.values() for name, _ in old ^ new}
        return await super().compare(db, frame, place, _only(before, names), _only(after, names))

    async def ids(self, db: AsyncSession, project_id: str, place: str, names: Collection[str]) -> Mapping[str, str]:
        """See ``Kind``. A key that the draft lacks gets its last id in a release, unless a renamed key of the draft has that id."""
        ids = await queries.ids_of(db, project_id, screen_of(place), sorted(names))
        lost = sorted(set(names) - ids.keys())
        known = await entries.find(db, project_id, place, lost) if lost else {}
        former = {entry.id: name for name, entry in known.items() if entry.id}
        taken = await queries.present_ids(db, project_id, sorted(former))
        ids |= {name: key_id for key_id, name in former.items() if key_id not in taken}
        return {name: ids.get(name) or new_id("key") for name in names}

    def parts_of(self, place: str) -> str:
        """See ``Kind``."""
        return text_prefix(screen_of(place))

    async def draft(self, db: AsyncSession, project_id: str, place: str) -> Mapping[str, Content]:
        """See ``Kind``."""
        return _texts((await contents.read_draft(db, project_id, screen_of(place))).content)

    async def draft_mark(self, db: AsyncSession, project_id: str, place: str) -> object:
        """See ``Kind``. Which texts come back depends on the languages."""
        languages = await languages_of(db, project_id)
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
        if not await has_screen(db, project_id, screen):
            raise NotFound(f'There is no screen "{screen[: limits.SCREEN_NAME_CHARACTERS]}".', code="screen_not_found")

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
        """See ``Kind``. A language shows the default language's texts where a screen lacks texts, so those count too."""
        for language in outline.languages:
            total = sum(
                max(
                    sizes.get(text_part(screen, language), 0), sizes.get(text_part(screen, outline.default_language), 0)
                )
                for screen in outline.screens
            )
            if total > limits.LANGUAGE_BYTES:
                size, room = total / 1024 / 1024, limits.megabytes(limits.LANGUAGE_BYTES)
                raise Invalid(
                    f'The texts in "{language}" are {size:.1f} MB; apps can load at most {room}. Shorten or remove some.',
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
        """See ``Kind``. The release itself has the texts, and who wrote them."""
        kept = {screen_of(place): Kept(len(changes))}
        await versions.record(db, access, contents.KIND, kept, entry="release", release=release)

    async def settle(
        self,
        db: AsyncSession,
        access: Access,
        place: str,
        changes: Sequence[Change],
        *,
        restored: RestoredRelease | None = None,
    ) -> None:
        """See ``Kind``."""
        await settling.settle(db, access, screen_of(place), changes, restored)

    async def discard(
        self, db: AsyncSession, access: Access, place: str, changes: Sequence[Change], operation: Operation
    ) -> object:
        """See ``Kind``."""
        return await discarding.discard(db, access, place, changes, operation)

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

    async def bring_back(
        self, db: AsyncSession, access: Access, place: str, kept: object, operation: Operation
    ) -> None:
        """See ``Kind``."""
        await discarding.bring_back(db, access, place, kept, operation)

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


def _texts(keys: contents.Content) -> dict[str, Content]:
    return {name: texts_of(key) for name, key in keys.items()}


def _pairs(texts: object) -> ItemsView[str, str]:
    return cast("dict[str, str]", texts or {}).items()


def _only(values: Values, names: Collection[str]) -> Values:
    return {part: {name: text for name, text in _pairs(texts) if name in names} for part, texts in values.items()}


def _edited(value: object, texts: Mapping[str, str]) -> Part | None:
    found = dict(cast("dict[str, str]", value or {}))
    for name, text in texts.items():
        if text:
            found[name] = text
        else:
            found.pop(name, None)
    return encode_part(found) if found else None
