"""Whom a network address stands for, where requests are counted: one household or office."""

from functools import lru_cache
from ipaddress import ip_address, ip_network

from starlette.types import Scope


@lru_cache(maxsize=65_536)
def network_of(address: str, *, ipv4_prefix: int = 32) -> str:
    """Returns the network to count by: who holds an IPv6 address holds its /64. What is no address is its own network."""
    try:
        prefix = ipv4_prefix if ip_address(address).version == 4 else 64
    except ValueError:
        return address
    return str(ip_network(f"{address}/{prefix}", strict=False).network_address)


def client_network(scope: Scope) -> str:
    """Returns the network of the client of a request; empty where the server does not know it."""
    client = scope["client"]
    return network_of(client[0]) if client else ""
