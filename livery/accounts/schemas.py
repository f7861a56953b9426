"""What accounts take and answer."""

from dataclasses import dataclass

from pydantic import ConfigDict, Field, SecretStr

from livery.core.schemas import Body, Line, View


@dataclass(frozen=True)
class Actor:
    """The person who calls."""

    id: str
    name: str
    email: str
    is_verified: bool


class RegisterBody(Body):
    """A sign-up."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"name": "Mara Lindt", "email": "mara@example.com", "password": "a long and quiet river"}
        }
    )

    name: Line
    email: str = Field(max_length=320)
    password: SecretStr


class LoginBody(Body):
    """An email and its password."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"email": "mara@example.com", "password": "a long and quiet river"}}
    )

    email: str = Field(max_length=320)
    password: SecretStr


class EmailBody(Body):
    """An address that asks for a mail."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "mara@example.com"}})

    email: str = Field(max_length=320)


class ResetBody(Body):
    """A new password."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long and quiet river"}})

    password: SecretStr


class SubmittedUser(View):
    """The sign-up as it was submitted; it tells nothing about what exists."""

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


class ApiKeyView(View):
    """A user's developer key."""

    model_config = ConfigDict(json_schema_extra={"example": {"apikey": "lvk_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9"}})

    apikey: str
