"""What waits to be published: the draft against the last release, with a token that says what was reviewed."""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts.queries import find_users
from livery.colors import queries as colors
from livery.colors.schemas import ColorChange
from livery.core.schemas import View
from livery.projects import queries as projects
from livery.projects.models import Project
from livery.publishing import queries
from livery.publishing.checks import PlaceWarnings, check_draft, grave_ids
from livery.publishing.extent import ALL_BOUNDED, Extent
from livery.publishing.schemas import Meta
from livery.screens import queries as screens
from livery.screens.schemas import KeyChange
from livery.stores import export as stores_export
from livery.stores import queries as stores
from livery.stores.schemas import Mark, StoreChange


class ScreenDiff(View):
    """The waiting changes of one screen: ``total`` of them. Where ``keys`` has fewer, those are the ones with grave warnings and the first others."""

    screen: str
    change: Literal["added", "changed", "removed"]
    total: int
    keys: list[KeyChange]


_WHO: Any = {"by": True, "values": {"__all__": {"by"}}}
"""Who changed it is no part of what was reviewed."""


class LanguageDiff(View):
    """A language that apps will have, or have no more."""

    language: str
    change: Literal["added", "removed"]


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


async def released_meta(db: AsyncSession, project: Project) -> Meta:
    """What the last release said of languages, screens and stores; before the first, nothing."""
    if project.release_number == 0:
        return Meta(project.default_language, (), ())
    return await queries.read_meta(db, project.id)


async def draft_meta(db: AsyncSession, project: Project) -> Meta:
    """What a publish would say of languages, screens and stores."""
    languages = await projects.languages_of(db, project.id)
    screen_names = await projects.screens_of(db, project.id)
    named = [(store.id, store.api_identifier) for store in await stores_export.stores(db, project.id)]
    return Meta(project.default_language, tuple(languages), tuple(screen_names), tuple(named))


async def compute_diff(
    db: AsyncSession, project: Project, warnings: Sequence[PlaceWarnings] = (), extent: Extent = ALL_BOUNDED
) -> Diff:
    """The draft of ``project`` against its last release. Of long lists, what has grave ``warnings`` is always in.

    The ``token`` is the same whatever the ``extent``.
    """
    before, after = await released_meta(db, project), await draft_meta(db, project)
    by_screen = await screens.changes(db, project.id)
    changed_colors = await colors.changes(db, project.id)
    grave = {place.screen: grave_ids(place) for place in warnings if place.screen}
    grave_items = {place.store: grave_ids(place) for place in warnings if place.store}
    changed_stores = await stores.changes(db, project, limit_of=extent.of_store, always=grave_items)
    names = await _names(db, by_screen.values(), changed_colors, changed_stores)
    shown = [
        ScreenDiff(
            screen=screen,
            change="removed" if screen not in after.screens else "added" if screen not in before.screens else "changed",
            total=len(by_screen.get(screen, [])),
            keys=[
                _named(change, names)
                for change in _shown(by_screen.get(screen, []), grave.get(screen, set()), extent.of_screen(screen))
            ],
        )
        for screen in dict.fromkeys([*after.screens, *before.screens])
        if screen in by_screen or (project.release_number and (screen in before.screens) != (screen in after.screens))
    ]
    languages = language_diff(before, after) if project.release_number else []
    return Diff(
        token=_token(project, before, after, by_screen, changed_colors, await stores.marks(db, project.id)),
        total=sum(max(screen.total, 1) for screen in shown)
        + len(changed_colors)
        + sum(store.total for store in changed_stores)
        + len(languages),
        release=project.release_number,
        is_first=project.release_number == 0,
        screens=shown,
        colors=[change.model_copy(update={"by": names.get(change.by or "")}) for change in changed_colors],
        stores=[_named_store(change, names) for change in changed_stores],
        languages=languages,
        losses=Losses(
            screens=[screen.screen for screen in shown if screen.change == "removed"],
            texts=sum(change.change == "removed" for group in by_screen.values() for change in group),
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
        warnings=list(warnings),
    )


async def review(db: AsyncSession, project: Project, extent: Extent = ALL_BOUNDED) -> Diff:
    """The diff with its warnings, as people are shown it."""
    new: list[str] = []
    if project.release_number:
        languages = language_diff(await released_meta(db, project), await draft_meta(db, project))
        new = [change.language for change in languages if change.change == "added"]
    return await compute_diff(db, project, await check_draft(db, project, new, extent), extent)


class Unpublished(View):
    """How much waits: the number on the publish button, per screen, and of colours and stores."""

    total: int
    screens: dict[str, int]
    colors: int
    stores: int


async def count_unpublished(db: AsyncSession, project: Project) -> Unpublished:
    """The sums of ``compute_diff`` without its texts: read from indexes of what changed."""
    before, after = await released_meta(db, project), await draft_meta(db, project)
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


def _shown(group: Sequence[KeyChange], always: Collection[str], limit: int | None) -> Sequence[KeyChange]:
    """The removed keys, then the other changes in their order; those of ``always`` take the places of the last ones."""
    chosen = sorted(group, key=lambda one: (one.change != "removed", one.key not in always))[:limit]
    keys = {change.key for change in chosen}
    shown = [change for change in group if change.key in keys]
    return sorted(shown, key=lambda one: one.change != "removed")


async def _names(
    db: AsyncSession,
    keys: Iterable[list[KeyChange]],
    changed_colors: Iterable[ColorChange],
    changed_stores: Iterable[StoreChange],
) -> dict[str, str]:
    ids = {change.by for change in changed_colors}
    for group in keys:
        for change in group:
            ids |= {change.by, *(value.by for value in change.values)}
    for store in changed_stores:
        ids |= {store.by, *(item.by for item in store.items)}
    return {user_id: user.name for user_id, user in (await find_users(db, sorted(filter(None, ids)))).items()}


def _named(change: KeyChange, names: dict[str, str]) -> KeyChange:
    values = [value.model_copy(update={"by": names.get(value.by)}) if value.by else value for value in change.values]
    return change.model_copy(update={"by": names.get(change.by or ""), "values": values})


def _named_store(change: StoreChange, names: dict[str, str]) -> StoreChange:
    items = [item.model_copy(update={"by": names.get(item.by or "")}) for item in change.items]
    return change.model_copy(update={"by": names.get(change.by or ""), "items": items})


def _token(
    project: Project,
    before: Meta,
    after: Meta,
    by_screen: dict[str, list[KeyChange]],
    changed_colors: list[ColorChange],
    marks: list[Mark],
) -> str:
    """A digest of all that would change, so that a publish can tell whether it is still what was reviewed."""
    reviewed = [
        project.release_number,
        before.as_part(),
        after.as_part(),
        {
            screen: [change.model_dump(mode="json", exclude=_WHO) for change in group]
            for screen, group in by_screen.items()
        },
        [change.model_dump(mode="json", exclude={"by"}) for change in changed_colors],
        [[mark.id, mark.revision, mark.at.isoformat()] for mark in marks],
    ]
    return hashlib.sha256(json.dumps(reviewed, sort_keys=True).encode()).hexdigest()
