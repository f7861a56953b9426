"""A passkey in software (ES256, no attestation): it answers the options of the API as a browser with an authenticator does."""

import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40
Json = dict[str, Any]


@dataclass
class Credential:
    """A key pair of one account at one relying party."""

    id: bytes
    key: ec.EllipticCurvePrivateKey
    user_handle: str
    sign_count: int = 0


class Authenticator:
    """Keeps one credential. ``origin`` and ``rp_id`` are what the browser reports: a test may lie about them."""

    def __init__(self, *, origin: str = "http://testserver", rp_id: str = "testserver", counts: bool = True) -> None:
        self.origin = origin
        self.rp_id = rp_id
        self.verifies_user = True
        self.counts = counts
        self._credential: Credential | None = None

    @property
    def credential(self) -> Credential:
        """The credential, after ``create``."""
        assert self._credential
        return self._credential

    def create(self, options: Json) -> Json:
        """Makes a credential, as ``navigator.credentials.create()`` does. Returns its JSON."""
        made = Credential(secrets.token_bytes(32), ec.generate_private_key(ec.SECP256R1()), options["user"]["id"])
        self._credential = made
        point = made.key.public_key().public_numbers()
        public_key = encode_cbor({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        attested = bytes(16) + len(made.id).to_bytes(2, "big") + made.id + public_key
        data = self._authenticator_data(HAS_CREDENTIAL) + attested
        return {
            **self._identity(),
            "response": {
                "clientDataJSON": self._client_data("webauthn.create", options),
                "attestationObject": bytes_to_base64url(encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})),
                "transports": ["internal", "hybrid", "a-future-one"],
                "publicKeyAlgorithm": -7,
            },
        }

    def get(self, options: Json) -> Json:
        """Signs the challenge, as ``navigator.credentials.get()`` does. Returns the assertion's JSON."""
        if self.counts:
            self.credential.sign_count += 1
        data = self._authenticator_data(0)
        client_data = self._client_data("webauthn.get", options)
        signed = data + hashlib.sha256(base64url_to_bytes(client_data)).digest()
        return {
            **self._identity(),
            "response": {
                "clientDataJSON": client_data,
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(self.credential.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
                "userHandle": self.credential.user_handle,
            },
        }

    def _identity(self) -> Json:
        name = bytes_to_base64url(self.credential.id)
        return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {}}

    def _client_data(self, kind: str, options: Json) -> str:
        data = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return bytes_to_base64url(json.dumps(data).encode())

    def _authenticator_data(self, more_flags: int) -> bytes:
        flags = USER_PRESENT | more_flags | (USER_VERIFIED if self.verifies_user else 0)
        count = self.credential.sign_count.to_bytes(4, "big")
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([flags]) + count
