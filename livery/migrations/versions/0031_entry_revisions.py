"""Adds one counter of revisions for each project, in place of the highest revisions that releases and histories kept."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0031"
down_revision: str | None = "0030"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_COLUMNS = (
    ("text_keys", "revision"),
    ("colors", "revision"),
    ("images", "revision"),
    ("stores", "revision"),
    ("store_items", "revision"),
    ("releases", "top_revision"),
    ("content_versions", "top_revision"),
)
"""Where the revisions are that anybody can have seen."""
_PROJECTS = sa.table("projects", sa.column("id"), sa.column("entry_revision"))


def upgrade() -> None:
    """Applies this revision."""
    op.add_column("projects", sa.Column("entry_revision", sa.Integer(), server_default="0", nullable=False))
    seen = sa.union_all(
        *(
            sa.select(sa.column("project_id", sa.String), sa.func.max(sa.column(name, sa.Integer)).label("top"))
            .select_from(sa.table(table))
            .group_by(sa.column("project_id"))
            for table, name in _COLUMNS
        )
    ).subquery()
    tops = sa.select(seen.c.project_id, sa.func.max(seen.c.top)).group_by(seen.c.project_id)
    connection = op.get_bind()
    for project_id, top in connection.execute(tops).all():
        if top:
            connection.execute(_PROJECTS.update().where(_PROJECTS.c.id == project_id).values(entry_revision=top))
    op.drop_column("releases", "top_revision")
    op.drop_column("content_versions", "top_revision")


def downgrade() -> None:
    """Takes this revision back."""
    op.add_column("content_versions", sa.Column("top_revision", sa.Integer(), nullable=True))
    op.add_column("releases", sa.Column("top_revision", sa.Integer(), nullable=True))
    releases = sa.table("releases", sa.column("project_id"), sa.column("top_revision"))
    top = sa.select(_PROJECTS.c.entry_revision).where(_PROJECTS.c.id == releases.c.project_id).scalar_subquery()
    op.get_bind().execute(releases.update().values(top_revision=top))
    op.drop_column("projects", "entry_revision")
