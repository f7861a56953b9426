"""Blocks and signatures that were read lately, in the memory of this process.

A digest names what is in a block, so none here is ever out of date, and whose it is does not matter: who asks by a digest has read it beside the
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
        """The block to find texts in."""
        return Block(self.text, self.key_ids.split(" "))

    def size_bytes(self) -> int:
        """How much memory it takes."""
        return sys.getsizeof(self.text) + sys.getsizeof(self.key_ids)


Item = TypeVar("Item")


class Shelf(Generic[Item]):
    """What was used last, by digest, within a number of bytes."""

    def __init__(self, limit_bytes: int, size_of: Callable[[Item], int]) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._size_of = size_of
        self._items: OrderedDict[str, Item] = OrderedDict()

    def get(self, digest: str) -> Item | None:
        """What has this digest, if it is here."""
        item = self._items.get(digest)
        if item is not None:
            self._items.move_to_end(digest)
        return item

    def put(self, digest: str, item: Item) -> None:
        """Keep something; what was not asked for the longest makes room."""
        if digest in self._items:
            return
        self._items[digest] = item
        self._size += self._size_of(item)
        while self._size > self._limit:
            _, oldest = self._items.popitem(last=False)
            self._size -= self._size_of(oldest)


BLOCKS = Shelf(LIMIT_BYTES, PackedBlock.size_bytes)
SIGNATURES: Shelf[bytes] = Shelf(LIMIT_BYTES // 8, len)
