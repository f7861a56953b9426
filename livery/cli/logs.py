"""The lines that a process writes about itself."""

import logging
import time

import structlog

from livery.core.settings import Settings


def set_up_logging(settings: Settings) -> None:
    """Logs readable lines with the moment in UTC and the id of the request, without the lines of Alembic and the server about themselves."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    handler = logging.StreamHandler()
    formatter = logging.Formatter("%(asctime)s [%(levelname)s] %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%SZ")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
