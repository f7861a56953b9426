"""Things by name in the memory of this process, within a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

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
