"""The unpublished changes as people review them: the draft against the last release, with a token that names what was reviewed."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.profile import DELETED_NAME
from livery.accounts.queries import find_users
from livery.colors import queries as colors
from livery.colors.schemas import ColorChange
from livery.content.changes import Change
from livery.content.parts import Meta
from livery.content.schemas import Choice
from livery.content.warnings import PlaceWarnings
from livery.core.schemas import View
from livery.projects.models import Project
from livery.publishing.extent import ALL_BOUNDED, Extent
from livery.publishing.kinds import KINDS
from livery.publishing.unpublished import UnpublishedChanges, read_frame, read_unpublished
from livery.screens import queries as screens
from livery.screens.kind import Texts, screen_of, view_of
from livery.screens.schemas import KeyChange
from livery.stores import queries as stores
from livery.stores.schemas import StoreChange

ChosenView = TypeVar("ChosenView", bound=Choice)


class ScreenDiff(Choice):
    """The unpublished changes of one screen, ``total`` of them. If ``keys`` has fewer, they are those with grave warnings and the first others.

    ``ref`` is the reference of the screen itself, if it is added or removed.
    """

    screen: str
    change: Literal["added", "changed", "removed"]
    total: int
    keys: list[KeyChange]
    place: str = Field(default_factory=str, examples=["screen/home"])


class LanguageDiff(Choice):
    """A language that apps will have, or have no more."""

    language: str
    change: Literal["added", "removed"]


class PersonDiff(View):
    """A person who made the last edit of ``total`` unpublished changes. ``id`` is null for deleted accounts."""

    id: str | None
    name: str
    total: int


class Losses(View):
    """What apps lose with a publish: counts of keys, colours and items, names of the rest.

    A renamed key or colour is lost under its old name.
    """

    screens: list[str]
    texts: int
    colors: int
    stores: list[str] = Field(description="API identifiers.")
    fields: list[str] = Field(
        description="Of stores that stay: `destinations.price`.", examples=[["destinations.price"]]
    )
    items: int
    languages: list[str]


class Diff(View):
    """Everything a publish would change, and what is worth a second look in it. ``expected`` of a publish takes the ``token``."""

    token: str = Field(examples=["5f3a…"])
    total: int
    release: int
    is_first: bool
    screens: list[ScreenDiff]
    colors: list[ColorChange]
    stores: list[StoreChange]
    languages: list[LanguageDiff]
    losses: Losses
    warnings: list[PlaceWarnings]
    people: list[PersonDiff] = Field(default_factory=list[PersonDiff], description="Most changes first.")


async def review(db: AsyncSession, project: Project, extent: Extent = ALL_BOUNDED) -> Diff:
    """Returns the draft of ``project`` against its last release, with its warnings. Of long lists, what has grave warnings is always in.

    The ``token`` is the same whatever the ``extent``.
    """
    unpublished = await read_unpublished(db, project)
    frame = unpublished.frame
    found = [await kind.warnings(db, frame, unpublished.of(kind), extent.limit_of) for kind in KINDS]
    warnings = [place for places in found for place in places if place.counts]
    before, after = frame.before, frame.after
    known = {change.ref: change for group in unpublished.groups for change in group.changes}
    names = await _names(db, known.values())
    by_screen = {screen_of(group.place): group.changes for group in unpublished.groups if isinstance(group.kind, Texts)}
    changed_colors = await colors.changes(db, project.id)
    grave = {place.screen: place.grave_ids for place in warnings if place.screen}
    grave_items = {place.store: place.grave_ids for place in warnings if place.store}
    changed_stores = await stores.changes(db, project, limit_of=extent.limit_of, always=grave_items)
    shown = [
        ScreenDiff(
            screen=screen,
            change="removed" if screen not in after.screens else "added" if screen not in before.screens else "changed",
            total=len(by_screen.get(screen, [])),
            keys=[
                view_of(change, names)
                for change in _shown(
                    by_screen.get(screen, []), grave.get(screen, set()), extent.limit_of(f"screen/{screen}")
                )
            ],
            place=f"screen/{screen}",
            **_choice(known.get(f"screen:{screen}")),
        )
        for screen in dict.fromkeys([*after.screens, *before.screens])
        if screen in by_screen or (project.release_number and (screen in before.screens) != (screen in after.screens))
    ]
    languages = [
        change.model_copy(update=_choice(known.get(f"language:{change.language}")))
        for change in (language_diff(before, after) if project.release_number else [])
    ]
    return Diff(
        token=token_of(unpublished),
        total=sum(max(screen.total, 1) for screen in shown)
        + len(changed_colors)
        + sum(store.total for store in changed_stores)
        + len(languages),
        release=project.release_number,
        is_first=project.release_number == 0,
        screens=shown,
        colors=[_named(change, known.get(f"color:{change.key}"), names) for change in changed_colors],
        stores=[_named_store(change, known, names) for change in changed_stores],
        languages=languages,
        losses=Losses(
            screens=[screen.screen for screen in shown if screen.change == "removed"],
            texts=sum(change.after is None for group in by_screen.values() for change in group),
            colors=sum(change.change == "removed" for change in changed_colors),
            stores=[store.store for store in changed_stores if store.change == "removed"],
            fields=[
                f"{store.store}.{field.old.name}"
                for store in changed_stores
                if store.change == "changed"
                for field in store.fields
                if field.old and not field.new
            ],
            items=await stores.count_removed_items(db, project.id),
            languages=[change.language for change in languages if change.change == "removed"],
        ),
        warnings=warnings,
        people=_people(known.values(), names),
    )


class Unpublished(View):
    """How much waits: the number on the publish button, per screen, and of colours and stores."""

    total: int
    screens: dict[str, int]
    colors: int
    stores: int


async def count_unpublished(db: AsyncSession, project: Project) -> Unpublished:
    """The sums of ``review`` without its texts: read from indexes of what changed."""
    frame = await read_frame(db, project)
    before, after = frame.before, frame.after
    counts = await screens.changed_counts(db, project.id)
    changed_colors = await colors.count_changed(db, project.id)
    changed_stores = sum((await stores.changed_counts(db, project.id)).values())
    languages = 0
    if project.release_number:
        for screen in set(before.screens) ^ set(after.screens):
            counts.setdefault(screen, 1)
        languages = len(language_diff(before, after))
    return Unpublished(
        total=sum(counts.values()) + changed_colors + changed_stores + languages,
        screens=counts,
        colors=changed_colors,
        stores=changed_stores,
    )


def language_diff(before: Meta, after: Meta) -> list[LanguageDiff]:
    """The languages that come, then those that go."""
    added = [LanguageDiff(language=code, change="added") for code in after.languages if code not in before.languages]
    return added + [
        LanguageDiff(language=code, change="removed") for code in before.languages if code not in after.languages
    ]


def _shown(group: Sequence[Change], always: Collection[str], limit: int | None) -> Sequence[Change]:
    """Returns the removed keys, then the other changes in their order. Those of ``always`` take the places of the last ones."""
    chosen = sorted(group, key=lambda one: (one.after is not None, one.name not in always))[:limit]
    ids = {change.id for change in chosen}
    return sorted((change for change in group if change.id in ids), key=lambda one: one.after is not None)


async def _names(db: AsyncSession, changes: Iterable[Change]) -> dict[str, str]:
    """Returns the names of the people who made these changes, by id."""
    ids = {stamp.by for change in changes for stamp in (change.stamp, *change.stamps.values())}
    return {user_id: user.name for user_id, user in (await find_users(db, sorted(filter(None, ids)))).items()}


def _people(changes: Iterable[Change], names: Mapping[str, str]) -> list[PersonDiff]:
    counts = Counter(change.stamp.by if change.stamp.by in names else None for change in changes if change.stamp.by)
    return [
        PersonDiff(id=user_id, name=names.get(user_id or "", DELETED_NAME), total=count)
        for user_id, count in counts.most_common()
    ]


def _choice(change: Change | None) -> dict[str, Any]:
    """Returns what a reader needs to leave a change out or to discard it."""
    if change is None:
        return {}
    return {"ref": change.ref, "by_id": change.stamp.by, "needs": sorted(change.needs), "tie": change.tie}


def _named(change: ChosenView, known: Change | None, names: Mapping[str, str]) -> ChosenView:
    """Returns a change whose ``by`` is an id with the name of that person."""
    by: str | None = getattr(change, "by", None)
    return change.model_copy(update={"by": names.get(by or ""), "by_id": by, **_choice(known)})


def _named_store(change: StoreChange, known: Mapping[str, Change], names: Mapping[str, str]) -> StoreChange:
    items = [_named(item, known.get(f"item:{item.id}"), names) for item in change.items]
    named = _named(change, known.get(f"store:{change.id}"), names)
    return named.model_copy(update={"items": items, "place": f"store/{change.id}"})


def token_of(unpublished: UnpublishedChanges) -> str:
    """Returns a digest of all that would change, so that a publish can tell whether it is what was reviewed. Who changed it is no part of that."""
    frame = unpublished.frame
    reviewed = [
        frame.release,
        frame.before.as_part(),
        frame.after.as_part(),
        [
            [group.place, [[change.ref, change.name, change.before, change.after] for change in group.changes]]
            for group in unpublished.groups
        ],
    ]
    return hashlib.sha256(json.dumps(reviewed, sort_keys=True).encode()).hexdigest()
