"""The database's history (Alembic), and the one call that brings a database to the present."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent


def config(database_url: str) -> "Config":
    """Alembic's configuration for one database."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(HERE).replace("%", "%%"))
    settings.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    return settings


def knows(revision: str) -> bool:
    """Whether this version of Livery has the migration ``revision``; not so if a newer one made the database."""
    return revision in revisions()


def newest() -> str:
    """Returns the last migration of this version of Livery."""
    return max(revisions())


def revisions() -> set[str]:
    """Returns all migrations of the installed version. An upgrade adds to them while the old server still runs."""
    return {path.name.partition("_")[0] for path in (HERE / "versions").glob("[0-9]*.py")}


class NewerDatabaseError(Exception):
    """The database has a migration that this version of Livery does not know."""


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate up to ``revision``. Safe when several processes do it at once: the first does the work.

    Raises ``NewerDatabaseError``; nothing was changed then.
    """
    from alembic import command
    from alembic.script.revision import ResolutionError
    from alembic.util import CommandError

    try:
        command.upgrade(config(database_url), revision)
    except CommandError as error:
        if isinstance(error.__cause__, ResolutionError):
            raise NewerDatabaseError from error
        raise


def downgrade(database_url: str, revision: str) -> None:
    """Migrate down to ``revision`` (``base``: nothing is left)."""
    from alembic import command

    command.downgrade(config(database_url), revision)
