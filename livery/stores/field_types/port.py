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

    is_key: bool
    """Whether an item can be found by a value: the values of a file and of an item are compared as texts."""

    def from_cell(self, text: str) -> object:
        """Returns the value that the cell of a table has. A text that is no value of this type stays as it is: ``check`` refuses it."""
        ...

    def check(self, value: object, project_id: str) -> object:
        """Returns the value as it is stored; ``None`` if nobody would see it. ``value`` is not ``None``. Raises ``Unfit``."""
        ...
