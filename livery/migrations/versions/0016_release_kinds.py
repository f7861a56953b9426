"""What made each release, and how far the revisions of what it took away had come."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

KINDS = "kind IN ('publish', 'scheduled', 'images', 'item_rollback', 'restore')"
IMAGES_ALONE = """
UPDATE releases SET kind = 'images'
WHERE EXISTS (
  SELECT 1 FROM release_parts AS part
  WHERE part.project_id = releases.project_id AND part.part = 'images'
    AND (part.since_release = releases.number OR part.until_release = releases.number)
) AND NOT EXISTS (
  SELECT 1 FROM release_parts AS part
  WHERE part.project_id = releases.project_id AND part.part <> 'images'
    AND (part.since_release = releases.number OR part.until_release = releases.number)
)
"""


def upgrade() -> None:
    """Apply. Present releases that changed images alone can be recognised."""
    check = sa.CheckConstraint(KINDS, name=op.f("ck_releases_kind"))
    op.add_column("releases", sa.Column("kind", sa.String(16), check, nullable=False, server_default="publish"))
    op.add_column("releases", sa.Column("restored_release", sa.Integer(), nullable=True))
    op.add_column("releases", sa.Column("top_revision", sa.Integer(), nullable=True))
    op.execute(IMAGES_ALONE)


def downgrade() -> None:
    """Take back."""
    op.drop_column("releases", "top_revision")
    op.drop_column("releases", "restored_release")
    op.drop_column("releases", "kind")
