"""The database's history (Alembic), and the one call that brings a database to the present."""

from pathlib import Path

from alembic import command
from alembic.config import Config

HERE = Path(__file__).parent


def config(database_url: str) -> Config:
    """Alembic's configuration for one database."""
    settings = Config()
    settings.set_main_option("script_location", str(HERE).replace("%", "%%"))
    settings.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    return settings


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate up to ``revision``. Safe when several processes do it at once: the first does the work."""
    command.upgrade(config(database_url), revision)


def downgrade(database_url: str, revision: str) -> None:
    """Migrate down to ``revision`` (``base``: nothing is left)."""
    command.downgrade(config(database_url), revision)
