"""A first start at a public address shows the choices of an operator, and serves nothing else."""

import signal
import subprocess
from pathlib import Path

import httpx2

from livery.cli.choices import ChoicesPage
from tests.support.clients import open_client
from tests.support.server_process import ServerProcess, server_environment


async def test_every_request_gets_the_page(tmp_path: Path) -> None:
    page = ChoicesPage('https://a.example/"><script>')
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=page), base_url="http://testserver") as client:
        answers = [await client.request(method, path) for method, path in (("GET", "/"), ("POST", "/api/auth/login"))]
        head = await client.head("/healthz")

    for answer in answers:
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
        assert all(
            name in answer.text for name in ("LIVERY_BILLING=off", "LIVERY_PAYMENTS=", "LIVERY_SANDBOX_PUBLIC=true")
        )
        assert "<script>" not in answer.text
        assert "unsafe" not in answer.headers["content-security-policy"]
    assert (head.status_code, head.content) == (503, b"")


def test_serve_shows_the_page_until_it_is_stopped_and_leaves_the_data_alone(tmp_path: Path) -> None:
    environment = server_environment(tmp_path, public_url="https://livery.example.com")
    command = [ServerProcess.program, "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    with process.stderr:
        sentence, place = process.stderr.readline(), process.stderr.readline()
        address = place.split(",")[1].split()[0]
        with open_client(address) as client:
            answer = client.get("/")
        process.send_signal(signal.SIGTERM)
        status = process.wait(30)

    assert sentence.startswith("The payment sandbox gives credits away")
    assert (answer.status_code, status) == (503, -signal.SIGTERM)
    assert "https://livery.example.com is a public address" in answer.text
    assert not list(tmp_path.glob("*.db"))
