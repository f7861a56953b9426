"""Blocks that were read lately, in the memory of this process.

A digest names what is in a block, so none here is ever out of date, and whose it is does not matter: who asks by a digest has read it beside the
block's place in the database.
"""

import sys
from collections import OrderedDict
from dataclasses import dataclass

from livery.search.blocks import Block

LIMIT_BYTES = 128 * 1024 * 1024
"""Enough for the blocks of 700,000 texts."""


@dataclass(frozen=True)
class PackedBlock:
    """A block as the database has it: the ids of its keys in one string."""

    text: str
    key_ids: str

    def unpacked(self) -> Block:
        """The block to find texts in."""
        return Block(self.text, self.key_ids.split(" "))

    def size_bytes(self) -> int:
        """How much memory it takes."""
        return sys.getsizeof(self.text) + sys.getsizeof(self.key_ids)


class Shelf:
    """The blocks used last, within a number of bytes."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._blocks: OrderedDict[str, PackedBlock] = OrderedDict()

    def get(self, digest: str) -> PackedBlock | None:
        """The block with this digest, if it is here."""
        block = self._blocks.get(digest)
        if block:
            self._blocks.move_to_end(digest)
        return block

    def put(self, digest: str, block: PackedBlock) -> None:
        """Keep a block; those that were not asked for the longest make room."""
        if digest in self._blocks:
            return
        self._blocks[digest] = block
        self._size += block.size_bytes()
        while self._size > self._limit:
            _, oldest = self._blocks.popitem(last=False)
            self._size -= oldest.size_bytes()


SHELF = Shelf(LIMIT_BYTES)
