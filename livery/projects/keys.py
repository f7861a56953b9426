"""The verbs of a project's keys: the publishable keys that apps ship (``lvp_``) and the secret of its servers (``lvs_``)."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock, limits
from livery.core.errors import Conflict, NotFound
from livery.core.events import Bus, announce
from livery.core.ids import new_id
from livery.core.security import Vault, digest, new_key
from livery.core.settings import Settings
from livery.projects import copies, queries
from livery.projects.acts import record_act
from livery.projects.models import ProjectKey
from livery.projects.queries import Access, KeyKind
from livery.projects.schemas import PublishableKeyItem

_HINT_LENGTH = 4
_PREFIXES: dict[KeyKind, str] = {"publishable": "lvp", "secret": "lvs"}


async def add_key(db: AsyncSession, vault: Vault, project_id: str, kind: KeyKind) -> str:
    """Adds a key of a project whose row the caller holds, and returns it. It is later than the other keys of its kind, and so the current key."""
    newest = next(iter(await queries.keys_of(db, project_id, kind)), None)
    moment = clock.now()
    if newest is not None and newest.created_at >= moment:
        moment = newest.created_at + timedelta(microseconds=1)
    key = new_key(_PREFIXES[kind])
    db.add(
        ProjectKey(
            id=new_id("key"),
            project_id=project_id,
            kind=kind,
            key_hash=digest(key),
            sealed=vault.seal(key),
            created_at=moment,
            ended_at=None,
        )
    )
    await db.flush()
    return key


async def rotate_publishable(db: AsyncSession, vault: Vault, access: Access) -> str:
    """Makes a new current key for apps; the former keys work until they are ended. Raises ``Conflict`` when ten keys work already."""
    if len(await queries.keys_of(db, access.project.id, "publishable")) >= limits.PUBLISHABLE_KEYS:
        raise Conflict(
            f"This project has {limits.PUBLISHABLE_KEYS} keys that work. End one of them first.", code="too_many_keys"
        )
    key = await add_key(db, vault, access.project.id, "publishable")
    await _ask_for_copy(db, access)
    await record_act(db, access, "projects.publishable_key_rotated", after={"key": key[-_HINT_LENGTH:]})
    return key


async def _ask_for_copy(db: AsyncSession, access: Access) -> None:
    """Each key for apps has an address at the CDN."""
    if access.project.release_number:
        await copies.ask(db, access.project.id)


async def rotate_secret(db: AsyncSession, bus: Bus, vault: Vault, access: Access) -> str:
    """Makes a new project secret. The old secret is refused at once: whoever rotates a secret believes that it leaked."""
    for former in await queries.keys_of(db, access.project.id, "secret"):
        former.ended_at = clock.now()
    secret = await add_key(db, vault, access.project.id, "secret")
    await record_act(db, access, "projects.secret_rotated")
    announce(db, bus, "keys", access.project.id)
    return secret


async def end_publishable(db: AsyncSession, bus: Bus, vault: Vault, access: Access, *, key_id: str) -> None:
    """End a former key: apps that use it are refused at once. Raises ``NotFound``, and ``Conflict`` for the current key."""
    living = await queries.keys_of(db, access.project.id, "publishable")
    key = next((key for key in living if key.id == key_id), None)
    if key is None:
        raise NotFound("This key has ended already.", code="key_not_found")
    if key is living[0]:
        raise Conflict("This is the current key of the project. Make a new one first.", code="current_key")
    key.ended_at = clock.now()
    await _ask_for_copy(db, access)
    known = vault.open_or_none(key.sealed)
    await record_act(
        db, access, "projects.publishable_key_ended", before={"key": known[-_HINT_LENGTH:]} if known else None
    )
    announce(db, bus, "keys", access.project.id)


async def list_publishable(
    db: AsyncSession, settings: Settings, vault: Vault, access: Access
) -> list[PublishableKeyItem]:
    """Returns the keys for apps that work, the current key first."""
    return [
        PublishableKeyItem(
            id=key.id,
            publishable_key=vault.open_or_none(key.sealed),
            content_url=copies.content_url(settings, access.project.id, key.key_hash),
            created_at=key.created_at,
            current=number == 0,
        )
        for number, key in enumerate(await queries.keys_of(db, access.project.id, "publishable"))
    ]
