"""What each type of field must know of its values."""

from typing import Protocol

from livery.stores.schemas import FieldType

NOT_TEXT = "Enter a text."


class Unfit(Exception):
    """A value that its field can't hold. The message is for people."""


class ValueType(Protocol):
    """A type of field."""

    name: FieldType
    is_text: bool
    """Whether a value is a text in a language: it can be translated, and its translations are checked."""
    has_markup: bool
    """Whether tags in a text are formatting. A text without markup has placeholders, and can be the name of its item."""

    def check(self, value: object, project_id: str) -> object:
        """Returns the value as it is stored; ``None`` if nobody would see it. ``value`` is not ``None``. Raises ``Unfit``."""
        ...
