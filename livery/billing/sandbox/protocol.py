"""What the sandbox and its client agree on: addresses, keys and the signature."""

import hashlib
import hmac

API_PATH = "/sandbox-pay/api/v1/invoices"
PAGE_PATH = "/sandbox-pay"
WEBHOOK_PATH = "/api/payments/webhooks/sandbox"
SIGNATURE_HEADER = "X-Sandbox-Signature"


def api_key(secret_key: str) -> str:
    """Returns the key with which this server is a customer of its own sandbox."""
    return _derived(secret_key, "api key")


def webhook_secret(secret_key: str) -> str:
    """Returns the secret that signs notifications."""
    return _derived(secret_key, "webhook")


def sign(secret: str, body: bytes) -> str:
    """Returns the header's value: HMAC-SHA256 of the body as it is sent."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _derived(secret_key: str, purpose: str) -> str:
    return hmac.new(secret_key.encode(), f"livery sandbox {purpose}".encode(), hashlib.sha256).hexdigest()
