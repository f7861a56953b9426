"""The states of a project that an archive has: what each release gave apps, and the draft. No database."""

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, cast

from pydantic import Field, TypeAdapter, ValidationError

from livery.archives.reading import (
    Archive,
    ArchivedColor,
    ArchivedField,
    ArchivedPart,
    ArchivedRelease,
    ArchivedSpan,
    History,
    Name,
    Text,
    first_fault,
    refuse,
)
from livery.content.parts import COLORS, META, STORE, TEXT, PartName
from livery.core import limits

Data = Mapping[str, Any]
"""The values of an item by the ``_id`` of a field in the archive."""


@dataclass(frozen=True)
class StoreState:
    """A store with its items in their order, by their ``_id`` in the archive."""

    name: str
    api_identifier: str
    fields: Sequence[ArchivedField]
    items: Mapping[str, Data]

    @property
    def form(self) -> tuple[object, ...]:
        """What is not its items."""
        return self.name, self.api_identifier, [one.model_dump() for one in self.fields]


@dataclass(frozen=True)
class State:
    """A project at one moment. ``texts`` are by screen and language, then by key; ``stores`` by their ``_id`` in the archive."""

    languages: Sequence[str] = ()
    screens: Sequence[str] = ()
    texts: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict[tuple[str, str], Mapping[str, str]])
    colors: Mapping[str, ArchivedColor] = field(default_factory=dict[str, ArchivedColor])
    stores: Mapping[str, StoreState] = field(default_factory=dict[str, StoreState])


class _Store(ArchivedPart):
    id: Name
    api_identifier: Name


class _Meta(ArchivedPart):
    default_language: Name
    languages: list[Name]
    screens: list[Name]
    stores: Annotated[list[_Store], Field(default_factory=list)]


class _Color(ArchivedPart):
    value: Name
    nickname: Name = ""


class _Form(ArchivedPart):
    name: Name
    fields: list[ArchivedField]


class _Item(ArchivedPart):
    id: Annotated[Name, Field(alias="_id")]
    data: dict[Name, Any]


_SHAPES: Mapping[str, TypeAdapter[Any]] = {
    META: TypeAdapter(_Meta),
    TEXT: TypeAdapter(dict[Name, Text]),
    COLORS: TypeAdapter(dict[Name, _Color]),
    STORE: TypeAdapter(_Form),
}
_CHUNK = TypeAdapter(list[_Item])


def of_draft(archive: Archive) -> State:
    """Returns the draft. Where items lack an ``_id``, their places stand for it; where fields do, their names."""
    texts = {
        (screen, language): keys for language, screens in archive.texts.items() for screen, keys in screens.items()
    }
    for screen, _ in texts:
        if screen not in archive.project.screens:
            refuse(f'The archive has texts of the screen "{screen}", which it does not name.')
    colors: dict[str, ArchivedColor] = {}
    for color in archive.colors:
        if color.key in colors:
            refuse(f"The colour {color.key} of the archive is there twice.")
        colors[color.key] = color
    stores: dict[str, StoreState] = {}
    for store in archive.stores:
        known = {one.name: one.id or one.name for one in store.fields}
        items: dict[str, Data] = {}
        for place, item in enumerate(store.items):
            values = {known.get(name, name): value for name, value in item.items() if name != "_id"}
            items[str(item.get("_id", place))] = values
        if len(items) < len(store.items):
            refuse(f'The Data Store "{store.name}" of the archive has two items with one _id.')
        identifier = store.id or store.api_identifier
        if identifier in stores:
            refuse(f'The Data Store "{store.name}" of the archive has the _id of another.')
        stores[identifier] = StoreState(store.name, store.api_identifier, store.fields, items)
    return State(archive.project.languages, archive.project.screens, texts, colors, stores)


def of_releases(history: History, default_language: str) -> Generator[tuple[ArchivedRelease, State]]:
    """Yields the releases with what they gave apps, the oldest first; at most the newest ``limits.ARCHIVE_RELEASES``.

    Begins after the last release with a different default language. Raises ``BadRequest`` for a history that contradicts itself.
    """
    numbers = [release.release for release in history.releases]
    if numbers != sorted(set(numbers)):
        refuse("The releases of the archive are not in their order.")
    coming: dict[int, list[ArchivedSpan]] = defaultdict(list)
    ending: dict[int, list[str]] = defaultdict(list)
    for span in history.spans:
        coming[span.since_release].append(span)
        if span.until_release is not None:
            ending[span.until_release].append(span.part)
    if unknown := (coming.keys() | ending.keys()) - set(numbers):
        refuse(f"The archive has content of the release {min(unknown)}, which it does not name.")
    metas = {span.since_release: span for span in history.spans if span.part == META}
    former = [number for number, span in metas.items() if _value_of(span).default_language != default_language]
    began = max(former, default=0)
    first = min([number for number in metas if number > began], default=None)
    if first is None or numbers[0] not in metas:
        refuse("The history of the archive does not have the content of its releases.")
    building = _Building()
    last = [number for number in numbers if number >= first][-limits.ARCHIVE_RELEASES :]
    for release in history.releases:
        building.replace(coming[release.release], ending[release.release])
        if release.release in last:
            yield release, building.state()


