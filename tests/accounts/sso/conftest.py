"""A provider that lies on demand, and a server whose single sign-on it is."""

from collections.abc import AsyncIterator

import pytest

from tests.factories.sso import (
    FORCED,
)
from tests.support.hostile_provider import (
    CLIENT_ID,
    HostileProvider,
    hostile_provider,
)


@pytest.fixture
async def provider() -> AsyncIterator[HostileProvider]:
    async with hostile_provider() as provider:
        yield provider


@pytest.fixture
def settings_overrides(provider: HostileProvider) -> dict[str, object]:
    return {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": "hush",
        "oidc_name": "Acme login",
        "oidc_domains": FORCED,
        "oidc_allow_private": True,
    }
