"""The provider over HTTP: where its endpoints are, its keys, and the exchange of a code for what it reports of a person."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast
from urllib.parse import quote_plus, urlencode, urlsplit

from livery.accounts.oidc import tokens
from livery.accounts.oidc.configuration import Oidc
from livery.accounts.oidc.failures import SsoFailed
from livery.core import clock, outgoing

if TYPE_CHECKING:
    from joserfc.jwk import Key

DOCUMENTS_LIVE = timedelta(hours=1)
KEYS_RENEWED_EVERY = timedelta(minutes=1)
FAILURE_KEPT = timedelta(seconds=3)
"""Those who ask while the provider is away do not wait for their turn to find out."""
SCOPE = "openid email profile"

Json = dict[str, Any]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Endpoints:
    """What a login needs of the discovery document."""

    authorization: str
    token: str
    keys: str
    userinfo: str | None
    names_itself: bool
    """Whether its answers carry ``iss`` (RFC 9207): then an answer without it is somebody else's."""
    takes_secret_in_body: bool


@dataclass(frozen=True)
class Claims:
    """What the provider reports of a person. ``email`` is as it was sent, and empty if it was not sent."""

    issuer: str
    subject: str
    email: str
    is_verified: bool
    name: str


class _Cached(Generic[Value]):
    """A value that is fetched when it is asked for and not older than an hour, by one caller at a time."""

    def __init__(self, load: Callable[[], Awaitable[Value]]) -> None:
        self._load = load
        self._lock = asyncio.Lock()
        self._value: tuple[Value, datetime] | None = None
        self._failure: tuple[str, datetime] | None = None

    async def get(self, *, life: timedelta = DOCUMENTS_LIVE) -> Value:
        """Raises ``SsoFailed``; for a moment after a failure, without a new try."""
        async with self._lock:
            now = clock.now()
            if self._value and now - self._value[1] < life:
                return self._value[0]
            if self._failure and now - self._failure[1] < FAILURE_KEPT:
                raise SsoFailed("unavailable", self._failure[0])
            try:
                value = await self._load()
            except SsoFailed as error:
                self._failure = (error.detail, now)
                raise
            self._value = (value, now)
            return value


