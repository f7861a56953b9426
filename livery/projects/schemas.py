"""What the projects domain takes and gives."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from livery.core import limits
from livery.core.schemas import Body, Id, Line, Moment, Revision, View
from livery.projects.permissions import Role, Scope

MemberRole = Literal["admin", "editor", "viewer"]


class LanguageView(View):
    """A language that content can be in."""

    code: str
    name: str
    native_name: str
    direction: Literal["ltr", "rtl"]
    flag: str = Field(
        description="The flag of the language's country; empty for a language without a country of its own."
    )
    plurals: list[str]


class Languages(View):
    """Every supported language."""

    languages: list[LanguageView]


class CreateProjectBody(Body):
    """A new project; its default language can be changed until release 1."""

    name: Annotated[Line, Field(examples=["Aurora Travel"])]
    description: Annotated[str, StringConstraints(max_length=limits.PROJECT_DESCRIPTION_CHARACTERS)] = ""
    default_language: Id = "en"


class UpdateProjectBody(Body):
    """What to change of a project; fields left out stay. ``revision`` guards against overwriting.

    ``tabs`` is the whole list of screens: added names are made, and names that are left out are deleted with their texts. ``general`` stays in any
    case, and the order stays that of creation. ``defaultLanguage`` can be changed until release 1.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Aurora Travel", "revision": 3}})

    name: Line | None = None
    description: Annotated[str, StringConstraints(max_length=limits.PROJECT_DESCRIPTION_CHARACTERS)] | None = None
    tabs: (
        Annotated[
            list[Annotated[str, StringConstraints(max_length=limits.GIVEN_SCREEN_CHARACTERS)]],
            Field(max_length=limits.GIVEN_SCREENS),
        ]
        | None
    ) = None
    default_language: Id | None = None
    revision: Revision | None = None

    @property
    def given(self) -> frozenset[str]:
        """The names of what is to be changed."""
        fields = ("name", "description", "tabs", "default_language")
        return frozenset(field for field in fields if getattr(self, field) is not None)


class CreateScreenBody(Body):
    """A new screen."""

    name: Annotated[str, StringConstraints(max_length=limits.GIVEN_SCREEN_CHARACTERS), Field(examples=["checkout"])]


class AddLanguageBody(Body):
    """A language by code or English name."""

    language: Annotated[
        str, StringConstraints(max_length=limits.GIVEN_LANGUAGE_CHARACTERS), Field(examples=["de", "German"])
    ]


class ProjectSummary(View):
    """A row of the project list."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    project_id: str
    name: str
    is_published: bool
    updated_at: Moment
    role: Role
    active_tier: str


class Person(View):
    """A person as colleagues see them."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    name: str
    email: str


class MemberView(View):
    """A person in a project. While the person is ``invited``, the user's ``_id`` is the invitation's and the name is empty."""

    user: Person
    role: Role
    status: Literal["active", "invited"]
    expires_at: Moment | None = Field(description="When an invitation expires. An expired invitation can be resent.")
    api_key_last_used_at: Moment | None = Field(
        description=(
            "To the hour, for admins and the owner: when this person's developer API keys were last used, in whatever project. "
            "Apps and tools that use them can't read this project any more once the person is removed."
        )
    )
    invite_link: str | None = Field(
        description=(
            "For admins and the owner: the link of an invitation that can be accepted. It works only for a person who is logged in with the "
            "invited email. Null when this server can't show it; sending the invitation again makes a new link."
        )
    )


class InviteBody(Body):
    """Whom to invite, and the role they get."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "noor@example.com", "role": "editor"}})

    email: Annotated[str, StringConstraints(max_length=limits.GIVEN_EMAIL_CHARACTERS)]
    role: MemberRole = "editor"


class RoleBody(Body):
    """Another role."""

    model_config = ConfigDict(json_schema_extra={"example": {"role": "viewer"}})

    role: MemberRole


class MembersView(View):
    """Everybody in a project: the owner, the members, then those who are invited."""

    members: list[MemberView]


class Invited(MembersView):
    """The invitation is on its way."""

    message: str


class InvitationView(View):
    """What a link of a mail is about."""

    project_name: str
    inviter_name: str
    email: str
    role: MemberRole
    expires_at: Moment


class OwnInvitation(InvitationView):
    """An invitation to the caller's email."""

    id: str = Field(validation_alias="id", serialization_alias="_id")


class OwnInvitations(View):
    """The invitations to the caller's email that can be accepted, the newest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "invitations": [
                    {
                        "_id": "inv_k3v5mq7aw2xhb6td",
                        "projectName": "Aurora Travel",
                        "inviterName": "Mara Lindt",
                        "email": "noor@example.com",
                        "role": "editor",
                        "expiresAt": "2026-12-04T12:00:00.000Z",
                    }
                ]
            }
        }
    )

    invitations: list[OwnInvitation]


class TransferBody(Body):
    """The admin who is to become the owner."""

    model_config = ConfigDict(json_schema_extra={"example": {"userId": "usr_k3v5mq7aw2xhb6td"}})

    user_id: Id


class TransferView(View):
    """To whom a project is offered, since when."""

    to: Person
    offered_at: Moment


class SecretView(View):
    """The project secret, for servers only."""

    project_secret: str


class PublishableKeyView(View):
    """The key that apps ship."""

    publishable_key: str


class PublishableKeyItem(View):
    """A key for apps that works. ``publishableKey`` is null when this server can't show it any more.

    ``contentUrl`` is where apps with this key read the project's content at the CDN; null without a CDN.
    """

    id: str = Field(validation_alias="id", serialization_alias="_id")
    publishable_key: str | None
    content_url: str | None
    created_at: Moment
    current: bool


class PublishableKeys(View):
    """The keys for apps that work, the current one first."""

    keys: list[PublishableKeyItem]


class MakeTokenBody(Body):
    """A new project token. ``days`` is its life; null for a token without an end."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "GitHub Actions", "scopes": ["read", "write"], "days": 90}}
    )

    name: Annotated[str, StringConstraints(max_length=limits.TOKEN_NAME_CHARACTERS)]
    scopes: Annotated[list[Scope], Field(max_length=limits.GIVEN_SCOPES)]
    days: Annotated[int, Field(ge=1, le=limits.TOKEN_DAYS)] | None = None


class TokenView(View):
    """A project token that works. ``hint`` is its last four characters. ``createdBy`` is the name of the person for whom it acts."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    name: str
    hint: str
    scopes: list[Scope]
    created_by: str | None
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class Tokens(View):
    """The project tokens that work, the newest first."""

    tokens: list[TokenView]


class MadeToken(View):
    """A new project token: ``token`` is never shown again."""

    token: str
    made: TokenView


class OwnToken(View):
    """What the project token of a call is."""

    project_id: str
    name: str
    scopes: list[Scope]
    expires_at: Moment | None
