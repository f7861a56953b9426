"""What activity answers."""

from typing import Annotated, Any

from pydantic import Field

from livery.activity.models import Activity, AuditEntry
from livery.activity.sentences import sentence_of, target_of
from livery.core.origin import ActorKind
from livery.core.schemas import Moment, View


class ActivityView(View):
    """An entry of the feed."""

    id: Annotated[str, Field(validation_alias="id", serialization_alias="_id", examples=["1207"])]
    action: Annotated[str, Field(description="For people to read.", examples=["Changed text home.title"])]
    project_id: Annotated[str | None, Field(examples=["prj_k3v5mq7aw2xhb6td"])]
    timestamp: Moment
    actor: Annotated[str | None, Field(description="The name of who did it.", examples=["Ada Lovelace"])]
    target: Annotated[str | None, Field(description="What it was done to.", examples=["home.title"])]

    @classmethod
    def of(cls, row: Activity, *, actor: str | None) -> "ActivityView":
        """Returns the row as a feed shows it; ``actor`` is the name that belongs to ``row.actor_id``."""
        return cls(
            id=str(row.id),
            action=sentence_of(row.action, row.subject),
            project_id=row.project_id,
            timestamp=row.created_at,
            actor=actor,
            target=target_of(row.action, row.subject) or None,
        )


class AuditActor(View):
    """Who acted. ``id``, ``name`` and ``email`` are null for the server and its operator, ``email`` also for a deleted account.

    For a job they are those of the person it acted for.
    """

    kind: ActorKind
    id: Annotated[
        str | None, Field(validation_alias="id", serialization_alias="_id", examples=["usr_k3v5mq7aw2xhb6td"])
    ]
    name: Annotated[str | None, Field(examples=["Ada Lovelace"])]
    email: str | None


class AuditEntryView(View):
    """An entry of the audit log.

    ``before`` and ``after`` name what changed; what was the same is left out, and null means that there was nothing. ``isCut``: a value was too
    long for the log and was shortened ("…"). ``address`` is null for background work and commands.
    """

    id: Annotated[str, Field(validation_alias="id", serialization_alias="_id", examples=["1207"])]
    timestamp: Moment
    actor: AuditActor
    action: Annotated[str, Field(description="For people to read.", examples=["Changed text home.title"])]
    code: Annotated[str, Field(examples=["screens.key_updated"])]
    target: Annotated[str | None, Field(examples=["home.title"])]
    address: Annotated[str | None, Field(examples=["203.0.113.7"])]
    request_id: str | None
    before: Annotated[dict[str, Any] | None, Field(examples=[{"en": "Welcome"}])]
    after: Annotated[dict[str, Any] | None, Field(examples=[{"en": "Welcome back"}])]
    is_cut: bool

    @classmethod
    def of(cls, row: AuditEntry, *, name: str | None, email: str | None) -> "AuditEntryView":
        """Returns the row as the log shows it; ``name`` and ``email`` belong to ``row.actor_id``."""
        kind: ActorKind = row.actor_kind  # pyright: ignore[reportAssignmentType]  # written by ``audit.write`` alone
        return cls(
            id=str(row.id),
            timestamp=row.created_at,
            actor=AuditActor(kind=kind, id=row.actor_id or None, name=name, email=email),
            action=sentence_of(row.action, row.subject),
            code=row.action,
            target=target_of(row.action, row.subject) or None,
            address=row.address,
            request_id=row.request_id,
            before=row.before,
            after=row.after,
            is_cut=row.is_cut,
        )
