"""Clients of the servers that tests start. They use no TLS, so they read no certificates: that takes 25 ms of CPU per client."""

import ssl
from typing import Any

import httpx2

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that use no TLS."""


def open_client(base_url: str, *, timeout: float = 60, **options: Any) -> httpx2.Client:
    """Returns a client of the server at ``base_url``, with a timeout in seconds and other options of ``httpx2.Client``."""
    return httpx2.Client(base_url=base_url, timeout=timeout, verify=NO_CERTIFICATES, **options)


def open_async_client(base_url: str, *, timeout: float = 60, **options: Any) -> httpx2.AsyncClient:
    """Returns a client of the server at ``base_url``, with a timeout in seconds and other options of ``httpx2.AsyncClient``."""
    return httpx2.AsyncClient(base_url=base_url, timeout=timeout, verify=NO_CERTIFICATES, **options)
