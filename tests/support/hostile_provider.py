"""A provider that lies in whatever way a test wants. Without a lie it is a correct provider."""

import asyncio
import base64
import hashlib
import hmac
import json
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from joserfc import jws, jwt
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from livery.core import clock
from tests.support.payment_servers import serving

Json = dict[str, Any]
CLIENT_ID = "livery"
SUBJECT = "person-1"
EMAIL = "mara@acme.example"
RSA = RSAKey.generate_key(2048, parameters={"kid": "r1", "use": "sig"})
NEW_RSA = RSAKey.generate_key(2048, parameters={"kid": "r2", "use": "sig"})
with warnings.catch_warnings():
    warnings.simplefilter("ignore", SecurityWarning)
    WEAK_RSA = RSAKey.generate_key(1024, parameters={"kid": "weak", "use": "sig"})
EC = ECKey.generate_key("P-256", parameters={"kid": "e1", "use": "sig"})
ED = OKPKey.generate_key("Ed25519", parameters={"kid": "o1", "use": "sig"})
KEYS = {"RS256": RSA, "PS256": RSA, "ES256": EC, "EdDSA": ED}


@dataclass
class HostileProvider:
    """``claims`` and ``document`` take the place of what is right; a value of ``None`` takes a claim away."""

    issuer: str = ""
    claims: Json = field(default_factory=dict[str, Any])
    document: Json = field(default_factory=dict[str, Any])
    userinfo: Json | None = None
    algorithm: str = "RS256"
    key: RSAKey | ECKey | OKPKey | None = None
    published: list[RSAKey | ECKey | OKPKey] = field(default_factory=lambda: [RSA, EC, ED])
    forge: str = ""
    """``none``, ``hmac``, ``crit`` or ``other_key``: how the ID token is signed instead."""
    discovery: Response | None = None
    token_answer: Response | None = None
    delay_seconds: float = 0.0
    nonce: str = ""
    """The nonce of the last login that began."""
    nonces: dict[str, str] = field(default_factory=dict[str, str])
    """The nonces by the code that ends the login."""
    calls: list[str] = field(default_factory=list[str])
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def meet(self, url: str) -> str:
        """Reads the nonce of an address of the login page, as the page does. Returns the state."""
        asked = parse_qs(urlsplit(url).query)
        self.nonce = asked["nonce"][0]
        state = asked["state"][0]
        self.nonces[code_of(state)] = self.nonce
        return state

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discover),
                Route("/token", self._token, methods=["POST"]),
                Route("/jwks", self._jwks),
                Route("/userinfo", self._userinfo),
                Route("/elsewhere", self._elsewhere),
            ]
        )

    def right_document(self) -> Json:
        """What the discovery document should be."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
        }

    def id_token(self, nonce: str) -> str:
        """The token with all lies in it."""
        now = int(clock.now().timestamp())
        right: Json = {
            "iss": self.issuer,
            "sub": SUBJECT,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "email": EMAIL,
            "email_verified": True,
            "name": "Mara Lindt",
        }
        claims = {name: value for name, value in {**right, **self.claims}.items() if value is not None}
        payload = json.dumps(claims)
        if self.forge == "none":
            return f"{_b64({'alg': 'none', 'typ': 'JWT'})}.{_b64(claims)}."
        if self.forge == "hmac":
            signed = f"{_b64({'alg': 'HS256', 'typ': 'JWT', 'kid': 'r1'})}.{_b64(claims)}"
            mac = hmac.new(RSA.as_pem(private=False), signed.encode(), hashlib.sha256).digest()
            return f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
        if self.forge == "crit":
            header = {"alg": "RS256", "kid": "r1", "b64": True, "crit": ["b64"]}
            return jws.serialize_compact(header, payload, RSA, algorithms=["RS256"])
        if self.forge == "other_key":
            return jwt.encode({"alg": "RS256", "kid": "r1"}, claims, NEW_RSA, algorithms=["RS256"])
        key = self.key or KEYS[self.algorithm]
        header = {"alg": self.algorithm, "typ": "JWT", "kid": str(key.kid)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # EdDSA, and weak keys
            return jws.serialize_compact(header, payload, key, algorithms=[self.algorithm])

    async def _discover(self, request: Request) -> Response:
        self.calls.append("discovery")
        await asyncio.sleep(self.delay_seconds)
        if self.discovery is not None:
            return self.discovery
        document = {**self.right_document(), **self.document}
        return JSONResponse({name: value for name, value in document.items() if value is not None})

    async def _token(self, request: Request) -> Response:
        self.calls.append("token")
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.forms.append(form)
        if self.token_answer is not None:
            return self.token_answer
        return JSONResponse(
            {
                "id_token": self.id_token(self.nonces.get(form["code"], self.nonce)),
                "access_token": "access",
                "token_type": "Bearer",
            }
        )

    async def _jwks(self, request: Request) -> Response:
        self.calls.append("jwks")
        keys = [cast("Json", key.as_dict(private=False)) for key in self.published]
        return JSONResponse({"keys": [*keys, {"kty": "FUTURE", "kid": "f1"}, "nonsense"]})

    async def _userinfo(self, request: Request) -> Response:
        self.calls.append("userinfo")
        return Response(json.dumps(self.userinfo or {"sub": SUBJECT}), media_type="application/json")

    async def _elsewhere(self, request: Request) -> Response:
        self.calls.append("elsewhere")
        return JSONResponse(self.right_document())


def code_of(state: str) -> str:
    """The code that the provider gives to a login with this state."""
    return f"code-{state}"


def redirect_to(url: str) -> Response:
    """An answer that leads elsewhere."""
    return RedirectResponse(url, status_code=302)


@asynccontextmanager
async def hostile_provider() -> AsyncGenerator[HostileProvider]:
    """The provider on a free port."""
    provider = HostileProvider()
    async with serving(provider.app()) as address:
        provider.issuer = address
        yield provider


def _b64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