class Provider:
    """The provider of one process, with its documents kept for an hour. To be used from the event loop only."""

    def __init__(self, oidc: Oidc) -> None:
        self.oidc = oidc
        self._endpoints = _Cached(self._discover)
        self._keys = _Cached(self._load_keys)

    async def login_url(self, *, state: str, nonce: str, verifier: str) -> str:
        """Returns the address at the provider where a person logs in. Raises ``SsoFailed``."""
        endpoints = await self._endpoints.get()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self.oidc.client_id,
                "redirect_uri": self.oidc.redirect_uri,
                "scope": SCOPE,
                "state": state,
                "nonce": nonce,
                "code_challenge": challenge,
                "code_challenge_method": "S256",
            }
        )
        return f"{endpoints.authorization}{'&' if urlsplit(endpoints.authorization).query else '?'}{query}"

    async def check_answer(self, *, issuer: str | None) -> None:
        """Raises ``SsoFailed`` when the answer in the browser is of another provider (RFC 9207). ``issuer`` is its ``iss``."""
        names_itself = issuer is None and (await self._endpoints.get()).names_itself
        if names_itself or issuer not in {None, self.oidc.issuer}:
            raise SsoFailed("refused", "the answer is of another issuer")

    async def redeem(self, code: str, *, nonce: str, verifier: str) -> Claims:
        """Returns what the provider reports of the person behind a code. Raises ``SsoFailed``."""
        endpoints = await self._endpoints.get()
        answer = await self._exchange(endpoints, code, verifier)
        id_token = answer.get("id_token")
        if not isinstance(id_token, str):
            raise SsoFailed("refused", "no ID token")
        expected = tokens.Expected(self.oidc.issuer, self.oidc.client_id, nonce)
        try:
            claims = tokens.verify(id_token, await self._keys.get(), expected)
        except tokens.UnknownKey:
            claims = await self._verify_with_new_keys(id_token, expected)
        spoken = claims
        access_token = answer.get("access_token")
        is_said = "email" in claims and "email_verified" in claims
        if endpoints.userinfo and not is_said and isinstance(access_token, str):
            said = await self._ask_about(endpoints.userinfo, access_token, claims["sub"])
            spoken = said if "email" in said else claims
        return Claims(
            issuer=self.oidc.issuer,
            subject=claims["sub"],
            email=_text(spoken.get("email")),
            is_verified=spoken.get("email_verified") is True,
            name=_text(spoken.get("name") or claims.get("name")),
        )

    async def _verify_with_new_keys(self, id_token: str, expected: tokens.Expected) -> Json:
        try:
            return tokens.verify(id_token, await self._keys.get(life=KEYS_RENEWED_EVERY), expected)
        except tokens.UnknownKey:
            raise SsoFailed("refused", "ID token: signed with an unknown key") from None

    async def _exchange(self, endpoints: Endpoints, code: str, verifier: str) -> Json:
        oidc = self.oidc
        headers: dict[str, str] = {}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": oidc.redirect_uri,
            "code_verifier": verifier,
        }
        if oidc.client_secret and not endpoints.takes_secret_in_body:
            pair = f"{quote_plus(oidc.client_id)}:{quote_plus(oidc.client_secret)}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = oidc.client_id
            if oidc.client_secret:
                form["client_secret"] = oidc.client_secret
        return await self._json("POST", endpoints.token, about="token", headers=headers, form=form)

    async def _ask_about(self, url: str, access_token: str, subject: str) -> Json:
        headers = {"Authorization": f"Bearer {access_token}"}
        said = await self._json("GET", url, about="userinfo", headers=headers)
        tokens.refuse_surrogates(said, about="userinfo")
        if said.get("sub") != subject:
            raise SsoFailed("refused", "userinfo: another person")
        return said

    async def _discover(self) -> Endpoints:
        oidc = self.oidc
        url = f"{oidc.issuer.removesuffix('/')}/.well-known/openid-configuration"
        document = await self._json("GET", url, about="discovery")
        if document.get("issuer") != oidc.issuer:
            raise SsoFailed("unavailable", "discovery: it names an issuer that is not LIVERY_OIDC_ISSUER")
        methods = document.get("token_endpoint_auth_methods_supported")
        methods = cast("list[object]", methods) if isinstance(methods, list) else ["client_secret_basic"]
        return Endpoints(
            authorization=self._address(document, "authorization_endpoint"),
            token=self._address(document, "token_endpoint"),
            keys=self._address(document, "jwks_uri"),
            userinfo=self._address(document, "userinfo_endpoint") if document.get("userinfo_endpoint") else None,
            names_itself=document.get("authorization_response_iss_parameter_supported") is True,
            takes_secret_in_body="client_secret_basic" not in methods and "client_secret_post" in methods,
        )

    def _address(self, document: Json, name: str) -> str:
        value = document.get(name)
        try:
            parts = urlsplit(value if isinstance(value, str) and value.isascii() and value.isprintable() else "")
            is_address = bool(parts.hostname) and parts.port != 0
        except ValueError:
            parts, is_address = urlsplit(""), False
        schemes = {"https", "http"} if self.oidc.allows_private else {"https"}
        if not is_address or parts.scheme not in schemes or parts.fragment or parts.username or " " in str(value):
            raise SsoFailed("unavailable", f"discovery: {name} is no address that is allowed")
        return str(value)

    async def _load_keys(self) -> "list[Key]":
        return tokens.read_keys(await self._json("GET", (await self._endpoints.get()).keys, about="keys"))

    async def _json(
        self,
        method: str,
        url: str,
        *,
        about: str,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Json:
        """Returns the JSON object of an answer with 200. Raises ``SsoFailed``."""
        sent = {"Accept": "application/json", **(headers or {})}
        try:
            answer = await outgoing.fetch(method, url, allows_private=self.oidc.allows_private, headers=sent, form=form)
        except outgoing.Unreachable as error:
            raise SsoFailed("unavailable", f"{about}: {error}") from error
        if answer.status != 200:
            is_ours = 400 <= answer.status < 500 and about == "token"
            raise SsoFailed("refused" if is_ours else "unavailable", f"{about}: status {answer.status}")
        try:
            value = json.loads(answer.raw)
        except (ValueError, RecursionError) as error:
            raise SsoFailed("unavailable", f"{about}: no JSON") from error
        if not isinstance(value, dict):
            raise SsoFailed("unavailable", f"{about}: no object")
        return cast("Json", value)


def _text(value: object) -> str:
    return value[:500] if isinstance(value, str) else ""
