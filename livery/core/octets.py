"""Bodies that are the bytes of a file, in place of JSON."""

from typing import Any

from fastapi import Request

from livery.core.errors import UnsupportedMedia

OCTETS = "application/octet-stream"
FILE_BODY: dict[str, Any] = {
    "requestBody": {"required": True, "content": {OCTETS: {"schema": {"type": "string", "format": "binary"}}}}
}
"""What the description of the API has for such a body."""


async def check_octets(request: Request) -> None:
    """Raises ``UnsupportedMedia`` for a body of a different type, once the caller is known: no form of a different site can send this type."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != OCTETS:
        raise UnsupportedMedia(f"Send the file as {OCTETS}.")
