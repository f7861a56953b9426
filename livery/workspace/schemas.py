"""Composed answers."""

from typing import Literal

from pydantic import ConfigDict, Field

from livery.activity.schemas import ActivityView, AuditEntryView
from livery.billing.schemas import LimitsView
from livery.core.schemas import Body, Id, Moment, View
from livery.projects.permissions import Permission, Role
from livery.projects.schemas import MemberView, TransferView
from livery.publishing.kinds import Unpublished


class Me(View):
    """The person who is logged in. With ``billing`` off, plans and credits mean nothing on this server and are not shown."""

    id: str = Field(validation_alias="id", serialization_alias="_id")
    name: str
    email: str
    credits: int
    billing: Literal["credits", "off"]
    free_month_used: bool
    plan: Literal["free", "paid", "expired"]
    plan_expiry: Moment | None
    is_verified: bool


class LoggedIn(View):
    """A new session. ``device`` is for the next login with this email: guesses of others do not hold it up."""

    message: str
    token: str
    user: Me
    device: str


class ProjectView(View):
    """A project as the dashboard sees it. ``permissions`` are the caller's; ``projectSecret`` and ``transfer`` are null for editors and viewers.

    ``freeMonthUsed``: somebody gave the project their free month, so it gets no second free month.
    ``seatsTaken`` counts the owner, the members and the invitations that can still be accepted. ``hasHistory``: the plan shows versions, and
    rolls back to them. ``hasScheduling``: the plan publishes at a chosen time. ``scheduledFor``: when the draft is published on schedule.
    ``scheduleObstacle``: why that publish will fail, as far as that is known now. ``scheduleFailed``: the time of the last schedule, if it failed
    and its changes are still unpublished.
    ``publishableKey`` is null when the server's own secret key was changed since it was made: it works, but can't be shown.
    """

    id: str = Field(validation_alias="id", serialization_alias="_id")
    project_id: str
    name: str
    description: str
    owner_id: str
    languages: list[str]
    default_language: str
    tabs: list[str]
    members: list[MemberView]
    seats_taken: int
    store_count: int
    transfer: TransferView | None
    active_tier: str
    tier_name: str
    plan: str
    expires_at: Moment | None
    free_month_used: bool
    revision: int
    role: Role
    permissions: list[Permission]
    limits: LimitsView
    has_history: bool
    has_scheduling: bool
    scheduled_for: Moment | None
    schedule_obstacle: str | None
    schedule_failed: Moment | None
    release: int
    is_published: bool
    unpublished: Unpublished
    publishable_key: str | None
    project_secret: str | None
    updated_at: Moment


class AssignCreditsBody(Body):
    """A tier for a project, and for how many months."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"projectId": "prj_k3v5mq7aw2xhb6td", "tierId": "free_starter_month", "months": 1}
        }
    )

    project_id: Id
    tier_id: Id
    months: int


class CreditsAssigned(View):
    """The project on its tier, and the credits left."""

    message: str
    project: ProjectView
    user_credits: int


class StorefrontConfig(View):
    """Where the example app reads its content: nothing secret."""

    project_id: str
    key: str
    base_url: str


ActivityFeed = list[ActivityView]
AuditLog = list[AuditEntryView]


class AuditPerson(View):
    """Somebody who has an entry in the audit log of a project. ``email`` is null for a deleted account."""

    id: str = Field(validation_alias="id", serialization_alias="_id", examples=["usr_k3v5mq7aw2xhb6td"])
    name: str
    email: str | None


class AuditPeople(View):
    """Everybody who has an entry in the audit log of a project, by name."""

    people: list[AuditPerson]
