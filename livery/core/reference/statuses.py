"""Completes the description of the API: every status that a route may answer, and the limits."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from fastapi import FastAPI

from livery.core import limits
from livery.core.limits import Rate, Refill

_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorView"}}}
_DESCRIPTIONS = {
    400: "The request can't be read, or its link is not valid.",
    401: "There is no session, or it has ended.",
    402: "The project needs a plan for this.",
    403: "Your role, your plan or an unverified email does not allow this.",
    404: "It does not exist, or you are no member.",
    405: "This method is not allowed here.",
    409: "It conflicts with the present state.",
    410: "It is gone for good.",
    413: "The body is too large.",
    415: "The body has the wrong content type.",
    422: "A field is invalid.",
    429: "There were too many requests, or a quota is used up.",
    502: "Another service gave no useful answer.",
    503: "The server can't do this right now. Please try again.",
}
_WITH_RETRY_AFTER = (429, 503)

_NOT_MODIFIED = {"description": "The answer is the same as that with the ETag in `If-None-Match`."}


_SPANS = {60: "a minute", 15 * 60: "in 15 minutes", 60 * 60: "an hour", 24 * 60 * 60: "a day"}
_RETRY_AFTER = {
    "Retry-After": {"description": "Seconds until a request may help.", "schema": {"type": "integer", "minimum": 1}}
}


def errors(*statuses: int, rates: Sequence[Rate] = ()) -> dict[int | str, dict[str, Any]]:
    """Returns the ``responses`` of a route for statuses that do not follow from its signature (``complete`` adds the others).

    ``rates`` are what the route counts: they become the description of 429.
    """
    found: dict[int | str, dict[str, Any]] = {status: describe_error(status) for status in statuses}
    if rates:
        found[429] = describe_error(429, "; ".join(map(spoken_rate, rates)))
    return found


def spoken_rate(rate: Rate) -> str:
    """Returns ``at most 10 in 15 minutes for each account``."""
    return f"at most {rate.times:,} {_SPANS[_seconds(rate.within)]} for each {rate.caller}"


def spoken_refill(refill: Refill, caller: str) -> str:
    """Returns ``at most 50 a second for each client address, 500 at once``."""
    return f"at most {refill.per_second:,.0f} a second for each {caller}, {refill.burst:,.0f} at once"


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def describe_error(status: int, rates: str = "") -> dict[str, Any]:
    """Returns the description of an answer in the one shape of errors. ``rates``, in words, are what the call counts."""
    description = f"Too many requests: {rates}." if rates else _DESCRIPTIONS[status]
    headers = {"headers": _RETRY_AFTER} if status in _WITH_RETRY_AFTER else {}
    return {"description": description, **headers, "content": _ERROR}


def complete(api: FastAPI) -> None:
    """Makes the document of ``api`` name what follows from a route's signature: a session, a method with a body, an address with an id.

    ``x-livery-limits`` has the limits by name, from which the dashboard's constants are made.
    """
    describe = api.openapi

    def openapi() -> dict[str, Any]:
        if api.openapi_schema is None:
            document = describe()
            document["x-livery-limits"] = limits.published()
            document["components"]["responses"] = {f"Error{status}": describe_error(status) for status in _DESCRIPTIONS}
            for path, operations in document["paths"].items():
                for method, operation in operations.items():
                    _complete(method, path, operation)
        return describe()

    api.openapi = openapi


def _complete(method: str, path: str, operation: dict[str, Any]) -> None:
    statuses = {422, 503}  # 422 also when the address has a NUL
    if "security" in operation:
        statuses.add(401)
    if method != "get":  # a body is read and checked before any route, also where the route takes no body
        statuses |= {400, 413, 415}
    if "{" in path:
        statuses.add(404)
    if "security" in operation and "{" in path:
        statuses.add(403)
    refusals = {str(status) for status in statuses} | {status for status in operation["responses"] if status >= "400"}
    answers = {status: answer for status, answer in operation["responses"].items() if status < "400"}
    if method == "get" and answers.get("200", {}).get("content", {}).keys() == {"application/json"}:
        answers["304"] = _NOT_MODIFIED
    operation["responses"] = answers | {status: _named(status, operation["responses"]) for status in sorted(refusals)}


def _named(status: str, given: dict[str, Any]) -> dict[str, str]:
    """Returns a reference to the one description of a status, with the words of the call where it has its own."""
    reference = {"$ref": f"#/components/responses/Error{status}"}
    description: str = given.get(status, {}).get("description", "")
    return reference if description in {"", _DESCRIPTIONS[int(status)]} else {**reference, "description": description}
