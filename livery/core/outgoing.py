"""HTTP to a server that a setting or another server names: public addresses only, no redirects, 5 seconds, 64 KB.

The name is resolved once. Every address must be public, and the connection goes to one of these addresses, so a second look-up can't lead
elsewhere. A proxy of the environment is not used: it would resolve the name again.
"""

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

import httpx2

from livery.core.http_client import read_answer, tls

TIMEOUT_SECONDS = 5.0
ANSWER_LIMIT_BYTES = 64 * 1024

_PORTS = {"https": 443, "http": 80}
_ADDRESSES_TRIED = 3
_TRANSLATED = IPv6Network("64:ff9b::/96")  # NAT64: the last four bytes are an IPv4 address
_NEVER_PUBLIC = (
    IPv6Network("::/96"),  # IPv4-compatible: some systems take the last four bytes for an IPv4 address
    IPv6Network("64:ff9b:1::/48"),  # NAT64 inside one network
    IPv6Network("fec0::/10"),  # site-local
)


class Unreachable(Exception):
    """No answer that can be used. The message is for the log: it names the server and the reason, never a query, a header or a body."""


@dataclass(frozen=True)
class Answer:
    """What a server answered, whatever its status."""

    status: int
    raw: bytes


async def fetch(
    method: str,
    url: str,
    *,
    allows_private: bool,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
) -> Answer:
    """Returns the answer of a server, whatever its status. ``form`` is sent as an HTML form is.

    ``allows_private`` permits addresses that are not public, and plain HTTP to them alone. Raises ``Unreachable``.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise Unreachable(f"{method}: no address of the web") from error
    about = f"{method} {parts.scheme}://{parts.hostname}{parts.path}"
    if parts.scheme not in _PORTS or not parts.hostname:
        raise Unreachable(f"{about}: no address of the web")
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            addresses = await _resolve(parts.hostname, port)
            for address in addresses:
                _check(parts.scheme, address, allows_private=allows_private)
            return await _ask(method, parts, port, addresses[:_ADDRESSES_TRIED], headers or {}, form)
    except (OSError, ValueError, httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
        raise Unreachable(f"{about}: {type(error).__name__}") from error
    except Unreachable as error:
        raise Unreachable(f"{about}: {error}") from error


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether anybody on the Internet may reach the address. An IPv4 address inside an IPv6 address counts, too."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if any(address in network for network in _NEVER_PUBLIC):
            return False
    return address.is_global and not address.is_multicast


async def _resolve(host: str, port: int) -> list[IPv4Address | IPv6Address]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(address[0])) for *_, address in found))


def _check(scheme: str, address: IPv4Address | IPv6Address, *, allows_private: bool) -> None:
    if not is_public(address):
        if not allows_private:
            raise Unreachable("not a public address")
    elif scheme != "https":
        raise Unreachable("plain HTTP to a public address")


async def _ask(
    method: str,
    parts: SplitResult,
    port: int,
    addresses: list[IPv4Address | IPv6Address],
    headers: Mapping[str, str],
    form: Mapping[str, str] | None,
) -> Answer:
    host = parts.hostname or ""
    named = {**headers, "Host": parts.netloc.rpartition("@")[2], "Accept-Encoding": "identity"}
    async with httpx2.AsyncClient(
        verify=tls(), timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False
    ) as client:
        for number, address in enumerate(addresses, 1):
            place = f"[{address}]" if address.version == 6 else str(address)
            target = parts._replace(netloc=f"{place}:{port}").geturl()
            request = client.stream(method, target, headers=named, data=form, extensions={"sni_hostname": host})
            try:
                async with request as response:
                    return Answer(response.status_code, await _read(response))
            except httpx2.ConnectError:
                if number == len(addresses):
                    raise
    raise Unreachable("no address")


async def _read(response: httpx2.Response) -> bytes:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unreachable("a packed answer")  # a few bytes may unpack into a memory full of them
    return await read_answer(response, limit_bytes=ANSWER_LIMIT_BYTES)
