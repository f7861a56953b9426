"""Requests are counted by household: an IPv4 address, or the /64 of an IPv6 address."""

import asyncio

import pytest

from livery.core import limits
from livery.core.addresses import network_of
from livery.core.context import Context
from tests.conftest import ClientFrom
from tests.factories.content import Studio


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("::1", "::"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_the_network_of_an_address(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_a_caller_with_many_ipv6_addresses_has_no_more_tries(client_from: ClientFrom, context: Context) -> None:
    studio = await Studio.create(context)

    async def try_key(address: str, key: str) -> int:
        async with client_from(address) as client:
            return (await client.get(studio.content, headers={"Authorization": f"Bearer {key}"})).status_code

    # All at once: tokens come back while a slow machine tries one key after the other.
    tries = range(int(1.5 * limits.KEY_LOOKUPS_PER_NETWORK.burst))
    answers = await asyncio.gather(*(try_key(f"2001:db8::{number:x}", f"lvp_{number}") for number in tries))

    assert set(answers) == {401, 429}
    assert await try_key("2001:db8:0:1::1", "lvp_other") == 401
