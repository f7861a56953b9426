"""What was read lately, in the memory of this process: blocks, by their digests.

A digest names the content of a block, so no block here is ever out of date. Its project does not matter: a caller has read the digest beside the
block's place in the database.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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


Item = TypeVar("Item")


class Shelf(Generic[Item]):
    """What was used last, within a number of bytes."""

    def __init__(self, limit_bytes: int, size_of: Callable[[Item], int]) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._size_of = size_of
        self._items: OrderedDict[str, Item] = OrderedDict()

    def get(self, name: str) -> Item | None:
        """What is kept under this name, if it is here."""
        item = self._items.get(name)
        if item is not None:
            self._items.move_to_end(name)
        return item

    def put(self, name: str, item: Item) -> None:
        """Keep something in place of what had its name; what was not asked for the longest makes room."""
        if (before := self._items.pop(name, None)) is not None:
            self._size -= self._size_of(before)
        self._items[name] = item
        self._size += self._size_of(item)
        while self._size > self._limit:
            _, oldest = self._items.popitem(last=False)
            self._size -= self._size_of(oldest)


BLOCKS = Shelf(LIMIT_BYTES, PackedBlock.size_bytes)
