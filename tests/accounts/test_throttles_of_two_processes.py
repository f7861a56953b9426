"""Two processes on one database allow no more guesses and mails than one process."""

from collections.abc import AsyncGenerator

import httpx2
import pytest

from livery.app import Application, create_app
from livery.core import limits
from livery.core.settings import Settings

EMAIL = "ada@example.com"


@pytest.fixture
async def clients(app: Application, settings: Settings) -> AsyncGenerator[list[httpx2.AsyncClient]]:
    """A client of each of two processes."""
    other = create_app(settings)
    async with other.running():
        opened = [
            httpx2.AsyncClient(transport=httpx2.ASGITransport(app=one), base_url="http://testserver")
            for one in (app, other)
        ]
        yield opened
        for client in opened:
            await client.aclose()


async def statuses(clients: list[httpx2.AsyncClient], path: str, body: dict[str, str], times: int) -> list[int]:
    """The statuses of so many calls, which go to the processes in turns."""
    return [(await clients[number % 2].post(path, json=body)).status_code for number in range(times)]


async def test_guesses_of_a_password_count_at_both_processes(clients: list[httpx2.AsyncClient]) -> None:
    times = limits.LOGINS_PER_ACCOUNT_AND_NETWORK.times

    found = await statuses(clients, "/api/auth/login", {"email": EMAIL, "password": "a-wrong-guess"}, times + 4)

    assert found == [401] * times + [429] * 4


async def test_requests_of_mails_count_at_both_processes(clients: list[httpx2.AsyncClient]) -> None:
    times = limits.MAILS_PER_NETWORK.times

    found = await statuses(clients, "/api/auth/forgot-password", {"email": EMAIL}, times + 4)

    assert found == [200] * times + [429] * 4