@dataclass
class _Building:
    """The parts of a release, and the stores and colours that were read from them. States share what does not change."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    stores: dict[str, StoreState] = field(default_factory=dict[str, StoreState])
    colors: dict[str, ArchivedColor] | None = None

    def replace(self, coming: Sequence[ArchivedSpan], ending: Iterable[str]) -> None:
        for name in ending:
            self.values.pop(name, None)
            self._forget(name)
        for span in coming:
            if PartName.parse(span.part).holds in _SHAPES:
                self.values[span.part] = _value_of(span)
                self._forget(span.part)

    def _forget(self, name: str) -> None:
        part = PartName.parse(name)
        if part.holds == STORE:
            self.stores.pop(part.place, None)
        elif part.holds == COLORS:
            self.colors = None

    def state(self) -> State:
        if META not in self.values:
            refuse("The history of the archive does not have the outline of each of its releases.")
        meta = cast("_Meta", self.values[META])
        texts: dict[tuple[str, str], Mapping[str, str]] = {}
        chunks: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for name in self.values:
            part = PartName.parse(name)
            if part.holds == TEXT:
                texts[part.place, part.piece] = self.values[name]
            elif part.holds == STORE and part.piece:
                chunks[part.place].append((int(part.piece), name))
        for store in meta.stores:
            if store.id not in self.stores:
                form = self.values.get(str(PartName(STORE, store.id)))
                if form is None:
                    refuse(f'The history of the archive does not have the Data Store "{store.api_identifier}".')
                items = {one.id: one.data for _, name in sorted(chunks[store.id]) for one in self.values[name]}
                self.stores[store.id] = StoreState(form.name, store.api_identifier, form.fields, items)
        if self.colors is None:
            self.colors = {
                key: ArchivedColor(key=key, value=color.value, nickname=color.nickname)
                for key, color in self.values.get(COLORS, {}).items()
            }
        stores = {store.id: self.stores[store.id] for store in meta.stores}
        return State(meta.languages, meta.screens, texts, self.colors, stores)


def _value_of(span: ArchivedSpan) -> Any:
    part = PartName.parse(span.part)
    is_chunk = part.holds == STORE and part.piece
    if is_chunk and not (part.piece.isascii() and part.piece.isdecimal() and len(part.piece) < 7):
        refuse(f"The history of the archive has the part {span.part[:100]}, which no Data Store can have.")
    try:
        return (_CHUNK if is_chunk else _SHAPES[part.holds]).validate_python(span.content)
    except ValidationError as error:
        refuse(
            f"The part {span.part[:100]} of the release {span.since_release} of the archive is not valid: {first_fault(error)}."
        )


@dataclass(frozen=True)
class Orders:
    """The places of all entries that any state has: keys by screen, colours, and items by store. No two have the same place."""

    keys: Mapping[str, Mapping[str, int]]
    colors: Mapping[str, int]
    items: Mapping[str, Mapping[str, int]]


def orders_of(draft: State, releases: Sequence[State]) -> Orders:
    """Returns the order of the draft, with what only releases had: an item behind the item that it followed, anything else at the end."""
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    colors: dict[str, None] = dict.fromkeys(draft.colors)
    items: dict[str, list[str]] = {store_id: list(store.items) for store_id, store in draft.stores.items()}
    seen: set[int] = set()  # what states share is looked at once

    def is_new(part: object) -> bool:
        is_unseen = id(part) not in seen
        seen.add(id(part))
        return is_unseen

    for state in (draft, *reversed(releases)):
        for (screen, _), texts in state.texts.items():
            if is_new(texts):
                keys[screen] |= dict.fromkeys(texts)
        if is_new(state.colors):
            colors |= dict.fromkeys(state.colors)
        for store_id, store in state.stores.items():
            if is_new(store):
                items[store_id] = _merged(items.get(store_id, []), store.items)
    return Orders(
        {screen: _numbered(names) for screen, names in keys.items()},
        _numbered(colors),
        {store_id: _numbered(names) for store_id, names in items.items()},
    )


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _merged(known: list[str], others: Iterable[str]) -> list[str]:
    """Returns ``known`` with the others, each behind what it follows among ``others``."""
    present, last = set(known), ""
    following: dict[str, list[str]] = defaultdict(list)
    for name in others:
        if name in present:
            last = name
        else:
            following[last].append(name)
    if not following:
        return known
    return [*following[""], *(one for name in known for one in (name, *following.get(name, ())))]


def renumbered(releases: Sequence[ArchivedRelease]) -> list[ArchivedRelease]:
    """Returns the releases with numbers from 1. A restore of a release that is left out counts as a publish."""
    numbers = {release.release: number for number, release in enumerate(releases, 1)}
    found: list[ArchivedRelease] = []
    for release in releases:
        restored = numbers.get(release.restored_release or 0)
        kind = "publish" if release.kind == "restore" and restored is None else release.kind
        changed = {"release": numbers[release.release], "restored_release": restored, "kind": kind}
        found.append(release.model_copy(update=changed))
    return found
