"""What a browser gives of a passkey: the JSON of WebAuthn's ``toJSON()``."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from livery.core import limits


class _FromBrowser(BaseModel):
    """A part of what a browser's ``toJSON()`` gives. Members that a newer browser adds are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, alias_generator=to_camel, frozen=True)


_Encoded = Annotated[str, Field(max_length=limits.PASSKEY_DATA_CHARACTERS, pattern=r"^[A-Za-z0-9_-]*$")]
"""Bytes as base64url without padding."""


class PasskeySignature(_FromBrowser):
    """How a passkey answered a challenge."""

    client_data_json: _Encoded = Field(alias="clientDataJSON")
    authenticator_data: _Encoded
    signature: _Encoded
    user_handle: (
        Annotated[str, Field(max_length=limits.PASSKEY_HANDLE_CHARACTERS, pattern=r"^[A-Za-z0-9_-]*$")] | None
    ) = None


class PasskeyAnswer(_FromBrowser):
    """The JSON of what ``navigator.credentials.get()`` gives."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "Kc1nZ0b8Yq3oT5vX",
                "rawId": "Kc1nZ0b8Yq3oT5vX",
                "type": "public-key",
                "response": {
                    "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                    "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4",
                    "signature": "MEUCIQDxJ7p2",
                    "userHandle": "dXNyX2szdjVt",
                },
            }
        }
    )

    id: str = Field(max_length=limits.PASSKEY_ID_CHARACTERS)
    raw_id: str = Field(max_length=limits.PASSKEY_ID_CHARACTERS)
    type: Literal["public-key"]
    response: PasskeySignature


class PasskeyAttestation(_FromBrowser):
    """How a new passkey answered a challenge."""

    client_data_json: _Encoded = Field(alias="clientDataJSON")
    attestation_object: Annotated[
        str, Field(max_length=limits.PASSKEY_ATTESTATION_CHARACTERS, pattern=r"^[A-Za-z0-9_-]*$")
    ]
    transports: Annotated[
        list[Annotated[str, Field(max_length=limits.GIVEN_CODE_CHARACTERS)]],
        Field(max_length=limits.PASSKEY_TRANSPORTS),
    ] = []


class NewPasskey(_FromBrowser):
    """The JSON of what ``navigator.credentials.create()`` gives."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "Kc1nZ0b8Yq3oT5vX",
                "rawId": "Kc1nZ0b8Yq3oT5vX",
                "type": "public-key",
                "response": {
                    "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                    "attestationObject": "o2NmbXRkbm9uZQ",
                    "transports": ["internal"],
                },
            }
        }
    )

    id: str = Field(max_length=limits.PASSKEY_ID_CHARACTERS)
    raw_id: str = Field(max_length=limits.PASSKEY_ID_CHARACTERS)
    type: Literal["public-key"]
    response: PasskeyAttestation
