"""Livery in front of the translations of a Django project: ``LIVERY_GETTEXT = True``."""

from typing import Any

from django.utils.translation import trans_real

from livery_client.django import get_client
from livery_client.translations import find

_CONTEXT = "\x04"
"""What Django writes between a context and its message."""


class LiveryDjangoTranslation(trans_real.DjangoTranslation):
    """The translations of a language. A message that Livery lacks comes from the files of the project."""

    def gettext(self, message: str) -> str:
        """Returns the text of a message."""
        found = self._find(message)
        return str(self._own().gettext(message)) if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Returns the form of a plural for a number."""
        found = self._find(msgid1, n)
        return str(self._own().ngettext(msgid1, msgid2, n)) if found is None else found

    def _find(self, given: str, n: int | None = None) -> str | None:
        context, _, message = given.rpartition(_CONTEXT)
        return find(get_client().in_language(str(self._own().to_language())), message, context or None, n)

    def _own(self) -> Any:
        """The translations of the project. Django has no types."""
        return super()


def install() -> None:
    """Makes Django use these translations for each language. Django has no setting for it, and keeps the translations that it has made."""
    trans_real.DjangoTranslation = LiveryDjangoTranslation
    vars(trans_real)["_translations"].clear()
