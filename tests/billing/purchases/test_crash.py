"""SIGKILL at any moment of buying: whatever was paid is credited, once, after the server is back.

The sandbox is in the same process, so the notification, the question to the provider and the credit die with it at every step.
"""

import random
import threading
import time
from pathlib import Path

import httpx2
import pytest

from tests.support.clients import open_client
from tests.support.server_process import DemoProject, ForkedServer, open_demo, run_command
from tests.support.tier import TIER, amount

ROUNDS = amount(main=2, deep=5)
PATIENCE_SECONDS = 120.0


class Buyer:
    """Buys and pays one invoice after the other until the server is gone; remembers which payments were acknowledged."""

    def __init__(self, server: ForkedServer, demo: DemoProject, dice: random.Random) -> None:
        self._client = open_client(server.base_url, headers=demo.headers)
        self._dice = dice
        self.acknowledged: list[str] = []
        self.maybe: list[str] = []
        self.unexpected: list[str] = []

    def run(self) -> None:
        """Until the server is gone."""
        try:
            while True:
                answer = self._client.post("/api/payments/create-invoice", json={"months": 7})
                if answer.status_code == 503:  # the sandbox went first
                    continue
                invoice = answer.raise_for_status().json()["invoice"]
                page = "/sandbox-pay/" + invoice["url"].rsplit("/", 1)[1]
                self.maybe.append(invoice["_id"])
                button = self._dice.choice(["pay", "pay", "pay-twice", "pay-more"])
                answer = self._client.post(f"{page}/{button}")
                assert answer.status_code == 303, answer.text
                self.acknowledged.append(invoice["_id"])
        except httpx2.TransportError:
            return
        except Exception as error:  # noqa: BLE001  # the test's own thread shows it
            self.unexpected.append(repr(error))
        finally:
            self._client.close()


def buy_until_killed(server: ForkedServer, buyer: Buyer, dice: random.Random) -> None:
    """Let it buy for a drawn while, then SIGKILL."""
    thread = threading.Thread(target=buyer.run)
    thread.start()
    target = dice.randrange(1, 4)
    while len(buyer.acknowledged) < target and thread.is_alive():
        time.sleep(0.001)
    time.sleep(dice.random() * 0.15)  # the moment of the kill, anywhere between the payment and the credit
    server.kill()
    thread.join()
    assert buyer.unexpected == []


def read_all(client: httpx2.Client, demo: DemoProject) -> tuple[int, dict[str, str]]:
    """Returns the credits, and every invoice's status."""
    statuses: dict[str, str] = {}
    cursor = ""
    while True:
        url = "/api/payments/invoices?limit=100" + (f"&cursor={cursor}" if cursor else "")
        page = client.get(url, headers=demo.headers).raise_for_status().json()
        statuses |= {invoice["_id"]: invoice["status"] for invoice in page["invoices"]}
        cursor = page["nextCursor"]
        if not cursor:
            break
    return client.get("/api/user/me", headers=demo.headers).raise_for_status().json()["credits"], statuses


def read_settled(client: httpx2.Client, demo: DemoProject, acknowledged: list[str]) -> tuple[int, dict[str, str]]:
    """Returns what ``read_all`` returns, once every acknowledged payment is credited or after ``PATIENCE_SECONDS``. Reads until two results in a row
    are the same: a payment that nobody acknowledged may be credited between the requests of ``read_all``."""
    end = time.monotonic() + PATIENCE_SECONDS
    before, found = None, read_all(client, demo)
    while time.monotonic() < end and (found != before or any(found[1][one] != "paid" for one in acknowledged)):
        time.sleep(0.1)  # leases of the killed processes end
        before, found = found, read_all(client, demo)
    return found


@pytest.mark.deep_on("postgresql")
def test_a_payment_is_credited_once_whenever_the_server_dies(tmp_path: Path, database_url: str) -> None:
    dice = random.Random(20261121)
    url = "" if database_url.startswith("sqlite") else database_url
    server = ForkedServer(tmp_path / "data", database_url=url, rate_limits="off")
    acknowledged: list[str] = []
    uncredited_at_start = 0
    try:
        with open_client(server.base_url) as client:
            demo = open_demo(client)
        for _ in range(ROUNDS):
            buyer = Buyer(server, demo, dice)
            buy_until_killed(server, buyer, dice)
            acknowledged += buyer.acknowledged
            server = ForkedServer(server.data_dir, database_url=url, has_demo=False, rate_limits="off")
            with open_client(server.base_url) as client:
                _, statuses = read_all(client, demo)
                uncredited_at_start += sum(statuses[invoice_id] != "paid" for invoice_id in buyer.acknowledged)
        with open_client(server.base_url) as client:
            credits_now, statuses = read_settled(client, demo, acknowledged)
    finally:
        server.close()

    paid = [invoice_id for invoice_id, status in statuses.items() if status == "paid"]
    assert set(acknowledged) <= set(paid), "a payment was never credited"
    assert credits_now == 7 * len(paid)
    if TIER == "deep":  # in a few rounds it may happen
        assert uncredited_at_start, "every payment was credited before the kill: this proves nothing"
    fsck = run_command(server.environment, "admin", "fsck")
    assert (fsck.returncode, fsck.stdout.strip()) == (0, "All invariants hold."), fsck.stdout + fsck.stderr
