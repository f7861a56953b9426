"""Which release was being brought back when a restore made an entry of an item's history."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

OF_RELEASES = """
UPDATE item_versions SET restored_release = (
  SELECT restored_release FROM releases
  WHERE releases.project_id = item_versions.project_id AND releases.number = item_versions.release_number
)
WHERE kind = 'release' AND EXISTS (
  SELECT 1 FROM releases
  WHERE releases.project_id = item_versions.project_id AND releases.number = item_versions.release_number
    AND releases.restored_release IS NOT NULL
)
"""


def upgrade() -> None:
    """Apply. What overwrote the present drafts is unknown."""
    op.add_column("item_versions", sa.Column("restored_release", sa.Integer(), nullable=True))
    op.execute(OF_RELEASES)


def downgrade() -> None:
    """Take back."""
    op.drop_column("item_versions", "restored_release")
