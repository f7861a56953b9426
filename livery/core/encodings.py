"""In what encoding a body is sent: what the client accepts, and of that what we prefer."""

import re
from collections.abc import Sequence

ENCODINGS = ("br", "zstd", "gzip")
"""The encodings of a body, in the order of our preference."""


def negotiate(accept_encoding: bytes | None, encodings: Sequence[str] = ENCODINGS) -> str:
    """Returns the encoding that a client prefers; our first if it has no preference. ``identity`` if it accepts no other."""
    if not accept_encoding:
        return "identity"
    weights: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights[name] = next((_weight(text) for text in parameters if text.startswith("q=")), 1.0)
    others = weights.get("*", 0.0)
    offered = {name: weights.get(name, others) for name in encodings}
    best = max(offered, key=offered.__getitem__)
    return best if offered[best] > 0 and offered[best] >= weights.get("identity", 0.0) else "identity"


def _weight(text: str) -> float:
    return float(text[2:]) if re.fullmatch(r"q=[01](\.\d{0,3})?", text) else 0.0
