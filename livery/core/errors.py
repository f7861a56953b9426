"""The errors people and programs see: each with a status, a stable code and a message, rendered in one place."""

from collections.abc import Mapping


class LiveryError(Exception):
    """The root of the tree. ``message`` is for people, ``code`` for programs, ``fields`` names what to mend."""

    status = 500
    code = "internal"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        fields: Mapping[str, str] | None = None,
        retry_after_seconds: int | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.fields = dict(fields) if fields else None
        self.retry_after_seconds = retry_after_seconds
        self.extra = dict(extra) if extra else {}

    def body(self) -> dict[str, object]:
        """Returns the JSON answer."""
        body: dict[str, object] = {"message": self.message, "code": self.code, **self.extra}
        if self.fields:
            body["fields"] = self.fields
        return body


class BadRequest(LiveryError):
    """The body is no JSON, or a token or link is invalid or expired."""

    status, code = 400, "bad_request"


class Unauthorized(LiveryError):
    """No, an unknown or an expired session or key; or a wrong login."""

    status, code = 401, "unauthorized"


class PaymentRequired(LiveryError):
    """Credits are short, or the project has no active plan."""

    status, code = 402, "plan_required"


class Forbidden(LiveryError):
    """The role may not, a tier limit is reached, or the email is not verified."""

    status, code = 403, "forbidden"


class NotFound(LiveryError):
    """It does not exist, or the caller is no member of its project: the two look alike."""

    status, code = 404, "not_found"


class Conflict(LiveryError):
    """A duplicate, or the record changed since the caller read it."""

    status, code = 409, "conflict"


class Gone(LiveryError):
    """The project was deleted."""

    status, code = 410, "gone"


class TooLarge(LiveryError):
    """The body or an upload is over its limit."""

    status, code = 413, "too_large"


class UnsupportedMedia(LiveryError):
    """The body is of a kind this route does not take."""

    status, code = 415, "unsupported_media"


class Invalid(LiveryError):
    """A field is invalid or unknown; ``fields`` names it."""

    status, code = 422, "invalid"

    @classmethod
    def field(cls, name: str, message: str, *, code: str | None = None) -> "Invalid":
        """Returns the error for one wrong field: its message is the answer's message too."""
        return cls(message, code=code, fields={name: message})


class TooMany(LiveryError):
    """Throttled or over quota."""

    status, code = 429, "too_many_requests"


class Unavailable(LiveryError):
    """A dependency is down; nothing was changed."""

    status, code = 503, "unavailable"
