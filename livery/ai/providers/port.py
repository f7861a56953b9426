"""What a translation service must do for us, and the words in which it answers. Texts are masked before they get here (``livery.ai.masks``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Task = Literal["translate", "rephrase"]
ProviderName = Literal["pseudo", "openai", "anthropic", "deepl"]

BUSY = "The AI service is busy. Please try again in a moment."
AWAY = "The AI service does not answer right now. Please try again."
KEY_REFUSED = "The AI service does not accept this server's key. Please inform its operator."
USED_UP = "This server's quota at the AI service is used up. Please inform its operator."
REQUEST_REFUSED = "The AI service refused the request. Please inform the operator of this server."
LANGUAGE_UNKNOWN = "The AI service does not know this language."
UNREADABLE = "The AI service's answer could not be read."
DECLINED = "The AI service declined this text."


@dataclass(frozen=True)
class Usage:
    """What one call took, as far as the provider reports it. Costs are millionths of its currency."""

    input_tokens: int = 0
    output_tokens: int = 0
    billed_characters: int = 0
    cost_micros: int = 0


NOTHING = Usage()


class ProviderDown(Exception):
    """The provider did not do it. The message is a sentence for people, ``detail`` is for our log and never holds a header or a text.

    ``is_permanent``: asking again won't help before somebody does something. ``is_busy``: it asked us to slow down, for
    ``retry_after_seconds`` if it named a time. ``is_free``: it surely costs nothing.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        is_permanent: bool = False,
        is_busy: bool = False,
        is_free: bool = False,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        self.is_permanent = is_permanent
        self.is_busy = is_busy
        self.is_free = is_free
        self.retry_after_seconds = retry_after_seconds


class Unusable(Exception):
    """It answered, but not what was asked. The message is a sentence for people; ``usage`` is what the answer took."""

    def __init__(self, reason: str, usage: Usage = NOTHING) -> None:
        super().__init__(reason)
        self.reason = reason
        self.usage = usage


@dataclass(frozen=True)
class Tongue:
    """A language by code, with its English name."""

    code: str
    name: str


@dataclass(frozen=True)
class Item:
    """One text. ``note`` describes where it is shown, ``problem`` what was wrong with the answer before."""

    id: str
    text: str
    key: str = ""
    note: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Scene:
    """What the texts belong to: all of one project."""

    project: str = ""
    screen: str = ""
    examples: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Order:
    """Texts to put into ``target``; ``source`` is ``None`` where nobody knows it."""

    task: Task
    source: Tongue | None
    target: Tongue
    items: Sequence[Item]
    scene: Scene = field(default_factory=Scene)


@dataclass(frozen=True)
class Answer:
    """Texts by the ids of the order's items. Ids may be missing; there are no others."""

    texts: Mapping[str, str]
    usage: Usage = NOTHING


class Translator(Protocol):
    """One translation service with its key."""

    @property
    def name(self) -> ProviderName:
        """As in the settings."""
        ...

    @property
    def can_inflect(self) -> bool:
        """Whether it reads notes, and so can write plural forms that the source does not have."""
        ...

    @property
    def secrets(self) -> Sequence[str]:
        """Sentences of ours that must not come back in an answer."""
        ...

    async def ask(self, order: Order) -> Answer:
        """Returns the texts, unchecked. Raises ``ProviderDown`` and ``Unusable``."""
        ...
