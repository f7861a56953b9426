"""The database's history (Alembic), and the one call that brings a database to the present."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError

HERE = Path(__file__).parent


def config(database_url: str) -> Config:
    """Alembic's configuration for one database."""
    settings = Config()
    settings.set_main_option("script_location", str(HERE).replace("%", "%%"))
    settings.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    return settings


def knows(revision: str) -> bool:
    """Whether this version of Livery has the migration ``revision``; not so if a newer one made the database."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(config("")).walk_revisions())


def newest() -> str | None:
    """Returns the last migration of this version of Livery."""
    return ScriptDirectory.from_config(config("")).get_current_head()


class NewerDatabaseError(Exception):
    """The database has a migration that this version of Livery does not know."""


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate up to ``revision``. Safe when several processes do it at once: the first does the work.

    Raises ``NewerDatabaseError``; nothing was changed then.
    """
    try:
        command.upgrade(config(database_url), revision)
    except CommandError as error:
        if isinstance(error.__cause__, ResolutionError):
            raise NewerDatabaseError from error
        raise


def downgrade(database_url: str, revision: str) -> None:
    """Migrate down to ``revision`` (``base``: nothing is left)."""
    command.downgrade(config(database_url), revision)
