"""Livery's texts as translations of gettext: an app keeps its calls of ``gettext`` and ``ngettext``, and its texts change while it runs.

.. code-block:: python

    from livery_client.translations import LiveryTranslations

    translations = LiveryTranslations(livery, fallback=gettext.translation("messages", "locale", ["de"]))
    _ = translations.gettext
"""

import re
from collections.abc import Callable, Iterator
from gettext import NullTranslations
from typing import Protocol

from livery_client.content import Content
from livery_client.messages import HASH, Argument, Choice, Part, branch_of, parse_message
from livery_client.names import map_name

_KIND = r"[-+0# ]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]"
"""What follows the name of a format: ``s``, ``05.1f``."""
_FORMAT = re.compile(rf"%(?:\([^)]*\))?{_KIND}")


class Reader(Protocol):
    """What shows content: ``Livery``, ``AsyncLivery``, or what ``in_language`` returns."""

    @property
    def snapshot(self) -> Content | None:
        """What is shown, whole."""
        ...


class LiveryTranslations(NullTranslations):
    """Looks a message up in Livery, by the rule of ``sdks/spec/names.md``. A message that Livery lacks comes from ``fallback``, else it is itself.

    Placeholders come in the syntax of the message: ``{name}`` is ``%(name)s`` where the app formats with ``%``. Calls never block.
    """

    def __init__(self, livery: Reader | Callable[[], Reader], fallback: NullTranslations | None = None) -> None:
        """``livery`` is a client, or a function that returns the client of the language that is wanted now."""
        super().__init__()
        self._reader = livery
        if fallback:
            self.add_fallback(fallback)

    def gettext(self, message: str) -> str:
        """Returns the text of a message."""
        found = find(self._livery, message)
        return super().gettext(message) if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Returns the form of a plural for a number."""
        found = find(self._livery, msgid1, n=n)
        return super().ngettext(msgid1, msgid2, n) if found is None else found

    def pgettext(self, context: str, message: str) -> str:
        """Returns the text of a message in a context."""
        found = find(self._livery, message, context)
        return super().pgettext(context, message) if found is None else found

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """Returns the form of a plural in a context for a number."""
        found = find(self._livery, msgid1, context, n)
        return super().npgettext(context, msgid1, msgid2, n) if found is None else found

    @property
    def _livery(self) -> Reader:
        return self._reader() if callable(self._reader) else self._reader


def find(livery: Reader, message: str, context: str | None = None, n: int | None = None) -> str | None:
    """Returns what Livery has for a message, with placeholders as the message has them; ``None`` if Livery has nothing that fits.

    ``n`` is the number of a plural.
    """
    content = livery.snapshot
    place = map_name(f"{context}.{message}" if context else message)
    text = content.texts.get(place[0], {}).get(place[1]) if content and place else None
    return None if text is None or content is None else as_template(text, message, content.language, n)


def as_template(text: str, message: str, language: str, n: int | None = None) -> str | None:
    """Returns a text of Livery as the app formats it; ``None`` if its placeholders don't fit the message."""
    parts = list(_chosen(parse_message(text), language, n))
    if all(isinstance(part, str) for part in parts):
        return "".join(part for part in parts if isinstance(part, str))
    if not _FORMAT.search(message.replace("%%", "")):
        return "".join(part if isinstance(part, str) else part.source for part in parts)
    if [part.name for part in parts if isinstance(part, Argument) and part.name.isdecimal()] not in ([], ["0"]):
        return None  # formats without names have an order, which a translation can't change
    return "".join(_format(part, message) for part in parts)


def _chosen(parts: tuple[Part, ...], language: str, n: int | None, counted: str = "") -> Iterator[str | Argument]:
    """The literals and arguments of a message, with the branch for ``n`` in place of a plural. ``#`` is the argument that is counted."""
    for part in parts:
        if isinstance(part, Choice):
            is_counted = part.kind != "select"
            branch = branch_of(part, n, language) if is_counted and n is not None else part.branches["other"]
            yield from _chosen(branch, language, n, part.name if is_counted else counted)
        elif part is HASH:
            yield Argument(counted, f"{{{counted}}}", "number", "integer")
        elif isinstance(part, str | Argument):
            yield part


def _format(part: str | Argument, message: str) -> str:
    if isinstance(part, str):
        return part.replace("%", "%%")
    kind = "d" if part.type == "number" else "s"
    if "%(" not in message:
        return f"%{kind}"
    # As the message has it: the value that an app gives may be no number, but a number as a text.
    given = re.search(rf"%\({re.escape(part.name)}\){_KIND}", message)
    return given[0] if given else f"%({part.name}){kind}"
