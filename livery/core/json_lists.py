"""A list as JSON whose rows are compressed in groups. After a change of a few rows, only their groups are compressed again."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_LEVEL = 1
_GROUP_BYTES = 16 * 1024
"""A group ends with the row that reaches this size."""
_HEAD = b"\x1f\x8b\x08" + bytes(7)
"""RFC 1952: a member of gzip, compressed by deflate, without a name or a time."""
_ROW_OVERHEAD_BYTES = 150
"""What Python needs for a row, beside its bytes."""


class _Group:
    """Rows that follow each other, by name. The body of the first group begins with a row, each other body with a comma."""

    def __init__(self, rows: Mapping[str, bytes], *, is_first: bool) -> None:
        self.rows = rows
        self.size = sum(map(len, rows.values()))
        self._begin = () if is_first else (b"",)

    @property
    def raw(self) -> bytes:
        return b",".join((*self._begin, *self.rows.values()))

    @cached_property
    def packed(self) -> bytes:
        return _deflate(self.raw, zlib.Z_FULL_FLUSH)

    @property
    def is_packed(self) -> bool:
        return "packed" in vars(self)


class Rows:
    """The rows of a list by name, each as JSON. Nothing changes them."""

    def __init__(self, rows: Mapping[str, bytes], groups: Sequence[_Group] = ()) -> None:
        self._groups = [*groups, *_grouped(rows, has_earlier=bool(groups))]
        self._group_of = {name: number for number, group in enumerate(self._groups) for name in group.rows}

    def replaced(self, rows: Mapping[str, bytes]) -> "Rows":
        """Returns the list with these rows in place of those of their names. New names come last."""
        groups, new = list(self._groups), dict(rows)
        for number in sorted({self._group_of[name] for name in rows if name in self._group_of}):
            mine = {name: new.pop(name, row) for name, row in groups[number].rows.items()}
            groups[number] = _Group(mine, is_first=number == 0)
        if new and groups and groups[-1].size < _GROUP_BYTES:
            new = {**groups.pop().rows, **new}
        return Rows(new, groups)

    def __contains__(self, name: str) -> bool:
        return name in self._group_of

    @property
    def size_bytes(self) -> int:
        """Returns about how much memory they take, also compressed."""
        return sum(group.size for group in self._groups) * 5 // 4 + _ROW_OVERHEAD_BYTES * len(self._group_of)

    @property
    def bytes_to_pack(self) -> int:
        """Returns the size of the groups that were not compressed yet."""
        return sum(group.size for group in self._groups if not group.is_packed)

    def raw(self) -> Sequence[bytes]:
        """Returns the elements of a JSON array, in pieces."""
        return [group.raw for group in self._groups]

    def packed(self) -> Sequence[bytes]:
        """Returns the pieces of ``raw``, each compressed by itself."""
        return [group.packed for group in self._groups]


@dataclass(frozen=True)
class JsonList:
    """A JSON text: ``rows`` between ``before`` and ``after``."""

    before: bytes
    rows: Rows
    after: bytes

    @property
    def raw(self) -> bytes:
        """Returns the text."""
        return b"".join((self.before, *self.rows.raw(), self.after))

    def gzipped(self) -> bytes:
        """Returns the text as gzip (RFC 1952)."""
        raw = self.raw
        packed = (_deflate(self.before, zlib.Z_FULL_FLUSH), *self.rows.packed(), _deflate(self.after, zlib.Z_FINISH))
        return b"".join((_HEAD, *packed, struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)))


def _grouped(rows: Mapping[str, bytes], *, has_earlier: bool) -> Sequence[_Group]:
    groups: list[_Group] = []
    size, mine = 0, dict[str, bytes]()
    for name, row in rows.items():
        mine[name] = row
        size += len(row)
        if size >= _GROUP_BYTES:
            groups.append(_Group(mine, is_first=not groups and not has_earlier))
            size, mine = 0, {}
    if mine:
        groups.append(_Group(mine, is_first=not groups and not has_earlier))
    return groups


def _deflate(raw: bytes, flush: int) -> bytes:
    """Returns bytes in raw deflate. After a full flush, the next bytes need nothing of these (RFC 1951)."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(raw) + packer.flush(flush)
