"""What the screens domain takes and gives."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, StringConstraints

from livery.content.schemas import Choice
from livery.core import limits
from livery.core.errors import Invalid
from livery.core.schemas import Body, Moment, Revision, View

INVALID_KEY = "Invalid key name. Use letters, numbers, underscores. Must start with a letter."
_KEY = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{limits.KEY_CHARACTERS - 1}}}")

State = Literal["published", "changed", "new"]
KeyState = Literal["published", "changed", "new", "empty"]
Author = Literal["person", "ai"]
_Code = Annotated[str, StringConstraints(max_length=limits.LANGUAGE_CODE_CHARACTERS)]
Texts = dict[_Code, Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]]


def check_key(name: str) -> str:
    """Returns the trimmed name of a key. Raises ``Invalid`` for a name that is not valid."""
    name = name.strip()
    if not _KEY.fullmatch(name):
        raise Invalid.field("key", INVALID_KEY, code="invalid_key")
    return name


@dataclass(frozen=True)
class AiText:
    """A translation by AI of ``source``, to take the place of ``replaces`` (empty: of nothing)."""

    key_id: str
    language: str
    text: str
    source_language: str
    source: str
    replaces: str


@dataclass(frozen=True)
class KeyTexts:
    """A key with its texts in two languages; empty means missing. ``target_at`` is when the target was written, by whom ``target_author``."""

    key_id: str
    screen: str
    name: str
    source: str
    target: str
    source_at: datetime | None
    target_at: datetime | None
    target_author: Author | None


class CreateKeyBody(Body):
    """A new key with its texts by language."""

    key: Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS), Field(examples=["welcome_title"])]
    values: Annotated[Texts, Field(max_length=limits.GIVEN_LANGUAGES, examples=[{"en": "Where to next, {name}?"}])] = (
        Field(default_factory=dict)
    )


class UpdateKeyBody(Body):
    """A key's name and the texts to change: languages left out stay, an empty text clears. ``revision`` guards against overwriting.

    ``confirmed`` names languages whose text was looked at and is right, although the default language's was changed after it or is the same.
    """

    key: Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS), Field(examples=["welcome_title"])]
    values: Annotated[
        Texts, Field(max_length=limits.GIVEN_LANGUAGES, examples=[{"de": "Wohin als Nächstes, {name}?"}])
    ] = Field(default_factory=dict)
    confirmed: Annotated[list[_Code], Field(max_length=limits.GIVEN_LANGUAGES, examples=[["de"]])] = Field(
        default_factory=list
    )
    revision: Revision | None = None


class ValueMeta(View):
    """The state of a text, its author (a person or AI), its time, and whether a person has confirmed it."""

    state: State
    by: Author
    at: Moment
    is_confirmed: bool


class KeyRecord(View):
    """A key with its texts. ``state`` is that of the key in all languages; one without any text, here and in apps, is ``empty``."""

    id: str = Field(validation_alias=AliasChoices("id", "_id"), serialization_alias="_id")
    key: str
    values: dict[str, str]
    tab_name: str
    state: KeyState
    renamed_from: Annotated[str | None, Field(description="The name under which apps have it until the next publish.")]
    revision: int
    updated_at: Moment
    meta: dict[str, ValueMeta]


class Keys(View):
    """The keys of one screen, in the order they were made; ``progress`` counts the keys with a text, by language."""

    keys: list[KeyRecord]
    progress: Annotated[dict[str, int], Field(examples=[{"en": 148, "de": 140}])]


class ValueChange(Choice):
    """One language of a changed key: ``old`` is what apps have, ``new`` what they get; empty means no text. ``by`` is null where it is the key's."""

    language: str
    old: str
    new: str
    by: str | None = None
    ref: str | None = Field(
        default=None, description="The reference of this text, for leaving it out or discarding it."
    )
    by_id: str | None = None
    needs: list[str] = Field(default_factory=list, description="Changes without which this change can't be published.")
    tie: str | None = Field(default=None, description="Changes with an equal tie are published together or not at all.")


class LanguageDiff(Choice):
    """A language that apps will have, or have no more."""

    language: str
    change: Literal["added", "removed"]


class KeyChange(Choice):
    """What a publish would do to one key. A renamed key is added under its new name and removed under the name that apps have."""

    key: str
    change: Literal["added", "changed", "removed"]
    renamed_from: str | None = None
    renamed_to: str | None = None
    by: str | None
    at: Moment
    values: list[ValueChange]
    ref: str | None = Field(
        default=None, description="The reference of this change, for leaving it out or discarding it."
    )
    by_id: str | None = None
    needs: list[str] = Field(default_factory=list, description="Changes without which this change can't be published.")
    tie: str | None = Field(default=None, description="Changes with an equal tie are published together or not at all.")


class ScreenDiff(Choice):
    """The changes of one screen, ``total`` of them. If ``keys`` has fewer, they are those with grave warnings and the first others.

    ``ref`` is the reference of the screen itself, if it is added or removed.
    """

    screen: str
    change: Literal["added", "changed", "removed"]
    total: int
    keys: list[KeyChange]
    place: str = Field(default_factory=str, examples=["screen/home"])
