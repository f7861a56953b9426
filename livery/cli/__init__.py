"""The commands of ``livery``."""

import gc

gc.disable()  # what is imported stays: to look for garbage in it takes 0.2 s of a start

from livery.cli.main import app  # noqa: E402  # garbage collection is off while it imports

gc.freeze()
gc.enable()

__all__ = ["app"]
