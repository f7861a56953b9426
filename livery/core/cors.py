"""What pages of any origin may do with the API that apps call (https://fetch.spec.whatwg.org/#http-cors-protocol)."""

ANY_ORIGIN = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After, Server-Timing"),
]
"""On every answer."""
ALLOWED = [
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"Authorization, If-None-Match, Last-Event-ID"),
    (b"access-control-max-age", b"7200"),
]
"""On the answer to a preflight, in seconds the last."""
