"""Behind proxies, each client has its own address: a trusted proxy's header is believed, and nobody else's."""

import asyncio
import re

import pytest

from livery.app import Application
from livery.core import limits
from livery.core.context import Context
from livery.core.proxies import Proxies
from livery.core.settings import SettingsError
from tests.factories.content import Studio
from tests.support.live_server import LiveServer, live_server

GUESSES = 12
"""More than one network may make at one account in fifteen minutes."""
MAILS = 20
"""Requests for a mail that one address may make in an hour."""
BURST = int(limits.READS_PER_NETWORK.burst)
RUSH = 2 * BURST
"""Reads in a row: more than the burst, and than what comes back while they are answered."""


in_memory = pytest.mark.deep_on("postgresql")
"""The limits are in the memory of the process, whatever the database is."""


async def statuses(live: LiveServer, *forwarded: str, email: str = "ada@example.com") -> list[int]:
    """What a client is answered that guesses a password again and again."""
    found: list[int] = []
    for _ in range(GUESSES):
        answer = await live.client.post(
            "/api/auth/login",
            json={"email": email, "password": "wrong-password"},
            headers=[("X-Forwarded-For", value) for value in forwarded],
        )
        found.append(answer.status_code)
    return found


async def test_one_client_of_a_proxy_shuts_nobody_else_out(app: Application) -> None:
    async with live_server(app, trusted_proxies="127.0.0.1, 10.0.0.0/8") as live:
        assert (await statuses(live, "203.0.113.7"))[-1] == 429
        assert (await statuses(live, "198.51.100.9"))[0] == 401
        assert (await statuses(live, "198.51.100.10, 10.1.2.3"))[-1] == 429


@in_memory
async def test_mails_that_one_client_of_a_proxy_asks_for_shut_nobody_else_out(app: Application) -> None:
    async def ask(live: LiveServer, address: str, number: int) -> int:
        body = {"email": f"person{number}@example.com"}
        answer = await live.client.post("/api/auth/forgot-password", json=body, headers={"X-Forwarded-For": address})
        return answer.status_code

    async with live_server(app, trusted_proxies="127.0.0.1") as live:
        found = [await ask(live, "203.0.113.7", number) for number in range(MAILS + 1)]
        assert found == [200] * MAILS + [429]
        assert await ask(live, "198.51.100.9", MAILS + 1) == 200


async def rush(live: LiveServer, studio: Studio, address: str) -> list[int]:
    """The answers to one client of a proxy that reads content as often as it can, on one connection."""
    head = f"GET {studio.content} HTTP/1.1\r\nHost: livery\r\nAuthorization: Bearer {studio.key}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", live.port)
    writer.write(f"{head}X-Forwarded-For: {address}\r\n\r\n".encode() * RUSH)
    received = b""
    while received.count(b"HTTP/1.1 ") < RUSH:
        received += await reader.read(65_536)
    writer.close()
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


@in_memory
async def test_one_app_behind_a_proxy_that_reads_too_often_slows_down_no_other_app(
    app: Application, context: Context
) -> None:
    studio = await Studio.create(context)
    await studio.publish()

    async with live_server(app, trusted_proxies="127.0.0.1") as live:
        for address in ("203.0.113.7", "198.51.100.9"):
            answers = await rush(live, studio, address)
            assert answers[:BURST] == [200] * BURST, address
            assert 429 in answers, address


async def test_an_address_that_a_client_writes_before_the_proxy_does_is_not_believed(app: Application) -> None:
    async with live_server(app, trusted_proxies="127.0.0.1") as live:
        assert (await statuses(live, "203.0.113.7"))[-1] == 429
        for header in (["1.2.3.4, 203.0.113.7"], ["1.2.3.5", "203.0.113.7"]):
            assert (await statuses(live, *header))[0] == 429, header


async def test_without_trusted_proxies_the_header_is_ignored(app: Application) -> None:
    async with live_server(app) as live:
        assert (await statuses(live, "203.0.113.7"))[-1] == 429
        assert (await statuses(live, "198.51.100.9"))[0] == 429


def test_addresses_and_networks_are_known_in_both_forms() -> None:
    proxies = Proxies("10.0.0.0/8, ::1,192.0.2.1")
    known = {address: proxies.has(address) for address in ("10.9.8.7", "::ffff:10.9.8.7", "::1", "192.0.2.1")}
    assert known == dict.fromkeys(known, True)
    strangers = {address: proxies.has(address) for address in ("11.0.0.1", "::ffff:11.0.0.1", "::2", "", "unknown")}
    assert strangers == dict.fromkeys(strangers, False)
    assert Proxies("").networks == []


@pytest.mark.parametrize("text", ["proxy.local", "10.0.0.1/8", "*", "10.0.0.0/33"])
def test_an_invalid_network_is_named(text: str) -> None:
    with pytest.raises(SettingsError, match="LIVERY_TRUSTED_PROXIES has"):
        Proxies(text)
