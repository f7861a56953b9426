"""Puts the draft of screens as a release had them. Edits that leave it are kept in their histories first; languages that apps never had stay."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.content.parts import encode_part, text_part
from livery.content.versions import Kept, highest_revision, record
from livery.projects.queries import Access
from livery.publishing import queries, restore_languages
from livery.publishing.restore_plan import Plan
from livery.screens import contents, versions
from livery.screens import queries as screens
from livery.screens import service as screens_service
from livery.screens.contents import Change, Content, KeyContent, texts_of


@dataclass
class Outcome:
    """How many keys became others, and of how many an edit that waited left the draft: those are in entries of kind `draft`."""

    changed: int = 0
    kept: int = 0


async def overwrite_screens(db: AsyncSession, access: Access, plan: Plan, *, floor: int) -> Outcome:
    """Make the draft of every screen that apps have, or get, what the release has of it, but for texts in languages that neither has.

    Reads and writes the languages in which it differs, and no others. Screens that apps never had stay, but for texts in languages that go.
    Raises ``ValueError`` for a damaged part.
    """
    waiting = await screens.changed_counts(db, access.project.id)
    outcome = Outcome()
    for screen in sorted(plan.overwritten):
        if screen not in plan.meta.screens:
            await _take_out(db, access, plan, screen, outcome, waiting=waiting.get(screen, 0))
        elif plan.languages_of(screen):
            await _overwrite(db, access, plan, screen, outcome, floor=floor)
    await _forget_languages(db, access, plan, outcome)
    return outcome


async def _take_out(
    db: AsyncSession, access: Access, plan: Plan, screen: str, outcome: Outcome, *, waiting: int
) -> None:
    draft = await contents.read_draft(db, access.project.id, screen)
    if waiting and draft.content:
        await _keep(db, access, plan, screen, draft, changes=len(draft.content))
        outcome.kept += waiting
    await screens_service.remove_keys_of_screen(db, access, screen)
    outcome.changed += len(draft.content)


async def _overwrite(
    db: AsyncSession, access: Access, plan: Plan, screen: str, outcome: Outcome, *, floor: int
) -> None:
    project_id, languages = access.project.id, plan.languages_of(screen)
    draft = await contents.read_draft(db, project_id, screen, languages)
    wanted = await _released(db, access, plan, screen, languages)
    changes = contents.compare(draft, wanted, is_whole=False)
    going = [change.row.id for change in changes if change.row and not change.after]
    staying = await screens.with_texts_besides(db, project_id, screen, going, {*languages, *plan.new_languages})
    changes = [_emptied(change) if change.row and change.row.id in staying else change for change in changes]
    if not changes:
        return
    changes, givers = await restore_languages.carry(db, project_id, plan, changes)
    waiting = await screens.waiting_languages(db, project_id, [change.row.id for change in changes if change.row])
    for key_id in givers & waiting.keys():
        waiting[key_id] -= plan.new_languages
    leaving = sum(_leaves(change, waiting.get(change.row.id, ())) for change in changes if change.row)
    if leaving:
        await _keep(db, access, plan, screen, await contents.read_draft(db, project_id, screen), changes=len(changes))
        outcome.kept += leaving
    known = await highest_revision(db, project_id, contents.KIND, screen)
    top = max(draft.top_revision, known, floor)
    await versions.overwrite_draft(
        db, access, screen, changes, floor=top, release=plan.release, staying_languages=plan.new_languages
    )
    outcome.changed += len(changes)


def _leaves(change: Change, waiting: Collection[str]) -> bool:
    """Whether an edit of a key, which waits in these languages, leaves the draft: nothing does of a key that stays, where its text is the same."""
    if change.before is None:
        return True  # its deletion waited
    before, after = texts_of(change.before), texts_of(change.after)
    return any(change.after is None or before.get(language) != after.get(language) for language in waiting)


def _emptied(change: Change) -> Change:
    """A key that has texts in languages in which nothing differs stays, without those in the others."""
    return change if change.after else Change(change.key, change.row, change.before, KeyContent({}))


async def _released(db: AsyncSession, access: Access, plan: Plan, screen: str, languages: list[str]) -> Content:
    """The texts of a screen in these languages, each by who wrote it as far as the history tells."""
    project_id = access.project.id
    parts = {language: plan.wanted.get(text_part(screen, language)) for language in languages}
    bodies = await queries.read_parts(db, project_id, [part.hash for part in parts.values() if part])
    texts = {language: cast("dict[str, str]", bodies[part.hash].value) for language, part in parts.items() if part}
    return await versions.released(db, project_id, screen, plan.release, texts)


async def _forget_languages(db: AsyncSession, access: Access, plan: Plan, outcome: Outcome) -> None:
    """Take the texts in languages that go out of screens that apps never had."""
    project_id = access.project.id
    found = 0
    for screen in plan.screens if plan.leaving_languages else ():
        if screen in plan.overwritten:
            continue
        count = await screens.count_in_languages(db, project_id, screen, plan.leaving_languages)
        if count:
            await _keep(db, access, plan, screen, await contents.read_draft(db, project_id, screen), changes=count)
            found += count
    for language in sorted(plan.leaving_languages) if found else ():
        await screens_service.remove_texts_in_language(db, access, language)
    outcome.changed += found
    outcome.kept += found


async def _keep(
    db: AsyncSession, access: Access, plan: Plan, screen: str, draft: contents.Draft, *, changes: int
) -> None:
    kept = {screen: Kept(changes, encode_part(draft.packed()), draft.top_revision)}
    release = access.project.release_number
    await record(db, access, contents.KIND, kept, entry="draft", release=release, restored=plan.release, at=plan.at)
