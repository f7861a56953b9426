"""The blocks of code in the documents, each with the place where it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^([ ]*)```(\w+)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code. ``line`` is that of its first line of code."""

    path: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.path.relative_to(ROOT)}:{self.line}"

    @property
    def name(self) -> str:
        """The name of a file for it."""
        return re.sub(r"\W+", "_", self.place)


def documents() -> list[Path]:
    """Returns the documents for people who use or run Livery. Decisions are a history."""
    found = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*/README.md")]
    found += [*(ROOT / "sdks").glob("*/README.md"), *(ROOT / "sdks" / "typescript").glob("*/README.md")]
    return sorted(path for path in found if "decisions" not in path.parts)


def blocks(*languages: str) -> Iterator[Block]:
    """Yields the blocks in these languages, in the order of the documents."""
    for path in documents():
        text = path.read_text()
        for found in _BLOCK.finditer(text):
            if found[2] in languages:
                indent = len(found[1])
                code = "".join(line[indent:] for line in found[3].splitlines(keepends=True))
                yield Block(path, text.count("\n", 0, found.start(3)) + 1, found[2], code)
