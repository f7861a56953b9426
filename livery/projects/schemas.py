"""What the projects domain takes and gives."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from livery.core.schemas import Body, Line, Moment, View
from livery.projects.permissions import Role


class LanguageView(View):
    """A language that content can be in."""

    code: str
    name: str
    native_name: str
    direction: Literal["ltr", "rtl"]
    flag: str
    plurals: list[str]


class Languages(View):
    """Every supported language."""

    languages: list[LanguageView]


class CreateProjectBody(Body):
    """A new project; its default language can be changed until release 1."""

    name: Annotated[Line, Field(examples=["Aurora Travel"])]
    description: Annotated[str, StringConstraints(max_length=2000)] = ""
    default_language: Annotated[str, StringConstraints(max_length=64)] = "en"


class CreateScreenBody(Body):
    """A new screen."""

    name: Annotated[str, StringConstraints(max_length=200), Field(examples=["checkout"])]


class AddLanguageBody(Body):
    """A language by code or English name."""

    language: Annotated[str, StringConstraints(max_length=100), Field(examples=["de", "German"])]


class ProjectSummary(View):
    """A row of the project list."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    project_id: str
    name: str
    is_published: bool
    updated_at: Moment
    role: Role
    active_tier: str
