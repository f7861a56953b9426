"""DeepL's translation API. Marks travel as empty XML tags, which it keeps in place; answers come by position."""

import html
import re
from collections.abc import Sequence
from typing import cast

from livery.ai.masks import MARK, mark
from livery.ai.providers import wire
from livery.ai.providers.port import (
    LANGUAGE_UNKNOWN,
    UNREADABLE,
    Answer,
    Order,
    ProviderDown,
    ProviderName,
    Tongue,
    Unusable,
    Usage,
)

_TAG = re.compile(r'<m id="([0-9]{1,6})"\s*(?:/>|>\s*</m>)', re.ASCII)
_SOURCES = {"no": "NB", "fil": "TL"}
_TARGETS = {
    "en": "EN-US",
    "pt": "PT-BR",  # CLDR's likely region of Portuguese
    "no": "NB",
    "zh": "ZH-HANS",
    "zh-CN": "ZH-HANS",
    "zh-Hans": "ZH-HANS",
    "zh-TW": "ZH-HANT",
    "zh-HK": "ZH-HANT",
    "zh-Hant": "ZH-HANT",
    "en-GB": "EN-GB",
    "en-US": "EN-US",
    "pt-BR": "PT-BR",
    "pt-PT": "PT-PT",
    "es-419": "ES-419",
    "fil": "TL",
}


class DeepL:
    """Notes are not read, so it can't be asked for plural forms that a text does not have."""

    name: ProviderName = "deepl"
    can_inflect = False
    secrets: Sequence[str] = ()

    def __init__(self, *, base_url: str, api_key: str, timeout_seconds: float) -> None:
        self._base_url = base_url
        self._headers = {"Authorization": f"DeepL-Auth-Key {api_key}"}
        self._timeout_seconds = timeout_seconds

    async def ask(self, order: Order) -> Answer:
        """Returns the texts, unchecked. Raises ``ProviderDown`` and ``Unusable``."""
        if order.task == "rephrase":
            return await self._send(order, "/v2/write/rephrase", "improvements", _rephrase_body(order))
        return await self._send(order, "/v2/translate", "translations", _translate_body(order))

    async def _send(self, order: Order, path: str, field: str, body: dict[str, object]) -> Answer:
        url = f"{self._base_url}{path}"
        reply = await wire.post(url, headers=self._headers, body=body, timeout_seconds=self._timeout_seconds)
        if reply.status == 400 and b"_lang" in reply.raw:
            raise ProviderDown(LANGUAGE_UNKNOWN, reply.detail, is_permanent=True, is_free=True)
        wire.check(reply)
        listed: object = wire.parse_object(reply.raw).get(field)
        entries = [
            cast("dict[str, object]", one) if isinstance(one, dict) else {}
            for one in (cast("list[object]", listed) if isinstance(listed, list) else [])
        ]
        usage = Usage(billed_characters=sum(wire.count(one.get("billed_characters")) for one in entries))
        if len(entries) != len(order.items):
            raise Unusable(UNREADABLE, usage)
        texts: dict[str, str] = {}
        for item, entry in zip(order.items, entries, strict=True):
            text = entry.get("text")
            if isinstance(text, str):
                texts[item.id] = _unmarked(text) if order.task == "translate" else text
        return Answer(texts, usage)


def _translate_body(order: Order) -> dict[str, object]:
    examples = " ".join(f"{source} = {target}" for source, target in order.scene.examples)
    context = "\n".join(part for part in (order.scene.project, examples) if part)
    body: dict[str, object] = {
        "text": [_marked(item.text) for item in order.items],
        "target_lang": _target(order.target),
        "tag_handling": "xml",
        "preserve_formatting": True,
        "show_billed_characters": True,
    }
    if order.source:
        language = order.source.code.split("-")[0]
        body["source_lang"] = _SOURCES.get(language, language.upper())
    return {**body, "context": context} if context else body


def _rephrase_body(order: Order) -> dict[str, object]:
    return {"text": [item.text for item in order.items], "target_lang": _target(order.target)}


def _target(tongue: Tongue) -> str:
    return _TARGETS.get(tongue.code) or _TARGETS.get(tongue.code.split("-")[0]) or tongue.code.split("-")[0].upper()


def _marked(text: str) -> str:
    return MARK.sub(r'<m id="\1"/>', html.escape(text, quote=False))


def _unmarked(text: str) -> str:
    return html.unescape(_TAG.sub(lambda found: mark(int(found[1])), text))
