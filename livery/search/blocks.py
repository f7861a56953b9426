"""Blocks: folded texts in one string, where each is found, and a signature that shows which character groups are not in it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from zlib import crc32

from livery.search.folding import fold

NAMES = ""
"""The language of the blocks that hold the names of keys."""

BITS_PER_GRAM = 4
"""About a fifth of the bits are set then. Of 600 blocks without a word of six letters, one block looks as if it had the word."""
MOST_GRAMS = 6
_STEP_BYTES = 8


@dataclass(frozen=True)
class Block:
    """``text`` begins and ends with a line break and has one line for each of ``key_ids``."""

    text: str
    key_ids: Sequence[str]

    def digest(self) -> str:
        """Returns what distinguishes it from every other block."""
        return blake2b(
            f"{self.text}\0{' '.join(self.key_ids)}".encode("utf-8", "surrogatepass"), digest_size=16
        ).hexdigest()


@dataclass(frozen=True)
class Needle:
    """What to look for in a block's text; ``grams`` are the groups of which each must be in it."""

    text: str
    grams: tuple[int, ...]


def make_block(texts: Sequence[tuple[str, str]]) -> Block:
    """A block of key ids with their texts; those of which nothing is left are not in it."""
    folded = [(key_id, text) for key_id, text in ((key_id, fold(text)) for key_id, text in texts) if text]
    return Block("".join(["\n", *(f"{text}\n" for _, text in folded)]), [key_id for key_id, _ in folded])


def sign(text: str) -> bytes:
    """Returns the signature: a bit for each group of 1, 2 and 3 characters, at its hash modulo the number of bits."""
    groups = {*text, *map("".join, pairwise(text))}
    groups.update(map("".join, zip(text, text[1:], text[2:], strict=False)))
    size = -(-len(groups) * BITS_PER_GRAM // (8 * _STEP_BYTES)) * _STEP_BYTES
    bits = bytearray(size)
    for group in groups:
        place = crc32(group.encode("utf-8", "surrogatepass")) % (8 * size)
        bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def may_hold(signature: bytes, grams: Iterable[int]) -> bool:
    """Whether every group may be in the block with this signature. False means that a group is not."""
    bits = 8 * len(signature)
    for gram in grams:
        place = gram % bits
        if not signature[place >> 3] & (1 << (place & 7)):
            return False
    return True


def needles(query: str, *, is_name: bool) -> list[Needle]:
    """Returns what to look for, the best places of ``query`` (folded) first: the whole text, its begin, the begin of a word, anywhere.

    The last needle has the groups of the query; the other needles have only the groups that they need besides.
    """
    word = "_" if is_name else " "
    whole, begin, of_word = f"\n{query}\n", f"\n{query}", f"{word}{query}"
    groups = [query] if len(query) < 3 else [query[start : start + 3] for start in range(len(query) - 2)]
    step = -(-len(groups) // MOST_GRAMS)
    return [
        _needle(whole, {whole[:3], whole[-3:]}),
        _needle(begin, {begin[:3]}),
        _needle(of_word, {of_word[:3]}),
        _needle(query, dict.fromkeys(groups[::step])),
    ]


def _needle(text: str, groups: Iterable[str]) -> Needle:
    return Needle(text, tuple(crc32(group.encode("utf-8", "surrogatepass")) for group in groups))


def find(block: Block, needle: str) -> Iterator[str]:
    """Yields the ids of the keys whose text in ``block`` holds ``needle``, in their order."""
    counted, line = 0, -1
    at = block.text.find(needle)
    while at >= 0:
        line += block.text.count("\n", counted, at + 1)
        counted = at + 1
        yield block.key_ids[line]
        at = block.text.find(needle, block.text.find("\n", at + 1))  # the break that ends this line begins the next
