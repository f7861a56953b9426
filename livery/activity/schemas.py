"""What activity answers: codes become sentences here and nowhere else."""

from typing import Annotated, Any

from pydantic import Field

from livery.activity.models import Activity, AuditEntry
from livery.core.origin import ActorKind
from livery.core.schemas import Moment, View

SENTENCES = {
    "accounts.registered": "Signed up",
    "accounts.verified": "Verified the email address",
    "accounts.name_changed": "Changed the account's name",
    "accounts.password_changed": "Changed the password",
    "accounts.api_key_rotated": "Made a new API key",
    "accounts.api_key_ended": "Ended an API key",
    "accounts.logged_in": "Logged in",
    "accounts.login_failed": "Somebody failed to log in",
    "accounts.logged_out": "Logged out",
    "accounts.session_ended": "Ended a session",
    "accounts.password_refused": "Gave a wrong password",
    "accounts.password_reset": "Set a new password by a mailed link",
    "accounts.sign_up_withdrawn": "Removed a sign-up",
    "accounts.closed": "Deleted the account",
    "accounts.totp_added": "Set up an authenticator app",
    "accounts.totp_removed": "Removed the authenticator app",
    "accounts.passkey_added": "Added passkey {target}",
    "accounts.passkey_renamed": "Renamed a passkey to {target}",
    "accounts.passkey_removed": "Removed passkey {target}",
    "accounts.recovery_codes_made": "Made new recovery codes",
    "accounts.recovery_code_used": "Used a recovery code",
    "accounts.second_factor_asked": "Somebody gave the right password and was asked for the second factor",
    "accounts.second_factor_refused": "Somebody gave a wrong second factor",
    "accounts.second_factors_removed": "Two-factor sign-in of {target} removed by the operator",
    "accounts.identity_connected": "Connected single sign-on: {target}",
    "accounts.identity_disconnected": "Disconnected single sign-on: {target}",
    "accounts.sso_logged_in": "Logged in with single sign-on",
    "ai.key_translated": "Translated {target} with AI",
    "ai.item_translated": "Translated an item of {target} with AI",
    "ai.translation_started": "Started AI translation of {target}",
    "ai.translation_finished": "Finished AI translation of {target}",
    "ai.translation_failed": "AI translation of {target} stopped",
    "ai.translation_cancelled": "Cancelled AI translation of {target}",
    "billing.tier_activated": "Activated {target}",
    "billing.tier_renewed": "Renewed {target}",
    "billing.credits_granted": "Received {target} credits",
    "billing.tier_set": "{target} set by the operator",
    "billing.plan_expired": "Plan expired: {target}",
    "billing.language_limit_set": "Set the language limit of {target}",
    "billing.invoice_made": "Opened an invoice for {target}",
    "billing.invoice_paid": "Paid for {target}",
    "colors.color_added": "Added colour {target}",
    "colors.color_changed": "Changed colour {target}",
    "colors.color_removed": "Removed colour {target}",
    "colors.rolled_back": "Rolled back the colours {target}",
    "images.image_added": "Uploaded image {target}",
    "images.image_replaced": "Replaced image {target}",
    "images.image_renamed": "Renamed image {target}",
    "images.image_removed": "Deleted image {target}",
    "projects.created": "Created project {target}",
    "projects.updated": "Changed the settings",
    "projects.deleted": "Deleted project {target}",
    "projects.screen_added": "Added screen {target}",
    "projects.screen_removed": "Removed screen {target}",
    "projects.language_added": "Added language {target}",
    "projects.language_removed": "Removed language {target}",
    "projects.default_language_changed": "Made {target} the default language",
    "projects.member_invited": "Invited {target}",
    "projects.invitation_resent": "Sent the invitation of {target} again",
    "projects.invitation_declined": "Declined the invitation",
    "projects.invitation_withdrawn": "Withdrew the invitation of {target}",
    "projects.member_joined": "Joined as {target}",
    "projects.member_left": "Left the team",
    "projects.member_removed": "Removed member {target}",
    "projects.role_changed": "Changed the role of {target}",
    "projects.transfer_offered": "Offered ownership to {target}",
    "projects.transfer_withdrawn": "Withdrew the offer of ownership to {target}",
    "projects.transfer_declined": "Declined ownership",
    "projects.transferred": "Took over ownership from {target}",
    "projects.publishable_key_rotated": "Made a new publishable key",
    "projects.publishable_key_ended": "Ended a publishable key",
    "projects.secret_rotated": "Made a new project secret",
    "projects.audit_exported": "Exported the audit log as {target}",
    "publishing.discarded": "Discarded {target} of the draft",
    "publishing.discard_undone": "Brought discarded changes back",
    "publishing.preview_link_made": "Made a preview link of the draft",
    "publishing.published": "Published release {target}",
    "publishing.restored": "Restored release {target}",
    "publishing.scheduled": "Scheduled a publish for {target}",
    "publishing.schedule_cancelled": "Cancelled the publish scheduled for {target}",
    "publishing.schedule_empty": "Had nothing new for the publish scheduled for {target}",
    "publishing.schedule_failed": "Scheduled publish failed: {target}",
    "screens.key_added": "Added key {target}",
    "screens.key_renamed": "Renamed key {target}",
    "screens.key_updated": "Changed text {target}",
    "screens.key_removed": "Removed key {target}",
    "screens.rolled_back": "Rolled back {target}",
    "stores.store_added": "Added data store {target}",
    "stores.store_changed": "Changed data store {target}",
    "stores.store_removed": "Removed data store {target}",
    "stores.item_added": "Added an item to {target}",
    "stores.item_changed": "Changed an item of {target}",
    "stores.item_removed": "Removed an item of {target}",
    "stores.item_rolled_back": "Rolled back item {target}",
    "stores.item_brought_back": "Brought the draft of item {target}",
}
"""The action codes and how a feed says them. A test holds every ``record`` call against this table."""

REPEATABLE = frozenset(
    {"screens.key_updated", "colors.color_changed", "projects.updated", "stores.store_changed", "stores.item_changed"}
)
"""Edits that one person makes many times in a minute: their newest row stands for all."""


def sentence_of(action: str, target: str) -> str:
    """The action for people to read. A code that this version does not know (a newer one wrote it) is shown in words."""
    sentence = SENTENCES.get(action)
    if sentence is None:
        words = action.partition(".")[2] or action
        sentence = words.replace("_", " ").capitalize() + " {target}"
    return sentence.replace("{target}", target).strip()


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
        """The row as a feed shows it; ``actor`` is the name that belongs to ``row.actor_id``."""
        return cls(
            id=str(row.id),
            action=sentence_of(row.action, row.target),
            project_id=row.project_id,
            timestamp=row.created_at,
            actor=actor,
            target=row.target or None,
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
            action=sentence_of(row.action, row.target),
            code=row.action,
            target=row.target or None,
            address=row.address,
            request_id=row.request_id,
            before=row.before,
            after=row.after,
            is_cut=row.is_cut,
        )
