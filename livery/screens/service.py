"""The verbs of text keys. With ``versions`` the only writer of its tables; the project's row is locked by every caller."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from livery.accounts.queries import name_of
from livery.activity.audit_values import Values
from livery.activity.subjects import Subject
from livery.core import clock, limits
from livery.core.errors import Conflict, Invalid, NotFound
from livery.core.ids import new_id
from livery.core.names import check_new_name
from livery.core.stale import stale_revision
from livery.projects import queries as projects
from livery.projects.acts import record_act, record_change, touch
from livery.projects.queries import Access
from livery.projects.stamps import note_raised_revisions
from livery.screens import queries
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import AiText, Author, KeyRecord, check_key

DUPLICATE = "Key already exists in this screen."
DUPLICATE_RENAME = "New key name already exists in this screen."
SOURCE_CHANGED = "Its text was changed while it was being translated."


async def create_key(
    db: AsyncSession, access: Access, screen: str, *, key: str, values: Mapping[str, str]
) -> KeyRecord:
    """Add a key with its texts. Raises ``Conflict`` when the screen has it, ``Invalid`` for a bad name or a language it lacks."""
    name = check_key(key)
    check_new_name(name)
    await _check_place(db, access, screen, values)
    existing = await queries.find_key(db, access.project.id, screen, name)
    if existing is not None and existing.removed_at is None:
        raise Conflict(DUPLICATE, code="key_exists", fields={"key": DUPLICATE})
    row = existing or _new_key(access, screen, name)
    if existing is None:
        note_raised_revisions(db)
        db.add(row)
    row.removed_at = row.renamed_from = None
    row.created_at = clock.now()
    await db.flush()
    if existing is not None:
        await forget_renames(db, access.project.id)
    stored = await queries.values_of(db, access.project.id, row.id)
    before = _texts(stored)
    cleared = {language: "" for language, value in stored.items() if value.value and language not in values}
    _set_values(db, access, row, stored, {**cleared, **values}, author="person")
    await _note(db, access, row, stored, "screens.key_added", before=before, after=_texts(stored))
    return queries.record_of(row, list(stored.values()))


async def update_key(
    db: AsyncSession,
    access: Access,
    screen: str,
    name: str,
    *,
    new_name: str,
    values: Mapping[str, str],
    confirmed: Sequence[str] = (),
    revision: int | None,
) -> KeyRecord:
    """Change texts (languages left out stay, empty clears) and the name of a key; the record as it is then.

    Texts in ``confirmed`` languages count as written now. A change that changes nothing leaves the revision alone. Raises ``Conflict`` with
    the current record, and the name of the person who changed it, when ``revision`` is stale.
    """
    new_name = check_key(new_name)
    if new_name != name:
        check_new_name(new_name)
    await _check_place(db, access, screen, {**dict.fromkeys(confirmed, ""), **values})
    row, stored = await _present_key(db, access, screen, name)
    if revision is not None and revision != row.revision:
        current = queries.record_of(row, list(stored.values()))
        raise stale_revision("key", current, await _editor_of(db, row, stored, values))
    if new_name != row.name:
        await _rename(db, access, row, stored, new_name)
        stored = await queries.values_of(db, access.project.id, row.id)
    elif not confirmed and all(
        (stored[language].value if language in stored else "") == value for language, value in values.items()
    ):
        return queries.record_of(row, list(stored.values()))
    else:
        note_raised_revisions(db)
    before = _texts(stored)
    _set_values(db, access, row, stored, values, author="person")
    for language in set(confirmed) & stored.keys():
        stored[language].updated_at = stored[language].confirmed_at = clock.now()
    row.revision = access.next_revision()
    await _note(
        db,
        access,
        row,
        stored,
        "screens.key_updated" if values or confirmed else None,
        before=before,
        after={**_texts(stored), **({"confirmed": sorted(confirmed)} if confirmed else {})},
    )
    return queries.record_of(row, list(stored.values()))


async def _editor_of(
    db: AsyncSession, row: TextKey, stored: Mapping[str, TextValue], languages: Iterable[str]
) -> str | None:
    """Returns the name of who last edited a text in these languages, or the key if there is no such text. It is null for a deleted account."""
    texts = [stored[language] for language in languages if language in stored]
    last: TextKey | TextValue = max(texts, key=lambda value: value.updated_at) if texts else row
    return await name_of(db, last.updated_by)


async def write_ai_texts(db: AsyncSession, access: Access, texts: Sequence[AiText]) -> dict[str, str]:
    """Write translations by AI, marked so; gives the ids of keys whose translation was of no use any more, with the reason.

    A text replaces only the text that was there when the translation was asked for. A text that anybody wrote since stays, which is no failure.
    A deleted key or language is no failure either. Records no activity: the caller does.
    """
    languages = await projects.languages_of(db, access.project.id)
    rows = {row.id: row for row in await queries.find_keys(db, access.project.id, {text.key_id for text in texts})}
    stored = await queries.values_of_keys(db, access.project.id, rows.keys())
    refused: dict[str, str] = {}
    by_key: dict[str, dict[str, str]] = defaultdict(dict)
    note_raised_revisions(db)
    for text in texts:
        row, values = rows.get(text.key_id), stored.get(text.key_id, {})
        if row is None or row.removed_at is not None or text.language not in languages:
            continue
        if (values[text.source_language].value if text.source_language in values else "") != text.source:
            refused[text.key_id] = SOURCE_CHANGED
        elif (values[text.language].value if text.language in values else "") == text.replaces:
            by_key[text.key_id][text.language] = text.text
    for key_id, written in by_key.items():
        row, values = rows[key_id], stored.setdefault(key_id, {})
        _set_values(db, access, row, values, written, author="ai")
        row.revision = access.next_revision()
        _stamp(access, row, values)
    if by_key:
        await touch(db, access)
    return refused


async def remove_key(db: AsyncSession, access: Access, screen: str, name: str) -> None:
    """Take a key out of the draft; apps keep it until the next publish."""
    await _check_place(db, access, screen, {})
    row, stored = await _present_key(db, access, screen, name)
    before = _texts(stored)
    if row.is_published:
        row.removed_at = clock.now()
        row.updated_by = access.actor.id
        row.is_changed = True
        row.revision = access.next_revision()
    else:
        await db.delete(row)
    await record_change(db, access, "screens.key_removed", {"screen": screen, "key": name}, before=before)


async def remove_keys_of_screen(db: AsyncSession, access: Access, screen: str) -> None:
    """Take every key of a screen out of the draft, because the screen goes."""
    mine = (TextKey.project_id == access.project.id) & (TextKey.screen == screen)
    unpublished = mine & TextKey.is_published.is_(False)
    await db.execute(delete(TextKey).where(unpublished))
    await db.execute(
        update(TextKey)
        .where(mine, TextKey.removed_at.is_(None))
        .values(removed_at=clock.now(), updated_by=access.actor.id, is_changed=True, revision=access.next_revision())
    )


async def remove_texts_in_language(db: AsyncSession, access: Access, language: str) -> None:
    """Take every text in a language out of the draft, because the language goes; apps keep theirs until the next publish."""
    project_id = access.project.id
    mine = (TextValue.project_id == project_id) & (TextValue.language == language)
    unsynchronized = {"synchronize_session": False}
    written = select(TextValue.key_id).where(mine, TextValue.value != "")
    await db.execute(
        update(TextKey)
        .where(TextKey.project_id == project_id, TextKey.id.in_(written))
        .values(revision=access.next_revision(), updated_at=clock.now(), updated_by=access.actor.id),
        execution_options=unsynchronized,
    )
    await db.execute(delete(TextValue).where(mine, TextValue.published_value == ""), execution_options=unsynchronized)
    await db.execute(
        update(TextValue)
        .where(mine, TextValue.value != "")
        .values(value="", is_changed=True, author="person", updated_at=clock.now(), updated_by=access.actor.id),
        execution_options=unsynchronized,
    )
    has_changed = (
        select(TextValue.key_id)
        .where(TextValue.project_id == project_id, TextValue.key_id == TextKey.id, TextValue.is_changed)
        .exists()
    )
    is_changed = has_changed | TextKey.removed_at.is_not(None)
    await db.execute(
        update(TextKey)
        .where(TextKey.project_id == project_id, TextKey.is_changed != is_changed)
        .values(is_changed=is_changed),
        execution_options=unsynchronized,
    )


async def forget_renames(db: AsyncSession, project_id: str) -> None:
    """Forgets under which name apps had a key if that name has no unpublished removal: it came back, or apps lost it."""
    removed = aliased(TextKey)
    is_removed = (
        select(removed.id)
        .where(
            removed.project_id == TextKey.project_id,
            removed.screen == TextKey.screen,
            removed.name == TextKey.renamed_from,
            removed.removed_at.is_not(None),
        )
        .exists()
    )
    renamed = (TextKey.project_id == project_id) & TextKey.renamed_from.is_not(None)
    await db.execute(
        update(TextKey).where(renamed, ~is_removed).values(renamed_from=None),
        execution_options={"synchronize_session": "fetch"},
    )


async def _check_place(db: AsyncSession, access: Access, screen: str, values: Mapping[str, str]) -> None:
    has_screen, languages = await projects.find_place(db, access.project.id, screen)
    if not has_screen:
        raise NotFound(f'There is no screen "{screen[: limits.SCREEN_NAME_CHARACTERS]}".', code="screen_not_found")
    for language in values:
        if language not in languages:
            raise Invalid.field(
                f"values.{language}", f'This project has no language "{language}".', code="unknown_language"
            )


async def _present_key(
    db: AsyncSession, access: Access, screen: str, name: str
) -> tuple[TextKey, dict[str, TextValue]]:
    found = await queries.find_key_with_values(db, access.project.id, screen, name)
    if found is None or found[0].removed_at is not None:
        raise NotFound(f'There is no key "{name[: limits.KEY_CHARACTERS]}" in this screen.', code="key_not_found")
    return found


def _new_key(access: Access, screen: str, name: str) -> TextKey:
    moment = clock.now()
    return TextKey(
        project_id=access.project.id,
        id=new_id("key"),
        screen=screen,
        name=name,
        is_published=False,
        is_changed=False,
        revision=access.next_revision(),
        created_at=moment,
        updated_at=moment,
        updated_by=access.actor.id,
        removed_at=None,
    )


def _set_values(
    db: AsyncSession,
    access: Access,
    row: TextKey,
    stored: dict[str, TextValue],
    values: Mapping[str, str],
    *,
    author: Author,
) -> None:
    """Sets texts in ``stored`` and in the database (at the next flush). A text that equals its published form is no unpublished change."""
    moment = clock.now()
    for language, text in values.items():
        value = stored.get(language)
        if value is None:
            if not text:
                continue
            value = stored[language] = TextValue(
                project_id=access.project.id,
                screen=row.screen,
                language=language,
                key_id=row.id,
                value="",
                published_value="",
            )
            db.add(value)
        if value.value == text and (author == "ai" or value.author == "person"):
            continue
        value.value = text
        value.is_changed = text != value.published_value
        value.author = author
        value.updated_at = moment
        value.updated_by = access.actor.id


async def _note(
    db: AsyncSession,
    access: Access,
    row: TextKey,
    stored: Mapping[str, TextValue],
    action: str | None,
    *,
    before: Values,
    after: Values,
) -> None:
    _stamp(access, row, stored)
    await touch(db, access)
    if action:
        await record_act(db, access, action, {"screen": row.screen, "key": row.name}, before=before, after=after)


def _texts(stored: Mapping[str, TextValue]) -> dict[str, str]:
    """Returns the texts by language as the audit log keeps them."""
    return {language: value.value for language, value in stored.items() if value.value}


def _stamp(access: Access, row: TextKey, stored: Mapping[str, TextValue]) -> None:
    row.is_changed = any(value.is_changed for value in stored.values())
    row.updated_at = clock.now()
    row.updated_by = access.actor.id


async def _rename(db: AsyncSession, access: Access, row: TextKey, stored: dict[str, TextValue], new_name: str) -> None:
    """Give ``row`` another name. For apps that is one key less and one more, so what they have moves to a tombstone of the old name."""
    target = await queries.find_key(db, access.project.id, row.screen, new_name)
    if target is not None and target.removed_at is None:
        raise Conflict(DUPLICATE_RENAME, code="key_exists", fields={"key": DUPLICATE_RENAME})
    old_name, was_published = row.name, row.is_published
    known_as = old_name if was_published else row.renamed_from
    published = {language: value.published_value for language, value in stored.items() if value.published_value}
    inherited: dict[str, str] = {}
    if target is not None:  # apps have a key of the new name: the row takes over what they have
        inherited = {
            language: value.published_value
            for language, value in (await queries.values_of(db, access.project.id, target.id)).items()
            if value.published_value
        }
        await db.delete(target)
        await db.flush()
    row.name = new_name
    row.renamed_from = None if known_as == new_name else known_as
    row.is_published = target is not None and target.is_published
    await db.flush()
    await _rebase(db, access, row, stored, inherited)
    if was_published:
        tombstone = _new_key(access, row.screen, old_name)
        tombstone.is_published = tombstone.is_changed = True
        tombstone.removed_at, tombstone.created_at = clock.now(), row.created_at
        db.add(tombstone)
        await db.flush()
        for language, text in published.items():
            db.add(_published_text(access, tombstone, language, text))
        await db.flush()
    await forget_renames(db, access.project.id)
    subject: Subject = {"screen": row.screen, "key": old_name, "newKey": new_name}
    await record_act(db, access, "screens.key_renamed", subject, before={"key": old_name}, after={"key": new_name})


async def _rebase(
    db: AsyncSession, access: Access, row: TextKey, stored: dict[str, TextValue], published: Mapping[str, str]
) -> None:
    for language, value in stored.items():
        value.published_value = published.get(language, "")
        value.is_changed = value.value != value.published_value
    for language in published.keys() - stored.keys():
        value = _published_text(access, row, language, published[language])
        value.value, value.is_changed = "", True
        db.add(value)
    await db.flush()


def _published_text(access: Access, row: TextKey, language: str, text: str) -> TextValue:
    return TextValue(
        project_id=access.project.id,
        screen=row.screen,
        language=language,
        key_id=row.id,
        value=text,
        published_value=text,
        is_changed=False,
        author="person",
        updated_at=clock.now(),
        updated_by=access.actor.id,
    )
