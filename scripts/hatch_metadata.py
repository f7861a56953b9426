"""Reads the wheel's dependencies from requirements/runtime.in, so that they are written down once."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RuntimeRequirements(MetadataHookInterface):
    """Sets ``dependencies`` to the lines of ``requirements/runtime.in``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by the build with the project's metadata."""
        lines = (Path(self.root) / "requirements" / "runtime.in").read_text().splitlines()
        metadata["dependencies"] = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
