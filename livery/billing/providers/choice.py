"""Which providers a server has, by its settings; and the sentences that report what is missing."""

import ipaddress
from urllib.parse import urlsplit

from pydantic import SecretStr

from livery.billing.providers.btcpay import BtcPay
from livery.billing.providers.nowpayments import NowPayments
from livery.billing.providers.port import PaymentProvider
from livery.billing.providers.sandbox import Sandbox
from livery.core.settings import Settings, SettingsError


class Providers:
    """``current`` opens new invoices. The others whose keys are set still answer for theirs: a change of provider loses no payment."""

    def __init__(self, current: PaymentProvider, others: tuple[PaymentProvider, ...] = ()) -> None:
        self.current = current
        self._by_name = {provider.name: provider for provider in (current, *others)}

    def find(self, name: str) -> PaymentProvider | None:
        """Returns the provider of that name, when this server knows its keys."""
        return self._by_name.get(name)


def open_providers(settings: Settings) -> Providers | None:
    """Returns the providers of a server; ``None`` with billing off. Raises ``SettingsError``."""
    if settings.billing == "off":
        return None
    check_payments(settings)
    made: dict[str, PaymentProvider] = {}
    if settings.payments == "sandbox":
        made["sandbox"] = Sandbox(
            base_url=settings.own_url,
            public_url=settings.base_url,
            secret_key=settings.secret_key.get_secret_value(),
        )
    if not _missing(settings, "nowpayments"):
        made["nowpayments"] = NowPayments(
            base_url=settings.nowpayments_base_url.rstrip("/"),
            api_key=settings.nowpayments_api_key.get_secret_value(),
            secrets=_set(settings.nowpayments_ipn_secret, settings.nowpayments_ipn_secret_previous),
            public_url=settings.base_url,
            email=settings.nowpayments_email,
            password=settings.nowpayments_password.get_secret_value(),
        )
    if not _missing(settings, "btcpay"):
        made["btcpay"] = BtcPay(
            base_url=settings.btcpay_url.rstrip("/"),
            api_key=settings.btcpay_api_key.get_secret_value(),
            store_id=settings.btcpay_store_id,
            secrets=_set(settings.btcpay_webhook_secret, settings.btcpay_webhook_secret_previous),
            public_url=settings.base_url,
        )
    current = made.pop(settings.payments)
    return Providers(current, tuple(made.values()))


class PaymentsUndecidedError(SettingsError):
    """Nobody chose how credits are paid at a public address."""


def check_payments(settings: Settings) -> None:
    """Raises ``SettingsError`` when the chosen provider can't work: a server that can't be paid must not start selling.

    It is ``PaymentsUndecidedError`` at a public address where the sandbox would give credits away.
    """
    if settings.billing == "off":
        return
    if settings.payments == "sandbox":
        if is_public(settings.public_url) and not settings.sandbox_public:
            raise PaymentsUndecidedError(
                "The payment sandbox gives credits away, and LIVERY_PUBLIC_URL is a public address. Choose a provider with "
                "LIVERY_PAYMENTS, turn credits off with LIVERY_BILLING=off, or set LIVERY_SANDBOX_PUBLIC=true for a public demo."
            )
        return
    missing = _missing(settings, settings.payments)
    if missing:
        names = " and ".join(f"LIVERY_{name.upper()}" for name in missing)
        raise SettingsError(f"LIVERY_PAYMENTS={settings.payments} needs {names}.")


def is_public(url: str) -> bool:
    """Whether people from anywhere may reach this address: a full domain name, or an address outside private networks."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        is_local_name = "." not in host or host.endswith((".localhost", ".local", ".internal", ".test", ".lan"))
        return not is_local_name
    return address.is_global


_NEEDS = {
    "nowpayments": ("nowpayments_api_key", "nowpayments_ipn_secret"),
    "btcpay": ("btcpay_url", "btcpay_api_key", "btcpay_store_id", "btcpay_webhook_secret"),
}


def _missing(settings: Settings, provider: str) -> list[str]:
    return [name for name in _NEEDS[provider] if not _plain(getattr(settings, name)).strip()]


def _plain(value: str | SecretStr) -> str:
    return value if isinstance(value, str) else value.get_secret_value()


def _set(*secrets: SecretStr) -> tuple[str, ...]:
    return tuple(secret.get_secret_value().strip() for secret in secrets if secret.get_secret_value().strip())
