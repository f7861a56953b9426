"""The unpublished changes of a project: by kind and place, and what of them a publish leaves out."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content import changes as content_changes
from livery.content.changes import Change, Changes
from livery.content.kind import Kind
from livery.content.parts import Meta
from livery.content.states import Frame
from livery.projects.models import Project
from livery.publishing import queries
from livery.publishing.kinds import KINDS


@dataclass(frozen=True)
class Group:
    """The changes of one place."""

    kind: Kind
    place: str
    changes: Sequence[Change]


@dataclass(frozen=True)
class UnpublishedChanges:
    """The unpublished changes of a project, group by group, in the order in which people see them."""

    frame: Frame
    groups: Sequence[Group]

    @cached_property
    def changes(self) -> Changes:
        """The changes by place."""
        return {group.place: group.changes for group in self.groups}

    @cached_property
    def by_ref(self) -> Mapping[str, Change]:
        """The changes by their references."""
        return {change.ref: change for change in self}

    def __iter__(self) -> Iterator[Change]:
        """All changes."""
        return (change for group in self.groups for change in group.changes)

    @property
    def count(self) -> int:
        """The number of changes."""
        return sum(len(group.changes) for group in self.groups)

    def of(self, kind: Kind) -> Changes:
        """Returns the changes of one kind by place."""
        return {group.place: group.changes for group in self.groups if group.kind is kind}

    def left_out(self, refs: Collection[str]) -> set[str]:
        """Returns what a publish without ``refs`` leaves out: these changes, and all that can't be published without them."""
        return content_changes.close(self.changes, content_changes.select(self.changes, refs)) if refs else set()

    def without(self, left_out: Collection[str]) -> "UnpublishedChanges":
        """Returns the changes that are published when ``left_out`` is not."""
        return self._with(content_changes.without(self.changes, left_out)) if left_out else self

    def only(self, chosen: Collection[str]) -> "UnpublishedChanges":
        """Returns the changes and slots in ``chosen``."""
        return self._with(content_changes.only(self.changes, chosen))

    def languages_without(self, groups: Iterable[Group]) -> list[str]:
        """Returns the languages of the draft when the changes of these groups are discarded."""
        found = [
            change for group in groups if group.kind.is_outline for change in group.changes if change.kind == "language"
        ]
        leaving = {change.id for change in found if change.before is None}
        coming = [change.id for change in found if change.before is not None]
        return [*(code for code in self.frame.after.languages if code not in leaving), *coming]

    def _with(self, kept: Changes) -> "UnpublishedChanges":
        return UnpublishedChanges(
            self.frame, [replace(group, changes=kept[group.place]) for group in self.groups if group.place in kept]
        )


async def read_unpublished(db: AsyncSession, project: Project) -> UnpublishedChanges:
    """Reads all unpublished changes of a project. Work is proportional to their number."""
    frame = await read_frame(db, project)
    groups = [
        Group(kind, place, await kind.changes(db, frame, place))
        for kind in KINDS
        for place in await kind.counts(db, frame)
    ]
    return UnpublishedChanges(frame, [group for group in groups if group.changes])


def in_order(groups: Iterable[Group], *, is_coming: Callable[[Change], bool]) -> list[Group]:
    """Returns the groups so that what others are in comes before them and leaves after them."""
    coming: list[Group] = []
    leaving: list[Group] = []
    for group in groups:
        if not group.kind.is_outline:
            coming.append(group)
            continue
        first = [change for change in group.changes if is_coming(change)]
        last = [change for change in group.changes if not is_coming(change)]
        coming = [*([replace(group, changes=first)] if first else []), *coming]
        leaving += [replace(group, changes=last)] if last else []
    return [*coming, *leaving]


async def read_frame(db: AsyncSession, project: Project) -> Frame:
    """Reads the outline of a project on both sides."""
    return Frame(project.id, project.release_number, await released_meta(db, project), await draft_meta(db, project))


async def released_meta(db: AsyncSession, project: Project) -> Meta:
    """Reads the outline of the last release; before the first, it has nothing in it."""
    if project.release_number == 0:
        return Meta(project.default_language, (), ())
    return await queries.read_meta(db, project.id)


async def draft_meta(db: AsyncSession, project: Project) -> Meta:
    """Reads the outline of the draft."""
    fields: dict[str, Any] = {}
    for kind in KINDS:
        fields |= await kind.outline(db, project.id)
    return Meta(project.default_language, **fields)
