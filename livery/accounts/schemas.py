"""What accounts take and answer."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, SecretStr

from livery.accounts.browser_passkeys import NewPasskey, PasskeyAnswer
from livery.accounts.grants import TokenGrant
from livery.accounts.proofs import Code, Device, Ticket
from livery.core import limits
from livery.core.schemas import Body, Line, Message, Moment, View


@dataclass(frozen=True)
class Actor:
    """The person who calls. With a ``grant``, a project token calls for its maker."""

    id: str
    name: str
    email: str
    is_verified: bool
    grant: TokenGrant | None = None


class RegisterBody(Body):
    """A sign-up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"name": "Mara Lindt", "email": "mara@example.com", "password": "a long and quiet river"}
        }
    )

    name: Line
    email: str = Field(max_length=limits.GIVEN_EMAIL_CHARACTERS)
    password: SecretStr


class LoginBody(Body):
    """An email and its password."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"email": "mara@example.com", "password": "a long and quiet river"}}
    )

    email: str = Field(max_length=limits.GIVEN_EMAIL_CHARACTERS)
    password: SecretStr
    device: Device = None


class EmailBody(Body):
    """An address that asks for a mail."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "mara@example.com"}})

    email: str = Field(max_length=limits.GIVEN_EMAIL_CHARACTERS)


class ResetBody(Body):
    """A new password."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long and quiet river"}})

    password: SecretStr


class NameBody(Body):
    """A person's name."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Mara Lindt"}})

    name: Line


class PasswordBody(Body):
    """The password there is, and the one to come."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"oldPassword": "a long and quiet river", "newPassword": "a short and noisy brook"}
        }
    )

    old_password: SecretStr
    new_password: SecretStr


class CloseAccountBody(Body):
    """The password, so that nobody closes an account that was left open on a screen."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long and quiet river"}})

    password: SecretStr


class SubmittedUser(View):
    """The sign-up as it was submitted; it does not show whether an account exists."""

    name: str
    email: str


class Registered(View):
    """The answer to a sign-up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "message": "Account created successfully! Please check your email to verify.",
                "user": {"name": "Mara Lindt", "email": "mara@example.com"},
            }
        }
    )

    message: str
    user: SubmittedUser


class AddressConfirmed(Message):
    """What the link of a mail did, and the address that it was sent to, which the login page fills in."""

    email: str


class PasswordReset(AddressConfirmed):
    """A new password is set. ``device`` is for the next login: guesses of others do not hold it up."""

    device: str


class ApiKeyView(View):
    """A user's developer key."""

    model_config = ConfigDict(json_schema_extra={"example": {"apikey": "lvk_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9"}})

    apikey: str


class ApiKeyItem(View):
    """A developer key that works. ``hint`` is its last four characters, null when this server can't show it any more."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    created_at: Moment
    last_used_at: Moment | None = Field(description="To the hour; null when it was never used.")
    hint: str | None
    current: bool


class ApiKeysView(View):
    """A user's developer keys, the current one first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "apikeys": [
                    {
                        "_id": "key_k3v5mq7aw2xhb6td",
                        "createdAt": "2026-11-20T10:00:00.000Z",
                        "lastUsedAt": None,
                        "hint": "NeR9",
                        "current": True,
                    }
                ]
            }
        }
    )

    apikeys: list[ApiKeyItem]


class SessionItem(View):
    """A login. ``current`` is true for the session that asks."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    created_at: Moment
    last_used_at: Moment = Field(description="To the hour.")
    user_agent: str
    current: bool


class SessionsView(View):
    """Where a user is logged in, the last used first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "sessions": [
                    {
                        "_id": "ses_k3v5mq7aw2xhb6td",
                        "createdAt": "2026-11-20T10:00:00.000Z",
                        "lastUsedAt": "2026-11-20T12:00:00.000Z",
                        "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                        "current": True,
                    }
                ]
            }
        }
    )

    sessions: list[SessionItem]


class SecondFactorBody(Body):
    """The second step of a login: ``code`` or ``passkey``."""

    model_config = ConfigDict(json_schema_extra={"example": {"ticket": "Kc1nZ0b8Yq…", "code": "492039"}})

    ticket: Ticket
    code: Code | None = None
    passkey: PasskeyAnswer | None = None
    device: Device = None


