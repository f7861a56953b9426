"""The blocks that were read lately, in the memory of this process, by their digests.

A digest names the content of a block, so no block here is ever out of date. Its project does not matter: a caller has read the digest beside the
block's place in the database.
"""

import sys
from dataclasses import dataclass

from livery.core.shelf import Shelf
from livery.search.blocks import Block

LIMIT_BYTES = 128 * 1024 * 1024
"""Enough for the blocks of 700,000 texts."""


@dataclass(frozen=True)
class PackedBlock:
    """A block as the database has it: the ids of its keys in one string."""

    text: str
    key_ids: str

    def unpacked(self) -> Block:
        """Returns the block to find texts in."""
        return Block(self.text, self.key_ids.split(" "))

    def size_bytes(self) -> int:
        """How much memory it takes."""
        return sys.getsizeof(self.text) + sys.getsizeof(self.key_ids)


BLOCKS = Shelf(LIMIT_BYTES, PackedBlock.size_bytes)
