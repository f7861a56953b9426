"""Any service that speaks OpenAI's chat completions: OpenAI itself, and the many compatible services, some of them local."""

from collections.abc import Sequence
from typing import Any, cast

from livery.ai.providers import prompt, wire
from livery.ai.providers.port import DECLINED, NOTHING, UNREADABLE, Answer, Order, ProviderName, Unusable, Usage

_AS_SCHEMA: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": "translations", "strict": True, "schema": prompt.SCHEMA},
}
_AS_OBJECT: dict[str, Any] = {"type": "json_object"}


class OpenAi:
    """Answers are JSON by schema; a service that knows no schemas is asked for any JSON object."""

    name: ProviderName = "openai"
    can_inflect = True
    secrets: Sequence[str] = prompt.SENTENCES

    def __init__(self, *, base_url: str, api_key: str, model: str, timeout_seconds: float) -> None:
        self._url = f"{base_url}/chat/completions"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._model = model
        self._timeout_seconds = timeout_seconds
        self._format = _AS_SCHEMA

    async def ask(self, order: Order) -> Answer:
        """Returns the texts, unchecked. Raises ``ProviderDown`` and ``Unusable``."""
        reply = await self._post(order)
        if reply.status == 400 and self._format is _AS_SCHEMA and b"response_format" in reply.raw:
            self._format = _AS_OBJECT
            reply = await self._post(order)
        wire.check(reply)
        body = wire.parse_object(reply.raw)
        usage = _usage_of(body.get("usage"))
        try:
            choice = body["choices"][0]
            message: object = choice["message"]
            is_cut = choice.get("finish_reason") not in {"stop", None}
        except (LookupError, TypeError, AttributeError) as error:
            raise Unusable(UNREADABLE, usage) from error
        said = cast("dict[str, object]", message) if isinstance(message, dict) else {}
        if said.get("refusal"):
            raise Unusable(DECLINED, usage)
        if is_cut:
            raise Unusable(DECLINED if choice.get("finish_reason") == "content_filter" else UNREADABLE, usage)
        try:
            return Answer(prompt.read_texts(said.get("content"), order.items), usage)
        except Unusable as error:
            raise Unusable(error.reason, usage) from error

    async def _post(self, order: Order) -> wire.Reply:
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": prompt.instructions(order)},
                {"role": "user", "content": prompt.message(order)},
            ],
            "response_format": self._format,
        }
        return await wire.post(self._url, headers=self._headers, body=body, timeout_seconds=self._timeout_seconds)


def _usage_of(told: object) -> Usage:
    if not isinstance(told, dict):
        return NOTHING
    usage = cast("dict[str, object]", told)
    cost = usage.get("cost")  # OpenRouter reports it, in dollars
    return Usage(
        input_tokens=wire.count(usage.get("prompt_tokens")),
        output_tokens=wire.count(usage.get("completion_tokens")),
        cost_micros=wire.count(round(cost * 1_000_000)) if isinstance(cost, float) and 0 <= cost < 1_000_000 else 0,
    )
