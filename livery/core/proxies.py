"""The proxies in front of the server, whose word about a client's address is believed."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from livery.core.settings import SettingsError


class Proxies:
    """The addresses and networks in ``LIVERY_TRUSTED_PROXIES``, parted by commas. Raises ``SettingsError`` for what is neither.

    An IPv4 network is also known as IPv6 sockets write it (``::ffff:10.0.0.1``).
    """

    def __init__(self, text: str) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            try:
                network = ip_network(part)
            except ValueError as error:
                raise SettingsError(
                    f"LIVERY_TRUSTED_PROXIES has {part!r}, which is neither an address nor a network such as 10.0.0.0/8."
                ) from error
            self._networks.append(network)
            if isinstance(network, IPv4Network):
                self._networks.append(IPv6Network(f"::ffff:{network.network_address}/{96 + network.prefixlen}"))
        self.has = lru_cache(maxsize=4096)(self._has)

    def _has(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    @property
    def networks(self) -> list[str]:
        """All networks, as uvicorn takes them."""
        return [str(network) for network in self._networks]
