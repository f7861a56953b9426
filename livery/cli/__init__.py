"""The commands of ``livery``."""

from livery.cli.main import app

__all__ = ["app"]
