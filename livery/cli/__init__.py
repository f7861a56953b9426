"""The commands of ``livery``."""

import gc
import sys

gc.disable()  # what is imported stays: to look for garbage in it takes 0.2 s of a start

if sys.argv[1:2] == ["edge"]:  # an edge has no database, and loads no library for a database
    from livery.cli.edge import app
else:
    from livery.cli.main import app

gc.freeze()
gc.enable()

__all__ = ["app"]
