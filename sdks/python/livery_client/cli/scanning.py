"""Reads all source files of the app."""

from dataclasses import dataclass
from pathlib import Path

from livery_client.cli.config import Config
from livery_client.cli.failure import Failure
from livery_client.cli.files import find_files
from livery_client.cli.python_source import paths_in, read_python
from livery_client.cli.templates import read_template
from livery_client.cli.uses import Use

_PYTHON = (".py",)
_TEMPLATES = (".html", ".jinja", ".jinja2", ".j2", ".txt", ".xml")


@dataclass(frozen=True)
class Scan:
    """What all files read. ``paths`` has the names of attributes, if the app has a module of typed keys."""

    files: int
    uses: list[Use]
    paths: set[tuple[str, str]]

    @property
    def computed(self) -> int:
        """The number of computed names."""
        return sum(use.key is None for use in self.uses)


def scan(folder: Path, config: Config) -> Scan:
    """Returns the uses of texts in all source files of Python and of templates. Raises ``Failure`` if no file matches or a file can't be read."""
    found = find_files(folder, config.sources)
    paths = [path for path in found if path.endswith((*_PYTHON, *_TEMPLATES)) and path != config.python]
    if not paths:
        raise Failure(
            f'No file of Python or of a template matches {", ".join(config.sources)}. Correct "sources" in livery.json.'
        )
    uses: list[Use] = []
    attributes: set[tuple[str, str]] = set()
    for path in paths:
        code = (folder / path).read_bytes()
        if not path.endswith(_PYTHON):
            uses += read_template(path, code.decode("utf-8-sig", errors="replace"))
            continue
        try:
            uses += read_python(path, code)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Failure(f"{path} is no code of this Python: {error}.") from None
        if config.python:
            attributes |= paths_in(code)
    return Scan(len(paths), uses, attributes)
