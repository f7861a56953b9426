"""The id of a request: its lines in the log have it, and a person can name it."""

import secrets

import structlog

REQUEST_ID = "X-Request-ID"
"""The header by which a person can name a request that failed."""


def name_request() -> str:
    """Gives the present request a new id, which its lines in the log have. Returns the id."""
    request_id = secrets.token_hex(8)
    structlog.contextvars.bind_contextvars(request_id=request_id)
    return request_id


def request_id() -> str:
    """Returns the id of the present request, or a new id if it has no id."""
    return str(structlog.contextvars.get_contextvars().get("request_id") or name_request())
