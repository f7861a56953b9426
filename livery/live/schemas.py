"""What an activity means for pages that are open: the keys it touched, and the other parts of a project."""

from dataclasses import dataclass

from livery.activity.models import Activity

EVERYTHING = "everything"
PROJECT = ("project",)
MEMBERS = ("project", "members")
FILLED = ("jobs", "texts")
IMAGES = ("images",)
STORES = ("stores",)
SCHEDULES = ("project", "schedules")

PARTS: dict[str, tuple[str, ...]] = {
    "ai.translation_started": ("jobs",),
    "ai.translation_finished": FILLED,
    "ai.translation_failed": FILLED,
    "ai.translation_cancelled": FILLED,
    "ai.item_translated": STORES,
    "billing.tier_activated": PROJECT,
    "billing.tier_renewed": PROJECT,
    "billing.tier_set": PROJECT,
    "billing.plan_expired": PROJECT,
    "billing.language_limit_set": PROJECT,
    "images.image_added": IMAGES,
    "images.image_replaced": IMAGES,
    "images.image_renamed": IMAGES,
    "images.image_removed": IMAGES,
    "archives.imported": (EVERYTHING,),
    "imports.applied": (EVERYTHING,),
    "imports.undone": (EVERYTHING,),
    "projects.created": PROJECT,
    "projects.updated": PROJECT,
    "projects.deleted": PROJECT,
    "projects.screen_added": PROJECT,
    "projects.screen_removed": ("project", "texts"),
    "projects.language_added": PROJECT,
    "projects.language_removed": ("project", "texts", "stores"),
    "projects.default_language_changed": PROJECT,
    "projects.member_invited": MEMBERS,
    "projects.invitation_resent": MEMBERS,
    "projects.invitation_declined": MEMBERS,
    "projects.invitation_withdrawn": MEMBERS,
    "projects.member_joined": MEMBERS,
    "projects.member_left": MEMBERS,
    "projects.member_removed": MEMBERS,
    "projects.role_changed": MEMBERS,
    "projects.transfer_offered": MEMBERS,
    "projects.transfer_withdrawn": MEMBERS,
    "projects.transfer_declined": MEMBERS,
    "projects.transferred": MEMBERS,
    "projects.publishable_key_rotated": ("project", "keys"),
    "projects.publishable_key_ended": ("project", "keys"),
    "projects.secret_rotated": ("project", "keys"),
    "projects.token_made": ("keys",),
    "projects.token_ended": ("keys",),
    "publishing.scheduled": SCHEDULES,
    "publishing.schedule_cancelled": SCHEDULES,
    "publishing.schedule_empty": SCHEDULES,
    "publishing.schedule_failed": SCHEDULES,
    "publishing.preview_link_made": (),
    "stores.store_added": STORES,
    "stores.store_changed": STORES,
    "stores.store_removed": STORES,
    "stores.item_added": STORES,
    "stores.item_changed": STORES,
    "stores.item_removed": STORES,
    "stores.item_rolled_back": STORES,
    "stores.item_brought_back": STORES,
}
"""Parts by action, where the subject adds nothing. An action that is in no table here (a newer action) concerns everything."""

KEY_ACTIONS = frozenset(
    {
        "ai.key_translated",
        "screens.key_added",
        "screens.key_renamed",
        "screens.key_updated",
        "screens.key_removed",
    }
)
"""Their subject has a screen, a key, and for a rename the new key."""

COLOR_ACTIONS = frozenset({"colors.color_added", "colors.color_changed", "colors.color_removed"})
"""Their subject has a colour, and for a rename the new colour."""

DEPARTURES = frozenset(
    {"projects.member_left", "projects.member_removed", "projects.deleted", "projects.transferred"},
)
"""After these actions, somebody in the room may have no right to be there: that is checked before anything is sent."""


@dataclass(frozen=True)
class Change:
    """What one activity touched: keys by screen, colours by key, and parts of the project."""

    id: int
    project_id: str
    actor_id: str
    action: str
    at: str
    keys: tuple[tuple[str, str], ...] = ()
    colors: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    release: int | None = None

    @classmethod
    def of(cls, row: Activity) -> "Change":
        """What ``row`` touched."""
        moment = row.created_at.isoformat().replace("+00:00", "Z")
        base = (row.id, row.project_id or "", row.actor_id, row.action, moment)
        subject = row.subject
        if row.action in PARTS:
            return cls(*base, parts=PARTS[row.action])
        if row.action in KEY_ACTIONS and "screen" in subject and "key" in subject:
            names = (subject["key"], subject.get("newKey"))
            return cls(*base, keys=tuple((subject["screen"], name) for name in names if name))
        if row.action in COLOR_ACTIONS and "color" in subject:
            return cls(*base, colors=tuple(name for name in (subject["color"], subject.get("newColor")) if name))
        if row.action == "publishing.published" and "release" in subject:
            return cls(*base, release=subject["release"])
        if row.action == "publishing.restored":
            return cls(*base, parts=(EVERYTHING,), release=subject.get("release"))
        return cls(*base, parts=(EVERYTHING,))  # an older activity may have only its text


Revisions = dict[tuple[str, str], int]
"""By screen and key; colours have no screen."""


@dataclass(frozen=True)
class News:
    """Changes of one project with what events need: who made them, and which revisions their keys and colours have now."""

    changes: list[Change]
    names: dict[str, str]
    keys: Revisions
    colors: Revisions

    def data_of(self, change: Change) -> dict[str, object]:
        """One change as it is sent. A key or colour that is gone has no revision."""
        name = self.names.get(change.actor_id)
        data: dict[str, object] = {"by": {"_id": change.actor_id, "name": name} if name else None, "at": change.at}
        if change.keys:
            screens: dict[str, dict[str, int | None]] = {}
            for screen, key in change.keys:
                screens.setdefault(screen, {})[key] = self.keys.get((screen, key))
            data["screens"] = screens
        if change.colors:
            data["colors"] = {key: self.colors.get(("", key)) for key in change.colors}
        if change.release is not None:
            data["release"] = change.release
        return data | dict.fromkeys(change.parts, True)
