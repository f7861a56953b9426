"""What a project token lets its caller do."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TokenGrant:
    """The permissions of a project token in one project: values of ``projects.permissions.Permission``."""

    token_id: str
    project_id: str
    permissions: frozenset[str]
