"""Pseudo-localization, built in: letters with accents and a third more room ([!!! Ŵéļçöḿé !!!]).

It shows what a layout does with other languages, without any service.
"""

import re
from collections.abc import Sequence

from livery.ai.masks import MARK
from livery.ai.providers.port import Answer, Order, ProviderName

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "åƀçðéƒğĥîĵķļḿñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĞĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
_LETTERS = str.maketrans(_PLAIN, _ACCENTED)
_BEFORE, _AFTER = "[!!! ", " !!!]"
_ROOM = 0.3
_OWN_MARK = re.compile(rf"({MARK.pattern})?(.*)", re.DOTALL)


class Pseudo:
    """Never fails, costs nothing, knows no language."""

    name: ProviderName = "pseudo"
    can_inflect = True
    secrets: Sequence[str] = ()

    async def ask(self, order: Order) -> Answer:
        """Returns the texts in disguise."""
        return Answer({item.id: _disguised(item.text) for item in order.items})


def _disguised(text: str) -> str:
    found = _OWN_MARK.fullmatch(text)
    own, words = (found[1] or "", found[3]) if found else ("", text)
    room = round(len(MARK.sub("", words)) * _ROOM) - len(_BEFORE + _AFTER)
    padding = " " + "~" * (room - 1) if room > 1 else ""
    at, said = 0, ""
    for one in MARK.finditer(words):
        said += words[at : one.start()].translate(_LETTERS) + one[0]
        at = one.end()
    return f"{own}{_BEFORE}{said}{words[at:].translate(_LETTERS)}{padding}{_AFTER}"
