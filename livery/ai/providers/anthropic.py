"""Anthropic's Messages API."""

from collections.abc import Sequence
from typing import cast

from livery.ai.providers import prompt, wire
from livery.ai.providers.port import DECLINED, NOTHING, UNREADABLE, Answer, Order, ProviderName, Unusable, Usage

_VERSION = "2023-06-01"
_LEAST_TOKENS, _MOST_TOKENS = 1_024, 32_000


class Anthropic:
    """Asked for JSON in words, which every model of theirs understands, and read strictly."""

    name: ProviderName = "anthropic"
    can_inflect = True
    secrets: Sequence[str] = prompt.SENTENCES

    def __init__(self, *, base_url: str, api_key: str, model: str, timeout_seconds: float) -> None:
        self._url = f"{base_url}/v1/messages"
        self._headers = {"x-api-key": api_key, "anthropic-version": _VERSION}
        self._model = model
        self._timeout_seconds = timeout_seconds

    async def ask(self, order: Order) -> Answer:
        """Returns the texts, unchecked. Raises ``ProviderDown`` and ``Unusable``."""
        characters = sum(len(item.text) for item in order.items)
        body = {
            "model": self._model,
            "max_tokens": min(_LEAST_TOKENS + 4 * characters, _MOST_TOKENS),
            "system": prompt.instructions(order),
            "messages": [{"role": "user", "content": prompt.message(order)}],
        }
        reply = await wire.post(self._url, headers=self._headers, body=body, timeout_seconds=self._timeout_seconds)
        wire.check(reply)
        answer = wire.parse_object(reply.raw)
        usage = _usage_of(answer.get("usage"))
        if answer.get("stop_reason") == "refusal":
            raise Unusable(DECLINED, usage)
        if answer.get("stop_reason") != "end_turn":
            raise Unusable(UNREADABLE, usage)
        try:
            return Answer(prompt.read_texts(_said(answer.get("content")), order.items), usage)
        except Unusable as error:
            raise Unusable(error.reason, usage) from error


def _said(content: object) -> str | None:
    """Returns the words of the answer; ``None`` if it has no words."""
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    words: list[str] = []
    for block in blocks:
        one = cast("dict[str, object]", block) if isinstance(block, dict) else {}
        text = one.get("text")
        if one.get("type") == "text" and isinstance(text, str):
            words.append(text)
    return "".join(words) or None


def _usage_of(told: object) -> Usage:
    if not isinstance(told, dict):
        return NOTHING
    usage = cast("dict[str, object]", told)
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(
        input_tokens=sum(wire.count(usage.get(name)) for name in ("input_tokens", *cached)),
        output_tokens=wire.count(usage.get("output_tokens")),
    )
