"""HTTP to servers that others name: which addresses are public, and that a name is looked up once."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from livery.core import outgoing
from livery.core.outgoing import Unreachable, fetch, is_public
from tests.support.payment_servers import serving

PRIVATE = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:db8::1", "2001::1",
    "64:ff9b:1::7f00:1", "64:ff9b:1:ffff::808:808", "fec0::1", "feff::1", "::127.0.0.1", "::169.254.169.254", "::8.8.8.8",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]


def test_only_addresses_of_the_internet_are_public() -> None:
    assert [address for address in PRIVATE if is_public(ip_address(address))] == []
    assert [address for address in PUBLIC if not is_public(ip_address(address))] == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/", "https://127.0.0.1:9/", "https://localhost:9/", "https://[::1]:9/", "https://[::ffff:127.0.0.1]:9/",
        "https://2130706433:9/", "https://0x7f000001:9/", "https://127.1:9/", "https://0:9/", "file:///etc/passwd", "gopher://127.0.0.1:9/",
        "https://", "https://nowhere.invalid/", "https://a b/", "https://127.0.0.1:99999/", "https://[::1",
    ],
)  # fmt: skip
async def test_nothing_private_is_asked(url: str) -> None:
    with pytest.raises(Unreachable):
        await fetch("GET", url, allows_private=False)


async def test_plain_http_goes_to_private_addresses_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(_host: str, _port: int) -> list[object]:
        return [ip_address("93.184.215.14")]

    monkeypatch.setattr(outgoing, "_resolve", resolve)
    with pytest.raises(Unreachable, match="plain HTTP to a public address"):
        await fetch("GET", "http://id.example.com/", allows_private=True)


async def test_a_name_with_a_private_address_among_public_addresses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(_host: str, _port: int) -> list[object]:
        return [ip_address("93.184.215.14"), ip_address("10.0.0.1")]

    monkeypatch.setattr(outgoing, "_resolve", resolve)
    with pytest.raises(Unreachable, match="not a public address"):
        await fetch("GET", "https://id.example.com/", allows_private=False)


async def test_a_name_is_looked_up_once_and_the_connection_goes_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver that gives a public address first and a private address to whoever looks again (rebinding) gains nothing."""
    hosts: list[str] = []
    looked_up: list[str] = []

    async def answer(request: Request) -> PlainTextResponse:
        hosts.append(request.headers["host"])
        return PlainTextResponse("here")

    async def resolve(_host: str, _port: int) -> list[object]:
        looked_up.append("once")
        return [ip_address("127.0.0.1")]

    monkeypatch.setattr(outgoing, "_resolve", resolve)
    async with serving(Starlette(routes=[Route("/", answer)])) as address:
        port = address.rsplit(":", 1)[1]
        found = await fetch("GET", f"http://rebinding.invalid:{port}/", allows_private=True)

    assert found.raw == b"here"
    assert (hosts, looked_up) == ([f"rebinding.invalid:{port}"], ["once"])


def certificate_for(name: str, folder: Path) -> ssl.SSLContext:
    """A server's TLS with a certificate for this name, which is kept in the folder as ``authority.pem``."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    day = timedelta(days=1)
    present = datetime.now(UTC)  # noqa: TID251  # TLS compares it with the machine's clock
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(present - day)
        .not_valid_after(present + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    authority, key_file = folder / "authority.pem", folder / "key.pem"
    authority.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, key_file)
    return context


@pytest.mark.parametrize(("name", "is_trusted"), [("id.test", True), ("other.test", False)])
async def test_a_certificate_must_be_for_the_name_and_not_for_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, is_trusted: bool
) -> None:
    """An operator trusts an authority of their own by ``SSL_CERT_FILE``."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere")
        await writer.drain()
        writer.close()

    async def resolve(_host: str, _port: int) -> list[object]:
        return [ip_address("127.0.0.1")]

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=certificate_for(name, tmp_path))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    monkeypatch.setattr(outgoing, "tls", outgoing.tls.__wrapped__)
    monkeypatch.setattr(outgoing, "_resolve", resolve)
    url = f"https://id.test:{server.sockets[0].getsockname()[1]}/"
    async with server:
        if is_trusted:
            assert (await fetch("GET", url, allows_private=True)).raw == b"here"
        else:
            with pytest.raises(Unreachable, match="ConnectError"):
                await fetch("GET", url, allows_private=True)


async def test_a_slow_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "TIMEOUT_SECONDS", 0.2)
    hears = asyncio.Event()

    async def hang(_request: Request) -> PlainTextResponse:
        await hears.wait()
        return PlainTextResponse("late")

    async with serving(Starlette(routes=[Route("/", hang)])) as address:
        with pytest.raises(Unreachable, match="TimeoutError"):
            await fetch("GET", f"{address}/", allows_private=True)
        hears.set()


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [(b" " * (64 * 1024 + 1), {}, "AnswerTooLong"), (b"", {"Content-Encoding": "gzip"}, "a packed answer")],
)
async def test_an_answer_that_is_too_long_or_packed_is_not_read(
    body: bytes, headers: dict[str, str], reason: str
) -> None:
    async def answer(_request: Request) -> Response:
        return Response(body, headers=headers)

    async with serving(Starlette(routes=[Route("/", answer)])) as address:
        with pytest.raises(Unreachable, match=reason):
            await fetch("GET", f"{address}/", allows_private=True)


async def test_an_answer_of_the_greatest_length_is_read() -> None:
    async def answer(_request: Request) -> Response:
        return Response(b" " * (64 * 1024))

    async with serving(Starlette(routes=[Route("/", answer)])) as address:
        assert len((await fetch("GET", f"{address}/", allows_private=True)).raw) == 64 * 1024