class PasskeyLoginBody(Body):
    """A login with a passkey alone."""

    ticket: Ticket
    passkey: PasskeyAnswer


class ProofBody(Body):
    """A change of the second factors needs the password, and the second factor if this session did not show it within ten minutes."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long and quiet river"}})

    password: SecretStr
    ticket: Ticket | None = None
    code: Code | None = None
    passkey: PasskeyAnswer | None = None


class TotpCodeBody(Body):
    """The first code of an authenticator app."""

    model_config = ConfigDict(json_schema_extra={"example": {"code": "492039"}})

    code: str = Field(max_length=limits.GIVEN_CODE_CHARACTERS)


PasskeyName = Annotated[Line, Field(min_length=1, max_length=limits.PASSKEY_NAME_CHARACTERS, examples=["Phone"])]


class NewPasskeyBody(Body):
    """A passkey that the browser made for the step of this ticket."""

    ticket: Ticket
    name: PasskeyName
    passkey: NewPasskey


class PasskeyNameBody(Body):
    """How a person calls a passkey."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Phone"}})

    name: PasskeyName


Method = Literal["passkey", "totp", "recovery"]


class SecondStep(View):
    """The password is right, and a second factor is needed. ``passkeyOptions`` is for ``navigator.credentials.get()``."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "message": "Enter the code of your authenticator app.",
                "ticket": "Kc1nZ0b8Yq…",
                "methods": ["totp", "recovery"],
                "passkeyOptions": None,
            }
        }
    )

    message: str
    ticket: str = Field(repr=False)
    methods: list[Method]
    passkey_options: dict[str, Any] | None


class PasskeyStep(View):
    """What a browser needs to ask for a passkey, or to make a new passkey."""

    ticket: str = Field(repr=False)
    options: dict[str, Any]


class TotpSetup(View):
    """The secret for an authenticator app, and the same as an address for a QR code. It is shown once."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                "uri": "otpauth://totp/Livery:mara%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Livery",
            }
        }
    )

    secret: str = Field(repr=False)
    uri: str = Field(repr=False)


class PasskeyItem(View):
    """A passkey of a person."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    name: str
    created_at: Moment
    last_used_at: Moment | None


class SecondFactorsView(View):
    """A person's second factors. ``totpSince`` is null without an authenticator app."""

    totp_since: Moment | None
    passkeys: list[PasskeyItem]
    recovery_codes_left: int


class SecondFactorAdded(Message):
    """A second factor was added. ``recoveryCodes`` come with the first factor, and are shown once; null when there are some already."""

    recovery_codes: list[str] | None = Field(repr=False)


class RecoveryCodes(View):
    """Ten recovery codes, which are shown once. Each replaces the second factor once."""

    recovery_codes: list[str] = Field(repr=False)


class SsoView(View):
    """The ways into this server. ``name`` is that of its provider of single sign-on, null without a provider."""

    name: str | None
    registration: Literal["open", "invitation", "closed"] = Field(
        description="Who may create an account with a password: everybody, people with an invitation, or nobody."
    )


class SsoCodeBody(Body):
    """The one-time code of the address to which a login at the provider leads back."""

    model_config = ConfigDict(json_schema_extra={"example": {"code": "mQ3q0mD8l2Zc4k1n7pXvR5sT9uYwB6eH_jKfLgNiOaA"}})

    code: SecretStr = Field(max_length=limits.SSO_CODE_CHARACTERS)


class ConnectBody(Body):
    """The password, so that nobody connects their identity to an account that was left open on a screen."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long and quiet river"}})

    password: SecretStr


class SsoStart(View):
    """Where the browser goes on: an address of the provider."""

    url: str


class IdentityItem(View):
    """An identity by which a person can log in. ``current`` is that of the provider which this server has now."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    issuer: str
    created_at: Moment
    current: bool


class IdentitiesView(View):
    """How a user can log in. ``name`` is that of the provider, null where the server has no provider."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "name": "Acme",
                "hasPassword": True,
                "identities": [
                    {
                        "_id": "idt_k3v5mq7aw2xhb6td",
                        "issuer": "https://login.example.com",
                        "createdAt": "2026-11-20T10:00:00.000Z",
                        "current": True,
                    }
                ],
            }
        }
    )

    name: str | None
    has_password: bool
    identities: list[IdentityItem]
