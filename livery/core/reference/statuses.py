"""Completes the description of the API: every status that a route may answer, and the limits."""

from typing import Any

from fastapi import FastAPI

from livery.core import limits

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

_NOT_MODIFIED = {"description": "The answer is the same as that with the ETag in `If-None-Match`."}


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Returns the ``responses`` of a route for statuses that do not follow from its signature (``complete`` adds the others)."""
    return {status: describe_error(status) for status in statuses}


def describe_error(status: int) -> dict[str, Any]:
    """Returns the description of an answer in the one shape of errors."""
    return {"description": _DESCRIPTIONS[status], "content": _ERROR}


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
    named = {status: {"$ref": f"#/components/responses/Error{status}"} for status in sorted(refusals)}
    operation["responses"] = answers | named
