"""Who may do what in a project: the one table behind the server, the dashboard and the authorization tests."""

from enum import StrEnum
from typing import Literal

Role = Literal["owner", "admin", "editor", "viewer"]


class Permission(StrEnum):
    """A right in a project."""

    READ = "read"
    EDIT = "edit"
    PUBLISH = "publish"
    MANAGE = "manage"
    ASSIGN_CREDITS = "assign_credits"
    AUDIT = "audit"
    OWN = "own"


Scope = Literal["read", "write", "publish"]

SCOPES: dict[Scope, frozenset[Permission]] = {
    "read": frozenset({Permission.READ}),
    "write": frozenset({Permission.READ, Permission.EDIT}),
    "publish": frozenset({Permission.READ, Permission.PUBLISH}),
}
"""What the scopes of a project token allow. No token manages people, plans or keys."""

_VIEWER = frozenset({Permission.READ})
_EDITOR = _VIEWER | {Permission.EDIT, Permission.PUBLISH}
_ADMIN = _EDITOR | {Permission.MANAGE, Permission.ASSIGN_CREDITS, Permission.AUDIT}

PERMISSIONS: dict[Role, frozenset[Permission]] = {
    "viewer": _VIEWER,
    "editor": _EDITOR,
    "admin": _ADMIN,
    "owner": _ADMIN | {Permission.OWN},
}

REFUSALS: dict[Permission, str] = {
    Permission.READ: "You may not see this project.",
    Permission.EDIT: "Viewers can't change content. Ask an admin of this project for the editor role.",
    Permission.PUBLISH: "Viewers can't publish. Ask an admin of this project for the editor role.",
    Permission.MANAGE: "Only admins and the owner can change this.",
    Permission.ASSIGN_CREDITS: "Only admins and the owner can activate a plan.",
    Permission.AUDIT: "Only admins and the owner can see the audit log.",
    Permission.OWN: "Only the owner can do this.",
}
