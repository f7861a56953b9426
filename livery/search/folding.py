"""How texts are made comparable: without case, accents, vowel points and invisible characters, in any script."""

import unicodedata

FORM = f"1-{unicodedata.unidata_version}"
"""Names the outcome of ``fold``: raise the number with every change of it, and blocks of another form are made again."""

_VOICING = frozenset({0x3099, 0x309A})
"""The marks that NFKD takes off Japanese kana: they make another letter, not an accent."""
_LETTERS = {
    "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ħ": "h", "Ħ": "h", "ŧ": "t", "Ŧ": "t", "\u0131": "i",
    "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "\u0640": "",
}  # fmt: skip
"""Letters whose stroke is part of them for Unicode and an accent for who types, ligatures, and the line that stretches Arabic words."""


class _Base(dict[int, str | int | None]):
    """What each character becomes, worked out once."""

    def __missing__(self, code: int) -> str | int | None:
        character = chr(code)
        is_mark = unicodedata.combining(character) and code not in _VOICING
        is_variant = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
        if is_mark or is_variant or code == 0 or unicodedata.category(character) == "Cf":
            self[code] = None
        else:
            self[code] = _LETTERS.get(character, code)
        return self[code]


_BASE = _Base()


def fold(text: str) -> str:
    """``text`` as it is compared, trimmed, each run of white space one blank: so it never has a line break."""
    if not text.isascii():
        bare = unicodedata.normalize("NFKD", text).translate(_BASE).casefold()
        text = unicodedata.normalize("NFC", bare)
    return " ".join(text.lower().replace("\0", "").split())
