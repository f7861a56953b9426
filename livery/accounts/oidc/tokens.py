"""Checks ID tokens: the signature by a key of the provider, and each claim that OpenID Connect Core 3.1.3.7 requires.

The library is imported by the first log-in at the provider: it takes 80 ms of each start.
"""

import hmac
import json
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from livery.accounts.oidc.failures import SsoFailed
from livery.core import clock, limits

if TYPE_CHECKING:
    from joserfc.jwk import Key

ALGORITHMS = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP", "Ed25519": "OKP"}
"""What a provider may sign with, and the kind of key. Never ``none``, and nothing that is signed with a shared secret."""
LEEWAY_SECONDS = 60
_KEYS_READ = 50
_SMALLEST_RSA_BITS = 2048

Json = dict[str, Any]


class UnknownKey(Exception):
    """No key of the provider that is known here fits the token: there may be a new key."""


@dataclass(frozen=True)
class Expected:
    """What a token must name."""

    issuer: str
    client_id: str
    nonce: str


def read_keys(document: Json) -> "list[Key]":
    """Returns the public keys of a key set that can check a signature. A key of an unknown kind is left out."""
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    listed = document.get("keys")
    keys: list[Key] = []
    for entry in cast("Sequence[object]", listed)[:_KEYS_READ] if isinstance(listed, list) else ():
        if not isinstance(entry, dict):
            continue
        data = cast("Json", entry)
        if data.get("kty") not in ALGORITHMS.values() or data.get("use", "sig") != "sig":
            continue
        try:
            with _quietly():
                key = JWKRegistry.import_key({name: value for name, value in data.items() if name != "key_ops"})
            if _is_strong(key):
                keys.append(key)
        except (JoseError, ValueError, TypeError, KeyError):
            continue
    return keys


@contextmanager
def _quietly() -> Generator[None]:
    """Without the library's warnings: of EdDSA, which has a new name that providers do not use yet, and of keys that are refused here."""
    from joserfc.errors import SecurityWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        yield


def _is_strong(key: "Key") -> bool:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    public = key.public_key
    return not isinstance(public, RSAPublicKey) or public.key_size >= _SMALLEST_RSA_BITS


def verify(token: str, keys: "Sequence[Key]", expected: Expected) -> Json:
    """Checks an ID token, and returns its claims if this provider made it for this server and this attempt.

    Raises ``UnknownKey``, and ``SsoFailed`` (``refused``) for everything that is wrong.
    """
    from joserfc import jws, jwt
    from joserfc.errors import JoseError

    key = _key_for(_header(token), keys)
    try:
        with _quietly():
            registry = jws.JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
            claims = jwt.decode(token, key, registry=registry).claims
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise SsoFailed("refused", f"ID token: {type(error).__name__}") from error
    refuse_surrogates(claims, about="ID token")
    _check(claims, expected)
    return claims


def _header(token: str) -> Mapping[str, object]:
    from joserfc import jws
    from joserfc.errors import JoseError

    if len(token) > limits.SSO_TOKEN_CHARACTERS:
        raise SsoFailed("refused", "ID token: too long")
    try:
        header = jws.extract_compact(token.encode()).headers()
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise SsoFailed("refused", f"ID token: {type(error).__name__}") from error
    if header.get("alg") not in ALGORITHMS or "crit" in header:
        raise SsoFailed("refused", "ID token: an algorithm that is not allowed")
    return cast("Mapping[str, object]", header)


def _key_for(header: Mapping[str, object], keys: "Sequence[Key]") -> "Key":
    """Returns the only key that fits. Without a key id there must be exactly one key of its kind."""
    algorithm = str(header["alg"])
    fitting = [key for key in keys if key.key_type == ALGORITHMS[algorithm] and key.alg in {None, algorithm}]
    if "kid" in header:
        fitting = [key for key in fitting if key.kid == header["kid"]]
    if len(fitting) != 1:
        raise UnknownKey
    return fitting[0]


def _check(claims: Json, expected: Expected) -> None:
    audience = claims.get("aud")
    audiences = cast("list[object]", audience) if isinstance(audience, list) else [audience]
    now = clock.now().timestamp()
    wrong = {
        "iss": claims.get("iss") != expected.issuer,
        "aud": expected.client_id not in audiences,
        "azp": claims.get("azp", expected.client_id if len(audiences) == 1 else None) != expected.client_id,
        "exp": not _is_number(claims.get("exp")) or claims["exp"] <= now - LEEWAY_SECONDS,
        "iat": not _is_number(claims.get("iat")) or claims["iat"] > now + LEEWAY_SECONDS,
        "nbf": "nbf" in claims and (not _is_number(claims["nbf"]) or claims["nbf"] > now + LEEWAY_SECONDS),
        "nonce": not hmac.compare_digest(str(claims.get("nonce", "")).encode(), expected.nonce.encode()),
        "sub": not is_subject(claims.get("sub")),
    }
    found = [name for name, is_wrong in wrong.items() if is_wrong]
    if found:
        raise SsoFailed("refused", f"ID token: {', '.join(found)}")


def refuse_surrogates(claims: Json, *, about: str) -> None:
    """Raises ``SsoFailed`` (``refused``) when a text has half of a character: nothing can keep or send it."""
    try:
        json.dumps(claims, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError) as error:
        raise SsoFailed("refused", f"{about}: half of a character") from error


def is_subject(value: object) -> bool:
    """Whether a value may name a person at the provider: 1 to 255 printable characters of ASCII."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= limits.SSO_SUBJECT_CHARACTERS
        and value.isascii()
        and value.isprintable()
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53
