"""Which translation service a server has, by its settings; and the sentences that report what is missing."""

from urllib.parse import urlsplit

from livery.ai.providers.anthropic import Anthropic
from livery.ai.providers.deepl import DeepL
from livery.ai.providers.gate import Gate
from livery.ai.providers.openai import OpenAi
from livery.ai.providers.port import Translator
from livery.ai.providers.pseudo import Pseudo
from livery.core.settings import Settings, SettingsError

_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "deepl": "https://api.deepl.com",
}
_DEEPL_FREE = "https://api-free.deepl.com"


def open_translator(settings: Settings) -> Gate:
    """Returns the service of a server, behind a gate of its own. Raises ``SettingsError``."""
    check_ai(settings)
    return Gate(_translator(settings), calls_at_a_time=settings.ai_concurrency)


def _translator(settings: Settings) -> Translator:
    key, timeout = settings.ai_api_key.get_secret_value().strip(), float(settings.ai_timeout_seconds)
    if settings.ai == "pseudo":
        return Pseudo()
    address = settings.ai_base_url.rstrip("/") or _ADDRESSES[settings.ai]
    if settings.ai == "deepl":
        is_free = not settings.ai_base_url and key.endswith(":fx")
        return DeepL(base_url=_DEEPL_FREE if is_free else address, api_key=key, timeout_seconds=timeout)
    kind = OpenAi if settings.ai == "openai" else Anthropic
    return kind(base_url=address, api_key=key, model=settings.ai_model.strip(), timeout_seconds=timeout)


def check_ai(settings: Settings) -> None:
    """Raises ``SettingsError`` when the chosen service can't work."""
    if settings.ai == "pseudo":
        return
    parts = urlsplit(settings.ai_base_url)
    if settings.ai_base_url and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise SettingsError("LIVERY_AI_BASE_URL must start with https:// or http://.")
    needs_key = settings.ai != "openai" or not settings.ai_base_url  # a local service may need no key
    missing = [
        name
        for name, is_missing in (
            ("LIVERY_AI_API_KEY", needs_key and not settings.ai_api_key.get_secret_value().strip()),
            ("LIVERY_AI_MODEL", settings.ai != "deepl" and not settings.ai_model.strip()),
        )
        if is_missing
    ]
    if missing:
        raise SettingsError(f"LIVERY_AI={settings.ai} needs {' and '.join(missing)}.")
