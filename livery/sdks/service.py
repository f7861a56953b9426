"""Which package files there are: those of this server in ``livery/static/sdk``, and all others in the database."""

import json
import re

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from livery.core import clock
from livery.core.db import Database, insert_for
from livery.core.errors import NotFound, Unavailable
from livery.core.site import STATIC
from livery.sdks.models import SdkPackage

FOLDER = STATIC / "sdk"
_FILE = re.compile(
    r"livery-[a-z0-9]+-[0-9A-Za-z.]+-[0-9a-f]{12}\.tgz|livery_client-[0-9A-Za-z.]+-0[0-9a-f]{12}-py3-none-any\.whl"
)
_WITHOUT_VERSION = re.compile(r"livery-([a-z0-9]+)\.tgz")
_LIST = "packages.json"


def own_files() -> dict[str, str]:
    """Returns the package files of this server by the last part of their package's name: ``{"client": "livery-client-0.1.0-….tgz"}``.

    ``python`` is the wheel of the Python SDK.

    Raises ``Unavailable``, such as when no descriptors are left.
    """
    try:
        return json.loads((FOLDER / _LIST).read_text(encoding="utf-8"))
    except FileNotFoundError:  # the SDKs are not built
        return {}
    except OSError as error:
        raise _unreadable() from error


def current_file(name: str) -> str | None:
    """Returns the package file that a name without a version stands for; ``None`` for a different name."""
    found = _WITHOUT_VERSION.fullmatch(name)
    return own_files().get(found[1]) if found else None


async def keep_own(database: Database) -> None:
    """Keeps the package files of this server for the servers of later versions. Idempotent."""
    files = own_files().values()
    async with database.read() as db:
        known = set(await db.scalars(select(SdkPackage.name).where(SdkPackage.name.in_(files))))
    try:
        bodies = {name: (FOLDER / name).read_bytes() for name in files if name not in known}
    except OSError as error:
        raise _unreadable() from error
    rows = [{"name": name, "body": body, "created_at": clock.now()} for name, body in bodies.items()]
    if rows:
        async with database.write() as db:
            await db.execute(insert_for(db)(SdkPackage).on_conflict_do_nothing(), rows)


async def read_former(db: AsyncSession, name: str) -> bytes:
    """Returns a package file that a server of this installation handed out. Raises ``NotFound``."""
    body = await db.scalar(select(SdkPackage.body).where(SdkPackage.name == name)) if _FILE.fullmatch(name) else None
    if body is None:
        raise NotFound("There is nothing at this address.")
    return body


def _unreadable() -> Unavailable:
    return Unavailable("The packages can't be read right now. Please try again.", code="storage_unavailable")
