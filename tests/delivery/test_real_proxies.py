"""The configurations of the documentation, in a real nginx and a real Caddy with TLS: clients keep their addresses, and streams arrive at once."""

import asyncio
import datetime as dt
import socket
import ssl
import subprocess
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from livery.app import Application
from tests.factories.content import Studio
from tests.support.live_server import live_server

NAME = "livery.example.com"
CONFIGURATIONS = Path(__file__).resolve().parents[2] / "docs" / "proxy"
MAIN = "pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {temporary} include {folder}/livery.conf; }}"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")

Proxy = Callable[[Path, int], AbstractAsyncContextManager[int]]

pytestmark = pytest.mark.proxies


def write_certificate(folder: Path) -> None:
    """A certificate for the name, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    present = dt.datetime.now(dt.UTC)  # noqa: TID251  # TLS compares it with the machine's clock
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(present - dt.timedelta(days=1))
        .not_valid_after(present + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    unprotected = serialization.NoEncryption()
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, unprotected)
    (folder / "cert.key").write_bytes(key.private_bytes(*form))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def replaced(name: str, *pairs: tuple[str, str]) -> str:
    """A configuration of the documentation, with what a test needs in place of what an operator would change."""
    text = (CONFIGURATIONS / name).read_text()
    for documented, used in pairs:
        assert documented in text
        text = text.replace(documented, used)
    return text


@asynccontextmanager
async def running(command: Sequence[str], port: int) -> AsyncGenerator[int]:
    process = subprocess.Popen(command)
    try:
        async with asyncio.timeout(20):
            while not await answers(port):
                assert process.poll() is None, f"{command[0]} refused the configuration"
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(10)


@asynccontextmanager
async def nginx(folder: Path, livery_port: int) -> AsyncGenerator[int]:
    """nginx on a free port, in front of Livery."""
    port = free_port()
    text = replaced(
        "nginx.conf",
        ("127.0.0.1:8000", f"127.0.0.1:{livery_port}"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("/etc/ssl/livery.example.com.pem", str(folder / "cert.pem")),
        ("/etc/ssl/livery.example.com.key", str(folder / "cert.key")),
    )
    (folder / "livery.conf").write_text(text)
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, temporary=temporary))
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off; master_process off;"]
    async with running(command, port):
        yield port


@asynccontextmanager
async def caddy(folder: Path, livery_port: int) -> AsyncGenerator[int]:
    """Caddy on a free port, in front of Livery. It gets its certificate from a file."""
    port = free_port()
    own = f"admin off\n auto_https disable_redirects\n https_port {port}\n storage file_system {folder}/storage"
    certificate = f"bind 127.0.0.1\n tls {folder}/cert.pem {folder}/cert.key"
    text = replaced(
        "Caddyfile",
        ("127.0.0.1:8000", f"127.0.0.1:{livery_port}"),
        (f"{NAME} {{\n", f"{NAME} {{\n{certificate}\n"),
    )
    (folder / "Caddyfile").write_text(f"{{\n{own}\n}}\n{text}")
    async with running(["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], port):
        yield port


async def answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def client_from(address: str, port: int, folder: Path) -> httpx2.AsyncClient:
    """A client with an address of its own, to which the name means the proxy."""
    context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    transport = httpx2.AsyncHTTPTransport(verify=context, local_address=address)
    return httpx2.AsyncClient(
        transport=transport, base_url=f"https://127.0.0.1:{port}", headers={"Host": NAME}, timeout=30
    )


async def guesses(client: httpx2.AsyncClient, **headers: str) -> list[int]:
    login = {"email": "ada@example.com", "password": "wrong-password"}
    asked = [
        await client.post("/api/auth/login", json=login, headers=headers, extensions={"sni_hostname": NAME})
        for _ in range(12)
    ]
    return [answer.status_code for answer in asked]


async def negotiate(port: int, folder: Path) -> str | None:
    """The protocol that the proxy chooses for a browser."""
    context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    context.set_alpn_protocols(["h2", "http/1.1"])
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname=NAME)
    chosen = writer.get_extra_info("ssl_object").selected_alpn_protocol()
    writer.transport.abort()
    return chosen


@pytest.mark.parametrize("proxy", [nginx, caddy])
async def test_clients_keep_their_addresses_and_events_arrive_at_once(
    app: Application, studio: Studio, tmp_path: Path, proxy: Proxy
) -> None:
    write_certificate(tmp_path)
    await studio.add_key("title", {"en": "one"})
    await studio.publish()
    async with (
        live_server(app, trusted_proxies="127.0.0.1/32") as live,
        proxy(tmp_path, live.port) as port,
        client_from("127.0.1.2", port, tmp_path) as one,
        client_from("127.0.2.2", port, tmp_path) as two,
    ):
        assert await negotiate(port, tmp_path) == "h2", "HTTP/1.1 allows a browser six streams"
        assert (await guesses(one))[-1] == 429
        assert (await guesses(one, **{"X-Forwarded-For": "198.51.100.4"}))[0] == 429, "the client chose its address"
        assert (await guesses(two))[0] == 401

        asked = two.stream("GET", studio.stream, headers=studio.headers, extensions={"sni_hostname": NAME})
        async with asyncio.timeout(20), asked as answer:
            lines = answer.aiter_lines()
            assert await anext(lines) == "event: hello"
            await studio.set_text("title", {"en": "two"})
            await studio.publish()
            async for line in lines:
                if line == "event: release":
                    break
