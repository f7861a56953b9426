"""The commands of ``livery``."""

import gc
import importlib
import sys
from typing import Any, cast

gc.disable()  # what is imported stays: to look for garbage in it takes 0.2 s of a start

# FastAPI would load Pydantic's old API to learn that no model is of it: that takes 0.03 s of a start, and 3 MB.
sys.modules["pydantic.v1"] = cast("Any", None)

# structlog would load rich for colours, which no line of a log has: that takes 0.05 s of a start.
if "rich" not in sys.modules:
    sys.modules["rich"] = cast("Any", None)
    importlib.import_module("structlog")
    del sys.modules["rich"]

if sys.argv[1:2] == ["edge"]:  # an edge has no database, and loads no library for a database
    from livery.cli.edge import app
else:
    from livery.cli.main import app

gc.freeze()
gc.enable()

__all__ = ["app"]
